// The differences between two bills of materials, and navigation between them.

type Side = { quantity: number; address: string; resolution: { n: number; label?: string | null } | null } | null;
type Change = {
  change: 'added' | 'removed' | 'changed' | 'indirect';
  differences: readonly ('quantity' | 'version' | 'address')[];
  from: Side;
  to: Side;
};

/** Adds a unique key to each row, since a document can occur more than once. */
export const withKeys = <Row>(rows: readonly Row[]): (Row & { key: string })[] =>
  rows.map((row, at) => ({ ...row, key: String(at) }));

/** Returns the index of the next difference in a direction. Wraps around and skips indirect changes. */
export function nextDifference(rows: readonly Pick<Change, 'change'>[], current: number, step: 1 | -1): number | null {
  // without a current row (-1), starts with the first row or, backwards, with the last one
  const start = current < 0 && step === -1 ? 0 : Math.max(current, -1);
  for (let steps = 1; steps <= rows.length; steps++) {
    // the remainder of a negative number is negative: adds the length
    const index = (((start + step * steps) % rows.length) + rows.length) % rows.length;
    const row = rows[index];
    if (row && row.change !== 'indirect') return index;
  }
  return null;
}

/** Returns e.g. "2 added, 1 removed, 3 changed"; indirect changes are not counted. */
export function differenceSummary(rows: readonly Pick<Change, 'change'>[]): string {
  const parts = (['added', 'removed', 'changed'] as const)
    .map((kind) => ({ kind, count: rows.filter(({ change }) => change === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}`);
  return parts.join(', ') || 'no differences';
}

export const CHANGE_LABELS: Readonly<Record<Change['change'], string>> = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  indirect: 'contains changes',
};
