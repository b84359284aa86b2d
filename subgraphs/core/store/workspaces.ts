import { notFound } from '../domain/errors.ts';
import { foldCase } from '../domain/text/text.ts';
import { lock } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { Write } from './query/write.ts';
import type { DocumentRecord, WorkspaceRecord } from './schema/collections.ts';

type Given = Pick<
  WorkspaceRecord,
  '_id' | 'documentId' | 'name' | 'description' | 'main' | 'fromVersionId' | 'draftId'
>;

/** A workspace as a new record, to be inserted by the caller together with its draft. */
export function workspaceRecord(work: Write, given: Given): WorkspaceRecord {
  return {
    ...given,
    nameKey: foldCase(given.name),
    archived: false,
    newestVersionId: null,
    reservation: null,
    createdAt: work.now,
    createdBy: work.actor.id,
    lock: 0,
  };
}

/** The workspaces of some documents: the main one first, then by creation. */
export function workspacesOf(scope: Scope, documentIds: readonly string[]): Promise<WorkspaceRecord[]> {
  return collection(scope, 'workspaces')
    .find({ documentId: { $in: [...documentIds] } }, within(scope))
    .sort({ main: -1, createdAt: 1, _id: 1 })
    .toArray();
}

const MOST_RESERVATIONS = 200;

/** The workspaces that a user holds now: 200 at most, those whose reservation ends first. */
export function workspacesReservedBy(scope: Scope, userId: string, now: Date): Promise<WorkspaceRecord[]> {
  return collection(scope, 'workspaces')
    .find({ 'reservation.userId': { $eq: userId }, 'reservation.expiresAt': { $gt: now } }, within(scope))
    .sort({ 'reservation.expiresAt': 1 })
    .limit(MOST_RESERVATIONS)
    .toArray();
}

/** The workspaces that others hold now and a user has asked for: 200 at most, in no order, which an index of lists does not give. */
export function workspacesRequestedBy(scope: Scope, userId: string, now: Date): Promise<WorkspaceRecord[]> {
  return collection(scope, 'workspaces')
    .find({ 'reservation.asks.userId': { $eq: userId }, 'reservation.expiresAt': { $gt: now } }, within(scope))
    .limit(MOST_RESERVATIONS)
    .toArray();
}

/** The drafts of a document, one for each workspace. */
export async function draftIdsOf(scope: Scope, documentId: string): Promise<string[]> {
  return (await workspacesOf(scope, [documentId])).map(({ draftId }) => draftId);
}

/** The workspace a document was created with. Refuses with `not_found`. */
export async function mainWorkspace(scope: Scope, documentId: string): Promise<WorkspaceRecord> {
  const found = await collection(scope, 'workspaces').findOne(
    { documentId: { $eq: documentId }, main: true },
    within(scope),
  );
  if (!found) throw notFound('workspace of document', documentId);
  return found;
}

/** A workspace and its document, both locked for a decision. Refuses with `not_found`. */
export async function lockWorkspace(
  work: Write,
  id: string,
): Promise<{ document: DocumentRecord; workspace: WorkspaceRecord }> {
  const workspace = await lock(work, 'workspaces', id);
  return { workspace, document: await lock(work, 'documents', workspace.documentId) };
}
