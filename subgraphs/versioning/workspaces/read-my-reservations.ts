import type { Context } from '../../core/graphql.ts';
import { workspacesAskedForBy, workspacesHeldBy } from '../../core/store/workspaces.ts';
import { reservationOf } from '../reads.ts';
import type { MyReservations } from '../sources.ts';

/** What the one who asks holds, and what others hold that he has asked for: of each 200 at most, in the order in which they end. */
export async function readMyReservations({ scope, request, services }: Context): Promise<MyReservations> {
  const { id } = request.actor;
  const now = services.clock();
  const [held, askedFor] = await Promise.all([workspacesHeldBy(scope, id, now), workspacesAskedForBy(scope, id, now)]);
  const reservations = (workspaces: typeof held) =>
    workspaces
      .flatMap((workspace) => reservationOf(workspace, now) ?? [])
      .toSorted((one, other) => one.expiresAt.getTime() - other.expiresAt.getTime());
  return { held: reservations(held), requested: reservations(askedFor) };
}
