// Checks whether a draft or version may be written.
import type { Caller } from '../caller.ts';
import { assertNotArchived } from '../domain/versions/lifecycle.ts';
import type { DocumentRecord, WorkspaceRecord } from '../store/schema/collections.ts';
import type { VersionContext } from '../store/versions.ts';
import { assertNotReservedByOther } from './reservations.ts';

/** A workspace and its document. */
export type WorkspaceContext = { document: DocumentRecord; workspace: WorkspaceRecord };

/** Throws if the document or workspace is archived, or if another user has reserved the workspace. */
export async function assertDraftWritable(caller: Caller, context: WorkspaceContext): Promise<void> {
  assertNotArchived(context);
  await assertNotReservedByOther(caller, context.workspace, caller.actor.id, caller.now);
}

/** Like assertDraftWritable, for a draft or version. A reservation does not protect versions. */
export async function assertVersionWritable(caller: Caller, context: VersionContext): Promise<void> {
  if (context.version.type === 'draft') return assertDraftWritable(caller, context);
  assertNotArchived(context);
}
