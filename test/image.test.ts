// The content of the image, read from Dockerfile and .dockerignore. Building and running it needs a container engine.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';

const home = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(home, path), 'utf8');
const copied = new Set(
  [...read('Dockerfile').matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' ')),
);

test('includes every copied path in the build context', () => {
  const included = new Set(
    read('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : [])),
  );
  expect([...copied].filter((name) => !included.has(name))).toEqual([]);
});

test('contains every file that the copied files import', () => {
  const files = globSync('**/*.{ts,tsx,mjs,json}', {
    cwd: home,
    exclude: (path) => path.includes('node_modules'),
  }).filter((path) => copied.has(path.split(sep)[0] ?? '') && !/\.test\.tsx?$|\/testing\//.test(path));
  expect(files.length).toBeGreaterThan(500);
  const importsOf = (path: string) =>
    [...read(path).matchAll(/(?:from|import|"extends":) ['"](\.{1,2}\/[^'"]+)['"]/g)].map(([, to = '']) => to);
  const absent = files.flatMap((path) =>
    importsOf(path)
      .map((to) => relative(home, join(home, dirname(path), to)))
      .filter((to) => !copied.has(to.split(sep)[0] ?? ''))
      .map((to) => `${path} needs ${to}`),
  );
  expect(absent).toEqual([]);
});
