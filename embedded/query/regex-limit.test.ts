import { describe, expect, test } from 'vitest';
import { compileRegex } from './regex.ts';
import { createBoundedTest, estimateSteps } from './regex-limit.ts';

const steps = (pattern: string, length: number) => estimateSteps(compileRegex(pattern, '').regex)(length);

describe('estimates the steps of', () => {
  test.each([
    ['^PRT-', 1_000, 1],
    ['bolt', 1_000, 1_001],
    ['^a*', 1_000, 1_001],
    ['a.*b', 1_000, 1_001 ** 2],
    ['^a{2}$', 1_000, 2],
    ['^a{2,4}', 1_000, 3],
    ['[*+(|]\\*\\(', 9, 10],
    ['^(?:ab)+', 1_000, 1_001],
  ])('%s in a text of %i characters as at most %i', (pattern, length, max) => {
    expect(steps(pattern, length)).toBe(max);
  });

  test.each(['(a+)+', '(a|a)*', '^(a?){30}', '((a*)b?)+$', '(.*,){11}P'])('%s as unlimited', (pattern) => {
    expect(steps(pattern, 10)).toBe(Number.POSITIVE_INFINITY);
  });
});

test.each(['^(a+)+$', '^(a|a)*$', '^(?:a?){40}a{40}b', 'a*a*a*a*a*a*c', '(a+a+)+y'])(
  'stops a search for %s that would not end',
  (pattern) => {
    const finds = createBoundedTest(compileRegex(pattern, '').regex);
    expect(() => finds(`${'a'.repeat(3_000)}!`)).toThrow(expect.objectContaining({ code: 51156 }));
  },
);

test('returns the same result with and without a time limit', () => {
  const pattern = compileRegex('(fo+|ba*r)+', 'i').regex;
  for (const text of ['', 'FOObar', 'b', 'x'.repeat(1_000), `${'x'.repeat(1_000)}baar`])
    expect(createBoundedTest(pattern)(text)).toBe(pattern.test(text));
});
