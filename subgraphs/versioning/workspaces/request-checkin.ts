// Requests the check-in of workspaces that other users reserve.
import type { Caller } from '../../core/caller.ts';
import type { WorkspaceContext } from '../../core/commands/assert-writable.ts';
import { requireReservationStatus } from '../../core/commands/reservations.ts';
import { validateComment } from '../../core/domain/text/text.ts';
import { assertNotArchived } from '../../core/domain/versions/lifecycle.ts';
import { withCheckinRequest } from '../../core/domain/versions/reservation.ts';
import { change, get, lock } from '../../core/store/query/records.ts';
import type { Work } from '../../core/work.ts';
import type { Reservation } from '../sources.ts';

type Input = { id: string; note?: string | null };

/**
 * Requests that the holder of a reservation checks in the workspace. The request is stored in the reservation and
 * published as an event. Repeated requests with the same note within five minutes count as one. Throws
 * `not_reserved_by_other` if no other user reserves the workspace.
 */
export async function requestCheckin(work: Work, { id, note }: Input): Promise<Reservation> {
  // The document is neither locked nor changed, so that requests do not conflict with other writes.
  const workspace = await lock(work, 'workspaces', id);
  const document = await get(work, 'documents', workspace.documentId);

  await assertCanRequestCheckin(work, { document, workspace });
  const before = workspace.reservation!;
  const reservation = withCheckinRequest(before, {
    userId: work.actor.id,
    note: note === undefined ? undefined : validateComment(note, 'note'),
    now: work.now,
  });
  if (reservation === before) {
    work.unchanged();
    return { ...before, workspaceId: id };
  }

  await change(work, 'workspaces', id, { reservation });
  const noteOf = ({ asks: checkinRequests = [] }: typeof before) =>
    checkinRequests.find(({ userId }) => userId === work.actor.id)?.note ?? null;
  work.audit({
    action: 'workspace.checkin_requested',
    documentId: document._id,
    workspaceId: id,
    versionId: workspace.draftId,
    summary: `The check-in of workspace "${workspace.name}" of ${document.number} was requested.`,
    changes: { holderId: { from: null, to: before.userId }, note: { from: noteOf(before), to: noteOf(reservation) } },
  });
  return { ...reservation, workspaceId: id };
}

/** Throws unless the caller can request the check-in of the workspace. */
export async function assertCanRequestCheckin(
  caller: Caller,
  { document, workspace }: WorkspaceContext,
): Promise<void> {
  assertNotArchived({ document, workspace });
  await requireReservationStatus(caller, 'requestCheckin', workspace, caller.actor.id, caller.now);
}
