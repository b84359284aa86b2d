import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitLogLines, logUsage } from './job-log.ts';

const EMPTY = { logLines: 0, logSize: 0 };

test('splits texts at line breaks and truncates long lines', () => {
  expect(fitLogLines(EMPTY, ['one\r\ntwo\nthree', 'x'.repeat(5000)])).toEqual([
    'one',
    'two',
    'three',
    `${'x'.repeat(2000)} …`,
  ]);
});

test('adds one last line to a full log', () => {
  const first = fitLogLines(
    EMPTY,
    Array.from({ length: 10_500 }, (_, n) => `line ${n}`),
  );
  expect(first).toHaveLength(10_000);
  expect(first.at(-1)).toMatch(/^The log ends here/);
  const { logLines, logSize } = logUsage(EMPTY, first);
  expect(fitLogLines({ logLines, logSize }, ['more'])).toEqual([]);
});

test('stays within the limits and ends once for any input', () => {
  const batch = fc.array(fc.oneof(fc.string({ maxLength: 40 }), fc.constant('x'.repeat(2_000))), {
    maxLength: 400,
    size: 'max',
  });
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 8 }), (batches) => {
      let stored = EMPTY;
      const log: string[] = [];
      for (const texts of batches) {
        const fitting = fitLogLines(stored, texts);
        const usage = logUsage(stored, fitting);
        stored = { logLines: stored.logLines + usage.logLines, logSize: stored.logSize + usage.logSize };
        log.push(...fitting);
      }
      const all = batches.flat();
      expect(log.slice(0, -1)).toEqual(all.slice(0, Math.max(0, log.length - 1)));
      if (!log.at(-1)?.startsWith('The log ends here')) expect(log).toEqual(all);
      expect(log.length).toBeLessThanOrEqual(10_000);
      expect(log.join('').length).toBeLessThan(1_000_100);
      expect(log.slice(0, -1).some((line) => line.startsWith('The log ends here'))).toBe(false);
    }),
    { numRuns: 40 },
  );
});
