import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { client } from '../support/client.ts';
import { needs } from '../support/needs.ts';
import { receiver } from '../support/receiver.ts';
import { startProcess } from '../support/service-process.ts';

const embedded = needs('embedded store');

const dataDir = mkdtempSync(join(tmpdir(), 'pdm-deliver-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test.skipIf(embedded.isMissing)(
  embedded.title(
    'delivers a pending webhook message and all later ones again after the service was killed with SIGKILL',
  ),
  { timeout: 120_000 },
  async () => {
    const settings = { PDM_ROLES: 'store,api,sweeps', PDM_WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1' };
    const hook = await receiver();
    const held = Promise.withResolvers<void>();
    hook.answer((_got, response) => (hook.got.length < 3 ? response.writeHead(204).end() : held.resolve()));
    const first = await startProcess(dataDir, settings);
    const before = client(`${first.url}/api/v1`, first.token());
    const { id } = (await before.post('/webhooks', { url: hook.url, types: ['folder.created'] })).body;
    const folders: string[] = [];
    for (let n = 0; n < 6; n++) folders.push((await before.post('/folders', { name: `Folder ${n}` })).body.id);
    await held.promise;
    const deliveredBefore = async () =>
      (await before.get(`/webhooks/${id}/deliveries?status=delivered`)).body.items.length;
    await expect.poll(deliveredBefore, { timeout: 10_000 }).toBe(2); // stored while the third one is not answered
    await first.end('SIGKILL all');

    hook.answer((_got, response) => response.writeHead(204).end());
    const second = await startProcess(dataDir, settings);
    const api = client(`${second.url}/api/v1`, second.token());
    const delivered = async () => (await api.get(`/webhooks/${id}/deliveries?status=delivered`)).body.items.length;
    await expect.poll(delivered, { timeout: 60_000, interval: 200 }).toBe(folders.length);
    expect(await second.end('SIGTERM')).toBe(0);
    await hook.close();

    const subjects = hook.got.map(({ event }) => event.subject);
    expect([...new Set(subjects)]).toEqual(folders);
    const [, , held3, again] = hook.got;
    expect(again?.id).toBe(held3?.id);
    expect(hook.got).toHaveLength(folders.length + 1);
  },
);
