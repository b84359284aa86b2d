import { createHash, randomBytes } from 'node:crypto';
// Files of drafts and versions: upload, download, ranges, replacement, removal and limits.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const MAX = 2 * 1024 * 1024;
let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm({ settings: { MAX_UPLOAD_BYTES: String(MAX) } });
});
afterAll(() => pdm.close());

const statusAndCode = ({ status, body }: Answer) => [status, body?.code];
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
async function model() {
  const { id, drafts, workspaces } = (await pdm.editor.post('/documents', { name: 'Part', kind: 'model' })).body;
  return { id, draft: drafts[0].id as string, workspace: workspaces[0].id as string };
}

describe('a file', () => {
  test('stores a file with its name, type, size and hash, and returns it unchanged', async () => {
    const { draft } = await model();
    const content = randomBytes(600_000);
    const { status, headers, body } = await pdm.editor.upload(draft, 'source', content, {
      fileName: 'Größe "部品".step',
      headers: { 'content-type': 'model/step' },
    });
    expect([status, headers.get('location')]).toEqual([201, `/api/v1/artifacts/${body.id}`]);
    expect(body).toMatchObject({
      versionId: draft,
      kind: 'source',
      fileName: 'Größe "部品".step',
      contentType: 'model/step',
      size: content.length,
      sha256: sha256(content),
      stale: false,
    });
    expect((await pdm.viewer.get(`/artifacts/${body.id}`)).body).toEqual(body);
    expect((await pdm.viewer.get(`/versions/${draft}/artifacts`)).body).toEqual({ items: [body], nextCursor: null });
    for (const path of [`/versions/${draft}/artifacts/source/file`, `/artifacts/${body.id}/file`]) {
      const file = await pdm.viewer.get(path);
      expect([file.status, file.headers.get('etag'), sha256(file.bytes)]).toEqual([
        200,
        `"${body.sha256}"`,
        body.sha256,
      ]);
      expect(file.headers.get('content-type')).toBe('model/step');
      expect(file.headers.get('content-disposition')).toBe(
        `attachment; filename="Gr__e ____.step"; filename*=UTF-8''${encodeURIComponent(body.fileName)}`,
      );
    }
  });

  test('accepts an empty file', async () => {
    const { draft } = await model();
    expect((await pdm.editor.upload(draft, 'attachment.empty', '')).body).toMatchObject({
      size: 0,
      sha256: sha256(''),
    });
    expect((await pdm.viewer.get(`/versions/${draft}/artifacts/attachment.empty/file`)).bytes.length).toBe(0);
  });

  test('returns ranges of a file that cross chunk boundaries', async () => {
    const { draft } = await model();
    const content = randomBytes(700_000);
    const { body } = await pdm.editor.upload(draft, 'attachment.big', content);
    for (const [start, end] of [
      [0, 0],
      [261_119, 261_121],
      [522_000, 699_999],
      [699_999, 699_999],
    ] as const) {
      const { status, headers, bytes } = await pdm.viewer.get(`/artifacts/${body.id}/file`, {
        range: `bytes=${start}-${end}`,
      });
      expect([status, headers.get('content-range')]).toEqual([206, `bytes ${start}-${end}/700000`]);
      expect(bytes.equals(content.subarray(start, end + 1))).toBe(true);
    }
    expect(statusAndCode(await pdm.viewer.get(`/artifacts/${body.id}/file`, { range: 'bytes=700000-' }))).toEqual([
      416,
      'range_not_satisfiable',
    ]);
    expect((await pdm.viewer.get(`/artifacts/${body.id}/file`, { 'if-none-match': `"${body.sha256}"` })).status).toBe(
      304,
    );
  });

  test('returns the same headers for HEAD and GET', async () => {
    const { draft } = await model();
    const { body } = await pdm.editor.upload(draft, 'source', 'x'.repeat(1234));
    const response = await fetch(`${pdm.url}/api/v1/versions/${draft}/artifacts/source/file`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${pdm.tokens.viewer}` },
    });
    expect([response.status, response.headers.get('content-length'), response.headers.get('etag')]).toEqual([
      200,
      '1234',
      `"${body.sha256}"`,
    ]);
  });

  test('replaces the previous file of its kind', async () => {
    const { draft } = await model();
    const first = (await pdm.editor.upload(draft, 'source', 'one')).body;
    const second = (await pdm.editor.upload(draft, 'source', 'two')).body;
    expect((await pdm.viewer.get(`/versions/${draft}/artifacts`)).body.items).toEqual([second]);
    expect((await pdm.viewer.get(`/versions/${draft}/artifacts/source/file`)).bytes.toString()).toBe('two');
    if (first.id !== second.id) expect((await pdm.viewer.get(`/artifacts/${first.id}`)).status).toBe(404);
  });

  test('removes a file from a draft but keeps it in earlier versions', async () => {
    const { draft, workspace } = await model();
    await pdm.editor.upload(draft, 'source', 'kept');
    const version = (await pdm.editor.post(`/workspaces/${workspace}/versions`)).body;
    expect((await pdm.editor.delete(`/versions/${draft}/artifacts/source`)).status).toBe(204);
    expect(statusAndCode(await pdm.viewer.get(`/versions/${draft}/artifacts/source/file`))).toEqual([404, 'not_found']);
    expect(statusAndCode(await pdm.editor.delete(`/versions/${draft}/artifacts/source`))).toEqual([404, 'not_found']);
    expect((await pdm.viewer.get(`/versions/${version.id}/artifacts/source/file`)).bytes.toString()).toBe('kept');
    expect(statusAndCode(await pdm.editor.delete(`/versions/${version.id}/artifacts/source`))).toEqual([
      422,
      'not_a_draft',
    ]);
    expect(statusAndCode(await pdm.editor.upload(version.id, 'source', 'x'))).toEqual([422, 'not_a_draft']);
  });

  test('adds an audit record for the upload and the removal of a file', async () => {
    const { id, draft } = await model();
    await pdm.editor.upload(draft, 'attachment.note', 'x', { headers: { 'x-request-id': 'the-upload' } });
    await pdm.editor.delete(`/versions/${draft}/artifacts/attachment.note`);
    const { items } = (await pdm.viewer.get(`/documents/${id}/audit`)).body;
    expect(items).toHaveLength(3);
    expect(items[1]).toMatchObject({ requestId: 'the-upload', versionId: draft, by: { name: 'Ed Editor' } });
    expect(
      (await pdm.viewer.get(`/versions/${draft}/audit`)).body.items.map((item: { id: string }) => item.id),
    ).toEqual(expect.arrayContaining([items[0].id, items[1].id]));
  });
});

describe('an upload', () => {
  test.each([
    'picture',
    'attachment',
    'attachment.',
    'attachment.UPPER',
    `attachment.${'x'.repeat(41)}`,
    '../source',
    'source%00',
  ])('rejects a file of the unknown kind "%s"', async (kind) => {
    const { draft } = await model();
    const response = await pdm.editor.upload(draft, decodeURIComponent(kind), 'x');
    expect(statusAndCode(response)).toEqual([400, 'unknown_artifact_kind']);
    expect(JSON.stringify(response.body)).toContain('attachment.<slug>');
  });

  test('rejects a file of a kind for other documents', async () => {
    const { drafts } = (await pdm.editor.post('/documents', { name: 'Gearbox', kind: 'assembly' })).body;
    expect(statusAndCode(await pdm.editor.upload(drafts[0].id, 'source', 'x'))).toEqual([422, 'wrong_kind']);
  });

  test('returns 404 for an unknown draft', async () => {
    expect(statusAndCode(await pdm.editor.upload('ver_nothing', 'source', 'x'))).toEqual([404, 'not_found']);
  });

  test('rejects and does not store a file that is too large, with or without a content length', async () => {
    const { draft } = await model();
    const large = randomBytes(MAX + 1);
    expect(statusAndCode(await pdm.editor.upload(draft, 'source', large))).toEqual([413, 'file_too_large']);
    const chunked = await fetch(`${pdm.url}/api/v1/versions/${draft}/artifacts?kind=source`, {
      method: 'POST',
      headers: { authorization: `Bearer ${pdm.tokens.editor}` },
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect([chunked.status, ((await chunked.json()) as { code: string }).code]).toEqual([413, 'file_too_large']);
    expect((await pdm.viewer.get(`/versions/${draft}/artifacts`)).body.items).toEqual([]);
    expect((await pdm.editor.upload(draft, 'source', large.subarray(0, MAX))).status).toBe(201);
  });

  test('stores nothing when the client disconnects', async () => {
    const { draft, id } = await model();
    const client = request(`${pdm.url}/api/v1/versions/${draft}/artifacts?kind=source`, {
      method: 'POST',
      headers: { authorization: `Bearer ${pdm.tokens.editor}`, 'content-length': 1_000_000 },
    });
    const gone = new Promise((resolve) => client.on('error', resolve));
    client.write(randomBytes(600_000), () => client.destroy());
    await gone;
    expect((await pdm.editor.upload(draft, 'attachment.after', 'x')).status).toBe(201);
    expect(
      (await pdm.viewer.get(`/versions/${draft}/artifacts`)).body.items.map(({ kind }: { kind: string }) => kind),
    ).toEqual(['attachment.after']);
    expect((await pdm.viewer.get(`/documents/${id}/audit`)).body.items).toHaveLength(2);
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\x\\y.step', 'y.step'],
    ['', 'file'],
    ['a"; filename="evil.html', 'a"; filename="evil.html'],
    ['x'.repeat(300), 'x'.repeat(200)],
  ])('stores a file named %j as %j with a safe Content-Disposition', async (fileName, stored) => {
    const { draft } = await model();
    const { body } = await pdm.editor.upload(draft, 'attachment.named', 'x', { fileName });
    expect(body.fileName).toBe(stored);
    const { headers } = await pdm.viewer.get(`/artifacts/${body.id}/file`);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[^"]*"; filename\*=UTF-8''[^;"]*$/);
    expect([headers.get('x-content-type-options'), headers.get('content-security-policy')]).toEqual([
      'nosniff',
      "sandbox; default-src 'none'",
    ]);
  });
});
