// Lists the caller's reservations and check-in requests.
import type { Context } from '../../core/graphql.ts';
import { workspacesRequestedBy, workspacesReservedBy } from '../../core/store/workspaces.ts';
import { reservationOf } from '../load-records.ts';
import type { MyReservations } from '../sources.ts';

/**
 * Returns the caller's reservations (`held`), and the reservations of others whose check-in the caller requested
 * (`requested`): at most 200 each, in the order of their expiry. `items` are both.
 */
export async function readMyReservations({ scope, request, services }: Context): Promise<MyReservations> {
  const { id } = request.actor;
  const now = services.clock();
  const [held, requested] = await Promise.all([
    workspacesReservedBy(scope, id, now),
    workspacesRequestedBy(scope, id, now),
  ]);
  const reservations = (workspaces: typeof held) =>
    workspaces
      .flatMap((workspace) => reservationOf(workspace, now) ?? [])
      .toSorted((one, other) => one.expiresAt.getTime() - other.expiresAt.getTime());
  return {
    held: reservations(held),
    requested: reservations(requested),
    items: reservations([...held, ...requested]),
  };
}
