import type { Asking } from '../asking.ts';
import { assertWritablePlace } from '../domain/versions/lifecycle.ts';
import type { DocumentRecord, WorkspaceRecord } from '../store/schema/collections.ts';
import type { VersionInPlace } from '../store/versions.ts';
import { freeFor } from './reservations.ts';

/** A workspace with the document it is in. */
export type WorkspaceInPlace = { document: DocumentRecord; workspace: WorkspaceRecord };

/** Refuses a write to the draft of a workspace: in an archived document or workspace, or while somebody else holds it. */
export async function writableDraft(by: Asking, place: WorkspaceInPlace): Promise<void> {
  assertWritablePlace(place);
  await freeFor(by, place.workspace, by.actor.id, by.now);
}

/** The same for a draft or version by itself; a reservation is of the draft, and does not stand in the way of a version. */
export async function writableVersion(by: Asking, place: VersionInPlace): Promise<void> {
  if (place.version.type === 'draft') return writableDraft(by, place);
  assertWritablePlace(place);
}
