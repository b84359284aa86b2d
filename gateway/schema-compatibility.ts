// Compares the GraphQL schema with the released schema in generated/api-v1.graphql and finds breaking changes.
// schema.test.ts fails on any. `node launch.mjs gateway/schema-compatibility.ts` records the current schema as
// released. Run it with each release.
import { writeFileSync } from 'node:fs';
import { buildSchema, findBreakingChanges, parse, print, visit } from 'graphql';
import { readText } from './generate.ts';

const RELEASED = 'gateway/generated/api-v1.graphql';

/** Returns a description of each breaking change from the released schema to `sdl`. */
export function breakingChanges(sdl: string, released = readText(RELEASED)): string[] {
  return findBreakingChanges(buildSchema(released), buildSchema(sdl)).map(({ description }) => description);
}

// Descriptions may change between releases.
function withoutDescriptions(sdl: string): string {
  const stripped = visit(parse(sdl), {
    enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
  });
  return `${print(stripped)}\n`;
}

if (import.meta.main) {
  const current = readText('gateway/generated/api.graphql');
  const changes = readText(RELEASED) ? breakingChanges(current) : [];
  for (const change of changes) console.error(change);
  if (changes.length) process.exitCode = 1;
  else writeFileSync(new URL(`../${RELEASED}`, import.meta.url), withoutDescriptions(current));
}
