// The published package: built by tsc and imported by a separate program.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const here = import.meta.dirname;
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'pdm-sdk-'));
const installed = join(folder, 'node_modules', 'pdm-worker');
const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const tsc = join(here, '../node_modules/.bin/tsc');

beforeAll(async () => {
  await run(tsc, ['-p', join(here, 'tsconfig.build.json'), '--outDir', join(installed, 'dist')]);
  for (const file of ['package.json', ...manifest.files.filter((name: string) => name !== 'dist')])
    cpSync(join(here, file), join(installed, file));
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(join(here, '../node_modules', name), join(folder, 'node_modules', name));
  const program = `import { type JobContext, RetryableError, runWorker, UnrecoverableError } from 'pdm-worker';
const upload = (ctx: JobContext): Promise<void> => ctx.upload('glb', new Uint8Array(4));
await runWorker({ baseUrl: 'http://127.0.0.1:1', token: 't', concurrency: 2, handler: (_job, ctx) => upload(ctx), signal: AbortSignal.timeout(600), log: () => {} });
console.log(new UnrecoverableError('no').name, new RetryableError('later').code);
`;
  writeFileSync(join(folder, 'program.mts'), program);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('contains every exported file and imports only Node modules', () => {
  const { types, default: entry } = manifest.exports['.'];
  const built = readdirSync(join(installed, 'dist')).map((file) => `./dist/${file}`);
  expect(built).toEqual(expect.arrayContaining([types, entry, './dist/heartbeat-thread.js']));
  expect(built.some((file) => file.includes('.test.'))).toBe(false);
  for (const file of built.filter((name) => name.endsWith('.js'))) {
    const imports = [
      ...readFileSync(join(installed, file), 'utf8').matchAll(/^(?:import|export) .*?from '([^']+)'/gm),
    ].map(([, from]) => from);
    for (const from of imports) expect(from).toMatch(/^(node:|\.\/[\w-]+\.js$)/);
  }
  expect(manifest).not.toHaveProperty('dependencies');
});

test('type-checks in a TypeScript program, which retries an unavailable service and stops on its signal', async () => {
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--types',
    'node',
    join(folder, 'program.mts'),
  ];
  await run(tsc, options, { cwd: folder });
  const { stdout } = await run(process.execPath, [join(folder, 'program.mts')]);
  expect(stdout).toBe('UnrecoverableError engine_crashed\n');
});
