// Backs up a running service on schedule, and loses no earlier backup to a kill, a full disk or a missing folder.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../subgraphs/core/platform/config.ts';
import { createLog } from '../subgraphs/core/platform/log.ts';
import { client } from '../test/support/client.ts';
import { notRun } from '../test/support/needs.ts';
import { type ServiceProcess, startProcess } from '../test/support/service-process.ts';
import { smallDisk } from '../test/support/small-disk.ts';
import { type BackupPlan, backupPlan, createBackup, listBackups, startScheduledBackups } from './scheduled-backups.ts';

const home = mkdtempSync(join(tmpdir(), 'pdm-scheduled-'));
const [dataDir, target] = [join(home, 'data'), join(home, 'backups')];
const environment = { MONGODB_URL: '', PDM_CHECKPOINT_FILE: '', PDM_ROLES: 'store,api,sweeps' };
const plan: BackupPlan = { dataDir, target, everyMs: 3_600_000, retention: { daily: 1, weekly: 0, monthly: 0 } };
const MIB = 2 ** 20;

let service: ServiceProcess;
let admin: ReturnType<typeof client>;
beforeAll(async () => {
  mkdirSync(target);
  service = await startProcess(dataDir, { ...environment, PDM_BACKUP_DIR: target, PDM_BACKUP_EVERY: '6' });
  admin = client(`${service.url}/api/v1`, service.token());
});
afterAll(async () => {
  await service.end('SIGKILL all');
  rmSync(home, { recursive: true, force: true });
});

async function run(program: string, args: string[], settings: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, ...environment, ...settings },
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'close');
  expect([code, await output]).toEqual([0, [expect.any(String), '']]);
  return (await output)[0];
}
const check = (name: string) =>
  run('app/pdm.ts', ['restore', '--check', join(target, name)], { PDM_DATA_DIR: dataDir });

test('makes the first backup after the start, and reports it to administrators and in the metrics', async () => {
  await expect
    .poll(async () => (await admin.get('/backup-status')).body, { timeout: 20_000 })
    .toMatchObject({ scheduled: true, running: false, count: 1, failure: null });
  const { body } = await admin.get('/backup-status');
  expect(body).toMatchObject({ folder: target, everySeconds: 21_600, lastBackup: { newBytes: body.lastBackup.bytes } });
  expect(Date.parse(body.nextAt) - Date.parse(body.lastBackup.createdAt)).toBe(21_600_000);
  const metrics = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${service.token()}` } });
  const lines = await metrics.text();
  expect(lines).toContain('pdm_backup_interval_seconds 21600');
  expect(lines).toContain(`pdm_backup_last_success_timestamp_seconds ${Date.parse(body.lastBackup.createdAt) / 1000}`);
});

test('stores only what has changed, and each backup can be restored on its own', { timeout: 60_000 }, async () => {
  const { body } = await admin.post('/documents', { name: 'Part', kind: 'model' });
  for (const name of ['a', 'b', 'c', 'd'])
    await admin.upload(body.drafts[0].id, `attachment.${name}`, randomBytes(8 * MIB), { fileName: 'file' });
  const first = await createBackup(plan, new Date());
  expect(first.bytes).toBeGreaterThan(32 * MIB);
  await admin.post('/documents', { name: 'Another', kind: 'model' });
  const second = await createBackup(plan, new Date());
  expect(second.newBytes).toBeLessThan(second.bytes / 2);
  rmSync(join(target, first.name), { recursive: true });
  expect(await check(second.name)).toContain('can be restored.');
});

test('replaces a backup that was killed midway, and uses its pieces', { timeout: 60_000 }, async () => {
  for (const { name } of listBackups(plan)) rmSync(join(target, name), { recursive: true });
  const partial = join(target, '2026-01-31T03-00-00-000Z.part');
  mkdirSync(partial);
  copyFileSync(join(dataDir, 'secret'), join(partial, 'secret'));
  const args = ['archive', '--data', join(dataDir, 'store'), '--to', partial, '--supervised'];
  const child = spawn(process.execPath, [join(import.meta.dirname, '../embedded/process/main.ts'), ...args]);
  const ended = once(child, 'exit');
  const pieces = () => (existsSync(join(partial, 'pieces')) ? readdirSync(join(partial, 'pieces')).length : 0);
  await expect.poll(pieces, { interval: 1, timeout: 20_000 }).toBeGreaterThan(1);
  child.kill('SIGKILL');
  await ended;
  expect(listBackups(plan)).toEqual([]);
  const backup = await createBackup(plan, new Date());
  expect(backup.newBytes).toBeLessThan(backup.bytes);
  expect(readdirSync(target)).toEqual([backup.name]);
  expect(await check(backup.name)).toContain('can be restored.');
});

test('ends with the process that supervises it', async () => {
  const folder = join(home, 'orphaned');
  const args = ['archive', '--data', join(dataDir, 'store'), '--to', folder, '--supervised'];
  const child = spawn(process.execPath, [join(import.meta.dirname, '../embedded/process/main.ts'), ...args]);
  child.stdin.end();
  const [code] = await once(child, 'exit');
  // A small store may be archived before the process notices.
  expect(code).toBe(existsSync(join(folder, 'store.list')) ? 0 : 70);
});

test('keeps the earlier backups when the disk is full, and leaves nothing behind', async ({ skip }) => {
  const disk = smallDisk(48);
  if (!disk) return skip(notRun('root'));
  try {
    const onDisk = { ...plan, target: disk.folder };
    const complete = await createBackup(onDisk, new Date());
    const { body } = await admin.get('/documents?limit=1');
    const { drafts } = (await admin.get(`/documents/${body.items[0].id}`)).body;
    await admin.upload(drafts[0].id, 'attachment.new', randomBytes(16 * MIB), { fileName: 'file' });
    await expect(createBackup(onDisk, new Date())).rejects.toThrow(/The disk of \S+ is full/);
    expect(readdirSync(disk.folder)).toEqual([complete.name]);
  } finally {
    disk.remove();
  }
});

test('creates no folder for backups, because it may be a disk that is not mounted', async () => {
  const missing = { ...plan, target: join(home, 'unmounted') };
  await expect(createBackup(missing, new Date())).rejects.toThrow('unmounted is not a folder. Create it, or mount');
  expect(existsSync(missing.target)).toBe(false);
});

test('does not use a backup whose manifest is damaged', () => {
  const folder = join(target, '2026-01-31T03-00-00-000Z');
  mkdirSync(folder);
  copyFileSync(join(dataDir, 'secret'), join(folder, 'secret'));
  writeFileSync(join(folder, 'backup.json'), '{');
  const messages: string[] = [];
  expect(listBackups(plan, (message) => messages.push(message)).map(({ name }) => join(target, name))).not.toContain(
    folder,
  );
  expect(messages).toEqual([`${join(folder, 'backup.json')} is not a valid backup manifest.`]);
  rmSync(folder, { recursive: true });
});

test('rejects settings that would not take effect', () => {
  expect(() => readConfig({ PDM_BACKUP_DIR: '/backups', MONGODB_URL: 'mongodb://db' })).toThrow(
    'PDM_BACKUP_DIR is for the embedded store',
  );
  expect(() => readConfig({ PDM_BACKUP_KEEP: '7 days' })).toThrow(
    'must be the number of days, weeks and months such as 7/4/12',
  );
});

test('deletes the backups that PDM_BACKUP_KEEP does not keep', { timeout: 60_000 }, async () => {
  const kept = join(home, 'kept');
  mkdirSync(kept);
  const expiring = backupPlan(readConfig({ PDM_DATA_DIR: dataDir, PDM_BACKUP_DIR: kept, PDM_BACKUP_KEEP: '2/3/3' }))!;
  const days = ['2025-01-05T01', '2025-02-20T01', '2025-03-05T01', '2025-03-10T01', '2025-03-12T01', '2025-03-12T05'];
  for (const day of days) await createBackup(expiring, new Date(`${day}:00:00Z`));
  const log = createLog({ name: 'test', pretty: false, level: 'fatal' });
  const backups = startScheduledBackups(expiring, log);
  await expect.poll(() => backups.status(), { timeout: 20_000 }).toMatchObject({ running: false, count: 4 });
  await backups.stop();
  const { lastBackup, failure } = backups.status();
  expect(failure).toBeNull();
  // the newest of the third month, of the third week, and of the second day, and the new one
  expect(readdirSync(kept)).toEqual([
    '2025-02-20T01-00-00-000Z',
    '2025-03-05T01-00-00-000Z',
    '2025-03-12T05-00-00-000Z',
    lastBackup?.name,
  ]);
});

test('ignores the backups of another installation', async () => {
  const [backup] = listBackups(plan);
  writeFileSync(join(target, backup?.name ?? '', 'secret'), 'another secret');
  expect(listBackups(plan)).toEqual([]);
});
