// test/acceptance/access-matrix.tsv: every route and every root field with its records, its body, and the expected
// access by identity.
import { readFileSync } from 'node:fs';
import { IDENTITIES, type Identity } from './identities.ts';

/**
 * `of`: the record for each path parameter or argument. `with`: the body or further arguments, as JSON with $names of
 * records.
 */
export type MatrixRow = { what: string; of: Record<string, string>; with: string; cells: Record<Identity, string> };

const LINES = readFileSync(new URL('../acceptance/access-matrix.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => line.split('\t'));

export const COLUMNS = LINES[0];

export const MATRIX: readonly MatrixRow[] = LINES.slice(1).map(([what = '', of = '', body = '', ...cells]) => ({
  what,
  of: Object.fromEntries(of === '-' ? [] : of.split(' ').map((pair) => pair.split('='))),
  with: body === '-' ? '' : body,
  cells: Object.fromEntries(IDENTITIES.map((identity, i) => [identity, cells[i]])) as Record<Identity, string>,
}));
