// Queries on workspaces.
import { notFound } from '../domain/errors.ts';
import { foldCase } from '../domain/text/text.ts';
import { lock } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { Write } from './query/write.ts';
import type { DocumentRecord, WorkspaceRecord } from './schema/collections.ts';

type NewWorkspace = Pick<
  WorkspaceRecord,
  '_id' | 'documentId' | 'name' | 'description' | 'main' | 'fromVersionId' | 'draftId'
>;

/** Returns a new workspace record, to be inserted by the caller together with its draft. */
export function workspaceRecord(work: Write, fields: NewWorkspace): WorkspaceRecord {
  return {
    ...fields,
    nameKey: foldCase(fields.name),
    archived: false,
    newestVersionId: null,
    reservation: null,
    createdAt: work.now,
    createdBy: work.actor.id,
    lock: 0,
  };
}

/** Returns the workspaces of several documents: the main one first, then by creation. */
export function workspacesOf(scope: Scope, documentIds: readonly string[]): Promise<WorkspaceRecord[]> {
  return collection(scope, 'workspaces')
    .find({ documentId: { $in: [...documentIds] } }, within(scope))
    .sort({ main: -1, createdAt: 1, _id: 1 })
    .toArray();
}

const MAX_RESERVATIONS = 200;

/** Returns the documents and users of at most 1000 reservations that have not expired. */
export function currentReservations(scope: Scope, now: Date): Promise<{ documentId: string; userId: string }[]> {
  return collection(scope, 'workspaces')
    .find({ 'reservation.userId': { $gt: '' }, 'reservation.expiresAt': { $gt: now } }, within(scope))
    .limit(1_000)
    .map(({ documentId, reservation }) => ({ documentId, userId: reservation?.userId ?? '' }))
    .toArray();
}

/** Returns at most 200 workspaces that a user currently has reserved, by the expiry of the reservation. */
export function workspacesReservedBy(scope: Scope, userId: string, now: Date): Promise<WorkspaceRecord[]> {
  return collection(scope, 'workspaces')
    .find({ 'reservation.userId': { $eq: userId }, 'reservation.expiresAt': { $gt: now } }, within(scope))
    .sort({ 'reservation.expiresAt': 1 })
    .limit(MAX_RESERVATIONS)
    .toArray();
}

/** Returns at most 200 reserved workspaces whose check-in a user has requested, in no particular order. */
export function workspacesRequestedBy(scope: Scope, userId: string, now: Date): Promise<WorkspaceRecord[]> {
  return collection(scope, 'workspaces')
    .find({ 'reservation.asks.userId': { $eq: userId }, 'reservation.expiresAt': { $gt: now } }, within(scope))
    .limit(MAX_RESERVATIONS)
    .toArray();
}

/** Returns the draft ids of a document, one for each workspace. */
export async function draftIdsOf(scope: Scope, documentId: string): Promise<string[]> {
  return (await workspacesOf(scope, [documentId])).map(({ draftId }) => draftId);
}

/** Returns the main workspace of a document. Throws `not_found`. */
export async function mainWorkspace(scope: Scope, documentId: string): Promise<WorkspaceRecord> {
  const found = await collection(scope, 'workspaces').findOne(
    { documentId: { $eq: documentId }, main: true },
    within(scope),
  );
  if (!found) throw notFound('workspace of document', documentId);
  return found;
}

/** Returns a workspace and its document, both locked. Throws `not_found`. */
export async function lockWorkspace(
  work: Write,
  id: string,
): Promise<{ document: DocumentRecord; workspace: WorkspaceRecord }> {
  const workspace = await lock(work, 'workspaces', id);
  return { workspace, document: await lock(work, 'documents', workspace.documentId) };
}
