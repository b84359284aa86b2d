// Which draft or version of a document is shown, and how versions and expiry times are labeled.

export type LabeledVersion = {
  id: string;
  type: 'draft' | 'version';
  n: number | null;
  name: string;
  releasedAs: { label: string; obsolete: boolean } | null;
};
type Workspace = { archived: boolean; draftId: string; reservation: { by: { id: string } } | null };
type Revision = { label: string; obsolete: boolean };

/**
 * Returns the version of the URL, else the draft the user holds, else the draft of the first active workspace.
 * `workspaces` starts with the main workspace. Null without workspaces.
 */
export function shownVersionId(
  workspaces: readonly Workspace[],
  requestedId: string | null,
  userId: string | undefined,
): string | null {
  const active = workspaces.filter(({ archived }) => !archived);
  const held = active.find(({ reservation }) => userId !== undefined && reservation?.by.id === userId);
  return requestedId ?? (held ?? active[0] ?? workspaces[0])?.draftId ?? null;
}

/** "v3 · Rev B", "v2 “as received”", "Draft". Omits the default name V and number. */
export function versionLabel({ type, n, name, releasedAs }: LabeledVersion): string {
  if (type === 'draft') return 'Draft';
  const number = `v${n}`;
  return [
    number + (name === `V${n}` ? '' : ` “${name}”`),
    ...(releasedAs ? [`Rev ${releasedAs.label}${releasedAs.obsolete ? ' (obsolete)' : ''}`] : []),
  ].join(' · ');
}

/** Returns the newest revision that is not obsolete, else the newest. `revisions` starts with the newest. */
export const currentRevision = <R extends Revision>(revisions: readonly R[]): R | undefined =>
  revisions.find(({ obsolete }) => !obsolete) ?? revisions[0];

/** Formats an expiry time: "until 14:05", with the date if it is on another day. */
export function formatUntil(expiresAt: string, now: Date = new Date()): string {
  const end = new Date(expiresAt);
  const sameDay = end.toDateString() === now.toDateString();
  const style = sameDay ? ({ timeStyle: 'short' } as const) : ({ dateStyle: 'medium', timeStyle: 'short' } as const);
  return `until ${end.toLocaleString(undefined, style)}`;
}
