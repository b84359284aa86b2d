// The first start: one shared token, which the set-up replaces with a personal one.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runCli } from '../../cli/testing/run-cli.ts';
import { client } from '../support/client.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'pdm-first-'));
const DAY_MS = 86_400_000;
let service: ServiceProcess;
let firstToken: string;
let personalToken: string;

beforeAll(async () => {
  service = await startProcess(folder, { PDM_ROLES: 'store,api,scheduler' });
  firstToken = service.token();
}, 60_000);
afterAll(async () => {
  await service.end('SIGKILL all');
  rmSync(folder, { recursive: true, force: true });
});

const as = (token: string) => client(`${service.url}/api/v1`, token);

test('issues a first token that expires after 7 days', async () => {
  const { body } = await as(firstToken).get('/me');
  expect(body).toMatchObject({ role: 'admin', setupRequired: true });
  const days = (Date.parse(body.token.expiresAt) - Date.parse(body.token.createdAt)) / DAY_MS;
  expect(days).toBe(7);
});

test('names the file of the first token at later starts, until the set-up', async () => {
  const other = mkdtempSync(join(tmpdir(), 'pdm-first-'));
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  await (await startProcess(other, { PDM_ROLES: 'store,api' })).end('SIGTERM');
  const second = await startProcess(other, { PDM_ROLES: 'store,api' });
  await expect.poll(() => second.output.join('\n')).toContain(`with the token in ${join(other, 'first-token')}.`);
  await client(`${second.url}/api/v1`, second.token()).post('/setup', { name: 'Ada' });
  await second.end('SIGTERM');
  const third = await startProcess(other, { PDM_ROLES: 'store,api' });
  await third.end('SIGTERM');
  expect(third.output.join('\n')).not.toContain('first-token');
}, 60_000);

test('rejects a set-up without a name, and keeps the first token', async () => {
  expect(await as(firstToken).post('/setup', { name: ' ' })).toMatchObject({ status: 400 });
  expect((await as(firstToken).get('/me')).status).toBe(200);
});

test('lets only one of several concurrent set-ups name the administrator', async () => {
  const names = ['Ada', 'Grace', 'Hedy'];
  const replies = await Promise.all(names.map((name) => as(firstToken).post('/setup', { name })));
  const created = replies.filter(({ status }) => status === 201);
  expect(created).toHaveLength(1);
  personalToken = created[0]?.body.token;
  const { body } = await as(personalToken).get('/me');
  expect(body).toMatchObject({ name: names[replies.findIndex(({ status }) => status === 201)], setupRequired: false });
});

test('revokes the first token and deletes its file', async () => {
  expect((await as(firstToken).get('/me')).status).toBe(401);
  expect(existsSync(join(folder, 'first-token'))).toBe(false);
});

test('rejects a set-up with another token', async () => {
  expect(await as(personalToken).post('/setup', { name: 'Eve' })).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  });
});

test('rejects changes of the built-in engine user', async () => {
  const { body } = await as(personalToken).get('/users');
  const engine = body.items.find(({ id }: { id: string }) => id === 'usr_built_in_engine');
  expect(engine).toMatchObject({ role: 'worker', disabled: false });
  for (const change of [{ role: 'viewer' }, { disabled: true }, { name: 'X' }])
    expect(await as(personalToken).patch(`/users/${engine.id}`, change)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: expect.stringContaining('managed by the service') },
    });
});

test('pdm login --name replaces the first token with a stored personal token', { timeout: 60_000 }, async () => {
  const home = mkdtempSync(join(tmpdir(), 'pdm-first-login-'));
  const first = `pdm_Bootstra_${'x'.repeat(32)}`;
  const other = await startProcess(join(home, 'data'), { PDM_ROLES: 'store,api', PDM_BOOTSTRAP_TOKEN: first });
  try {
    const environment = { XDG_CONFIG_HOME: home };
    const hint = await runCli(['login', other.url, '--token', first], { environment });
    expect(hint).toMatchObject({ exit: 0, err: expect.stringContaining('pdm login --name') });
    const named = await runCli(['login', other.url, '--token', first, '--name', 'Ada'], { environment });
    expect(named).toMatchObject({ exit: 0, err: '', out: expect.stringContaining('as Ada (admin)') });
    expect(await runCli(['whoami'], { environment })).toMatchObject({ exit: 0, out: expect.stringContaining('Ada') });
    expect((await client(`${other.url}/api/v1`, first).get('/me')).status).toBe(401);
  } finally {
    await other.end('SIGKILL all');
    rmSync(home, { recursive: true, force: true });
  }
});
