import { describe, expect, it } from 'vitest';
import { differenceSummary, nextDifference, withKeys } from './differences.ts';

const rows = (words: string) =>
  words.split(' ').map((change) => ({ change: change as 'added' | 'removed' | 'changed' | 'indirect' }));

describe('differences of bills of materials', () => {
  it('steps through differences in both directions, wraps around, and skips indirect changes', () => {
    const some = rows('indirect changed added indirect removed');
    expect(nextDifference(some, -1, 1)).toBe(1);
    expect(nextDifference(some, 1, 1)).toBe(2);
    expect(nextDifference(some, 2, 1)).toBe(4);
    expect(nextDifference(some, 4, 1)).toBe(1);
    expect(nextDifference(some, 1, -1)).toBe(4);
    expect(nextDifference(some, -1, -1)).toBe(4);
    expect(nextDifference(rows('indirect'), 0, 1)).toBeNull();
    expect(nextDifference([], -1, 1)).toBeNull();
  });

  it('summarizes the differences', () => {
    expect(differenceSummary(rows('indirect changed added changed'))).toBe('1 added, 2 changed');
    expect(differenceSummary([])).toBe('no differences');
  });

  it('assigns unique keys to equal rows', () => {
    expect(new Set(withKeys(rows('added added added')).map(({ key }) => key)).size).toBe(3);
  });
});
