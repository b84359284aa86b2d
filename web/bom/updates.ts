// Which references of a draft can be moved to something newer.

export type Target = 'release' | 'version';
type Update = { path: string; toRelease?: string | null; toVersion?: string | null };

/** The address that taking an update writes; null when the reference would stay. */
const addressAfter = ({ toRelease, toVersion }: Update, target: Target): string | null =>
  (target === 'release' ? toRelease : toVersion) ?? null;

/** Those of the ticked references that would move. */
export const movable = (updates: readonly Update[], ticked: ReadonlySet<string>, target: Target): string[] =>
  updates.filter((update) => ticked.has(update.path) && addressAfter(update, target) !== null).map(({ path }) => path);

/** Those that have anything newer. */
export const withUpdates = <Row extends Update>(updates: readonly Row[]): Row[] =>
  updates.filter((update) => addressAfter(update, 'release') !== null || addressAfter(update, 'version') !== null);

/** The set with a path put in or taken out. */
export function ticked(set: ReadonlySet<string>, path: string, on: boolean): ReadonlySet<string> {
  const changed = new Set(set);
  if (on) changed.add(path);
  else changed.delete(path);
  return changed;
}
