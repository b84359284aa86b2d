import { storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Watch } from '../protocol/watch.ts';
import type { Transaction } from '../storage/transactions.ts';
import { PAUSE } from './execute.ts';

/** Less than a server gives: an answer is put together in one go, and the client works on it while others are answered. */
const BATCH_BYTES = 4 * 2 ** 20;
const BATCH_DOCUMENTS = 4_000;

/** Where the documents of a cursor come from, as BSON bytes. */
export type Source =
  | Iterator<Buffer | typeof PAUSE, unknown, undefined>
  | AsyncIterator<Buffer | typeof PAUSE, unknown, undefined>;

export type Cursor = {
  id: bigint;
  namespace: string;
  session: string | undefined;
  transaction: Transaction | undefined;
  watch: Watch;
  /** The next documents, at most `count`, 4,000 and 4 MiB; `done` when there are no more, and everything held is freed. */
  take(count: number): Promise<{ batch: Buffer[]; done: boolean }>;
  close(): void;
};

export type CursorOptions = Pick<Cursor, 'namespace' | 'session' | 'transaction' | 'watch'> & {
  source: Source;
  /** Frees what the source reads from. */
  release: () => void;
  noTimeout?: boolean;
};

export type Cursors = {
  open(options: CursorOptions): Cursor;
  /** 43 when it does not exist or ended. */
  get(id: bigint, namespace: string): Cursor;
  kill(id: bigint): boolean;
  killSessions(sessions: ReadonlySet<string>): void;
  expire(): void;
  killAll(): void;
  count(): number;
};

type Open = Cursor & { usedAt: number; noTimeout: boolean };

export function createCursors(): Cursors {
  const open = new Map<bigint, Open>();
  let last = BigInt(Date.now()) << 20n;

  const closeThose = (which: (cursor: Open) => boolean) => {
    for (const cursor of [...open.values()].filter(which)) cursor.close();
  };

  return {
    open({ source, release, noTimeout = false, ...options }) {
      const id = ++last;
      let peeked: Buffer | undefined;
      let finished = false;
      let taking = false;

      const close = () => {
        if (finished) return;
        finished = true;
        open.delete(id);
        options.transaction?.closers.delete(close);
        // A generator cannot be ended while it runs; its own turn sees `finished` and ends it.
        if (!taking) end();
      };
      const end = () => {
        const ended: unknown = source.return?.();
        // Only after the iterator has closed its LMDB cursor may the snapshot go.
        if (ended instanceof Promise) void ended.then(release, release);
        else release();
      };

      async function take(count: number): Promise<{ batch: Buffer[]; done: boolean }> {
        if (taking) throw storeError(12051, `cursor id ${id} is already in use`);
        const batch: Buffer[] = [];
        let bytes = 0;
        taking = true;
        options.watch.resume();
        try {
          while (count > 0) {
            if (finished) throw storeError(237, `cursor id ${id} was killed`);
            const step = peeked ? { value: peeked, done: false } : source.next();
            // Most sources answer at once: only those that do not are waited for.
            const { value: document, done } = step instanceof Promise ? await step : step;
            peeked = undefined;
            if (done) return finish(batch);
            if (document === PAUSE) await options.watch.pause();
            if (!Buffer.isBuffer(document)) continue;
            if (
              batch.length >= count ||
              batch.length >= BATCH_DOCUMENTS ||
              (batch.length > 0 && bytes + document.length > BATCH_BYTES)
            ) {
              peeked = document;
              break;
            }
            batch.push(document);
            bytes += document.length;
          }
          return { batch, done: false };
        } catch (error) {
          finish([]);
          throw error;
        } finally {
          taking = false;
          options.watch.rest();
          if (finished) end();
        }
      }
      const finish = (batch: Buffer[]) => {
        close();
        return { batch, done: true };
      };

      const cursor = { ...options, id, take, close, usedAt: Date.now(), noTimeout };
      open.set(id, cursor);
      options.transaction?.closers.add(close);
      return cursor;
    },
    get(id, namespace) {
      const cursor = open.get(id);
      if (!cursor) throw storeError(43, `cursor id ${id} not found`);
      if (cursor.namespace !== namespace) {
        throw storeError(
          13,
          `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
        );
      }
      cursor.usedAt = Date.now();
      return cursor;
    },
    kill(id) {
      const cursor = open.get(id);
      cursor?.close();
      return cursor !== undefined;
    },
    killSessions: (sessions) => closeThose(({ session }) => session !== undefined && sessions.has(session)),
    expire: () => closeThose(({ usedAt, noTimeout }) => usedAt < Date.now() - LIMITS.idleCursorMs && !noTimeout),
    killAll: () => closeThose(() => true),
    count: () => open.size,
  };
}
