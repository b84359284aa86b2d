// A store process that is stopped or killed while the service runs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allOf, needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { storePid } from '../support/store-process.ts';

const embedded = allOf(needs('embedded store'), needs('single process'), needs('Linux'));
const dataDir = mkdtempSync(join(tmpdir(), 'pdm-stopped-store-'));
// The requirement is 3 s; a loaded machine needs more. Without the watch, the driver takes 12 s and more.
const DEADLINE_MS = 8_000;
let pdm: Pdm;

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe.skipIf(embedded.isMissing)(embedded.title('a store that does not respond'), { timeout: 60_000 }, () => {
  let path: string;

  beforeAll(async () => {
    pdm = await startPdm({ settings: { PDM_DATA_DIR: dataDir } });
    const { body } = await pdm.editor.post('/documents', { name: 'Part', kind: 'model' });
    path = `/documents/${body.id}`;
  });
  afterAll(() => pdm.close());

  const get = (url: string, token: string, body?: object) =>
    fetch(`${pdm.url}${url}`, {
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
  const reads = () => [
    get(`/api/v1${path}`, pdm.tokens.editor),
    get('/api/v1/documents?limit=5', pdm.tokens.editor),
    get('/graphql', pdm.tokens.editor, { query: '{ documents { items { id } } }' }),
    // These credentials are not cached.
    get(`/api/v1${path}`, pdm.tokens.viewer),
    get('/graphql', pdm.tokens.admin, { query: '{ documents { items { id } } }' }),
  ];

  test('fails reads with unavailable while it is stopped, and serves them when it continues', async () => {
    expect((await pdm.editor.get(path)).status).toBe(200);
    const store = storePid(dataDir);
    process.kill(store, 'SIGSTOP');
    try {
      for (const response of await Promise.all(reads())) {
        const text = await response.text();
        expect([response.status, text]).toEqual([503, expect.stringContaining('"unavailable"')]);
      }
    } finally {
      process.kill(store, 'SIGCONT');
    }
    await expect.poll(async () => (await pdm.editor.get(path)).status, { timeout: 20_000 }).toBe(200);
    expect((await get('/graphql', pdm.tokens.editor, { query: '{ documents { items { id } } }' })).status).toBe(200);
  });

  test('responds in time and recovers when it is killed', async () => {
    process.kill(storePid(dataDir), 'SIGKILL');
    for (const { status } of await Promise.all(reads())) expect([200, 503]).toContain(status);
    await expect.poll(async () => (await pdm.editor.get(path)).status, { timeout: 20_000 }).toBe(200);
    // The sealer goes on too: only sealed records are events.
    let id = '';
    const create = async () => {
      const { status, body } = await pdm.editor.post('/documents', { name: 'After', kind: 'model' });
      id = body.id;
      return status;
    };
    await expect.poll(create, { timeout: 20_000 }).toBe(201);
    const events = async () => (await pdm.viewer.get('/events?limit=200')).bytes.toString();
    await expect.poll(events, { timeout: 20_000 }).toContain(id);
  });
});
