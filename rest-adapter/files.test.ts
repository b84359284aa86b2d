// Bytes on real sockets: what a client sees while it sends, leaves, or reads.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { EDITOR, type Operations, restApp } from './testing/rest-app.ts';

type Upload = { promise: Promise<{ filename: string; mimetype: string; createReadStream(): Readable }> };

const MIB = 1024 * 1024;
const path = '/api/v1/versions/ver_1/artifacts?kind=source';
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listening(operations: Operations, overrides: Parameters<typeof restApp>[1] = {}) {
  const { app, asked, logged } = await restApp(operations, overrides);
  await app.listen({ port: 0, host: '127.0.0.1' });
  closing.push(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return { port, base: `http://127.0.0.1:${port}`, asked, logged };
}

/** The operation that stores: reads the upload to its end and answers what it got. */
const storing: Operations = {
  UploadArtifact: async ({ file, kind }) => {
    const { filename, mimetype, createReadStream } = await (file as Upload).promise;
    try {
      const content = await buffer(createReadStream());
      const sha256 = createHash('sha256').update(content).digest('hex');
      return { data: { uploadArtifact: { id: 'art_1', kind, fileName: filename, contentType: mimetype, size: content.length, sha256 } } };
    } catch (error) {
      const { message, code } = error as Error & { code?: string };
      return { data: null, errors: [{ message, extensions: { code: code === 'file_too_large' ? code : 'internal' } }] };
    }
  },
};

/** Sends a body chunk by chunk without asking whether the server wants it, as a stubborn client does. */
async function send(port: number, headers: Record<string, string | number>, chunks: Iterable<Buffer>) {
  const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path, headers: { ...EDITOR, ...headers } });
  let broken: Error | null = null;
  request.on('error', (error) => {
    broken = error;
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  const over = Promise.race([answered, once(request, 'close')]);
  for (const chunk of chunks) {
    if (broken) break;
    await Promise.race([new Promise((written) => request.write(chunk, written)), over]);
  }
  request.end();
  const [response] = await answered;
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(await text(response)), broken };
}

function* mebibytes(count: number): Generator<Buffer> {
  const chunk = randomBytes(MIB);
  for (let i = 0; i < count; i++) yield chunk;
}

describe('an upload', () => {
  test('arrives byte for byte, whatever its type says, with the name, kind and headers of the request', async () => {
    const { base, asked } = await listening(storing);
    const content = randomBytes(3 * MIB);
    const headers = {
      ...EDITOR,
      'content-type': 'application/json',
      'x-file-name': Buffer.from('Größe 部品.step').toString('latin1'),
      'x-generator': 'occt/1',
      'x-input-sha256': 'ab',
      'x-job-attempt': '3',
    };
    const answer = await fetch(base + path, { method: 'POST', headers, body: content });
    expect([answer.status, answer.headers.get('location')]).toEqual([201, '/api/v1/artifacts/art_1']);
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(await answer.json()).toEqual({
      id: 'art_1',
      kind: 'source',
      fileName: 'Größe 部品.step',
      contentType: 'application/json',
      size: content.length,
      sha256,
    });
    expect(asked[0]?.variables).toMatchObject({ id: 'ver_1', kind: 'source', generator: 'occt/1', inputSha256: 'ab', attempt: 3 });
  });

  test('may be empty, nameless and of no type', async () => {
    const { base } = await listening(storing);
    const answer = await fetch(base + path, { method: 'POST', headers: EDITOR });
    expect(await answer.json()).toMatchObject({ fileName: 'file', contentType: 'application/octet-stream', size: 0 });
  });

  test('without a kind, or with an unknown parameter, is refused before its body is read', async () => {
    const { base, asked } = await listening(storing);
    for (const query of ['', '?kind=source&x=1']) {
      const answer = await fetch(`${base}/api/v1/versions/ver_1/artifacts${query}`, { method: 'POST', headers: EDITOR, body: 'x' });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'validation_failed']);
    }
    expect(asked).toEqual([]);
  });

  test('that is a form is refused: what would be stored is not the file', async () => {
    const { base, asked } = await listening(storing);
    const body = new FormData();
    body.set('file', new Blob(['ISO-10303-21;']), 'bracket.step');
    const answer = await fetch(base + path, { method: 'POST', headers: EDITOR, body });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([415, 'unsupported_media_type']);
    expect(asked).toEqual([]);
  });

  test('that announces too much is refused at once, and the client that goes on sending reads the answer', async () => {
    const { port, asked } = await listening(storing);
    const { status, body, headers } = await send(port, { 'content-length': 40 * MIB }, mebibytes(40));
    expect([status, body.code, body.maxBytes, headers.connection]).toEqual([413, 'file_too_large', 10 * MIB, 'close']);
    expect(asked).toEqual([]);
  });

  test('that turns out too long is refused while it comes', async () => {
    const { port } = await listening(storing);
    const { status, body } = await send(port, { 'transfer-encoding': 'chunked' }, mebibytes(12));
    expect([status, body.code]).toEqual([413, 'file_too_large']);
  });

  test('that the operation refuses unread is answered, and the connection closed after what was left', async () => {
    const refused: Operations = { UploadArtifact: () => ({ data: null, errors: [{ message: 'No.', extensions: { code: 'not_a_draft' } }] }) };
    const { port } = await listening(refused);
    const { status, body, headers, broken } = await send(port, { 'content-length': MIB }, mebibytes(1));
    expect([status, body.code, headers.connection, broken]).toEqual([422, 'not_a_draft', 'close', null]);
  });

  test('without a token is refused without reading it', async () => {
    const { port, asked } = await listening(storing);
    const { status } = await send(port, { authorization: '', 'content-length': MIB }, mebibytes(1));
    expect([status, asked]).toEqual([401, []]);
  });

  test('whose client leaves fails in the sink, and the operation is told', async () => {
    const seen = Promise.withResolvers<{ failure: unknown; aborted: boolean }>();
    const { port } = await listening({
      UploadArtifact: async ({ file }, { signal }) => {
        const { createReadStream } = await (file as Upload).promise;
        const failure = await buffer(createReadStream()).then(
          () => null,
          (error) => error,
        );
        if (!signal.aborted) await once(signal, 'abort');
        seen.resolve({ failure, aborted: signal.aborted });
        return { data: null, errors: [{ message: 'left', extensions: { code: 'internal' } }] };
      },
    });
    const client = httpRequest({ port, host: '127.0.0.1', method: 'POST', path, headers: { ...EDITOR, 'content-length': 5 * MIB } });
    client.on('error', () => undefined);
    client.write(randomBytes(MIB), () => client.destroy());
    const { failure, aborted } = await seen.promise;
    expect([failure instanceof Error, aborted]).toEqual([true, true]);
  });
});

describe('a download', () => {
  const content = Buffer.from('0123456789');
  const file = { id: 'art_1', kind: 'source', fileName: 'Größe "1".step', contentType: 'text/html', size: 10, sha256: 'a'.repeat(64) };
  const download: Operations = {
    DownloadArtifact: () => ({ data: { download: file } }),
    DownloadOfVersion: () => ({ data: { download: file } }),
    ReadThumbnail: () => ({ data: { thumbnail: file } }),
  };
  const openBlob = async (_sha256: string, { start, end } = { start: 0, end: 10 }) => Readable.from([content.subarray(start, end)]);
  const get = async (headers: Record<string, string> = {}, { method = 'GET', url = '/api/v1/artifacts/art_1/file' } = {}) => {
    const { base } = await listening(download, { openBlob });
    const answer = await fetch(base + url, { method, headers: { ...EDITOR, ...headers } });
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };

  test('is an attachment that no browser renders, with its hash as ETag', async () => {
    for (const url of ['/api/v1/artifacts/art_1/file', '/api/v1/versions/ver_1/artifacts/source/file', '/api/v1/documents/doc_1/thumbnail']) {
      const { status, headers, body } = await get({}, { url });
      expect([status, body, headers.get('etag'), headers.get('content-length')]).toEqual([200, '0123456789', `"${file.sha256}"`, '10']);
      expect(headers.get('content-disposition')).toBe(`attachment; filename="Gr__e _1_.step"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.step`);
      expect([headers.get('x-content-type-options'), headers.get('content-security-policy')]).toEqual(['nosniff', "sandbox; default-src 'none'"]);
    }
  });

  test('is not sent to who has it', async () => {
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
  ])('Range: %s → %i', async (range, status, body, contentRange) => {
    const answer = await get({ range });
    expect([answer.status, answer.body, answer.headers.get('content-range')]).toEqual([status, body, contentRange]);
  });

  test('of bytes it does not have is 416 and tells its size', async () => {
    const { status, headers, body } = await get({ range: 'bytes=10-' });
    expect([status, headers.get('content-range'), JSON.parse(body).code, headers.get('content-disposition')]).toEqual([
      416,
      'bytes */10',
      'range_not_satisfiable',
      null,
    ]);
  });

  test('goes on where it was only if it is still the same file', async () => {
    expect((await get({ range: 'bytes=5-', 'if-range': `"${file.sha256}"` })).body).toBe('56789');
    expect((await get({ range: 'bytes=5-', 'if-range': '"other"' })).body).toBe('0123456789');
  });

  test('answers HEAD without opening the content', async () => {
    const { base } = await listening(download, { openBlob: () => Promise.reject(new Error('opened')) });
    const answer = await fetch(`${base}/api/v1/artifacts/art_1/file`, { method: 'HEAD', headers: { ...EDITOR, range: 'bytes=1-2' } });
    expect([answer.status, answer.headers.get('content-length'), answer.headers.get('accept-ranges')]).toEqual([200, '10', 'bytes']);
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

  test.each(wrong)('that is %s breaks off and is logged: no part passes for the whole', async (_how, open) => {
    const large = { DownloadArtifact: () => ({ data: { download: { ...file, size: 10 * part.length } } }) };
    const { base, logged } = await listening(large, { openBlob: async () => Readable.from(open(part, 10)) });
    await expect(fetch(`${base}/api/v1/artifacts/art_1/file`, { headers: EDITOR }).then((answer) => answer.text())).rejects.toThrow();
    expect(logged.map(({ msg }) => msg)).toContain('a download broke off');
  });

  test.each(wrong)('that is %s before a byte was sent is a plain 500', async (_how, open) => {
    const { base } = await listening(download, { openBlob: async () => Readable.from(open(content, 1)) });
    const answer = await fetch(`${base}/api/v1/artifacts/art_1/file`, { headers: EDITOR });
    expect([answer.status, answer.headers.get('content-disposition'), answer.headers.get('etag')]).toEqual([500, null, null]);
  });

  test('whose content cannot be opened is a plain 500', async () => {
    const { base } = await listening(download, { openBlob: () => Promise.reject(new Error('missing')) });
    const answer = await fetch(`${base}/api/v1/artifacts/art_1/file`, { headers: EDITOR });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('etag')]).toEqual([500, 'application/problem+json', null]);
  });

  test('whose client leaves closes the content', async () => {
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
    const { port } = await listening(
      { DownloadArtifact: () => ({ data: { download: { ...file, size: 1e12 } } }) },
      { openBlob: async () => endless() },
    );
    const client = httpRequest({ port, host: '127.0.0.1', path: '/api/v1/artifacts/art_1/file', headers: EDITOR }, (answer) =>
      answer.once('data', () => client.destroy()),
    );
    client.on('error', () => undefined).end();
    await closed.promise;
  });
});

describe('what is no request', () => {
  async function raw(bytes: string): Promise<{ head: string; problem: { status: number; code: string } }> {
    const { port } = await listening({});
    const socket: Socket = connect(port, '127.0.0.1');
    socket.write(bytes);
    const [head = '', body = '{}'] = (await text(socket)).split('\r\n\r\n');
    return { head, problem: JSON.parse(body) };
  }

  test('is answered with a problem, and closed', async () => {
    const { head, problem } = await raw('NONSENSE\r\n\r\n');
    expect(head.split('\r\n')).toEqual(
      expect.arrayContaining(['HTTP/1.1 400 Bad Request', 'content-type: application/problem+json', 'connection: close']),
    );
    expect(problem).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  test('too large headers are 431', async () => {
    const { head, problem } = await raw(`GET /api/v1/health HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`);
    expect([head.split(' ')[1], problem.code]).toEqual(['431', 'headers_too_large']);
  });
});
