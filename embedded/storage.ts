import { open, type RootDatabase, type Transaction } from 'lmdb';
import { CommitFailed, openCommits } from './commits.ts';
import { openDiskGuard } from './disk.ts';
import { storeError } from './errors.ts';
import type { Entry, RangeOptions, Snapshot, WriteView } from './view.ts';

/** The LMDB environment: snapshots, and writes that are on disk when their promise is kept. */
export type Storage = {
  snapshot(): Snapshot;
  /** Runs `work` alone against the live data. A throw undoes that work only; all work queued in one turn shares one sync. */
  write<T>(work: (view: WriteView) => T, options?: { shrinking?: boolean }): Promise<T>;
  /** The newest committed value, outside any snapshot. */
  latest(key: Buffer): Buffer | undefined;
  /** The number of the newest commit, which goes on after a restart. Inside a write, that of the commit before it. */
  commitNumber(): number;
  /** How many commits were made since the start. */
  version(): number;
  onCommitFailed(reload: () => void): void;
  backup(path: string): Promise<void>;
  /** Runs one last write behind those that wait, and no other; then closes. */
  close(last: (view: WriteView) => void): Promise<void>;
};

export type StorageOptions = {
  path: string;
  /** Who holds a key in an open transaction; the returned error is thrown at the write that meets it. */
  heldBy: (key: Buffer) => Error | undefined;
  /** A sync that failed: what was acknowledged is safe, nothing more may be. */
  onFatal: (reason: string) => void;
};

export function openStorage({ path, heldBy, onFatal }: StorageOptions): Storage {
  // overlappingSync off: the promise waits for fdatasync. safeRestore: never trust the unsynced commits of this boot after a crash.
  const durable = { overlappingSync: false, safeRestore: true };
  const settings = { path, encoding: 'binary' as const, keyEncoding: 'binary' as const, eventTurnBatching: false, maxReaders: 2048, ...durable };
  const environment = open<Buffer, Buffer>(settings) as Environment;
  const disk = openDiskGuard(path);
  const reloads: (() => void)[] = [];
  const commits = openCommits(environment, () => {
    for (const reload of reloads) reload();
  });
  let renewedAt = -1;
  let undo: (() => void)[] = [];
  let closing = false;

  const live: WriteView = {
    version: Number.POSITIVE_INFINITY,
    transactional: false,
    get: (key) => read(environment, key),
    range: (low, high, options) => entries(environment, low, high, options),
    put: (key, value) => void environment.put(key, value),
    remove: (key) => void environment.remove(key),
    claim(key) {
      const held = heldBy(key);
      if (held) throw held;
    },
    mark: (key, value) => void environment.put(key, value),
    effect(run, back) {
      run();
      undo.push(back);
    },
    touch: () => undefined,
  };

  async function write<T>(work: (view: WriteView) => T, { shrinking = false } = {}): Promise<T> {
    if (closing) throw storeError(91, 'embedded store: it is about to stop');
    if (!shrinking) disk.refuseWhenFull();
    try {
      return await commits.run(() => {
        undo = [];
        try {
          return work(live);
        } catch (refusal) {
          for (const back of undo.reverse()) back();
          throw refusal;
        }
      });
    } catch (error) {
      throw error instanceof CommitFailed ? await commitFailed(error.cause) : error;
    }
  }

  // What was answered must be seen; with no new commit since, the state in use is the newest that anybody was told of.
  function renew(): void {
    if (renewedAt === commits.made()) return;
    environment.resetReadTxn();
    renewedAt = commits.made();
  }

  async function commitFailed(error: unknown): Promise<unknown> {
    const cause = await causeOf(error);
    const full = disk.isFull(cause);
    if (full) return full;
    onFatal(`a commit failed: ${cause.message}`);
    return cause;
  }

  return {
    snapshot() {
      renew();
      const transaction = environment.useReadTransaction();
      const within = { transaction };
      let open = true;
      return {
        version: commits.made(),
        get: (key) => read(environment, key, within),
        range: (low, high, options) => entries(environment, low, high, options, transaction),
        count: (low, high) => environment.getKeysCount({ start: low, end: high, transaction }),
        close() {
          if (open) transaction.done();
          open = false;
        },
      };
    },
    write,
    latest(key) {
      renew();
      return read(environment, key);
    },
    commitNumber: () => (environment.getStats() as { lastTxnId: number }).lastTxnId,
    version: commits.made,
    onCommitFailed: (reload) => void reloads.push(reload),
    backup: (target) => environment.backup(target, true),
    async close(last) {
      const written = write(last, { shrinking: true });
      closing = true;
      await written.finally(() => {
        disk.close();
        return environment.close();
      });
    },
  };
}

const NOTHING = Buffer.alloc(0);

// Its types leave the options out.
type Environment = RootDatabase<Buffer, Buffer> & { getBinaryFast(key: Buffer, options?: { transaction: Transaction }): Buffer | undefined };

// What lmdb hands out fast is good until the next reading. To copy it into memory shared by many values costs a quarter of what its own copies do.
function read(environment: Environment, key: Buffer, options?: { transaction: Transaction }): Buffer | undefined {
  const found = environment.getBinaryFast(key, options);
  if (!found) return undefined;
  const value = Buffer.allocUnsafe(found.length);
  found.copy(value, 0, 0, found.length);
  return value;
}

function* entries(
  environment: RootDatabase<Buffer, Buffer>,
  low: Buffer,
  high: Buffer,
  options: RangeOptions = {},
  transaction?: Transaction,
): Iterable<Entry> {
  const { reverse = false, keysOnly = false } = options;
  const bounds = reverse ? { start: high, end: low, reverse, exclusiveStart: true, inclusiveEnd: true } : { start: low, end: high };
  const range = transaction ? { ...bounds, transaction } : bounds;
  if (keysOnly) for (const key of environment.getKeys(range)) yield { key, value: NOTHING };
  else yield* environment.getRange(range);
}

// lmdb rejects with a general sentence; the cause follows in a promise of its own.
async function causeOf(error: unknown): Promise<Error & { code?: number | string }> {
  if (error instanceof Error && 'commitError' in error && error.commitError instanceof Promise) {
    const cause: unknown = await error.commitError.catch((reason: unknown) => reason);
    if (cause instanceof Error) return cause;
  }
  return error instanceof Error ? error : new Error(String(error));
}
