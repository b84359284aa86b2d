import { open, type RootDatabase, type Transaction } from 'lmdb';
import { storeError } from '../protocol/errors.ts';
import { CommitFailed, openCommits } from './commits.ts';
import { openDiskGuard } from './disk.ts';
import { merged } from './merge.ts';
import { type Generation, openRecent } from './recent.ts';
import type { Entry, RangeOptions, Snapshot, WriteView } from './view.ts';

/** The key space: snapshots, and writes that are on disk when their promise is kept. */
export type Storage = {
  snapshot(): Snapshot;
  /** Runs `work` alone against the live data. A throw undoes that work only; all work queued in one turn shares one sync. */
  write<T>(work: (view: WriteView) => T, options?: { allowWhenFull?: boolean }): Promise<T>;
  /** The newest committed value, outside any snapshot. */
  latest(key: Buffer): Buffer | undefined;
  /** The number of the newest commit, which goes on after a restart. Inside a write, that of the commit before it. */
  version(): number;
  onCommitFailed(reload: () => void): void;
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

/** So long is something kept in the journal alone, and so long passes until a full disk is tried again. */
const IDLE_MS = 2_000;

/** Opens a data file with what its journal holds beyond it. What was committed recently is looked at first, then the file. */
export function openStorage({ path, heldBy, onFatal }: StorageOptions): Storage {
  // overlappingSync off: a commit waits for fdatasync. safeRestore: never trust the unsynced commits of this boot after a crash.
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
  const recent = openRecent(environment, path);
  const reloads: (() => void)[] = [];
  const { place, takeBack, persist } = recent;
  const commits = openCommits({
    place,
    takeBack,
    persist,
    onFailed() {
      for (const reload of reloads) reload();
    },
  });
  let undo: (() => void)[] = [];
  let closing = false;
  let flushing = false;
  let idle: NodeJS.Timeout | undefined;

  const live: WriteView = {
    version: NEWEST,
    transactional: false,
    get: (key) => read(environment, recent.generation(), key, NEWEST),
    range: (low, high, options) => entries(environment, recent.generation(), low, high, NEWEST, options),
    put: recent.write,
    remove: (key) => recent.write(key, null),
    claim(key) {
      const held = heldBy(key);
      if (held) throw held;
    },
    mark: recent.write,
    effect(run, back) {
      run();
      undo.push(back);
    },
    touch: () => undefined,
  };

  async function write<T>(work: (view: WriteView) => T, { allowWhenFull = false } = {}): Promise<T> {
    if (closing) throw storeError(91, 'embedded store: it is about to stop');
    if (!allowWhenFull) disk.refuseWhenFull();
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
    } finally {
      if (recent.isDue()) void flush();
      else idle ??= setTimeout(flush, IDLE_MS).unref();
    }
  }

  // What the data file cannot take over now stays in the journal, and is tried again.
  async function flush(): Promise<void> {
    if (flushing) return;
    flushing = true;
    try {
      await commits.between(recent.flush);
      clearTimeout(idle);
      idle = undefined;
      flushing = false;
    } catch (error) {
      await commitFailed(error);
      idle = setTimeout(() => {
        flushing = false;
        void flush();
      }, IDLE_MS).unref();
    }
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
      const generation = recent.generation();
      const commit = recent.version();
      generation.hold();
      let open = true;
      return {
        version: commit,
        get: (key) => read(environment, generation, key, commit),
        range: (low, high, options) => entries(environment, generation, low, high, commit, options),
        count: (low, high) => count(environment, generation, low, high, commit),
        close() {
          if (open) generation.letGo();
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
        clearTimeout(idle);
        await commits.between(recent.flush).catch(commitFailed);
        disk.close();
        recent.close();
        await environment.close();
      }
    },
  };
}

const NEWEST = Number.POSITIVE_INFINITY;
const NOTHING = Buffer.alloc(0);

// Its types leave the options out.
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

// What lmdb hands out fast is good until the next reading. To copy it into memory shared by many values costs a quarter of what its own copies do.
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
  return names.length > 0 ? merged(inFile, names, (name) => memtable.named(name, commit), options) : inFile;
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
  if (keysOnly) for (const key of environment.getKeys(range)) yield { key, value: NOTHING };
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
    const version = memtable.named(name, commit);
    if (!version) continue;
    if (version.value) entries++;
    if (readFile(environment, version.key, file)) entries--;
  }
  return entries;
}

// lmdb rejects with a general sentence; the cause follows in a promise of its own.
async function causeOf(error: unknown): Promise<Error & { code?: number | string }> {
  if (error instanceof Error && 'commitError' in error && error.commitError instanceof Promise) {
    const cause: unknown = await error.commitError.catch((reason: unknown) => reason);
    if (cause instanceof Error) return cause;
  }
  return error instanceof Error ? error : new Error(String(error));
}
