// Malformed and hostile requests: each returns a client error that names the cause, and has no partial effect.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let draft: string;
beforeAll(async () => {
  pdm = await startPdm();
  draft = (await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' })).body.drafts[0].id;
});
afterAll(() => pdm.close());

/**
 * Sends a raw request and returns the status, the code, and the headers; `HOST` and `TOKEN` are replaced by those of
 * the service.
 */
async function sendRaw(request: string): Promise<{ status: number; code: unknown; head: string; detail: string }> {
  const { port, host } = new URL(pdm.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(request.replace('HOST', host).replace('TOKEN', pdm.tokens.editor));
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const problem = head.includes('application/problem+json') ? JSON.parse(body) : {};
  return { status: Number(head.split(' ')[1]), code: problem.code, head, detail: problem.detail };
}
const AS_EDITOR = 'Authorization: Bearer TOKEN\r\nConnection: close\r\n';

describe('over HTTP', () => {
  test('rejects a request without a Host header or with another host as a problem', async () => {
    expect(await sendRaw(`GET /api/v1/me HTTP/1.1\r\n${AS_EDITOR}\r\n`)).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
    const foreign = await sendRaw(`GET /api/v1/me HTTP/1.1\r\nHost: evil.example\r\n${AS_EDITOR}\r\n`);
    expect(foreign).toMatchObject({ status: 421, code: 'unknown_host' });
    expect(foreign.detail).toContain('evil.example');
  });

  test('ignores an unknown expectation', async () => {
    expect((await sendRaw(`GET /api/v1/me HTTP/1.1\r\nHost: HOST\r\nExpect: coffee\r\n${AS_EDITOR}\r\n`)).status).toBe(
      200,
    );
  });

  test('rejects CONNECT for every address', async () => {
    expect(await sendRaw(`CONNECT /api/v1/me HTTP/1.1\r\nHost: HOST\r\n${AS_EDITOR}\r\n`)).toMatchObject({
      status: 405,
      code: 'method_not_allowed',
    });
  });

  test('returns the methods of the whole service for OPTIONS *', async () => {
    const { status, head } = await sendRaw(`OPTIONS * HTTP/1.1\r\nHost: HOST\r\n${AS_EDITOR}\r\n`);
    expect([status, /^allow: (.*)$/m.exec(head)?.[1]?.trim()]).toEqual([
      204,
      'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    ]);
  });

  test('rejects a body in a transfer coding other than chunked', async () => {
    const path = `/api/v1/versions/${draft}/artifacts?kind=attachment.coded`;
    const coded = `POST ${path} HTTP/1.1\r\nHost: HOST\r\n${AS_EDITOR}Transfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`;
    expect(await sendRaw(coded)).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    expect((await pdm.viewer.get(`/versions/${draft}/artifacts`)).body.items).toEqual([]);
  });

  test('returns the allowed methods of /graphql', async () => {
    const answers = await Promise.all(
      ['PUT', 'DELETE', 'OPTIONS'].map((method) => fetch(`${pdm.url}/graphql`, { method })),
    );
    expect(answers.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
      [405, 'GET, HEAD, POST, OPTIONS'],
      [405, 'GET, HEAD, POST, OPTIONS'],
      [204, 'GET, HEAD, POST, OPTIONS'],
    ]);
  });

  test('refers requests for unknown paths to the documentation', async () => {
    expect((await pdm.viewer.get('')).body.detail).toBe('There is no route /api/v1. See /api/v1/docs for all paths.');
  });
});

describe('times', () => {
  const since = (from: string) => pdm.admin.get(`/audit?limit=1&from=${encodeURIComponent(from)}`);

  test.each([
    '2026',
    '1',
    'March 7',
    '2026-11-22T10:00:00',
    '2026-11-22 10:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-11-22T10:00Z',
    '+275760-09-13T00:00:00Z',
  ])('rejects %s, which is not RFC 3339', async (from) => {
    expect(await since(from)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: '/from' }] },
    });
    const { body } = await pdm.admin.graphql(
      'query ($from: DateTime) { audit(from: $from, limit: 1) { items { id } } }',
      { from },
    );
    expect(body.errors[0].extensions.code).toBe('validation_failed');
    const written = await pdm.admin.graphql(`{ audit(from: ${JSON.stringify(from)}, limit: 1) { items { id } } }`);
    expect(written.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('applies the UTC offset', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19);
    expect((await since(`${inAnHour}Z`)).body.items).toHaveLength(0);
    expect((await since(`${inAnHour}+02:00`)).body.items).toHaveLength(1);
    expect((await since(`${inAnHour.toLowerCase()}.5-00:00`)).body.items).toHaveLength(0);
    expect((await since('2020-01-01')).body.items).toHaveLength(1);
    const { body } = await pdm.admin.graphql(`{ audit(from: "${inAnHour}+02:00", limit: 1) { items { id } } }`);
    expect(body.data.audit.items).toHaveLength(1);
  });
});

describe('texts', () => {
  test.each([
    ['only invisible characters', '\u200b'],
    ['only joiners and marks', ' \u200d\u0301\ufeff'],
    ['a line separator', 'a\u2028b'],
    ['a control character of the second set', 'a\u0085b'],
  ])('rejects a name with %s', async (_what, name) => {
    expect(await pdm.editor.post('/documents', { name, kind: 'model' })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
  });

  test.each(['ブラケット', 'قوس', 'می‌خواهم', '👩‍🔧', '√2', 'Cafe\u0301'])(
    'accepts a name in any writing system: %s',
    async (name) => {
      expect((await pdm.editor.post('/documents', { name, kind: 'model' })).body.name).toBe(name.normalize('NFC'));
    },
  );

  test('accepts line breaks and tabs in a comment, and rejects terminal control characters', async () => {
    const described = (description: string) => pdm.editor.post('/documents', { name: 'A', kind: 'model', description });
    expect((await described('one\r\n\ttwo')).body.description).toBe('one\r\n\ttwo');
    for (const description of ['a\u0000b', 'a\u001b[2Jb', 'a\u009bb'])
      expect(await described(description)).toMatchObject({ status: 400, body: { errors: [{ path: '/description' }] } });
  });
});

describe('parameters', () => {
  const list = async (query: string) => (await pdm.viewer.get(`/documents${query}`)).body;

  test('rejects a parameter in another encoding than UTF-8', async () => {
    for (const query of ['?q=%83u%83%89', '?q=%ZZ', '?q=50%'])
      expect(await list(query)).toMatchObject({
        status: 400,
        code: 'validation_failed',
        detail: expect.stringContaining('not valid percent-encoded UTF-8'),
      });
    expect(await list('?q=%E3%83%96%E3%83%A9+50%25')).toMatchObject({ items: expect.any(Array) });
  });

  test('reports one error per parameter', async () => {
    expect((await list('?limit=1&limit=2')).errors).toEqual([{ path: '/limit', message: 'must not be repeated' }]);
    expect((await pdm.viewer.get('/resolve?address=a&address=b')).body.detail).toBe('address must not be repeated.');
    expect((await list('?limit=99999999999999999999')).detail).toBe('limit must be a whole number below 2147483648.');
    expect((await pdm.viewer.get('/versions/x/compare?of=y')).body.detail).toContain(
      'of is not a known parameter; known: with',
    );
    expect((await list('?folderId=')).detail).toBe('folderId must be `unfiled` or the id of a folder.');
  });
});

describe('an asm.json', () => {
  test.each([
    ['in Shift JIS', Buffer.from([0x7b, 0x22, 0x83, 0x75, 0x22, 0x3a, 0x31, 0x7d]), 'The asm.json is not UTF-8.'],
    [
      'behind a byte order mark',
      '\ufeff{}',
      'The asm.json starts with a byte order mark. Save it as UTF-8 without one.',
    ],
    ['with two errors', '{"templates":{},"instances":{}}', expect.stringMatching(/ There is 1 more error\.$/)],
  ])('rejects %s with a description of the error', async (_how, content, detail) => {
    const assembly = (await pdm.editor.post('/documents', { name: 'A', kind: 'assembly' })).body.drafts[0].id;
    expect((await pdm.editor.upload(assembly, 'asm-json', content)).body).toMatchObject({
      status: 422,
      code: 'invalid_asm_json',
      detail,
    });
  });
});

describe('files', () => {
  test('rejects an invalid content type', async () => {
    const { status, body } = await pdm.editor.upload(draft, 'attachment.a', 'x', {
      headers: { 'content-type': 'foo' },
    });
    expect([status, body.code, body.detail]).toEqual([
      415,
      'unsupported_media_type',
      'The Content-Type "foo" is not a valid media type. Use, for example, application/octet-stream, or omit the header.',
    ]);
  });

  test('distinguishes an unknown kind, a kind without a file, and an unknown document', async () => {
    const file = async (kind: string) => (await pdm.viewer.get(`/versions/${draft}/artifacts/${kind}/file`)).body;
    expect(await file('nope')).toMatchObject({ status: 400, code: 'unknown_artifact_kind' });
    expect(await file('glb')).toMatchObject({
      status: 404,
      detail: `The draft or version ${draft} has no glb file (yet).`,
    });
    expect((await pdm.viewer.get('/documents/PRT-000001/thumbnail')).body.detail).toBe(
      'The document PRT-000001 has no thumbnail file (yet).',
    );
    expect((await pdm.viewer.get('/documents/NONE/thumbnail')).body.detail).toBe('There is no document NONE.');
  });
});

test('rejects a persisted-query hash of another query or algorithm', async () => {
  const ask = async (extensions: object) => {
    const headers = { authorization: `Bearer ${pdm.tokens.viewer}`, 'content-type': 'application/json' };
    const answer = await fetch(`${pdm.url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query: '{ me { id } }', extensions }),
    });
    const { errors } = (await answer.json()) as { errors: { extensions: { code: string } }[] };
    return [answer.status, errors[0]?.extensions.code];
  };
  expect(await ask({ persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } })).toEqual([400, 'BAD_REQUEST']);
  expect(await ask({ persistedQuery: { version: 2, sha256Hash: '0'.repeat(64) } })).toEqual([400, 'BAD_REQUEST']);
});
