// Trees as depth-first lists: each row has a level from 1 and is followed by its descendants, which have higher levels.
// Pure functions for folding, filtering and keyboard navigation.

export type TreeRow = { level: number };
/** Rows above level `depth` are expanded; the rows in `toggledKeys` are inverted. */
export type Folding = { depth: number; toggledKeys: ReadonlySet<string> };
/** A visible row. `index` is its index in the whole list; `position` of `setSize` counts its siblings from 1. */
export type VisibleRow<Row> = {
  row: Row;
  index: number;
  hasChildren: boolean;
  expanded: boolean;
  position: number;
  setSize: number;
};

/** Returns the rows whose ancestors are all expanded. */
export function visibleRows<Row extends TreeRow>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  folding: Folding,
): VisibleRow<Row>[] {
  const visible: VisibleRow<Row>[] = [];
  // siblings[i] collects the current siblings at depth i; they are counted once the depth is left
  const siblings: VisibleRow<Row>[][] = [[]];
  let collapsedLevel = Number.POSITIVE_INFINITY;
  for (const [index, row] of rows.entries()) {
    if (row.level > collapsedLevel) continue;
    collapsedLevel = Number.POSITIVE_INFINITY;
    const hasChildren = (rows[index + 1]?.level ?? 0) > row.level;
    const expanded = hasChildren && isExpanded(row, keyOf(row), folding);
    if (hasChildren && !expanded) collapsedLevel = row.level;
    const depth = Math.max(1, Math.min(row.level, siblings.length));
    for (const left of siblings.splice(depth)) countSiblings(left);
    const entry = { row, index, hasChildren, expanded, position: 0, setSize: 0 };
    siblings[depth - 1]?.push(entry);
    siblings.push([]);
    visible.push(entry);
  }
  for (const left of siblings) countSiblings(left);
  return visible;
}

const isExpanded = (row: TreeRow, key: string, { depth, toggledKeys }: Folding): boolean =>
  row.level < depth !== toggledKeys.has(key);

function countSiblings<Row>(siblings: VisibleRow<Row>[]): void {
  for (const [index, entry] of siblings.entries()) {
    entry.position = index + 1;
    entry.setSize = siblings.length;
  }
}

/** Expands a collapsed row, collapses an expanded one. */
export function toggleRow(folding: Folding, key: string): Folding {
  const keys = new Set(folding.toggledKeys);
  if (!keys.delete(key)) keys.add(key);
  return { ...folding, toggledKeys: keys };
}

/** Expands all ancestors of a row, so that the row is visible. */
export function expandTo<Row extends TreeRow>(
  rows: readonly Row[],
  index: number,
  keyOf: (row: Row) => string,
  folding: Folding,
): Folding {
  const collapsed = ancestorIndexes(rows, index)
    .map((ancestor) => rows[ancestor])
    .filter((row): row is Row => row !== undefined && !isExpanded(row, keyOf(row), folding));
  return collapsed.reduce<Folding>((before, row) => toggleRow(before, keyOf(row)), folding);
}

/** Returns the indexes of the ancestors of a row, nearest first. */
export function ancestorIndexes(rows: readonly TreeRow[], index: number): number[] {
  const found: number[] = [];
  let level = rows[index]?.level ?? 0;
  for (let at = index - 1; at >= 0 && level > 1; at--) {
    const row = rows[at];
    if (!row || row.level >= level) continue;
    found.push(at);
    level = row.level;
  }
  return found;
}

/** Returns the index after the last descendant of a row. */
export function subtreeEnd(rows: readonly TreeRow[], index: number): number {
  const level = rows[index]?.level ?? 0;
  let end = index + 1;
  while ((rows[end]?.level ?? 0) > level) end++;
  return end;
}

/** Returns the matching rows and their ancestors. */
export function filterTree<Row extends TreeRow>(rows: readonly Row[], matches: (row: Row) => boolean): Row[] {
  const included: Row[] = [];
  let level = 0; // level of the row included last; its ancestors are still to come
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = rows[index];
    if (!row) continue;
    if (row.level < level || matches(row)) {
      included.push(row);
      level = row.level;
    } else if (row.level <= level) level = row.level;
  }
  return included.reverse();
}

/**
 * Maps a key to its effect in a tree view (ARIA Authoring Practices Guide): `to` is the visible row to move to, `fold`
 * the visible row to expand or collapse. Null if the key has no effect.
 */
export function treeKeyAction<Row extends TreeRow>(
  key: string,
  visible: readonly VisibleRow<Row>[],
  at: number,
  pageSize = 10,
): { to: number } | { fold: number } | null {
  const current = visible[at];
  const last = visible.length - 1;
  if (last < 0) return null;
  const bound = (to: number) => ({ to: Math.max(0, Math.min(last, to)) });
  if (key === 'ArrowDown') return bound(at + 1);
  if (key === 'ArrowUp') return bound(at - 1);
  if (key === 'Home') return bound(0);
  if (key === 'End') return bound(last);
  if (key === 'PageDown') return bound(at + pageSize);
  if (key === 'PageUp') return bound(at - pageSize);
  if (!current) return null;
  if (key === 'ArrowRight') {
    if (!current.hasChildren) return null;
    return current.expanded ? bound(at + 1) : { fold: at };
  }
  if (key !== 'ArrowLeft') return null;
  if (current.expanded) return { fold: at };
  for (let index = at - 1; index >= 0; index--)
    if ((visible[index]?.row.level ?? 0) < current.row.level) return bound(index);
  return null;
}
