// Caches the parents of versions, which never change. A page in the middle of a long history needs all of them, because
// its graph contains lines between versions far above and far below.
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { GraphVersion } from '../domain/versions/version-graph.ts';
import { collection, type Scope, within } from './query/scope.ts';

// about 30 MiB
const MAX_VERSIONS = 100_000;

type Cache = LRUCache<string, GraphVersion[]>; // by document
const byDatabase = new WeakMap<Db, Cache>();

/**
 * Returns the versions 1 to `last` of a document with their parents, in order. Reads only those that are not cached.
 * Entries of deleted documents are harmless, because callers look the document up first and ids are not reused.
 */
export async function versionAncestry(
  scope: Scope,
  documentId: string,
  last: number,
): Promise<readonly GraphVersion[]> {
  const cache = cacheOf(scope.db);
  const known = cache.get(documentId) ?? [];
  if (known.length >= last) return known.slice(0, last);
  const versions = [...known, ...(await versionsAfter(scope, documentId, known.length, last))];
  if (versions.length > (cache.peek(documentId)?.length ?? 0)) cache.set(documentId, versions);
  return versions;
}

function versionsAfter(scope: Scope, documentId: string, known: number, last: number): Promise<GraphVersion[]> {
  return collection(scope, 'versions')
    .find({ documentId: { $eq: documentId }, type: 'version', n: { $gt: known, $lte: last } }, within(scope))
    .sort({ n: 1 })
    .project<GraphVersion>({ workspaceId: 1, type: 1, n: 1, basedOnVersionId: 1, parents: 1, restoredFromVersionId: 1 })
    .toArray();
}

function cacheOf(db: Db): Cache {
  const cache =
    byDatabase.get(db) ??
    new LRUCache<string, GraphVersion[]>({ maxSize: MAX_VERSIONS, sizeCalculation: ({ length }) => length });
  byDatabase.set(db, cache);
  return cache;
}
