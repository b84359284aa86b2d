import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type MockApi, startMockApi } from './testing/mock-api.ts';

let api: MockApi;
let dataDir: string;
let children: ChildProcess[];

beforeEach(async () => {
  children = [];
  api = await startMockApi();
  dataDir = mkdtempSync(join(tmpdir(), 'scheduler-main-'));
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await api.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function environment(settings: Record<string, string> = {}): Record<string, string | undefined> {
  return {
    PATH: process.env.PATH,
    PDM_DATA_DIR: dataDir,
    PDM_SCHEDULER_PORT: '0',
    PDM_ROLES: 'scheduler',
    PDM_LOG_LEVEL: 'fatal',
    PDM_API_URL: api.url,
    PDM_WORKER_TOKEN: 'test-token',
    ...settings,
  };
}

function launch(settings: Record<string, string> = {}): ChildProcess {
  const env = environment(settings);
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  children.push(child);
  return child;
}

async function urlOf(child: ChildProcess): Promise<string> {
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return url;
}

test('reports its URL, runs jobs with the built-in engine and exits with 0 on SIGTERM', async () => {
  const job = api.queue('not a STEP file');
  const child = launch();
  const status = await (await fetch(`${await urlOf(child)}/scheduler/status`)).json();
  expect(status.engines).toMatchObject([
    { name: 'pdm-occt', types: expect.arrayContaining(['convert']), environment: { engine: 'occt' } },
  ]);

  expect(await api.waitForStatus(job, 'failed', 'done')).toBe('failed');
  expect(job.error).toMatchObject({ code: 'not_step', final: true });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(readdirSync(join(dataDir, 'scheduler'))).toEqual([]);
});

test('exits when its parent process ends', async () => {
  const child = launch();
  await urlOf(child);
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('exits with 78 and names the missing settings without an API', async () => {
  expect(await exitOf(launch({ PDM_API_URL: '' }))).toEqual([
    78,
    expect.stringContaining('PDM_API_URL and PDM_WORKER_TOKEN'),
  ]);
});

test('npm start with only the role scheduler runs jobs of a remote API without a store', async () => {
  const job = api.queue('not a STEP file');
  const main = join(import.meta.dirname, '../app/main.ts');
  const child = spawn(process.execPath, [main], { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [output] = await once(child.stdout, 'data');
  expect(String(output)).toMatch(/^pdm [\d.]+ is ready: scheduler http:\S+\/scheduler\/status · API http:/);
  expect(await api.waitForStatus(job, 'failed', 'done')).toBe('failed');
  expect(readdirSync(dataDir)).toEqual(['scheduler']);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('exits with one message and claims no job when its port is in use', async () => {
  const job = api.queue('not a STEP file');
  const port = new URL(api.url).port;
  expect(await exitOf(launch({ PDM_SCHEDULER_PORT: port }))).toEqual([
    1,
    expect.stringMatching(`^The scheduler could not start: port ${port} is already in use`),
  ]);
  expect(job.status).toBe('waiting');
});

async function exitOf(child: ChildProcess): Promise<[number | null, string]> {
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return [code, stderr];
}
