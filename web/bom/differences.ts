// Two bills of material beside each other: each difference a row, and the way from one to the next.

type Side = { quantity: number; address: string; resolution: { n: number; label?: string | null } | null } | null;
type Change = {
  change: 'added' | 'removed' | 'changed' | 'indirect';
  differs: readonly ('quantity' | 'version' | 'address')[];
  from: Side;
  to: Side;
};

/** Each with a key of its own; the same document may differ at several places. */
export const withKeys = <Row>(rows: readonly Row[]): (Row & { key: string })[] =>
  rows.map((row, at) => ({ ...row, key: String(at) }));

/** The place of the next difference in a direction, around the end; what only differs inside is passed by. */
export function nextDifference(rows: readonly Pick<Change, 'change'>[], at: number, step: 1 | -1): number | null {
  const start = at < 0 ? (step === 1 ? -1 : 0) : at;
  for (let steps = 1; steps <= rows.length; steps++) {
    const place = (((start + step * steps) % rows.length) + rows.length) % rows.length;
    const row = rows[place];
    if (row && row.change !== 'indirect') return place;
  }
  return null;
}

/** "2 added, 1 removed, 3 changed"; what only differs inside is not counted. */
export function differenceWords(rows: readonly Pick<Change, 'change'>[]): string {
  const told = (['added', 'removed', 'changed'] as const)
    .map((kind) => ({ kind, count: rows.filter(({ change }) => change === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}`);
  return told.join(', ') || 'no difference';
}

export const CHANGE_WORDS: Readonly<Record<Change['change'], string>> = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  indirect: 'changed inside',
};
