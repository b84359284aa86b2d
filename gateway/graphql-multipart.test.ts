import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { AUTHORIZED, mountSample } from './testing/mount-sample.ts';
import { VIEWER } from './testing/sample.ts';

const OPERATIONS = JSON.stringify({
  query: 'mutation ($v: ID!, $f: Upload!) { uploadArtifact(versionId: $v, file: $f) { size sha256 } }',
  variables: { v: 'v1', f: null },
});
const part = (name: string, text: string, more = '') =>
  `--B\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
const envelope = part('operations', OPERATIONS) + part('map', '{"0":["variables.f"]}');
const form = (bytes: Buffer) =>
  Buffer.concat([
    Buffer.from(envelope + part('0', '', '; filename="a.stp"').slice(0, -2)),
    bytes,
    Buffer.from('\r\n--B--\r\n'),
  ]);
const MULTIPART = {
  authorization: 'Bearer valid',
  'content-type': 'multipart/form-data; boundary=B',
  'apollo-require-preflight': '1',
};

describe('an upload to /graphql', () => {
  it('stores the complete upload', async () => {
    const { app } = await mountSample();
    const bytes = randomBytes(1 << 20);
    const response = await app.inject({ method: 'POST', url: '/graphql', headers: MULTIPART, payload: form(bytes) });
    expect(response.json()).toMatchObject({
      data: { uploadArtifact: { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') } },
    });
  });

  it('rejects an upload without a header that forces a CORS preflight', async () => {
    const { app, recording } = await mountSample({ authenticate: async () => VIEWER });
    const headers = { 'content-type': MULTIPART['content-type'] };
    const response = await app.inject({ method: 'POST', url: '/graphql', headers, payload: form(Buffer.from('x')) });
    expect([response.statusCode, response.json().errors[0].extensions.code]).toEqual([400, 'validation_failed']);
    expect(recording.contexts).toEqual([]);
  });

  it.each(['authorization', 'apollo-require-preflight', 'x-apollo-operation-name'])(
    'accepts an upload with the header %s, which forces a CORS preflight',
    async (name) => {
      const { app } = await mountSample({ authenticate: async () => VIEWER });
      const headers = { 'content-type': MULTIPART['content-type'], [name]: 'Bearer valid' };
      const response = await app.inject({ method: 'POST', url: '/graphql', headers, payload: form(Buffer.from('x')) });
      expect(response.json()).toMatchObject({ data: { uploadArtifact: { size: 1 } } });
    },
  );

  it('rejects an upload that is too large, by its Content-Length or its actual size', async () => {
    const { app } = await mountSample({ maxUploadBytes: 100_000 });
    const stated = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { ...MULTIPART, 'content-length': String(1 << 30) },
      payload: form(Buffer.alloc(10)),
    });
    expect([stated.statusCode, stated.json().errors[0].extensions.code]).toEqual([413, 'file_too_large']);
    const counted = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: MULTIPART,
      payload: form(Buffer.alloc(200_000)),
    });
    expect(counted.json().errors[0].extensions).toMatchObject({ code: 'file_too_large', maxBytes: 100_000 });
  });

  it('rejects a malformed form and a form with several files, with the reason', async () => {
    const { app } = await mountSample();
    const file = (name: string) => part(name, 'x', '; filename="a.stp"');
    const send = async (...parts: string[]) => {
      const response = await app.inject({
        method: 'POST',
        url: '/graphql',
        headers: MULTIPART,
        payload: `${parts.join('')}--B--\r\n`,
      });
      const [{ message, extensions }] = response.json().errors;
      return [response.statusCode, extensions.code, message];
    };
    const operations = part('operations', OPERATIONS);
    const refused = (reason: string) => [expect.any(Number), 'validation_failed', expect.stringContaining(reason)];
    const two = part('map', '{"0":["variables.f"],"1":["variables.g"]}');
    expect(await send(operations, two, file('0'), file('1'))).toEqual([
      400,
      'validation_failed',
      expect.stringContaining('one file'),
    ]);
    expect(await send(part('map', '{"0":["variables.f"]}'), operations, file('0'))).toEqual(refused('should follow'));
    expect(await send(operations, part('map', '{"0":["variables.f"]}'))).toEqual(refused('does not contain the file'));
    expect(await send(operations, part('map', '{"0":["variables.f"]}'), file('0'), file('1'))).toEqual(
      refused('one file'),
    );
    expect(await send(operations, part('map', '{"0":["variables.f"]}'), file('1'), file('0'))).toEqual(
      refused('does not contain the file'),
    );
    expect(await send(operations, part('map', '{"0":["__proto__.f"]}'), file('0'))).toEqual(
      refused('Invalid object path'),
    );
    expect(await send(part('operations', '{ broken'))).toEqual(refused('Invalid JSON'));
    expect(await send()).toEqual(refused('multipart'));
    expect(
      await send(part('operations', `[${OPERATIONS}]`), part('map', '{"0":["0.variables.f"]}'), file('0')),
    ).toEqual([400, 'BAD_REQUEST', expect.any(String)]);
  });

  it('rejects a second file that arrives after the first one was read', async () => {
    const { app, recording } = await mountSample();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const address = app.server.address();
    const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes;
    });
    const file = (name: string) => part(name, 'content', '; filename="a.stp"');
    const [first, second] = [`${envelope}${file('0')}--B\r\n`, `${file('1').slice('--B\r\n'.length)}--B--\r\n`];
    const headers = Object.entries({ host: 'x', ...MULTIPART, 'content-length': first.length + second.length }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`POST /graphql HTTP/1.1\r\n${headers.join('')}\r\n${first}`);
    await expect.poll(() => recording.contexts.length, { timeout: 10_000 }).toBe(1);
    socket.write(second);
    await expect.poll(() => received, { timeout: 10_000 }).toMatch(/"errors":.*An operation accepts one file/);
    socket.destroy();
  });

  it('sends the error and closes the connection while the client is still sending', async () => {
    const { app } = await mountSample({ maxUploadBytes: 100_000 });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const address = app.server.address();
    const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
    const responseHead = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
        if (text.includes('\r\n\r\n')) resolve(text);
      });
    });
    socket.on('error', () => undefined); // the service closes the connection
    const headers = Object.entries({ host: 'x', ...MULTIPART, 'transfer-encoding': 'chunked' }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`POST /graphql HTTP/1.1\r\n${headers.join('')}\r\n`);
    const chunk = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
    socket.write(chunk(Buffer.from(envelope + part('0', '', '; filename="a"').slice(0, -2))));
    const keepWriting = () => {
      while (!socket.destroyed && socket.write(chunk(Buffer.alloc(65_536))));
    };
    socket.on('drain', keepWriting);
    keepWriting();
    const response = await responseHead;
    expect(response).toContain('file_too_large');
    await expect.poll(() => socket.destroyed || socket.closed, { timeout: 10_000 }).toBe(true);
  });
});

describe('a stalled body', () => {
  it.each([
    ['JSON', AUTHORIZED, '{"query":', '408 Request Timeout'],
    ['multipart', MULTIPART, envelope, ''],
  ])('disconnects a client whose body stalls: %s', async (_kind, kindHeaders, start, expected) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const { app, recording } = await mountSample();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const address = app.server.address();
    const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
    let received = '';
    socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        received += bytes;
      });
    const headers = Object.entries({ host: 'x', ...kindHeaders, 'content-length': '10000' }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`POST /graphql HTTP/1.1\r\n${headers.join('')}\r\n${start}`);
    while (!socket.destroyed) {
      await new Promise(setImmediate);
      vi.advanceTimersByTime(1_000);
    }
    vi.useRealTimers();
    expect(received.slice(9, 28)).toBe(expected);
    expect(recording.contexts).toEqual([]);
  });
});
