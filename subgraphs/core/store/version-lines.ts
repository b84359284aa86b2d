// What each version goes on from: it is written once with the version and never changed, so what has been read once is kept in this process. A window
// in the middle of a long history needs it, because lines pass by whose two ends lie far above and far below.
import type { Db } from 'mongodb';
import type { GraphVersion } from '../domain/versions/version-graph.ts';
import { collection, type Scope, within } from './query/scope.ts';

// about 30 MiB
const MOST_VERSIONS = 100_000;

type Kept = Map<string, GraphVersion[]>; // by document, in the order of use
const byDatabase = new WeakMap<Db, Kept>();

/**
 * The versions 1 to `last` of a document with their parents, in this order; only those made since they were last asked for are read. Of a document
 * that is gone nothing is handed out that anyone could ask for: it is looked up before, and no other can have its id.
 */
export async function versionLinesOf(scope: Scope, documentId: string, last: number): Promise<readonly GraphVersion[]> {
  const kept = keptOf(scope.db);
  const known = kept.get(documentId) ?? [];
  const lines = known.length < last ? [...known, ...(await linesAfter(scope, documentId, known.length, last))] : known;
  keep(kept, documentId, lines);
  return lines.slice(0, last);
}

function linesAfter(scope: Scope, documentId: string, known: number, last: number): Promise<GraphVersion[]> {
  return collection(scope, 'versions')
    .find({ documentId: { $eq: documentId }, type: 'version', n: { $gt: known, $lte: last } }, within(scope))
    .sort({ n: 1 })
    .project<GraphVersion>({ workspaceId: 1, type: 1, n: 1, basedOnVersionId: 1, parents: 1 })
    .toArray();
}

function keptOf(db: Db): Kept {
  const kept = byDatabase.get(db) ?? new Map<string, GraphVersion[]>();
  byDatabase.set(db, kept);
  return kept;
}

function keep(kept: Kept, documentId: string, lines: GraphVersion[]): void {
  const newer = kept.get(documentId);
  kept.delete(documentId);
  kept.set(documentId, newer && newer.length > lines.length ? newer : lines);
  let held = [...kept.values()].reduce((sum, { length }) => sum + length, 0);
  for (const [oldest, { length }] of kept) {
    if (held <= MOST_VERSIONS) break;
    kept.delete(oldest);
    held -= length;
  }
}
