import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { client } from '../support/client.ts';
import { needs } from '../support/needs.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';

const folders: string[] = [];
const running: ServiceProcess[] = [];
afterAll(async () => {
  for (const service of running) await service.end('SIGKILL all');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pdm-start-'));
  folders.push(folder);
  return folder;
}

async function start(folder: string, settings: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startProcess(folder, settings);
  running.push(service);
  return service;
}

const embedded = needs('embedded store');

test.skipIf(embedded.isMissing)(
  embedded.title(
    'prints addresses and a sign-in link at the first start; a later start keeps the data and prints no token',
  ),
  { timeout: 90_000 },
  async () => {
    const folder = dataFolder();
    const first = await start(folder);
    expect(first.ready).toMatch(
      /^pdm [\d.]+ is ready: REST http:\/\/127\.0\.0\.1:\d+\/api\/v1 · GraphQL http:\S+\/graphql · scheduler http:\S+\/scheduler\/status · data \S+$/,
    );
    const token = first.token();
    await expect.poll(() => first.output.join('\n')).toContain(`${first.url}/#token=${token}`);
    expect(statSync(join(folder, 'first-token')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);

    const status = await fetch(/scheduler (http:\S+)/.exec(first.ready)?.[1] ?? '');
    expect(await status.json()).toMatchObject({
      draining: false,
      engines: [{ types: expect.arrayContaining(['convert']) }],
    });

    const api = client(`${first.url}/api/v1`, token);
    const { body } = await api.post('/documents', { name: 'Bracket', kind: 'model' });
    const draftId = (await api.get(`/documents/${body.id}`)).body.drafts[0].id;
    await api.upload(draftId, 'attachment.note', 'a note');
    expect(await first.end('SIGTERM')).toBe(0);

    const second = await start(folder);
    const again = client(`${second.url}/api/v1`, token);
    expect((await again.get('/documents/PRT-000001')).body).toMatchObject({ id: body.id, name: 'Bracket' });
    expect((await again.get(`/versions/${draftId}/artifacts/attachment.note/file`)).bytes.toString()).toBe('a note');
    expect(second.output.join('\n')).not.toContain('#token=');
    expect(await second.end('SIGTERM')).toBe(0);
  },
);

test.skipIf(embedded.isMissing)(
  embedded.title('reports that acknowledged writes are lost, and starts without them with --accept-loss'),
  { timeout: 90_000 },
  async () => {
    const folder = dataFolder();
    const settings = { PDM_ROLES: 'store,api' };
    const first = await start(folder, settings);
    await first.end('SIGKILL all');
    rmSync(join(folder, 'store', 'journal'));
    await expect(startProcess(folder, settings)).rejects.toThrow(
      /pdm could not start: .*journal is missing\. The commits up to \d+ are complete.*start once with --accept-loss/,
    );
    const second = await startProcess(folder, settings, ['--accept-loss']);
    running.push(second);
    expect((await client(`${second.url}/api/v1`).get('/health')).body.status).toBe('ok');
    expect(await second.end('SIGTERM')).toBe(0);
    const third = await start(folder, settings);
    expect(await third.end('SIGTERM')).toBe(0);
  },
);

test.skipIf(embedded.isMissing)(
  embedded.title('rejects a second service on the same data folder'),
  { timeout: 60_000 },
  async () => {
    const folder = dataFolder();
    const first = await start(folder, { PDM_ROLES: 'store,api' });
    await expect(startProcess(folder, { PDM_ROLES: 'store,api' })).rejects.toThrow(/in use|already|another/i);
    expect((await client(`${first.url}/api/v1`).get('/health')).body.status).toBe('ok');
    expect(await first.end('SIGTERM')).toBe(0);
  },
);

test('accepts a first token from the settings without printing it or writing it to a file', {
  timeout: 60_000,
}, async () => {
  const folder = dataFolder();
  const token = `pdm_Bootstra_${'x'.repeat(32)}`;
  const service = await start(folder, { PDM_ROLES: 'store,api', PDM_BOOTSTRAP_TOKEN: token });
  expect((await client(`${service.url}/api/v1`, token).get('/me')).body).toMatchObject({ role: 'admin' });
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.output.join('\n')).not.toContain(token);
  expect(readdirSync(folder)).not.toContain('first-token');
});

test.skipIf(embedded.isMissing).each(['C', 'sv_SE.UTF-8', 'et_EE.UTF-8'])(
  embedded.title('sorts lists in the same order in locale %s'),
  { timeout: 60_000 },
  async (LC_ALL) => {
    const service = await start(dataFolder(), { PDM_ROLES: 'store,api', LC_ALL });
    const api = client(`${service.url}/api/v1`, service.token());
    const names = ['Ångström', 'b', 'ö', 'Oz', 'z', 'ä', 'T', 'u', '軽', '10', '2'];
    for (const name of names) expect((await api.post('/folders', { name })).status).toBe(201);
    const paths = (folders: { path: string }[]): string => folders.map(({ path }) => path).join(' ');
    const wanted = '10 2 ä Ångström b ö Oz T u z 軽';
    expect(paths((await api.get('/folders')).body.items)).toBe(wanted);
    const { data } = (await api.graphql('{ folders { path } folderPage { items { path } } }')).body;
    expect([paths(data.folders), paths(data.folderPage.items)]).toEqual([wanted, wanted]);
    await service.end('SIGTERM');
  },
);

test('reports a port in use in one sentence', { timeout: 60_000 }, async () => {
  const first = await start(dataFolder(), { PDM_ROLES: 'store,api' });
  const port = new URL(first.url).port;
  await expect(startProcess(dataFolder(), { PDM_ROLES: 'store,api', PDM_PORT: port })).rejects.toThrow(
    `pdm could not start: port ${port} is already in use`,
  );
  await first.end('SIGTERM');
});

test('lists all errors of the settings and starts nothing', async () => {
  const folder = dataFolder();
  await expect(startProcess(folder, { PDM_PORT: 'http', PDM_LOG: 'loud', PDM_JOB_LEASE_SECONDS: '0' })).rejects.toThrow(
    /ended with 78[\s\S]*PDM_PORT[\s\S]*PDM_JOB_LEASE_SECONDS[\s\S]*PDM_LOG/,
  );
  expect(readdirSync(folder)).toEqual([]);
});

test.skipIf(embedded.isMissing)(
  embedded.title('exits with 0 and leaves nothing behind when it is terminated during the start'),
  { timeout: 60_000 },
  async () => {
    const folder = dataFolder();
    const child = spawn(process.execPath, ['app/main.ts'], {
      cwd: join(import.meta.dirname, '../..'),
      env: {
        ...process.env,
        PDM_PORT: '0',
        PDM_ROLES: 'store,api',
        PDM_DATA_DIR: folder,
        PDM_LOG: 'json',
        PDM_LOG_LEVEL: 'fatal',
      },
      stdio: 'ignore',
    });
    await expect.poll(() => existsSync(join(folder, 'store')), { timeout: 20_000 }).toBe(true);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(existsSync(join(folder, 'store', 'lock'))).toBe(false);
  },
);

test.each([
  [['launch.mjs', 'no-such-command'], 1, 'Unknown command: no-such-command\n'],
  [
    ['app/main.ts', '--port', '9000'],
    78,
    expect.stringMatching(/^Unexpected argument: --port 9000\. .*environment variables/),
  ],
])('rejects an unknown command or option in one sentence: %j', async (args, status, sentence) => {
  const child = spawn(process.execPath, args, {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors: string[] = [];
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  const [code] = await once(child, 'close');
  expect([code, errors.join('')]).toEqual([status, sentence]);
});

test.skipIf(embedded.isMissing)(
  embedded.title('restarts the scheduler and the store when they die'),
  { timeout: 90_000 },
  async () => {
    const service = await start(dataFolder());
    const api = client(`${service.url}/api/v1`, service.token());
    const status = /scheduler (http:\S+)/.exec(service.ready)?.[1] ?? '';
    const before = await (await fetch(status)).json();
    for (const child of childrenOf(service.pid)) process.kill(child, 'SIGKILL');

    await expect
      .poll(async () => (await api.post('/documents', { name: 'After', kind: 'model' })).status, { timeout: 30_000 })
      .toBe(201);
    expect(before).toHaveProperty('uptimeSeconds');
    expect(service.child.exitCode).toBeNull();
    expect(await service.end('SIGTERM')).toBe(0);
  },
);

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number);
}

function parentOf(pid: string): number {
  try {
    return Number(/^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return 0; // the process has ended meanwhile
  }
}
