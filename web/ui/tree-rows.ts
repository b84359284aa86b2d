// Trees as lists: a row has a level, from 1, and everything below it follows it, deeper. What is shown of them, and where the keys lead.

export type Levelled = { level: number };
/** Down to `depth` rows are open; those in `toggled` (by key) are the other way round. */
export type Folding = { depth: number; toggled: ReadonlySet<string> };
/** A row that is shown: `at` is its place in the whole list, `place` of `siblings` counts from 1. */
export type ShownRow<Row> = { row: Row; at: number; hasMore: boolean; open: boolean; place: number; siblings: number };

/** The rows that are not inside a closed one. */
export function shownRows<Row extends Levelled>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  folding: Folding,
): ShownRow<Row>[] {
  const shown: ShownRow<Row>[] = [];
  const parents: { shown: ShownRow<Row>[] }[] = [{ shown: [] }];
  let closed = Number.POSITIVE_INFINITY;
  for (const [at, row] of rows.entries()) {
    if (row.level > closed) continue;
    closed = Number.POSITIVE_INFINITY;
    const hasMore = (rows[at + 1]?.level ?? 0) > row.level;
    const open = hasMore && isOpen(row, keyOf(row), folding);
    if (hasMore && !open) closed = row.level;
    const depth = Math.max(1, Math.min(row.level, parents.length));
    for (const { shown: siblings } of parents.splice(depth)) count(siblings);
    const entry = { row, at, hasMore, open, place: 0, siblings: 0 };
    parents[depth - 1]?.shown.push(entry);
    parents.push({ shown: [] });
    shown.push(entry);
  }
  for (const { shown: siblings } of parents) count(siblings);
  return shown;
}

const isOpen = (row: Levelled, key: string, { depth, toggled }: Folding): boolean =>
  row.level < depth !== toggled.has(key);

function count<Row>(siblings: ShownRow<Row>[]): void {
  for (const [index, entry] of siblings.entries()) {
    entry.place = index + 1;
    entry.siblings = siblings.length;
  }
}

/** Opens what is closed, closes what is open. */
export function toggled(folding: Folding, key: string): Folding {
  const keys = new Set(folding.toggled);
  if (!keys.delete(key)) keys.add(key);
  return { ...folding, toggled: keys };
}

/** Opens all that lies around a row, so that it is shown. */
export function opened<Row extends Levelled>(
  rows: readonly Row[],
  at: number,
  keyOf: (row: Row) => string,
  folding: Folding,
): Folding {
  const closed = above(rows, at)
    .map((index) => rows[index])
    .filter((row): row is Row => row !== undefined && !isOpen(row, keyOf(row), folding));
  return closed.reduce<Folding>((before, row) => toggled(before, keyOf(row)), folding);
}

/** The places of the rows that a row lies in, the nearest first. */
export function above(rows: readonly Levelled[], at: number): number[] {
  const found: number[] = [];
  let level = rows[at]?.level ?? 0;
  for (let index = at - 1; index >= 0 && level > 1; index--) {
    const row = rows[index];
    if (!row || row.level >= level) continue;
    found.push(index);
    level = row.level;
  }
  return found;
}

/** The place behind the last row that lies in a row. */
export function endOf(rows: readonly Levelled[], at: number): number {
  const level = rows[at]?.level ?? 0;
  let end = at + 1;
  while ((rows[end]?.level ?? 0) > level) end++;
  return end;
}

/** The rows that match, with those they lie in. */
export function matching<Row extends Levelled>(rows: readonly Row[], matches: (row: Row) => boolean): Row[] {
  const kept: Row[] = [];
  let level = 0; // the lowest row kept last: those it lies in are still looked for
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at];
    if (!row) continue;
    if (row.level < level || matches(row)) {
      kept.push(row);
      level = row.level;
    } else if (row.level <= level) level = row.level;
  }
  return kept.reverse();
}

/** What a key does in a tree, by the pattern of the W3C: the place (among those shown) it leads to, or that the row at `at` is opened or closed. */
export function treeKey<Row extends Levelled>(
  key: string,
  shown: readonly ShownRow<Row>[],
  at: number,
  page = 10,
): { to: number } | { fold: number } | null {
  const current = shown[at];
  const last = shown.length - 1;
  if (last < 0) return null;
  const bound = (to: number) => ({ to: Math.max(0, Math.min(last, to)) });
  if (key === 'ArrowDown') return bound(at + 1);
  if (key === 'ArrowUp') return bound(at - 1);
  if (key === 'Home') return bound(0);
  if (key === 'End') return bound(last);
  if (key === 'PageDown') return bound(at + page);
  if (key === 'PageUp') return bound(at - page);
  if (!current) return null;
  if (key === 'ArrowRight') return current.hasMore ? (current.open ? bound(at + 1) : { fold: at }) : null;
  if (key !== 'ArrowLeft') return null;
  if (current.open) return { fold: at };
  for (let index = at - 1; index >= 0; index--)
    if ((shown[index]?.row.level ?? 0) < current.row.level) return bound(index);
  return null;
}
