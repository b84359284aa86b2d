import { allowedAs, liveReservation, type ReservationDeed, type Standing, standingOf } from '../domain/reservation.ts';
import type { WorkspaceRecord } from './collections.ts';
import type { Scope } from './scope.ts';
import { namedUser } from './users.ts';

/** Refuses a write to the draft while somebody else holds the workspace, by name (`workspace_reserved`). */
export async function freeFor(scope: Scope, workspace: WorkspaceRecord, actorId: string, now: Date): Promise<void> {
  await standingFor(scope, 'write', workspace, actorId, now);
}

/** How the actor stands to the workspace, if that allows the deed; refuses in the words of the reservation's rules, naming the holder. */
export async function standingFor(scope: Scope, deed: ReservationDeed, workspace: WorkspaceRecord, actorId: string, now: Date): Promise<Standing> {
  const standing = standingOf(workspace, actorId, now);
  const other = standing === 'other' ? liveReservation(workspace, now) : null;
  allowedAs(standing, deed, workspace, other && (await namedUser(scope, other.userId)));
  return standing;
}
