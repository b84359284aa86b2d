// `node launch.mjs gateway/promise.ts`, with each release: what the API can do becomes what it promises (generated/api-v1.graphql).
// From then on it may grow, and schema.test.ts refuses what would break a program written for it.
import { writeFileSync } from 'node:fs';
import { buildSchema, findBreakingChanges, parse, print, visit } from 'graphql';
import { textOf } from './generate.ts';

const PROMISED = 'gateway/generated/api-v1.graphql';

/** What of the promise another schema does not keep, in words; empty when it keeps all. */
export function brokenPromises(sdl: string, promised = textOf(PROMISED)): string[] {
  return findBreakingChanges(buildSchema(promised), buildSchema(sdl)).map(({ description }) => description);
}

/** A schema without its descriptions: words may change. */
function withoutDescriptions(sdl: string): string {
  const bare = visit(parse(sdl), {
    enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
  });
  return `${print(bare)}\n`;
}

if (import.meta.main) {
  const now = textOf('gateway/generated/api.graphql');
  const broken = textOf(PROMISED) ? brokenPromises(now) : [];
  for (const words of broken) console.error(words);
  if (broken.length) process.exitCode = 1;
  else writeFileSync(new URL(`../${PROMISED}`, import.meta.url), withoutDescriptions(now));
}
