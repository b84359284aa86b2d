// Compares the user's reservations before and after a reload.
export type CheckinRequest = { by: { id: string; name: string }; at: string; note: string | null };
type Reservation = { workspaceId: string; since: string };
type Held = Reservation & { expiresAt: string; checkinRequests: readonly CheckinRequest[] };
/** The drafts a user holds, and the reservations of others for which the user requested check-in. */
export type Reservations<H extends Held = Held, A extends Reservation = Reservation> = {
  held: readonly H[];
  requested: readonly A[];
};

/** Identifies a check-in request, to find its toast again. */
export const requestKey = ({ workspaceId }: Reservation, { by }: { by: { id: string } }): string =>
  `ask ${workspaceId} ${by.id}`;

/**
 * Returns new and repeated requests, the keys of ended requests, and the ended reservations whose check-in the user
 * requested, except those of drafts that the user has reserved since, and the user's reservations that have expired.
 */
export function reservationChanges<H extends Held, A extends Reservation>(
  before: Reservations<H, A>,
  now: Reservations<H, A>,
  time: number = Date.now(),
): {
  newRequests: { held: H; request: H['checkinRequests'][number] }[];
  endedRequestKeys: string[];
  endedReservations: A[];
  expiredReservations: H[];
} {
  const known = new Map(
    before.held.flatMap((held) =>
      held.checkinRequests.map((request) => [requestKey(held, request), request.at] as const),
    ),
  );
  const current = now.held.flatMap((held) => held.checkinRequests.map((request) => ({ held, request })));
  const currentKeys = new Set(current.map(({ held, request }) => requestKey(held, request)));
  const stillReserved = new Set(now.requested.map(reservationKey));
  const heldNow = new Set(now.held.map(({ workspaceId }) => workspaceId));
  return {
    newRequests: current.filter(({ held, request }) => known.get(requestKey(held, request)) !== request.at),
    endedRequestKeys: [...known.keys()].filter((key) => !currentKeys.has(key)),
    endedReservations: before.requested.filter(
      (each) => !stillReserved.has(reservationKey(each)) && !heldNow.has(each.workspaceId),
    ),
    expiredReservations: before.held.filter(
      ({ workspaceId, expiresAt }) => !heldNow.has(workspaceId) && Date.parse(expiresAt) <= time,
    ),
  };
}

const reservationKey = ({ workspaceId, since }: Reservation): string => `${workspaceId} ${since}`;

/** Returns for how many of the user's reservations others have requested check-in. */
export const countRequested = ({ held }: Reservations): number =>
  held.filter(({ checkinRequests }) => checkinRequests.length > 0).length;

/** "Ada", "Ada and Bob", "Ada, Bob and Cy", "Ada, Bob and 2 others". */
export function formatNames(people: readonly { name: string }[]): string {
  const [first, second, ...others] = people.map(({ name }) => name);
  if (others.length > 0)
    return `${first}, ${second} and ${others.length === 1 ? others[0] : `${others.length} others`}`;
  return second === undefined ? (first ?? '') : `${first} and ${second}`;
}
