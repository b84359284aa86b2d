// What administrators see of the service: its settings, refused sign-ins and the storage of files.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { client } from '../support/client.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

const status = (token: string) => client(pdm.url, token).get('/administration/status');

test('shows the version, the settings with their source and no credentials, to administrators only', async () => {
  const { status: code, body, headers } = await status(pdm.tokens.admin);
  expect([code, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body).toMatchObject({ version: expect.any(String), storeFormat: expect.any(Number) });
  const setting = (name: string) => body.settings.find((each: { name: string }) => each.name === name);
  expect(setting('REVISION_SCHEME')).toEqual({
    name: 'REVISION_SCHEME',
    description: expect.stringContaining('Labels of revisions'),
    value: 'asme',
    isSecret: false,
    source: 'default',
  });
  for (const name of ['MONGODB_URL', 'NATS_URL', 'PDM_WORKER_TOKEN', 'PDM_BOOTSTRAP_TOKEN'])
    expect(setting(name)).toMatchObject({ value: null, isSecret: true });
  expect((await status(pdm.tokens.editor)).body.code).toBe('admin_only');
});

test('shows refused sign-ins with address and token prefix, and never the token', async () => {
  const wrong = `pdm_refused1_${'x'.repeat(32)}`;
  for (let n = 0; n < 2; n++) expect((await client(`${pdm.url}/api/v1`, wrong).get('/me')).status).toBe(401);
  const { body } = await status(pdm.tokens.admin);
  expect(body.refusedSignIns[0]).toMatchObject({ ip: '127.0.0.1', token: 'refused1', reason: 'invalid', count: 2 });
  expect(JSON.stringify(body)).not.toContain('xxxx');
});

test('measures files by folder and kind, counting those that versions share once', async () => {
  const { body: folder } = await pdm.editor.post('/folders', { name: 'Measured' });
  const { body: document } = await pdm.editor.post('/documents', {
    name: 'Plate',
    kind: 'model',
    folderId: folder.id,
  });
  const [draft] = document.drafts;
  await pdm.editor.upload(draft.id, 'attachment.notes', 'a'.repeat(1000));
  await pdm.editor.upload(draft.id, 'attachment.more', 'b'.repeat(500));
  await pdm.editor.post(`/workspaces/${document.workspaces[0].id}/versions`);
  const { body } = await pdm.admin.get('/storage');
  expect(body.folders).toContainEqual({
    folder: { id: folder.id, path: 'Measured' },
    documents: 1,
    files: 2,
    bytes: 1500,
  });
  expect(body.kinds).toContainEqual({ kind: 'attachment', files: 2, bytes: 1500 });
  expect(body).toMatchObject({ measuredAt: expect.any(String), files: 2, bytes: 1500 });
  expect((await pdm.editor.get('/storage')).body.code).toBe('admin_only');
});
