// How long the guard of /graphql takes to refuse what is made to break it. Run by `node launch.mjs bench/guard.ts`. Aim: 20 ms, each of them at its
// first sight, when nothing is compiled yet; and what an ordinary query pays.
import assert from 'node:assert/strict';
import { getIntrospectionQuery } from 'graphql';
import { exampleOperations } from '../gateway/example-operations.ts';
import { guard } from '../gateway/guard.ts';
import { BOMBED_SCHEMA, BOMBS } from '../gateway/testing/bombs.ts';

const AIM = 20;
const REPEATS = 200;

const took = (work: () => void): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

let longest = 0;
for (const [what, query, limit] of BOMBS) {
  const ms = took(() => assert.equal(guard(query, BOMBED_SCHEMA, { n: 200 }).exceeded?.limit, limit));
  longest = Math.max(longest, ms);
  console.log(`${what}: refused for its ${limit} in ${ms.toFixed(2)} ms`);
}
console.log(
  `the longest of ${BOMBS.length}: ${longest.toFixed(2)} ms, aim ${AIM} ms${longest > AIM ? ': MISSED' : ''}`,
);

for (const [name, text] of [
  ...exampleOperations().map(({ location, text }) => [location, text] as const),
  ['an introspection', getIntrospectionQuery()] as const,
]) {
  const all = Array.from({ length: REPEATS }, () => took(() => guard(text, BOMBED_SCHEMA))).sort((a, b) => a - b);
  console.log(`${name}: ${((all[REPEATS / 2] ?? 0) * 1000).toFixed(0)} µs`);
}
