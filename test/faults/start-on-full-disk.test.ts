// A service and operator commands that start on a full disk.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { client } from '../support/client.ts';
import { allOf, needs } from '../support/needs.ts';
import { startPdm } from '../support/pdm.ts';
import { startProcess } from '../support/service-process.ts';
import { smallDisk } from '../support/small-disk.ts';

const service = allOf(needs('embedded store'), needs('single process'));
const disk = service.isMissing ? undefined : smallDisk(256);
const mount = allOf(service, needs('root', disk !== undefined));
const PROGRAM = join(import.meta.dirname, '../../app/pdm.ts');

describe.skipIf(mount.isMissing)(mount.title('a start on a full disk'), () => {
  const dataDir = join(disk?.folder ?? '', 'data');
  const ids: string[] = [];
  let token = '';
  // It lets deletes commit, and a start write its lock file.
  const reserveExists = () => vi.waitFor(() => expect(existsSync(join(dataDir, 'store/reserve'))).toBe(true), 30_000);

  const pdm = (...args: string[]) => {
    const env = { PATH: process.env.PATH, PDM_DATA_DIR: dataDir };
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { env, timeout: 60_000 });
    return { status, text: `${stdout}${stderr}` };
  };

  beforeAll(async () => {
    const first = await startPdm({ settings: { PDM_DATA_DIR: dataDir } });
    token = first.tokens.admin;
    for (const name of ['One', 'Two'])
      ids.push((await first.admin.post('/documents', { name, kind: 'model' })).body.id);
    await reserveExists();
    await first.close();
  });
  afterAll(() => disk!.remove());

  test('serves reads and deletes, rejects writes with storage_full, and starts the scheduler once there is space', {
    timeout: 120_000,
  }, async () => {
    disk!.fill();
    const service = await startProcess(dataDir);
    try {
      expect(service.output.join('')).toContain('less than 64 MiB are free');
      const admin = client(`${service.url}/api/v1`, token);
      expect((await admin.get('/health')).body).toMatchObject({
        status: 'degraded',
        parts: { storage: { status: 'full' } },
      });
      expect((await admin.get(`/documents/${ids[0]}`)).status).toBe(200);
      const refused = await admin.post('/documents', { name: 'Three', kind: 'model' });
      expect(refused).toMatchObject({ status: 507, body: { code: 'storage_full' } });
      expect((await admin.delete(`/documents/${ids[0]}`)).status).toBe(204);
      expect((await admin.get(`/documents/${ids[0]}`)).status).toBe(404);
      expect((await admin.get(`/documents/${ids[1]}`)).status).toBe(200);

      const scheduler = async () => (await client(service.url, token).get('/scheduler/status')).body.scheduler;
      expect(await scheduler()).toBeNull();
      disk!.free();
      await vi.waitFor(async () => expect(await scheduler()).toMatchObject({ engines: expect.anything() }), 60_000);
      await reserveExists();
    } finally {
      await service.end('SIGTERM');
    }
  });

  test('operator commands end with a sentence, also without the reserve of the store', { timeout: 300_000 }, () => {
    disk!.fill();
    expect(pdm('check')).toEqual({ status: 0, text: expect.stringMatching(/^ok: /) });
    expect(pdm('audit', 'verify')).toMatchObject({ status: 0 });
    const full = expect.stringMatching(/disk .* is full/);
    expect(pdm('token', 'create', '--role', 'viewer', '--name', 'Vi')).toEqual({ status: 3, text: full });
    rmSync(join(dataDir, 'store/reserve'), { force: true });
    disk!.fill();
    for (const args of [['check'], ['audit', 'verify'], ['token', 'create', '--role', 'viewer', '--name', 'Vi']])
      expect(pdm(...args)).toEqual({ status: expect.any(Number), text: full });
    const backup = pdm('backup', join(disk!.folder, 'backup'));
    expect([backup.status === 0, backup.text]).toEqual([false, expect.stringMatching(/space/i)]);
  });
});
