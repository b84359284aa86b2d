// Which draft or version of a document is shown, and what it is called.

export type Placed = {
  id: string;
  type: 'draft' | 'version';
  n: number | null;
  name: string;
  releasedAs: { label: string; obsolete: boolean } | null;
};
type Place = { archived: boolean; draftId: string; reservation: { by: { id: string } } | null };
type Released = { label: string; obsolete: boolean };

/**
 * The draft or version a document opens with: the one the address names; else the draft that I hold; else the draft of the main workspace, or of
 * the first that is not archived. `workspaces` has the main one first.
 */
export function shownVersion(
  workspaces: readonly Place[],
  wanted: string | null,
  myId: string | undefined,
): string | null {
  const open = workspaces.filter(({ archived }) => !archived);
  const mine = open.find(({ reservation }) => myId !== undefined && reservation?.by.id === myId);
  return wanted ?? (mine ?? open[0] ?? workspaces[0])?.draftId ?? null;
}

/** "v3 · Rev B", "v2 “as received”", "Draft"; V and the number is the name of a version that was given none. */
export function versionWords({ type, n, name, releasedAs }: Placed): string {
  if (type === 'draft') return 'Draft';
  const number = `v${n}`;
  return [
    number + (name === `V${n}` ? '' : ` “${name}”`),
    ...(releasedAs ? [`Rev ${releasedAs.label}${releasedAs.obsolete ? ' (obsolete)' : ''}`] : []),
  ].join(' · ');
}

/** The revision that counts: the newest that is not obsolete, else the newest. `revisions` has the newest first. */
export const newestRevision = <Revision extends Released>(revisions: readonly Revision[]): Revision | undefined =>
  revisions.find(({ obsolete }) => !obsolete) ?? revisions[0];

/** How long a reservation still lasts, for people: "until 14:05", with the day when it is another one. */
export function untilWords(expiresAt: string, now: Date = new Date()): string {
  const end = new Date(expiresAt);
  const sameDay = end.toDateString() === now.toDateString();
  return `until ${end.toLocaleString(undefined, sameDay ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' })}`;
}
