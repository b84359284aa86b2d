// Checks whether a draft or version may be written.
import type { Caller } from '../caller.ts';
import { assertNotArchived } from '../domain/versions/lifecycle.ts';
import type { DocumentRecord, WorkspaceRecord } from '../store/schema/collections.ts';
import type { VersionContext } from '../store/versions.ts';
import { assertNotReservedByOther } from './reservations.ts';

/** A workspace and its document. */
export type WorkspaceContext = { document: DocumentRecord; workspace: WorkspaceRecord };

/** Throws if the document or workspace is archived, or if another user has reserved the workspace. */
export async function assertDraftWritable(by: Caller, place: WorkspaceContext): Promise<void> {
  assertNotArchived(place);
  await assertNotReservedByOther(by, place.workspace, by.actor.id, by.now);
}

/** Like assertDraftWritable, for a draft or version. A reservation does not protect versions. */
export async function assertVersionWritable(by: Caller, place: VersionContext): Promise<void> {
  if (place.version.type === 'draft') return assertDraftWritable(by, place);
  assertNotArchived(place);
}
