// Uploads over real sockets, also by clients that disconnect or ignore rejections.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { EDITOR, type Operations } from './testing/rest-app.ts';
import { startRestServer } from './testing/rest-server.ts';

type Upload = { promise: Promise<{ filename: string; mimetype: string; createReadStream(): Readable }> };

const MIB = 1024 * 1024;
const path = '/api/v1/versions/ver_1/artifacts?kind=source';

/** An operation that reads the upload to its end and returns what it received. */
const storing: Operations = {
  UploadArtifact: async ({ file, kind }) => {
    const { filename, mimetype, createReadStream } = await (file as Upload).promise;
    try {
      const content = await buffer(createReadStream());
      const sha256 = createHash('sha256').update(content).digest('hex');
      return {
        data: {
          uploadArtifact: {
            id: 'art_1',
            kind,
            fileName: filename,
            contentType: mimetype,
            size: content.length,
            sha256,
          },
        },
      };
    } catch (error) {
      const { message, code } = error as Error & { code?: string };
      return { data: null, errors: [{ message, extensions: { code: code === 'file_too_large' ? code : 'internal' } }] };
    }
  },
};

/** Sends a body chunk by chunk without waiting for 100 Continue. */
async function send(port: number, headers: Record<string, string | number | string[]>, chunks: Iterable<Buffer>) {
  const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path, headers: { ...EDITOR, ...headers } });
  let broken: Error | null = null;
  request.on('error', (error) => {
    broken = error;
  });
  const responded = once(request, 'response') as Promise<[IncomingMessage]>;
  const over = Promise.race([responded, once(request, 'close')]);
  for (const chunk of chunks) {
    if (broken) break;
    await Promise.race([new Promise((written) => request.write(chunk, written)), over]);
  }
  request.end();
  const [response] = await responded;
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(await text(response)), broken };
}

function* mebibytes(count: number): Generator<Buffer> {
  const chunk = randomBytes(MIB);
  for (let i = 0; i < count; i++) yield chunk;
}

describe('an upload', () => {
  test('forwards an upload unchanged with the name, kind and headers, whatever its content type', async () => {
    const { base, executed } = await startRestServer(storing);
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
    expect(executed[0]?.variables).toMatchObject({
      id: 'ver_1',
      kind: 'source',
      generator: 'occt/1',
      inputSha256: 'ab',
      attempt: 3,
    });
  });

  test('keeps a generator name with non-Latin characters', async () => {
    const { base, executed } = await startRestServer(storing);
    const headers = { ...EDITOR, 'x-generator': Buffer.from('変換器/1').toString('latin1') };
    await fetch(base + path, { method: 'POST', headers, body: 'x' });
    expect(executed[0]?.variables.generator).toBe('変換器/1');
  });

  test('accepts an empty upload without a name or type', async () => {
    const { base } = await startRestServer(storing);
    const answer = await fetch(base + path, { method: 'POST', headers: EDITOR });
    expect(await answer.json()).toMatchObject({ fileName: 'file', contentType: 'application/octet-stream', size: 0 });
  });

  test('rejects an upload before reading its body when the kind is missing or a parameter is unknown', async () => {
    const { base, executed } = await startRestServer(storing);
    for (const query of ['', '?kind=source&x=1']) {
      const answer = await fetch(`${base}/api/v1/versions/ver_1/artifacts${query}`, {
        method: 'POST',
        headers: EDITOR,
        body: 'x',
      });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'validation_failed']);
    }
    expect(executed).toEqual([]);
  });

  test('rejects an upload with two file names', async () => {
    const { port, executed } = await startRestServer(storing);
    const names = { 'X-File-Name': ['a.step', 'b.step'], 'Idempotency-Key': ['1', '2'], 'X-Generator': 'one, two' };
    const { status, body } = await send(port, names, []);
    expect([status, body.code, body.errors]).toEqual([
      400,
      'validation_failed',
      [
        { path: '/X-File-Name', message: 'must not be repeated' },
        { path: '/Idempotency-Key', message: 'must not be repeated' },
      ],
    ]);
    expect((await send(port, { 'X-File-Name': 'a, b.step' }, [])).body.fileName).toBe('a, b.step');
    expect(executed).toHaveLength(1);
  });

  test('rejects an upload whose Content-Type is a wildcard, as sent by clients that do not know how to encode a body', async () => {
    const { base, executed } = await startRestServer(storing);
    for (const type of ['*/*', 'application/*', 'APPLICATION/*; charset=utf-8']) {
      const headers = { ...EDITOR, 'content-type': type };
      const answer = await fetch(base + path, { method: 'POST', headers, body: '{}' });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        415,
        'unsupported_media_type',
      ]);
    }
    expect(executed).toEqual([]);
  });

  test('accepts the Content-Type that curl --data-binary sends by default', async () => {
    const { base } = await startRestServer(storing);
    const headers = { ...EDITOR, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await fetch(base + path, { method: 'POST', headers, body: 'ISO-10303-21;' });
    expect([answer.status, ((await answer.json()) as { size: number }).size]).toEqual([201, 13]);
  });

  test('rejects an upload as a form', async () => {
    const { base, executed } = await startRestServer(storing);
    const body = new FormData();
    body.set('file', new Blob(['ISO-10303-21;']), 'bracket.step');
    const answer = await fetch(base + path, { method: 'POST', headers: EDITOR, body });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([415, 'unsupported_media_type']);
    expect(executed).toEqual([]);
  });

  test('rejects an upload at once when its declared length exceeds the limit, so that the client can read the response', async () => {
    const { port, executed } = await startRestServer(storing);
    const { status, body, headers } = await send(port, { 'content-length': 40 * MIB }, mebibytes(40));
    expect([status, body.code, body.maxBytes, headers.connection]).toEqual([413, 'file_too_large', 10 * MIB, 'close']);
    expect(executed).toEqual([]);
  });

  test('rejects an upload during the transfer when it exceeds the limit', async () => {
    const { port } = await startRestServer(storing);
    const { status, body } = await send(port, { 'transfer-encoding': 'chunked' }, mebibytes(12));
    expect([status, body.code]).toEqual([413, 'file_too_large']);
  });

  test('returns a rejection by the operation and closes the connection after the unread rest', async () => {
    const rejecting: Operations = {
      UploadArtifact: () => ({ data: null, errors: [{ message: 'No.', extensions: { code: 'not_a_draft' } }] }),
    };
    const { port } = await startRestServer(rejecting);
    const { status, body, headers, broken } = await send(port, { 'content-length': MIB }, mebibytes(1));
    expect([status, body.code, headers.connection, broken]).toEqual([422, 'not_a_draft', 'close', null]);
  });

  test('rejects an upload without a token before reading it', async () => {
    const { port, executed } = await startRestServer(storing);
    const { status } = await send(port, { authorization: '', 'content-length': MIB }, mebibytes(1));
    expect([status, executed]).toEqual([401, []]);
  });

  test('fails the stream of the operation when the client disconnects', async () => {
    const outcome = Promise.withResolvers<{ failure: unknown; aborted: boolean }>();
    const { port } = await startRestServer({
      UploadArtifact: async ({ file }, { signal }) => {
        const { createReadStream } = await (file as Upload).promise;
        const failure = await buffer(createReadStream()).then(
          () => null,
          (error) => error,
        );
        if (!signal.aborted) await once(signal, 'abort');
        outcome.resolve({ failure, aborted: signal.aborted });
        return { data: null, errors: [{ message: 'left', extensions: { code: 'internal' } }] };
      },
    });
    const client = httpRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path,
      headers: { ...EDITOR, 'content-length': 5 * MIB },
    });
    client.on('error', () => undefined);
    client.write(randomBytes(MIB), () => client.destroy());
    const { failure, aborted } = await outcome.promise;
    expect([failure instanceof Error, aborted]).toEqual([true, true]);
  });
});
