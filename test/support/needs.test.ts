// Every test that may be skipped states what it needs.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allOf, needs } from './needs.ts';

const root = join(import.meta.dirname, '../..');

test('a test is skipped only by needs(), which adds the reason to its title', () => {
  const files = globSync('**/*.test.ts', { cwd: root, exclude: ['**/node_modules', 'data'] });
  expect(files.length).toBeGreaterThan(100);
  const conditions = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const calls = text.matchAll(/\b(?:test|it|describe)(?:\.\w+)*\.(?:runIf|skipIf|skip|todo)\b.*/g);
    return [...calls].map(([call]) => `${file}: ${call}`);
  });
  expect(conditions.filter((condition) => !/\.skipIf\(.*\.isMissing\)/.test(condition))).toEqual([]);
});

test('names the first of several requirements that is missing', () => {
  const [there, root, curl] = [needs('Linux', true), needs('root', false), needs('curl', false)];
  expect(allOf(there, root, curl).title('a start')).toBe('a start (not run: root)');
  expect(allOf(there, there)).toMatchObject({ isMissing: false });
});
