import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ACCUMULATORS, COMMANDS, EXPRESSIONS, QUERY_OPERATORS, STAGES, UPDATE_OPERATORS } from '../promise.ts';

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
const section = readme.slice(readme.indexOf('<!-- promise -->'), readme.indexOf('<!-- /promise -->'));

test.each([
  ['Commands', Object.keys(COMMANDS)],
  ['Query', QUERY_OPERATORS],
  ['Update', UPDATE_OPERATORS],
  ['Stages', STAGES],
  ['Accumulators', ACCUMULATORS],
  ['Expressions', EXPRESSIONS],
])('the %s of the README are those of the promise, both ways', (title, names) => {
  const [, list = ''] = new RegExp(`\\*\\*${title}\\*\\*:([^*<]*)`).exec(section) ?? [];
  expect([...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name).sort()).toEqual([...names].sort());
});
