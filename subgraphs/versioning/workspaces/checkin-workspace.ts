import type { Caller } from '../../core/caller.ts';
import { requireReservationStatus } from '../../core/commands/reservations.ts';
import type { WorkspaceContext } from '../../core/commands/assert-writable.ts';
import { assertAbility } from '../../core/domain/access/permissions.ts';
import { assertWritablePlace } from '../../core/domain/versions/lifecycle.ts';
import { liveReservation, reservationStatus } from '../../core/domain/versions/reservation.ts';
import { touchDocument } from '../../core/store/documents.ts';
import { change } from '../../core/store/query/records.ts';
import type { WorkspaceRecord } from '../../core/store/schema/collections.ts';
import { lockWorkspace } from '../../core/store/workspaces.ts';
import type { Work } from '../../core/work.ts';

type Input = { id: string; force?: boolean | null };

/**
 * Gives a workspace back; one that nobody holds stays as it is. Refuses somebody else's reservation (`forbidden`), which only an
 * administrator may end, with force (`admin_only`).
 */
export async function checkinWorkspace(work: Work, { id, force }: Input): Promise<WorkspaceRecord> {
  const { document, workspace } = await lockWorkspace(work, id);

  const forced = await assertCanCheckin(work, { document, workspace }, force === true);
  const held = liveReservation(workspace, work.now);
  if (!held) {
    work.unchanged();
    return workspace;
  }

  await touchDocument(work, document._id);
  work.audit({
    action: 'workspace.checked_in',
    documentId: document._id,
    workspaceId: id,
    versionId: workspace.draftId,
    summary: `Workspace "${workspace.name}" of ${document.number} was given back${forced ? ' by force' : ''}.`,
    changes: {
      reservedBy: { from: held.userId, to: null },
      expiresAt: { from: held.expiresAt, to: null },
      note: { from: held.note, to: null },
      requestedBy: { from: (held.asks ?? []).map(({ userId }) => userId), to: [] },
    },
  });
  return change(work, 'workspaces', id, { reservation: null });
}

/** Refuses to give a workspace back; else tells whether that takes force. */
export async function assertCanCheckin(
  by: Caller,
  { document, workspace }: WorkspaceContext,
  force: boolean,
): Promise<boolean> {
  assertWritablePlace({ document, workspace });
  const forced = force && reservationStatus(workspace, by.actor.id, by.now) === 'other';
  if (forced && by.actor.role !== 'system') assertAbility({ role: by.actor.role }, 'administer');
  await requireReservationStatus(by, forced ? 'forcedCheckin' : 'checkin', workspace, by.actor.id, by.now);
  return forced;
}
