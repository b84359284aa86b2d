// Caches the frozen lines of versions, which never change. What changes, e.g. the newest version or which releases are
// obsolete, is not part of it.
import { LRUCache } from 'lru-cache';
import type { ClientSession, Db } from 'mongodb';
import type { BomLine } from '../domain/assembly/bom-line.ts';

/** Lines by version. They are shared by all requests and must not be modified. */
export type LineCache = {
  get(versionId: string): readonly BomLine[] | undefined;
  set(versionId: string, lines: readonly BomLine[]): void;
  /** The number of cached lines. */
  readonly size: number;
};

// about 40 MiB
const MAX_LINES = 100_000;

const NO_CACHE: LineCache = { get: () => undefined, set: () => undefined, size: 0 };
const byDatabase = new WeakMap<Db, LineCache>();

/**
 * Returns the cache of this database. A transaction gets an empty one, because it reads from its snapshot and may yet
 * roll back its writes. Entries of deleted documents are harmless: callers look the version up first, and ids are not
 * reused.
 */
export function frozenLineCache({ db, session }: { db: Db; session?: ClientSession }): LineCache {
  if (session) return NO_CACHE;
  let cache = byDatabase.get(db);
  if (!cache) {
    cache = createLineCache(MAX_LINES);
    byDatabase.set(db, cache);
  }
  return cache;
}

/** Creates a cache of at most `maxLines` lines that evicts the least recently used versions. */
export function createLineCache(maxLines: number): LineCache {
  const versions = new LRUCache<string, readonly BomLine[]>({
    maxSize: maxLines,
    sizeCalculation: ({ length }) => length,
  });
  return {
    get: (versionId) => versions.get(versionId),
    set(versionId, lines) {
      if (lines.length) versions.set(versionId, lines);
    },
    get size() {
      return versions.calculatedSize;
    },
  };
}
