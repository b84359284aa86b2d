// A data folder written by an earlier commit starts on this code, is intact, and shows its audit records under the current action names.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUDIT_ACTIONS, type AuditAction, storedActions } from '../../subgraphs/core/domain/audit/audit-action.ts';
import { needs } from '../support/needs.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';

const root = join(import.meta.dirname, '../..');
/** The last commit of version 0.1.0. */
const COMMIT = '709bad8';
const hasCommit = spawnSync('git', ['cat-file', '-e', `${COMMIT}^{commit}`], { cwd: root }).status === 0;

// Not run where the history is not available, e.g. in a shallow clone or without git.
const history = needs('former commit', hasCommit);
describe.skipIf(history.isMissing)(history.title(`a data folder of commit ${COMMIT}`), () => {
  const folder = mkdtempSync(join(tmpdir(), 'pdm-upgrade-'));
  let service: ServiceProcess;
  let token: string;
  const get = async (path: string) =>
    (await fetch(`${service.url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
  const pdm = (...args: string[]) =>
    spawnSync(process.execPath, ['--disable-proto=throw', 'app/pdm.ts', ...args], {
      cwd: root,
      env: { ...process.env, PDM_DATA_DIR: folder },
      encoding: 'utf8',
    });

  beforeAll(async () => {
    const script = join(import.meta.dirname, 'write-former-data.mjs');
    execFileSync(process.execPath, [script, COMMIT, folder], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    service = await startProcess(folder, { PDM_ROLES: 'store,api,sweeps' });
    token = service.token();
  }, 120_000);
  afterAll(async () => {
    await service?.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  test('lists its audit records under the current action names only', async () => {
    const { items } = await get('/audit?limit=200');
    const actions = new Set(items.map(({ action }: { action: string }) => action));
    const renamed = Object.keys(AUDIT_ACTIONS).filter((name) => storedActions(name as AuditAction).length > 1);
    expect(renamed.filter((name) => !actions.has(name))).toEqual([]);
    const former = renamed.flatMap((name) => storedActions(name as AuditAction).slice(1));
    expect(former.filter((name) => actions.has(name))).toEqual([]);
  });

  test('finds records of former actions by the current name', async () => {
    const { items } = await get('/audit?action=document.updated');
    expect(items).toMatchObject([{ action: 'document.updated', changes: { name: { to: 'Angle bracket' } } }]);
  });

  test('passes pdm check --read-data and pdm audit verify once the state of its records is in the log', {
    timeout: 120_000,
  }, async () => {
    const isRecorded = async () =>
      (await get('/audit?action=store.baseline')).items.some(({ chain }: { chain: string }) => chain === 'system');
    await expect.poll(isRecorded, { timeout: 60_000, interval: 200 }).toBe(true);
    await service.end('SIGTERM');
    const check = pdm('check', '--read-data', '--json');
    expect([check.status, JSON.parse(check.stdout)]).toMatchObject([0, { ok: true }]);
    const verify = pdm('audit', 'verify', '--json');
    expect([verify.status, JSON.parse(verify.stdout)]).toMatchObject([0, { verdict: 'intact' }]);
  });
});
