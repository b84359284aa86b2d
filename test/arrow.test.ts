// Who may import whom, folder by folder; the linter says the same where one writes, of fewer folders and without the whole picture.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';

/** Of the project: a folder, a file, or `types of` one of them. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'subgraphs/core/domain': [],
  'subgraphs/core/store': ['subgraphs/core/domain', 'types of subgraphs/core', 'subgraphs/core/telling.ts'],
  'subgraphs/core/check': ['subgraphs/core/domain', 'subgraphs/core/store'],
  'subgraphs/core': ['subgraphs/core/domain', 'subgraphs/core/store'],
  ...Object.fromEntries(
    ['documents', 'versioning', 'artifacts', 'jobs'].map((name) => [
      `subgraphs/${name}`,
      ['subgraphs/core', 'subgraphs/core/domain', 'subgraphs/core/store'],
    ]),
  ),
  gateway: [
    'subgraphs/core',
    'subgraphs/core/domain',
    'subgraphs/documents',
    'subgraphs/versioning',
    'subgraphs/artifacts',
    'subgraphs/jobs',
  ],
  'rest-adapter': ['gateway', 'subgraphs/core', 'subgraphs/core/domain'],
  scheduler: ['subgraphs/core', 'subgraphs/core/domain', 'worker-sdk'],
  'worker-sdk': [],
  embedded: [],
  web: [],
  cli: ['types of rest-adapter/generated/operations.ts'],
  operate: [
    'cli',
    'gateway',
    'embedded',
    'subgraphs/core',
    'subgraphs/core/check',
    'subgraphs/core/domain',
    'subgraphs/core/store',
  ],
  examples: ['worker-sdk'],
  demo: [],
  docs: ['cli', 'operate', 'subgraphs/core'],
  // the files that put the whole together
  'gateway/main.ts': ['scheduler'],
  'gateway/roles.ts': ['embedded'],
  'gateway/api.ts': ['rest-adapter', 'subgraphs/core/store'],
  'gateway/http.ts': ['rest-adapter/unroutable.ts'],
  'gateway/web-page.ts': ['web/shell/own-addresses.ts'],
  'cli/main.ts': ['operate'],
  'operate/token-create.ts': ['subgraphs/documents'],
  'operate/worker-check/played-service.ts': ['rest-adapter/problem.ts'],
};

/** Of the packages that belong to one part alone. */
const BELONGS_TO: Record<string, readonly string[]> = {
  mongodb: ['subgraphs/core/store', 'subgraphs/core/mongo.ts', 'subgraphs/core/work.ts'],
  bson: ['embedded'],
  lmdb: ['embedded'],
  nats: ['subgraphs/core/dispatch-nats.ts'],
  pino: ['subgraphs/core/log.ts'],
  fastify: ['gateway', 'rest-adapter'],
  commander: ['cli'],
  preact: ['web'],
  three: ['web'],
};

const root = join(import.meta.dirname, '..');
const OUTSIDE =
  /^(node_modules|data|test|bench|tools)\/|\.test\.tsx?$|\/(testing|test|conformance|generated)\/|(^|\/)test-[^/]*$/;
const files = globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['node_modules', 'data'] })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.includes('/') && !OUTSIDE.test(file));
const FOLDERS = Object.keys(MAY_IMPORT)
  .filter((name) => !name.endsWith('.ts'))
  .sort((a, b) => b.length - a.length);

const IMPORT =
  /^\s*(?:import|export)\s+(?<type>type\s)?(?:[^;'"]*?\sfrom\s+)?'(?<what>[^']+)'|\bimport\('(?<late>[^']+)'\)/gm;
const importsOf = (file: string) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(({ groups = {} }) => ({
    what: groups.what ?? groups.late ?? '',
    type: groups.type !== undefined,
  }));

const folderOf = (file: string) => FOLDERS.find((folder) => file.startsWith(`${folder}/`));
const names = (file: string) => [file, folderOf(file) ?? 'a folder that is not in the table'];

test('no file imports another part than it may', () => {
  const astray = files.flatMap((file) => {
    const allowed = new Set(names(file).flatMap((name) => MAY_IMPORT[name] ?? []));
    return importsOf(file)
      .filter(({ what }) => what.startsWith('.'))
      .map(({ what, type }) => ({ target: posix.join(dirname(file), what), type }))
      .filter(({ target }) => folderOf(target) !== folderOf(file))
      .filter(
        ({ target, type }) =>
          !names(target).some((name) => allowed.has(name) || (type && allowed.has(`types of ${name}`))),
      )
      .map(({ target }) => `${file} imports ${target}`);
  });
  expect(astray).toEqual([]);
});

test('no file imports a package that belongs to another part', () => {
  const astray = files.flatMap((file) =>
    importsOf(file)
      .map(({ what }) => what.split('/')[0] ?? '')
      .filter((name) => BELONGS_TO[name] && !names(file).some((part) => BELONGS_TO[name]?.includes(part)))
      .map((name) => `${file} imports ${name}`),
  );
  expect(astray).toEqual([]);
});

test('the table names no permission that nobody uses', () => {
  const used = new Set(
    files.flatMap((file) =>
      importsOf(file)
        .filter(({ what }) => what.startsWith('.'))
        .flatMap(({ what }) => names(posix.join(dirname(file), what)))
        .flatMap((name) => names(file).map((from) => `${from}: ${name}`)),
    ),
  );
  const permitted = Object.entries(MAY_IMPORT).flatMap(([from, to]) =>
    to.map((name) => `${from}: ${name.replace('types of ', '')}`),
  );
  expect(permitted.filter((each) => !used.has(each))).toEqual([]);
});
