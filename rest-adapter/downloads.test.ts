// Downloads over real sockets: what a client receives, also when it disconnects.
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { EDITOR, type Operations } from './testing/rest-app.ts';
import { startRestServer } from './testing/rest-server.ts';

describe('a download', () => {
  const content = Buffer.from('0123456789');
  const file = {
    id: 'art_1',
    kind: 'source',
    fileName: 'Größe "1".step',
    contentType: 'text/html',
    size: 10,
    sha256: 'a'.repeat(64),
  };
  const download: Operations = {
    DownloadArtifact: () => ({ data: { download: file } }),
    DownloadVersionArtifact: () => ({ data: { download: file } }),
    ReadThumbnail: () => ({ data: { thumbnail: file } }),
  };
  const openBlob = async (_sha256: string, { start, end } = { start: 0, end: 10 }) =>
    Readable.from([content.subarray(start, end)]);
  const get = async (
    headers: Record<string, string> = {},
    { method = 'GET', url = '/api/v1/artifacts/art_1/file' } = {},
  ) => {
    const { base } = await startRestServer(download, { openBlob });
    const answer = await fetch(base + url, { method, headers: { ...EDITOR, ...headers } });
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };

  test('sends a file as an attachment with its hash as ETag', async () => {
    for (const url of [
      '/api/v1/artifacts/art_1/file',
      '/api/v1/versions/ver_1/artifacts/source/file',
      '/api/v1/documents/doc_1/thumbnail',
    ]) {
      const { status, headers, body } = await get({}, { url });
      expect([status, body, headers.get('etag'), headers.get('content-length')]).toEqual([
        200,
        '0123456789',
        `"${file.sha256}"`,
        '10',
      ]);
      expect(headers.get('content-disposition')).toBe(
        `attachment; filename="Gr__e _1_.step"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.step`,
      );
      expect([headers.get('x-content-type-options'), headers.get('content-security-policy')]).toEqual([
        'nosniff',
        "sandbox; default-src 'none'",
      ]);
    }
  });

  test('returns 304 to a client that has the content', async () => {
    const { status, body } = await get({ 'if-none-match': `"${file.sha256}"` });
    expect([status, body]).toEqual([304, '']);
  });

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=5-99', 206, '56789', 'bytes 5-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
    ['bytes=5-2', 200, '0123456789', null],
  ])('responds to Range: %s with %i', async (range, status, body, contentRange) => {
    const answer = await get({ range });
    expect([answer.status, answer.body, answer.headers.get('content-range')]).toEqual([status, body, contentRange]);
  });

  test('returns 416 and the size for a range outside of the content', async () => {
    const { status, headers, body } = await get({ range: 'bytes=10-' });
    expect([status, headers.get('content-range'), JSON.parse(body).code, headers.get('content-disposition')]).toEqual([
      416,
      'bytes */10',
      'range_not_satisfiable',
      null,
    ]);
  });

  test('requires the content to match If-Match', async () => {
    expect((await get({ range: 'bytes=5-', 'if-match': `"${file.sha256}"` })).body).toBe('56789');
    expect((await get({ 'if-match': '*' })).status).toBe(200);
    const other = await get({ range: 'bytes=5-', 'if-match': '"other"' });
    expect([other.status, JSON.parse(other.body).code, other.headers.get('etag')]).toEqual([
      412,
      'precondition_failed',
      `"${file.sha256}"`,
    ]);
  });

  test('resumes only when the content is unchanged', async () => {
    expect((await get({ range: 'bytes=5-', 'if-range': `"${file.sha256}"` })).body).toBe('56789');
    expect((await get({ range: 'bytes=5-', 'if-range': '"other"' })).body).toBe('0123456789');
  });

  test('responds to HEAD without opening the content', async () => {
    const { base } = await startRestServer(download, { openBlob: () => Promise.reject(new Error('opened')) });
    const answer = await fetch(`${base}/api/v1/artifacts/art_1/file`, {
      method: 'HEAD',
      headers: { ...EDITOR, range: 'bytes=1-2' },
    });
    expect([answer.status, answer.headers.get('content-length'), answer.headers.get('accept-ranges')]).toEqual([
      200,
      '10',
      'bytes',
    ]);
  });

  const part = Buffer.alloc(65_536);
  const wrong: [string, (chunk: Buffer, count: number) => AsyncGenerator<Buffer>][] = [
    ['shorter than its record', (chunk, count) => chunks(chunk, count - 1)],
    ['longer than its record', (chunk, count) => chunks(chunk, count + 1)],
    ['broken', (chunk, count) => chunks(chunk, count - 1, new Error('disk'))],
  ];
  async function* chunks(chunk: Buffer, count: number, failure?: Error): AsyncGenerator<Buffer> {
    for (let i = 0; i < count; i++) yield chunk;
    if (failure) throw failure;
  }

  test.each(wrong)('aborts and logs a download that is %s', async (_how, open) => {
    const large = { DownloadArtifact: () => ({ data: { download: { ...file, size: 10 * part.length } } }) };
    const { base, logged } = await startRestServer(large, { openBlob: async () => Readable.from(open(part, 10)) });
    await expect(
      fetch(`${base}/api/v1/artifacts/art_1/file`, { headers: EDITOR }).then((answer) => answer.text()),
    ).rejects.toThrow();
    expect(logged.map(({ msg }) => msg)).toContain('download aborted');
  });

  test.each(wrong)('returns 500 for a download that is %s before the first byte', async (_how, open) => {
    const { base } = await startRestServer(download, { openBlob: async () => Readable.from(open(content, 1)) });
    const answer = await fetch(`${base}/api/v1/artifacts/art_1/file`, { headers: EDITOR });
    expect([answer.status, answer.headers.get('content-disposition'), answer.headers.get('etag')]).toEqual([
      500,
      null,
      null,
    ]);
  });

  test('returns 500 when the content cannot be opened', async () => {
    const { base } = await startRestServer(download, { openBlob: () => Promise.reject(new Error('missing')) });
    const answer = await fetch(`${base}/api/v1/artifacts/art_1/file`, { headers: EDITOR });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('etag')]).toEqual([
      500,
      'application/problem+json',
      null,
    ]);
  });

  test('closes the content when the client disconnects', async () => {
    const closed = Promise.withResolvers<void>();
    const endless = () =>
      new Readable({
        read() {
          this.push(Buffer.alloc(65_536));
        },
        destroy: (_error, done) => {
          closed.resolve();
          done(null);
        },
      });
    const { port } = await startRestServer(
      { DownloadArtifact: () => ({ data: { download: { ...file, size: 1e12 } } }) },
      { openBlob: async () => endless() },
    );
    const client = httpRequest(
      { port, host: '127.0.0.1', path: '/api/v1/artifacts/art_1/file', headers: EDITOR },
      (answer) => answer.once('data', () => client.destroy()),
    );
    client.on('error', () => undefined).end();
    await closed.promise;
  });
});
