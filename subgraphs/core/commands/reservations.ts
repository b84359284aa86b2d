// Checks of reservations that name the holder in their errors.
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

type UserLookup = Scope & Pick<Caller, 'named'>;

/** Throws `workspace_reserved` if another user has reserved the workspace. */
export async function assertNotReservedByOther(
  lookup: UserLookup,
  workspace: WorkspaceRecord,
  actorId: string,
  now: Date,
): Promise<void> {
  await requireReservationStatus(lookup, 'write', workspace, actorId, now);
}

/** Returns the reservation status of the workspace for the actor. Throws if it does not allow the action. */
export async function requireReservationStatus(
  lookup: UserLookup,
  action: ReservationAction,
  workspace: WorkspaceRecord,
  actorId: string,
  now: Date,
): Promise<ReservationStatus> {
  const status = reservationStatus(workspace, actorId, now);
  const reservation = status === 'other' ? liveReservation(workspace, now) : null;
  const holder = reservation && (await (lookup.named?.(reservation.userId) ?? namedUser(lookup, reservation.userId)));
  assertReservationAllows(status, action, workspace, holder);
  return status;
}
