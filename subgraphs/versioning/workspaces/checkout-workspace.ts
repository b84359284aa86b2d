// Checks out workspaces and renews their reservations.
import type { Caller } from '../../core/caller.ts';
import type { WorkspaceContext } from '../../core/commands/assert-writable.ts';
import { requireReservationStatus } from '../../core/commands/reservations.ts';
import { validateComment } from '../../core/domain/text/text.ts';
import { assertNotArchived } from '../../core/domain/versions/lifecycle.ts';
import {
  type ReservationStatus,
  reservationAfterCheckout,
  reservationAfterHeartbeat,
} from '../../core/domain/versions/reservation.ts';
import { change, get, lock } from '../../core/store/query/records.ts';
import { lockWorkspace } from '../../core/store/workspaces.ts';
import type { Work } from '../../core/work.ts';
import type { Reservation } from '../sources.ts';

type Input = { id: string; ttlSeconds?: number | null; note?: string | null };

/**
 * Reserves a workspace for the caller, or renews the caller's reservation. Until it expires, only the caller can write
 * to the draft. Throws `workspace_reserved` if another user reserves the workspace.
 */
export async function checkoutWorkspace(work: Work, { id, ttlSeconds, note }: Input): Promise<Reservation> {
  const { document, workspace } = await lockWorkspace(work, id);

  const before = await assertCanCheckout(work, { document, workspace });
  const reservation = reservationAfterCheckout(workspace.reservation, {
    userId: work.actor.id,
    note: note === undefined ? undefined : validateComment(note, 'note'),
    ttlSeconds: ttlSeconds ?? work.services.limits.reservationSeconds,
    now: work.now,
  });

  await change(work, 'workspaces', id, { reservation });
  const renewed = before === 'own' ? workspace.reservation : null;
  work.audit({
    action: 'workspace.checked_out',
    documentId: document._id,
    workspaceId: id,
    versionId: workspace.draftId,
    summary: `Workspace "${workspace.name}" of ${document.number} was ${renewed ? 'checked out again' : 'checked out'} until ${reservation.expiresAt.toISOString()}.`,
    changes: {
      reservedBy: { from: renewed?.userId ?? null, to: reservation.userId },
      expiresAt: { from: renewed?.expiresAt ?? null, to: reservation.expiresAt },
      note: { from: renewed?.note ?? null, to: reservation.note },
    },
  });
  return { ...reservation, workspaceId: id };
}

/** Throws unless the caller can check out the workspace. Returns the status of its reservation. */
export async function assertCanCheckout(
  caller: Caller,
  { document, workspace }: WorkspaceContext,
): Promise<ReservationStatus> {
  assertNotArchived({ document, workspace });
  return requireReservationStatus(caller, 'checkout', workspace, caller.actor.id, caller.now);
}

/**
 * Extends the caller's reservation by `ttlSeconds` from now (default: that of the check-out). Writes no audit record.
 * Throws `workspace_reserved` if another user reserves the workspace, and `lease_lost` if the reservation has expired,
 * because others may have written since.
 */
export async function heartbeatCheckout(work: Work, { id, ttlSeconds }: Omit<Input, 'note'>): Promise<Reservation> {
  // The document is not locked, so that heartbeats do not conflict with other writes.
  const workspace = await lock(work, 'workspaces', id);
  const document = await get(work, 'documents', workspace.documentId);

  assertNotArchived({ document, workspace });
  await requireReservationStatus(work, 'heartbeat', workspace, work.actor.id, work.now);
  const current = workspace.reservation!;
  const seconds = ttlSeconds ?? current.ttlSeconds ?? work.services.limits.reservationSeconds;
  const reservation = reservationAfterHeartbeat(current, { ttlSeconds: seconds, now: work.now });

  await change(work, 'workspaces', id, { reservation });
  work.unchanged();
  return { ...reservation, workspaceId: id };
}
