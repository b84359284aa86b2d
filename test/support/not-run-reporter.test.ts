import { expect, test } from 'vitest';
import { summarize } from './not-run-reporter.ts';

test('reports that everything ran', () => {
  expect(summarize([])).toBe('Not run: nothing, all tests ran.');
});

test('reports in three lines how many tests did not run, why, and the command that installs what is missing', () => {
  expect(summarize(['chromium', 'root', 'chromium', 'cc']).split('\n')).toEqual([
    'Not run: 4 tests.',
    'Missing: chromium (2), root (1), cc (1).',
    'To run them: apt-get install -y chromium gcc libc6-dev; run as root, to mount a small disk (root).',
  ]);
});
