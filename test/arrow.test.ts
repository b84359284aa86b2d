// The import rules: which folder may import which, and which packages belong to one folder. ARCHITECTURE.md draws the same table.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { CORE, MAY_IMPORT, PACKAGES } from './arrow.ts';

const root = join(import.meta.dirname, '..');
const EXCLUDED =
  /^(node_modules|data|test|bench|tools)\/|\.test\.tsx?$|\/(testing|test|conformance|generated)\/|(^|\/)test-[^/]*$/;
const files = globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['**/node_modules', 'data'] })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.includes('/') && !EXCLUDED.test(file));
const FOLDERS = Object.keys(MAY_IMPORT).sort((a, b) => b.length - a.length);

const IMPORT =
  /^\s*(?:import|export)\s+(?:type\s)?(?:[^;'"]*?\sfrom\s+)?'(?<static>[^']+)'|\bimport\('(?<dynamic>[^']+)'\)/gm;
const importsOf = (file: string) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(
    ({ groups = {} }) => groups.static ?? groups.dynamic ?? '',
  );
const folderOf = (file: string) => FOLDERS.find((folder) => file.startsWith(`${folder}/`)) ?? dirname(file);

/** Every import from one folder of the table to another. */
const arrows = files.flatMap((file) =>
  importsOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(dirname(file), specifier))
    .filter((target) => folderOf(target) !== folderOf(file))
    .map((target) => ({ file, target, from: folderOf(file), to: folderOf(target) })),
);

test('every source file is in a folder of the table', () => {
  expect(files.filter((file) => !FOLDERS.includes(folderOf(file)))).toEqual([]);
});

test('a folder imports only the folders listed for it', () => {
  const violations = arrows.filter(({ from, to }) => !MAY_IMPORT[from]?.includes(to));
  expect(violations.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

test('the table lists no import that does not occur', () => {
  const used = new Set(arrows.map(({ from, to }) => `${from} → ${to}`));
  const listed = Object.entries(MAY_IMPORT).flatMap(([from, targets]) => targets.map((to) => `${from} → ${to}`));
  expect(listed.filter((arrow) => !used.has(arrow))).toEqual([]);
});

test('the table has no cycle', () => {
  const reachable = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of MAY_IMPORT[from] ?? []) if (!seen.has(to)) reachable(to, seen.add(to));
    return seen;
  };
  expect(FOLDERS.filter((folder) => reachable(folder).has(folder))).toEqual([]);
});

test('a package reserved for one folder is imported nowhere else', () => {
  const violations = files.flatMap((file) =>
    importsOf(file)
      .map((specifier) => specifier.split('/')[0] ?? '')
      .filter((name) => PACKAGES[name] && !PACKAGES[name].some((owner) => file.startsWith(owner)))
      .map((name) => `${file} imports ${name}`),
  );
  expect(violations).toEqual([]);
});

test('core/domain imports no package', () => {
  const violations = files
    .filter((file) => file.startsWith(`${CORE}/domain/`))
    .flatMap((file) =>
      importsOf(file)
        .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
        .map((specifier) => `${file} imports ${specifier}`),
    );
  expect(violations).toEqual([]);
});

test('a folder holds at most 25 source files', () => {
  const counts = Object.groupBy(files, (file) => dirname(file));
  const full = Object.entries(counts).filter(([, inFolder = []]) => inFolder.length > 25);
  expect(full.map(([folder, inFolder = []]) => `${folder}: ${inFolder.length}`)).toEqual([]);
});
