// Server-side cursors.
import { storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { TimeSlice } from '../protocol/time-slice.ts';
import type { Transaction } from '../storage/transactions.ts';
import { PAUSE } from './execute.ts';

/**
 * Smaller than in MongoDB: encoding a reply blocks the process, and the client can process a batch meanwhile.
 */
const BATCH_BYTES = 4 * 2 ** 20;
const BATCH_DOCUMENTS = 4_000;

/** The documents of a cursor as BSON bytes. */
export type Source =
  | Iterator<Buffer | typeof PAUSE, unknown, undefined>
  | AsyncIterator<Buffer | typeof PAUSE, unknown, undefined>;

export type Cursor = {
  id: bigint;
  namespace: string;
  session: string | undefined;
  transaction: Transaction | undefined;
  timeSlice: TimeSlice;
  /** Returns at most `count` documents, 4,000 and 4 MiB. With `done` there are no more, and the source is released. */
  readBatch(count: number): Promise<{ batch: Buffer[]; done: boolean }>;
  close(): void;
};

type CursorOptions = Pick<Cursor, 'namespace' | 'session' | 'transaction' | 'timeSlice'> & {
  source: Source;
  /** Releases the view that the source reads from. */
  release: () => void;
  noTimeout?: boolean;
};

export type Cursors = {
  open(options: CursorOptions): Cursor;
  /** Throws CursorNotFound (43) if the cursor does not exist. */
  get(id: bigint, namespace: string): Cursor;
  kill(id: bigint): boolean;
  killSessions(sessions: ReadonlySet<string>): void;
  expire(): void;
  killAll(): void;
};

type OpenCursor = Cursor & { usedAt: number; noTimeout: boolean };

export function createCursors(): Cursors {
  const open = new Map<bigint, OpenCursor>();
  let lastId = BigInt(Date.now()) << 20n;

  const closeWhere = (predicate: (cursor: OpenCursor) => boolean) => {
    for (const cursor of [...open.values()].filter(predicate)) cursor.close();
  };

  return {
    open({ source, release, noTimeout = false, ...options }) {
      const id = ++lastId;
      let pending: Buffer | undefined;
      let finished = false;
      let reading = false;

      const close = () => {
        if (finished) return;
        finished = true;
        open.delete(id);
        options.transaction?.closers.delete(close);
        // A running generator cannot be ended; `readBatch` ends it when it sees `finished`.
        if (!reading) end();
      };
      const end = () => {
        const ended: unknown = source.return?.();
        // The snapshot may be closed only after the iterator has closed its LMDB cursor.
        if (ended instanceof Promise) void ended.then(release, release);
        else release();
      };

      async function readBatch(count: number): Promise<{ batch: Buffer[]; done: boolean }> {
        if (reading) throw storeError(12051, `cursor id ${id} is already in use`);
        const batch: Buffer[] = [];
        let bytes = 0;
        reading = true;
        options.timeSlice.resume();
        try {
          while (count > 0) {
            if (finished) throw storeError(237, `cursor id ${id} was killed`);
            const step = pending ? { value: pending, done: false } : source.next();
            // Awaiting every step of a synchronous source would be slow.
            const { value: document, done } = step instanceof Promise ? await step : step;
            pending = undefined;
            if (done) return finish(batch);
            if (document === PAUSE) await options.timeSlice.pause();
            if (!Buffer.isBuffer(document)) continue;
            if (
              batch.length >= count ||
              batch.length >= BATCH_DOCUMENTS ||
              (batch.length > 0 && bytes + document.length > BATCH_BYTES)
            ) {
              pending = document;
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
          reading = false;
          options.timeSlice.suspend();
          if (finished) end();
        }
      }
      const finish = (batch: Buffer[]) => {
        close();
        return { batch, done: true };
      };

      const cursor = { ...options, id, readBatch, close, usedAt: Date.now(), noTimeout };
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
    killSessions: (sessions) => closeWhere(({ session }) => session !== undefined && sessions.has(session)),
    expire: () => closeWhere(({ usedAt, noTimeout }) => usedAt < Date.now() - LIMITS.idleCursorMs && !noTimeout),
    killAll: () => closeWhere(() => true),
  };
}
