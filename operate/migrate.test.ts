// Moves a service from the embedded store to a server and back. The server is another embedded store, on a port.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProcess as startStoreProcess } from '../embedded/test/store-process.ts';
import { client } from '../test/support/client.ts';
import { startProcess } from '../test/support/service-process.ts';

const home = mkdtempSync(join(tmpdir(), 'pdm-migrate-'));
const dataDir = join(home, 'data');
const environment = { MONGODB_URL: '', PDM_CHECKPOINT_FILE: '', PDM_ROLES: 'store,api,sweeps' };
let server: Awaited<ReturnType<typeof startStoreProcess>>;
let url = '';
beforeAll(async () => {
  server = await startStoreProcess(join(home, 'server'));
  url = server.uri ?? '';
});
afterAll(async () => {
  server.child.kill();
  await server.ended;
  rmSync(home, { recursive: true, force: true });
});

async function pdm(...args: string[]) {
  const child = spawn(process.execPath, ['--disable-proto=throw', 'app/pdm.ts', ...args], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, ...environment, PDM_DATA_DIR: dataDir },
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'exit');
  const [out, err] = await output;
  return { code, out, err };
}

/** Runs `work` on a service, which is stopped afterwards. */
async function withService(
  settings: Record<string, string>,
  work: (admin: ReturnType<typeof client>) => Promise<void>,
): Promise<void> {
  const service = await startProcess(dataDir, { ...environment, ...settings });
  try {
    await work(client(`${service.url}/api/v1`, service.token()));
  } finally {
    await service.end('SIGTERM');
  }
}

test('moves the data to a server and back, and no service can use a store that was left', {
  timeout: 90_000,
}, async () => {
  const content = 'content of the file '.repeat(100_000);
  const readFile = async (admin: ReturnType<typeof client>) => {
    const { drafts } = (await admin.get('/documents/PRT-000001')).body;
    return (await admin.get(`/versions/${drafts[0].id}/artifacts/attachment.note/file`)).bytes.toString();
  };
  await withService({}, async (admin) => {
    const { body } = await admin.post('/documents', { name: 'Before', kind: 'model' });
    await admin.upload(body.drafts[0].id, 'attachment.note', content, { fileName: 'note.txt' });
    expect(await pdm('migrate', url)).toMatchObject({ code: 3, err: expect.stringContaining('is in use by process') });
  });

  expect(await pdm('migrate', url)).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(
      /^Moved \d+ records of \d+ collections .* and compared every byte\.\nStart .* MONGODB_URL/,
    ),
  });
  await expect(startProcess(dataDir, environment)).rejects.toThrow('was moved to the server 127.0.0.1:');
  await withService({ MONGODB_URL: url }, async (admin) => {
    expect(await readFile(admin)).toBe(content);
    expect((await admin.post('/documents', { name: 'On the server', kind: 'model' })).body.number).toBe('PRT-000002');
    expect((await admin.get('/audit/verify?waitSeconds=50')).body.verdict).toBe('intact');
  });

  expect(await pdm('migrate', '--back', '--json', url)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`"to": "the data folder ${dataDir}"`),
  });
  await expect(startProcess(dataDir, { ...environment, MONGODB_URL: url })).rejects.toThrow(
    'was moved to the data folder',
  );
  await withService({}, async (admin) => {
    expect((await admin.get('/documents/PRT-000002')).body.name).toBe('On the server');
    expect(await readFile(admin)).toBe(content);
  });
});

test('requires a server and a data folder', async () => {
  expect(await pdm('migrate')).toMatchObject({ code: 2, err: expect.stringContaining('pdm migrate mongodb://') });
  const nowhere = spawn(process.execPath, ['app/pdm.ts', 'migrate', url], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, ...environment, PDM_DATA_DIR: join(home, 'nowhere') },
  });
  expect(await text(nowhere.stderr)).toContain('There is no store in');
});
