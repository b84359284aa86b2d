// Time of the /graphql query guard to reject hostile queries on first use, before the code is compiled, and its cost
// for ordinary queries. Run: `node launch.mjs bench/guard.ts`. Target: 20 ms per hostile query.
import assert from 'node:assert/strict';
import { getIntrospectionQuery } from 'graphql';
import { readExampleOperations } from '../gateway/example-operations.ts';
import { guard } from '../gateway/guard.ts';
import { BOMB_SCHEMA, BOMBS } from '../gateway/testing/bombs.ts';

const TARGET_MS = 20;
const REPEATS = 200;

const duration = (work: () => void): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

let slowest = 0;
for (const [name, query, limit] of BOMBS) {
  const ms = duration(() => assert.equal(guard(query, BOMB_SCHEMA, { n: 200 }).exceeded?.limit, limit));
  slowest = Math.max(slowest, ms);
  console.log(`${name}: rejected by the ${limit} limit in ${ms.toFixed(2)} ms`);
}
console.log(
  `slowest of ${BOMBS.length}: ${slowest.toFixed(2)} ms (target: ≤ ${TARGET_MS} ms)${slowest > TARGET_MS ? ': MISSED' : ''}`,
);

for (const [name, text] of [
  ...readExampleOperations().map(({ location, text }) => [location, text] as const),
  ['introspection', getIntrospectionQuery()] as const,
]) {
  const times = Array.from({ length: REPEATS }, () => duration(() => guard(text, BOMB_SCHEMA))).sort((a, b) => a - b);
  console.log(`${name}: ${((times[REPEATS / 2] ?? 0) * 1000).toFixed(0)} µs`);
}
