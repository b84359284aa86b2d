// What is to be told about reservations, from what they were before and are now.
type Ask = { by: { id: string; name: string }; at: string; note: string | null };
type Reservation = { workspaceId: string; since: string };
type Held = Reservation & { askedBy: readonly Ask[] };
/** What somebody holds, and what others hold that he asked for. */
export type Mine<H extends Held = Held, A extends Reservation = Reservation> = {
  held: readonly H[];
  askedFor: readonly A[];
};

/** The name of an ask, that what was told of it can be found again. */
export const askKey = ({ workspaceId }: Reservation, { by }: { by: { id: string } }): string =>
  `ask ${workspaceId} ${by.id}`;

/**
 * What came between two looks: asks that are new or were said anew, asks that are gone (by their keys), and reservations that were asked for and
 * ended; what one took oneself is no news.
 */
export function whatCame<H extends Held, A extends Reservation>(
  before: Mine<H, A>,
  now: Mine<H, A>,
): { asks: { held: H; ask: H['askedBy'][number] }[]; answered: string[]; ended: A[] } {
  const known = new Map(before.held.flatMap((held) => held.askedBy.map((ask) => [askKey(held, ask), ask.at] as const)));
  const present = now.held.flatMap((held) => held.askedBy.map((ask) => ({ held, ask })));
  const keys = new Set(present.map(({ held, ask }) => askKey(held, ask)));
  const still = new Set(now.askedFor.map(termOf));
  const taken = new Set(now.held.map(({ workspaceId }) => workspaceId));
  return {
    asks: present.filter(({ held, ask }) => known.get(askKey(held, ask)) !== ask.at),
    answered: [...known.keys()].filter((key) => !keys.has(key)),
    ended: before.askedFor.filter((each) => !still.has(termOf(each)) && !taken.has(each.workspaceId)),
  };
}

const termOf = ({ workspaceId, since }: Reservation): string => `${workspaceId} ${since}`;

/** How many of the drafts somebody holds are wanted by others. */
export const wantedOf = ({ held }: Mine): number => held.filter(({ askedBy }) => askedBy.length > 0).length;

/** "Ada", "Ada and Bob", "Ada, Bob and Cy", "Ada, Bob and 2 others". */
export function namesOf(people: readonly { name: string }[]): string {
  const [first, second, ...others] = people.map(({ name }) => name);
  if (others.length > 0)
    return `${first}, ${second} and ${others.length === 1 ? others[0] : `${others.length} others`}`;
  return second === undefined ? (first ?? '') : `${first} and ${second}`;
}
