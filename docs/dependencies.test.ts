// docs/dependencies.md lists the direct dependencies with their licences.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type Manifest = Partial<Record<'dependencies' | 'optionalDependencies' | 'devDependencies', Record<string, string>>>;

const root = join(import.meta.dirname, '..');
const rows = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => {
    const [, names = '', , licence = ''] = line.split('|').map((cell) => cell.trim());
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, licence }));
  });

test('lists every direct dependency and no others', () => {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  const packages = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  expect(rows.map(({ name }) => name).sort()).toEqual(packages.sort());
});

test('names the licence that each installed package declares', () => {
  const installed = rows.filter(({ name }) => existsSync(join(root, 'node_modules', name, 'package.json')));
  const declared = installed.map(({ name }) => {
    const { license } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
    return { name, licence: license.replace(' OR ', ' or ') };
  });
  expect(installed).toEqual(declared);
});
