// Selects the references of a draft that can be updated.

export type UpdateTarget = 'release' | 'version';
type Update = { path: string; toRelease?: string | null; toVersion?: string | null };

/** The address after an update; null if there is no update. */
const addressAfter = ({ toRelease, toVersion }: Update, target: UpdateTarget): string | null =>
  (target === 'release' ? toRelease : toVersion) ?? null;

/** Returns the paths of the selected references that can be updated. */
export const updatablePaths = (
  updates: readonly Update[],
  selected: ReadonlySet<string>,
  target: UpdateTarget,
): string[] =>
  updates
    .filter((update) => selected.has(update.path) && addressAfter(update, target) !== null)
    .map(({ path }) => path);

/** Returns the references that have an update. */
export const updatableReferences = <Row extends Update>(updates: readonly Row[]): Row[] =>
  updates.filter((update) => addressAfter(update, 'release') !== null || addressAfter(update, 'version') !== null);

/** Returns a copy of the set with a path added or removed. */
export function withSelection(set: ReadonlySet<string>, path: string, selected: boolean): ReadonlySet<string> {
  const changed = new Set(set);
  if (selected) changed.add(path);
  else changed.delete(path);
  return changed;
}
