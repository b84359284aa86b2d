// The transactional key-value store: recent commits in memory and in a journal, everything older in an LMDB data file.

import { open, type RootDatabase, type Transaction } from 'lmdb';
import { storeError } from '../protocol/errors.ts';
import { CommitFailed, openCommits } from './commits.ts';
import { openDiskGuard } from './disk.ts';
import { mergeWrites } from './merge.ts';
import { type Generation, openRecentCommits } from './recent.ts';
import type { Entry, RangeOptions, Snapshot, WriteView } from './view.ts';

/** Snapshots for reads, and writes that are on disk when their promise resolves. */
export type Storage = {
  snapshot(): Snapshot;
  /**
   * Runs `work` exclusively on the live data. A throw undoes this work only. Writes queued in the same turn share one
   * sync.
   */
  write<T>(work: (view: WriteView) => T, options?: { allowWhenFull?: boolean }): Promise<T>;
  /** The newest committed value, which may be newer than that of any snapshot. */
  latest(key: Buffer): Buffer | undefined;
  /**
   * The number of the newest commit; it continues after a restart. During a write, the number of the previous commit.
   */
  version(): number;
  onCommitFailed(reload: () => void): void;
  /** Runs `last` after all queued writes, rejects further writes, then closes the storage. */
  close(last: (view: WriteView) => void): Promise<void>;
};

export type StorageOptions = {
  path: string;
  /** Returns the error to throw if an open transaction has locked the key. */
  lockConflict: (key: Buffer) => Error | undefined;
  /** Called when a sync fails: acknowledged writes are safe, but the storage must not accept more. */
  onFatal: (reason: string) => void;
  /** Continues with the last complete state if acknowledged writes are lost. */
  acceptLoss?: boolean;
};

/** How long a write stays in the journal alone, and how long to wait before a failed flush is retried. */
const IDLE_MS = 2_000;

/** Opens a data file and the commits in its journal. Reads look at the recent commits first, then at the file. */
export function openStorage({ path, lockConflict, onFatal, acceptLoss = false }: StorageOptions): Storage {
  // overlappingSync off: a commit waits for fdatasync. safeRestore: never trust the unsynced commits of this boot after
  // a crash.
  const durable = { overlappingSync: false, safeRestore: true };
  const settings = {
    path,
    encoding: 'binary' as const,
    keyEncoding: 'binary' as const,
    eventTurnBatching: false,
    maxReaders: 2048,
    ...durable,
  };
  const environment = open<Buffer, Buffer>(settings) as Environment;
  const disk = openDiskGuard(path);
  const recent = openRecentCommits(environment, path, { acceptLoss });
  const reloads: (() => void)[] = [];
  const commits = openCommits({
    savepoint: recent.savepoint,
    rollBackTo: recent.rollBackTo,
    persist: recent.persist,
    onFailed() {
      for (const reload of reloads) reload();
    },
  });
  let undo: (() => void)[] = [];
  let closing = false;
  let flushing = false;
  let flushTimer: NodeJS.Timeout | undefined;

  const live: WriteView = {
    version: NEWEST,
    transactional: false,
    get: (key) => read(environment, recent.generation(), key, NEWEST),
    range: (low, high, options) => entries(environment, recent.generation(), low, high, NEWEST, options),
    put: recent.write,
    remove: (key) => recent.write(key, null),
    claim(key) {
      const conflict = lockConflict(key);
      if (conflict) throw conflict;
    },
    mark: recent.write,
    effect(run, undoEffect) {
      run();
      undo.push(undoEffect);
    },
    touch: () => undefined,
  };

  async function write<T>(work: (view: WriteView) => T, { allowWhenFull = false } = {}): Promise<T> {
    if (closing) throw storeError(91, 'embedded store: the store is shutting down');
    if (!allowWhenFull) disk.assertNotFull();
    try {
      return await commits.run(() => {
        undo = [];
        try {
          return work(live);
        } catch (error) {
          for (const undoEffect of undo.reverse()) undoEffect();
          throw error;
        }
      });
    } catch (error) {
      throw error instanceof CommitFailed ? await commitFailed(error.cause) : error;
    } finally {
      if (recent.needsFlush()) void flush();
      else flushTimer ??= setTimeout(flush, IDLE_MS).unref();
    }
  }

  // If the flush fails, the commits stay in the journal and the flush is retried.
  async function flush(): Promise<void> {
    if (flushing) return;
    flushing = true;
    try {
      await commits.runBetweenCommits(() => recent.flush());
      clearTimeout(flushTimer);
      flushTimer = undefined;
      flushing = false;
    } catch (error) {
      await commitFailed(error);
      flushTimer = setTimeout(() => {
        flushing = false;
        void flush();
      }, IDLE_MS).unref();
    }
  }

  async function commitFailed(error: unknown): Promise<unknown> {
    const cause = await causeOf(error);
    const full = disk.outOfSpaceError(cause);
    if (full) return full;
    onFatal(`a commit failed: ${cause.message}`);
    return cause;
  }

  return {
    snapshot() {
      const generation = recent.generation();
      const commit = recent.version();
      generation.retain();
      let open = true;
      return {
        version: commit,
        get: (key) => read(environment, generation, key, commit),
        range: (low, high, options) => entries(environment, generation, low, high, commit, options),
        count: (low, high) => count(environment, generation, low, high, commit),
        close() {
          if (open) generation.release();
          open = false;
        },
      };
    },
    write,
    latest: (key) => read(environment, recent.generation(), key, recent.version()),
    version: recent.version,
    onCommitFailed: (reload) => void reloads.push(reload),
    async close(last) {
      const written = write(last, { allowWhenFull: true });
      closing = true;
      try {
        await written;
      } finally {
        clearTimeout(flushTimer);
        await commits.runBetweenCommits(() => recent.flush({ isLast: true })).catch(commitFailed);
        disk.close();
        recent.close();
        await environment.close();
      }
    },
  };
}

const NEWEST = Number.POSITIVE_INFINITY;
const EMPTY = Buffer.alloc(0);

// The type declarations of lmdb do not declare the options.
type Environment = RootDatabase<Buffer, Buffer> & {
  getBinaryFast(key: Buffer, options: { transaction: Transaction }): Buffer | undefined;
};

function read(
  environment: Environment,
  { memtable, file }: Generation,
  key: Buffer,
  commit: number,
): Buffer | undefined {
  const version = memtable.find(key, commit);
  return version ? (version.value ?? undefined) : readFile(environment, key, file);
}

// The buffer that getBinaryFast returns is valid until the next read. A copy from the buffer pool takes a quarter of
// the time that lmdb's own copy takes.
function readFile(environment: Environment, key: Buffer, transaction: Transaction): Buffer | undefined {
  const found = environment.getBinaryFast(key, { transaction });
  if (!found) return undefined;
  const value = Buffer.allocUnsafe(found.length);
  found.copy(value, 0, 0, found.length);
  return value;
}

function entries(
  environment: Environment,
  { memtable, file }: Generation,
  low: Buffer,
  high: Buffer,
  commit: number,
  options: RangeOptions = {},
): Iterable<Entry> {
  const inFile = entriesOfFile(environment, low, high, options, file);
  const names = memtable.between(low, high);
  return names.length > 0 ? mergeWrites(inFile, names, (name) => memtable.findByName(name, commit), options) : inFile;
}

function* entriesOfFile(
  environment: Environment,
  low: Buffer,
  high: Buffer,
  options: RangeOptions,
  transaction: Transaction,
): Iterable<Entry> {
  const { reverse = false, keysOnly = false } = options;
  const bounds = reverse
    ? { start: high, end: low, reverse, exclusiveStart: true, inclusiveEnd: true }
    : { start: low, end: high };
  const range = { ...bounds, transaction };
  if (keysOnly) for (const key of environment.getKeys(range)) yield { key, value: EMPTY };
  else yield* environment.getRange(range);
}

function count(
  environment: Environment,
  { memtable, file }: Generation,
  low: Buffer,
  high: Buffer,
  commit: number,
): number {
  let entries = environment.getKeysCount({ start: low, end: high, transaction: file });
  for (const name of memtable.between(low, high)) {
    const version = memtable.findByName(name, commit);
    if (!version) continue;
    if (version.value) entries++;
    if (readFile(environment, version.key, file)) entries--;
  }
  return entries;
}

// lmdb rejects with a general message; `commitError` is a promise that rejects with the cause.
async function causeOf(error: unknown): Promise<Error & { code?: number | string }> {
  if (error instanceof Error && 'commitError' in error && error.commitError instanceof Promise) {
    const cause: unknown = await error.commitError.catch((reason: unknown) => reason);
    if (cause instanceof Error) return cause;
  }
  return error instanceof Error ? error : new Error(String(error));
}
