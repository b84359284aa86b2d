import type { Asking } from '../asking.ts';
import {
  allowedAs,
  liveReservation,
  type ReservationDeed,
  type Standing,
  standingOf,
} from '../domain/versions/reservation.ts';
import type { Scope } from '../store/query/scope.ts';
import type { WorkspaceRecord } from '../store/schema/collections.ts';
import { namedUser } from '../store/users.ts';

type Named = Scope & Pick<Asking, 'named'>;

/** Refuses a write to the draft while somebody else holds the workspace, by name (`workspace_reserved`). */
export async function freeFor(by: Named, workspace: WorkspaceRecord, actorId: string, now: Date): Promise<void> {
  await standingFor(by, 'write', workspace, actorId, now);
}

/** How the actor stands to the workspace, if that allows the deed; refuses in the words of the reservation's rules, naming the holder. */
export async function standingFor(
  by: Named,
  deed: ReservationDeed,
  workspace: WorkspaceRecord,
  actorId: string,
  now: Date,
): Promise<Standing> {
  const standing = standingOf(workspace, actorId, now);
  const other = standing === 'other' ? liveReservation(workspace, now) : null;
  allowedAs(standing, deed, workspace, other && (await (by.named?.(other.userId) ?? namedUser(by, other.userId))));
  return standing;
}
