// Caches the parents of versions, which never change. A page in the middle of a long history needs all of them, because
// its graph contains lines between versions far above and far below.
import type { Db } from 'mongodb';
import type { GraphVersion } from '../domain/versions/version-graph.ts';
import { collection, type Scope, within } from './query/scope.ts';

// about 30 MiB
const MAX_VERSIONS = 100_000;

type Cache = Map<string, GraphVersion[]>; // by document, in order of use
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
  const versions =
    known.length < last ? [...known, ...(await versionsAfter(scope, documentId, known.length, last))] : known;
  store(cache, documentId, versions);
  return versions.slice(0, last);
}

function versionsAfter(scope: Scope, documentId: string, known: number, last: number): Promise<GraphVersion[]> {
  return collection(scope, 'versions')
    .find({ documentId: { $eq: documentId }, type: 'version', n: { $gt: known, $lte: last } }, within(scope))
    .sort({ n: 1 })
    .project<GraphVersion>({ workspaceId: 1, type: 1, n: 1, basedOnVersionId: 1, parents: 1 })
    .toArray();
}

function cacheOf(db: Db): Cache {
  const cache = byDatabase.get(db) ?? new Map<string, GraphVersion[]>();
  byDatabase.set(db, cache);
  return cache;
}

function store(cache: Cache, documentId: string, versions: GraphVersion[]): void {
  const newer = cache.get(documentId);
  cache.delete(documentId);
  cache.set(documentId, newer && newer.length > versions.length ? newer : versions);
  let size = [...cache.values()].reduce((sum, { length }) => sum + length, 0);
  for (const [oldest, { length }] of cache) {
    if (size <= MAX_VERSIONS) break;
    cache.delete(oldest);
    size -= length;
  }
}
