import type { Caller } from '../caller.ts';
import {
  assertReservationAllows,
  liveReservation,
  type ReservationAction,
  type ReservationStatus,
  reservationStatus,
} from '../domain/versions/reservation.ts';
import type { Scope } from '../store/query/scope.ts';
import type { WorkspaceRecord } from '../store/schema/collections.ts';
import { namedUser } from '../store/users.ts';

type Named = Scope & Pick<Caller, 'named'>;

/** Refuses a write to the draft while somebody else holds the workspace, by name (`workspace_reserved`). */
export async function assertNotReservedByOther(by: Named, workspace: WorkspaceRecord, actorId: string, now: Date): Promise<void> {
  await requireReservationStatus(by, 'write', workspace, actorId, now);
}

/** How the actor stands to the workspace, if that allows the deed; refuses in the words of the reservation's rules, naming the holder. */
export async function requireReservationStatus(
  by: Named,
  deed: ReservationAction,
  workspace: WorkspaceRecord,
  actorId: string,
  now: Date,
): Promise<ReservationStatus> {
  const standing = reservationStatus(workspace, actorId, now);
  const other = standing === 'other' ? liveReservation(workspace, now) : null;
  assertReservationAllows(
    standing,
    deed,
    workspace,
    other && (await (by.named?.(other.userId) ?? namedUser(by, other.userId))),
  );
  return standing;
}
