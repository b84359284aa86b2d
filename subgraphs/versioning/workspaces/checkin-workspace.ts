// Checks in workspaces.
import type { Caller } from '../../core/caller.ts';
import type { WorkspaceContext } from '../../core/commands/assert-writable.ts';
import { requireReservationStatus } from '../../core/commands/reservations.ts';
import { assertAbility } from '../../core/domain/access/permissions.ts';
import { assertNotArchived } from '../../core/domain/versions/lifecycle.ts';
import { liveReservation, reservationStatus } from '../../core/domain/versions/reservation.ts';
import { change } from '../../core/store/query/records.ts';
import type { WorkspaceRecord } from '../../core/store/schema/collections.ts';
import { lockWorkspace } from '../../core/store/workspaces.ts';
import type { Work } from '../../core/work.ts';

type Input = { id: string; force?: boolean | null };

/**
 * Checks in a workspace. Does nothing if it is not reserved. If another user has reserved it, throws `forbidden`
 * without `force`; with `force`, throws `admin_only` unless the caller is an administrator.
 */
export async function checkinWorkspace(work: Work, { id, force }: Input): Promise<WorkspaceRecord> {
  const { document, workspace } = await lockWorkspace(work, id);

  const forced = await assertCanCheckin(work, { document, workspace }, force === true);
  const reservation = liveReservation(workspace, work.now);
  const { asks: checkinRequests = [] } = reservation ?? {};
  if (!reservation) {
    work.unchanged();
    return workspace;
  }

  work.audit({
    action: 'workspace.checked_in',
    documentId: document._id,
    workspaceId: id,
    versionId: workspace.draftId,
    summary: `Workspace "${workspace.name}" of ${document.number} was ${forced ? 'forcibly checked in' : 'checked in'}.`,
    changes: {
      reservedBy: { from: reservation.userId, to: null },
      expiresAt: { from: reservation.expiresAt, to: null },
      note: { from: reservation.note, to: null },
      requestedBy: { from: checkinRequests.map(({ userId }) => userId), to: [] },
    },
  });
  return change(work, 'workspaces', id, { reservation: null });
}

/** Throws unless the caller can check in the workspace. Returns whether this ends the reservation of another user. */
export async function assertCanCheckin(
  caller: Caller,
  { document, workspace }: WorkspaceContext,
  force: boolean,
): Promise<boolean> {
  assertNotArchived({ document, workspace });
  const forced = force && reservationStatus(workspace, caller.actor.id, caller.now) === 'other';
  if (forced && caller.actor.role !== 'system') assertAbility({ role: caller.actor.role }, 'administer');
  await requireReservationStatus(caller, forced ? 'forcedCheckin' : 'checkin', workspace, caller.actor.id, caller.now);
  return forced;
}
