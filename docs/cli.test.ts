import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXIT } from '../cli/exit.ts';
import { cliReference, MARKER } from './cli-reference.ts';

const [text = '', reference] = readFileSync(new URL('./cli.md', import.meta.url), 'utf8').split(MARKER);

test('docs/cli.md contains the help of every command (update it with: node launch.mjs docs/cli-reference.ts)', async () => {
  expect(reference).toBe(await cliReference());
});

test('docs/cli.md lists every exit code', () => {
  const documented = [...text.matchAll(/^\| `(\d+)` +\|/gm)].map(([, code]) => Number(code));
  expect(documented).toEqual(Object.values(EXIT));
});
