// docs/dependencies.md lists the direct dependencies with their licences.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

type Manifest = Partial<Record<'dependencies' | 'optionalDependencies' | 'devDependencies', Record<string, string>>>;

const root = join(import.meta.dirname, '..');
const rows = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => {
    const [, names = '', , licence = '', , maintenance = ''] = line.split('|').map((cell) => cell.trim());
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, licence, maintenance }));
  });

test('lists every direct dependency and no others', () => {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  const packages = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  expect(rows.map(({ name }) => name).sort()).toEqual(packages.sort());
});

test('states the number of packages', () => {
  const { packages }: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  const locked = Object.entries(packages).filter(([path]) => path);
  const ofService = locked.filter(([, { dev }]) => !dev).length;
  const text = readFileSync(join(root, 'docs/dependencies.md'), 'utf8').replaceAll(/\s+/g, ' ');
  expect(text).toContain(`There are ${rows.length} direct packages`);
  expect(text).toContain(`and ${locked.length} in the lock file, of which ${ofService} belong to the service`);
});

test('names the licence that each installed package declares', () => {
  const installed = rows.filter(({ name }) => existsSync(join(root, 'node_modules', name, 'package.json')));
  const declared = installed.map(({ name }) => {
    const { license } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
    return { name, licence: license.replace(' OR ', ' or ') };
  });
  expect(installed.map(({ name, licence }) => ({ name, licence }))).toEqual(declared);
});

test('states how each package is maintained', () => {
  const unknown = rows.filter(({ maintenance }) => !/^(active|stable|maintenance)\b/.test(maintenance));
  expect(unknown).toEqual([]);
});

test('npm run sbom lists exactly the packages that the lock file installs for the service', {
  timeout: 60_000,
}, async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'sbom'], { cwd: root, maxBuffer: 64 * 2 ** 20 });
  const { bomFormat, components } = JSON.parse(stdout);
  expect(bomFormat).toBe('CycloneDX');
  type Locked = { version: string; dev?: boolean; inBundle?: boolean; name?: string };
  const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const installed = Object.entries(lock.packages)
    .filter(([path, { dev }]) => path && !dev)
    .map(([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`);
  type Component = { name: string; version: string; hashes?: unknown[] };
  const listed = components.map(({ name, version }: Component) => `${name}@${version}`);
  expect([...new Set(listed)].sort()).toEqual([...new Set(installed)].sort());
  expect(components.filter(({ hashes }: Component) => !hashes?.length)).toEqual([]);
});
