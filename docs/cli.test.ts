import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXIT } from '../cli/exit.ts';
import { cliReference, MARK } from './cli-reference.ts';

const [said = '', made] = readFileSync(new URL('./cli.md', import.meta.url), 'utf8').split(MARK);

test('docs/cli.md has every command with what --help says of it (node launch.mjs docs/cli-reference.ts writes it)', async () => {
  expect(made).toBe(await cliReference());
});

test('docs/cli.md tells every exit code, and no other', () => {
  const told = [...said.matchAll(/^\| `(\d+)` +\|/gm)].map(([, code]) => Number(code));
  expect(told).toEqual(Object.values(EXIT));
});
