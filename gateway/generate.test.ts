import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generate, readText } from './generate.ts';

describe('generated files', () => {
  it('matches the output of `npm run generate`', async () => {
    const { files } = await generate();
    const stale = [...files].filter(([path, text]) => readText(path) !== text).map(([path]) => path);
    expect(stale).toEqual([]);
  });
});

describe('the graphql package', () => {
  it('finds one installed copy of graphql, because types of two copies are incompatible', () => {
    const modules = new URL('../node_modules/', import.meta.url);
    expect(versionsBelow(modules)).toEqual(['16.15.0']);
  });
});

function versionsBelow(modules: URL): string[] {
  if (!existsSync(modules)) return [];
  const packages = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(new URL(`${name}/`, modules)).map((scoped) => `${name}/${scoped}`) : [name],
  );
  const own = packages.includes('graphql')
    ? [JSON.parse(readFileSync(new URL('graphql/package.json', modules), 'utf8')).version]
    : [];
  return [...own, ...packages.flatMap((name) => versionsBelow(new URL(`${name}/node_modules/`, modules)))];
}
