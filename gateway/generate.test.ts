import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generate, textOf } from './generate.ts';

describe('generated files', () => {
  it('are fresh: `npm run generate` would change none of them', async () => {
    const { files } = await generate();
    const stale = [...files].filter(([path, text]) => textOf(path) !== text).map(([path]) => path);
    expect(stale).toEqual([]);
  });
});

describe('the package graphql', () => {
  it('is there once: types of two copies do not know each other', () => {
    const modules = new URL('../node_modules/', import.meta.url);
    expect(copiesBelow(modules)).toEqual(['16.15.0']);
  });
});

function copiesBelow(modules: URL): string[] {
  if (!existsSync(modules)) return [];
  const packages = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(new URL(`${name}/`, modules)).map((scoped) => `${name}/${scoped}`) : [name],
  );
  const own = packages.includes('graphql')
    ? [JSON.parse(readFileSync(new URL('graphql/package.json', modules), 'utf8')).version]
    : [];
  return [...own, ...packages.flatMap((name) => copiesBelow(new URL(`${name}/node_modules/`, modules)))];
}
