import { describe, expect, it } from 'vitest';
import { differenceWords, nextDifference, withKeys } from './differences.ts';

const rows = (words: string) =>
  words.split(' ').map((change) => ({ change: change as 'added' | 'removed' | 'changed' | 'indirect' }));

describe('differences of bills of material', () => {
  it('are walked in both directions, around the end, past what only differs inside', () => {
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

  it('are counted in words', () => {
    expect(differenceWords(rows('indirect changed added changed'))).toBe('1 added, 2 changed');
    expect(differenceWords([])).toBe('no difference');
  });

  it('have a key each, also when they are alike', () => {
    expect(new Set(withKeys(rows('added added added')).map(({ key }) => key)).size).toBe(3);
  });
});
