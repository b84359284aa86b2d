import { expect, test } from 'vitest';
import { type ComparedPart, compareParts } from './compare-parts.ts';

const part = (row: number, path: string, changes: Partial<ComparedPart> = {}): ComparedPart => ({
  row,
  path,
  box: { min: [0, 0, 0], max: [10, 20, 30] },
  volume: 6000,
  area: 2200,
  ...changes,
});

test('finds added, removed, changed and equal parts by their paths', () => {
  const moved = { min: [0, 0, 5], max: [10, 20, 35] } as const;
  const from = [part(1, 'a'), part(2, 'b'), part(3, 'c'), part(4, 'd')];
  const to = [part(2, 'a'), part(3, 'c', { box: moved }), part(4, 'd', { volume: 5990 }), part(5, 'e')];
  const { counts, ...differences } = compareParts(from, to);
  expect([...differences.from]).toEqual([
    [1, 'same'],
    [3, 'changed'],
    [4, 'changed'],
    [2, 'removed'],
  ]);
  expect([...differences.to]).toEqual([
    [2, 'same'],
    [3, 'changed'],
    [4, 'changed'],
    [5, 'added'],
  ]);
  expect(counts).toEqual({ added: 1, removed: 1, changed: 2, same: 1 });
});

test('ignores the noise of single precision', () => {
  const noisy = part(1, 'a', { volume: 6000.0000004, box: { min: [0, 0, 0], max: [10.0000006, 20, 30] } });
  expect(compareParts([part(1, 'a')], [noisy]).counts.same).toBe(1);
});
