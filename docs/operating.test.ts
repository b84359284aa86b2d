import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { INVARIANTS } from '../subgraphs/core/check/invariant.ts';

test('docs/operating.md explains every invariant that pdm check knows, and no other', () => {
  const operating = readFileSync(new URL('./operating.md', import.meta.url), 'utf8');
  const documented = [...operating.matchAll(/^\| (I\d+) +\| (.+?) +\|$/gm)].map(([, name, says]) => [name, says]);
  expect(documented).toEqual(Object.entries(INVARIANTS));
});
