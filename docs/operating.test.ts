import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { INVARIANTS } from '../subgraphs/core/check/invariant.ts';

test('docs/operating.md lists exactly the invariants of pdm check', () => {
  const operating = readFileSync(new URL('./operating.md', import.meta.url), 'utf8');
  const documented = [...operating.matchAll(/^\| (I\d+) +\| (.+?) +\|$/gm)].map(([, name, text]) => [name, text]);
  expect(documented).toEqual(Object.entries(INVARIANTS));
});
