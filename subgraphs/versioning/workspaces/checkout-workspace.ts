import type { Asking } from '../../core/asking.ts';
import { standingFor } from '../../core/commands/reservations.ts';
import type { WorkspaceInPlace } from '../../core/commands/writable.ts';
import { validateComment } from '../../core/domain/text/text.ts';
import { assertWritablePlace } from '../../core/domain/versions/lifecycle.ts';
import {
  reservationAfterCheckout,
  reservationAfterHeartbeat,
  type ReservationStatus,
} from '../../core/domain/versions/reservation.ts';
import { touchDocument } from '../../core/store/documents.ts';
import { change, get, lock } from '../../core/store/query/records.ts';
import { lockWorkspace } from '../../core/store/workspaces.ts';
import type { Work } from '../../core/work.ts';
import type { Reservation } from '../sources.ts';

type Input = { id: string; ttlSeconds?: number | null; note?: string | null };

/**
 * Reserves a workspace for the one who asks, or renews that. While the reservation lasts, everybody else's writes to the draft are
 * refused. Refuses while somebody else holds it (`workspace_reserved`).
 */
export async function checkoutWorkspace(work: Work, { id, ttlSeconds, note }: Input): Promise<Reservation> {
  const { document, workspace } = await lockWorkspace(work, id);

  const before = await mayCheckout(work, { document, workspace });
  const reservation = reservationAfterCheckout(workspace.reservation, {
    userId: work.actor.id,
    note: note === undefined ? undefined : validateComment(note, 'note'),
    ttlSeconds: ttlSeconds ?? work.services.limits.reservationSeconds,
    now: work.now,
  });

  await change(work, 'workspaces', id, { reservation });
  await touchDocument(work, document._id);
  const renewed = before === 'own' ? workspace.reservation : null;
  work.audit({
    action: 'workspace.checked_out',
    documentId: document._id,
    workspaceId: id,
    versionId: workspace.draftId,
    summary: `Workspace "${workspace.name}" of ${document.number} was ${renewed ? 'kept reserved' : 'reserved'} until ${reservation.expiresAt.toISOString()}.`,
    changes: {
      reservedBy: { from: renewed?.userId ?? null, to: reservation.userId },
      expiresAt: { from: renewed?.expiresAt ?? null, to: reservation.expiresAt },
      note: { from: renewed?.note ?? null, to: reservation.note },
    },
  });
  return { ...reservation, workspaceId: id };
}

/** Refuses to reserve a workspace; else tells how the one who asks stands to it. */
export async function mayCheckout(by: Asking, { document, workspace }: WorkspaceInPlace): Promise<ReservationStatus> {
  assertWritablePlace({ document, workspace });
  return standingFor(by, 'checkout', workspace, by.actor.id, by.now);
}

/**
 * Keeps a reservation for as long again as it was checked out for. Leaves no record: nothing changed hands. Refuses when somebody else
 * holds the workspace, and when the reservation is over (`lease_lost`): others may have written meanwhile.
 */
export async function heartbeatCheckout(work: Work, { id, ttlSeconds }: Omit<Input, 'note'>): Promise<Reservation> {
  // the document is not locked: a heartbeat stands in nobody's way
  const workspace = await lock(work, 'workspaces', id);
  const document = await get(work, 'documents', workspace.documentId);

  assertWritablePlace({ document, workspace });
  await standingFor(work, 'heartbeat', workspace, work.actor.id, work.now);
  const held = workspace.reservation!;
  const seconds = ttlSeconds ?? held.ttlSeconds ?? work.services.limits.reservationSeconds;
  const reservation = reservationAfterHeartbeat(held, { ttlSeconds: seconds, now: work.now });

  await change(work, 'workspaces', id, { reservation });
  work.unchanged();
  return { ...reservation, workspaceId: id };
}
