import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { AUTHORIZED, mounted } from './testing/mounted-graphql.ts';

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
  authorization: 'Bearer good',
  'content-type': 'multipart/form-data; boundary=B',
  'apollo-require-preflight': '1',
};

describe('a file sent to /graphql', () => {
  it('arrives whole', async () => {
    const { app } = await mounted();
    const bytes = randomBytes(1 << 20);
    const answer = await app.inject({ method: 'POST', url: '/graphql', headers: MULTIPART, payload: form(bytes) });
    expect(answer.json()).toMatchObject({
      data: { uploadArtifact: { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') } },
    });
  });

  it('is refused without the header that makes browsers ask first, also when the query would be allowed', async () => {
    const { app, seen } = await mounted();
    const { 'apollo-require-preflight': _, ...headers } = MULTIPART;
    const answer = await app.inject({ method: 'POST', url: '/graphql', headers, payload: form(Buffer.from('x')) });
    expect([answer.statusCode, answer.json().errors[0].extensions.code]).toEqual([400, 'validation_failed']);
    expect(seen.contexts).toEqual([]);
  });

  it('is refused by its stated length before a byte of it is read, and when its bytes turn out too many', async () => {
    const { app } = await mounted({ maxUploadBytes: 100_000 });
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

  it('is refused in words when the form is not as the specification has it, or holds more than one', async () => {
    const { app } = await mounted();
    const file = (name: string) => part(name, 'x', '; filename="a.stp"');
    const send = async (...parts: string[]) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/graphql',
        headers: MULTIPART,
        payload: `${parts.join('')}--B--\r\n`,
      });
      const [{ message, extensions }] = answer.json().errors;
      return [answer.statusCode, extensions.code, message];
    };
    const operations = part('operations', OPERATIONS);
    const refused = (words: string) => [expect.any(Number), 'validation_failed', expect.stringContaining(words)];
    const two = part('map', '{"0":["variables.f"],"1":["variables.g"]}');
    expect(await send(operations, two, file('0'), file('1'))).toEqual([
      400,
      'validation_failed',
      expect.stringContaining('one file'),
    ]);
    expect(await send(part('map', '{"0":["variables.f"]}'), operations, file('0'))).toEqual(refused('should follow'));
    expect(await send(operations, part('map', '{"0":["variables.f"]}'))).toEqual(refused('did not arrive'));
    expect(await send(operations, part('map', '{"0":["__proto__.f"]}'), file('0'))).toEqual(
      refused('Invalid object path'),
    );
    expect(await send(part('operations', '{ broken'))).toEqual(refused('Invalid JSON'));
    expect(await send()).toEqual(refused('multipart'));
    expect(
      await send(part('operations', `[${OPERATIONS}]`), part('map', '{"0":["0.variables.f"]}'), file('0')),
    ).toEqual([400, 'BAD_REQUEST', expect.any(String)]);
  });

  it('that is refused while a client keeps writing does not leave it waiting', async () => {
    const { app } = await mounted({ maxUploadBytes: 100_000 });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const address = app.server.address();
    const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
    const heard = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
        if (text.includes('\r\n\r\n')) resolve(text);
      });
    });
    socket.on('error', () => undefined); // the service hangs up in the end
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
    const answer = await heard;
    expect(answer).toContain('file_too_large');
    await expect.poll(() => socket.destroyed || socket.closed, { timeout: 10_000 }).toBe(true);
  });
});

describe('a body that stops coming', () => {
  it.each([
    ['JSON', AUTHORIZED, '{"query":'],
    ['multipart', MULTIPART, envelope],
  ])('loses its connection: %s', async (_kind, given, begun) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { app, seen } = await mounted();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const address = app.server.address();
    const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    const headers = Object.entries({ host: 'x', ...given, 'content-length': '10000' }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`POST /graphql HTTP/1.1\r\n${headers.join('')}\r\n${begun}`);
    const later = () => {
      vi.advanceTimersByTime(5_000);
      return socket.destroyed;
    };
    await expect.poll(later, { timeout: 5_000 }).toBe(true);
    vi.useRealTimers();
    expect(seen.contexts).toEqual([]);
  });
});
