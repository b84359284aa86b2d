// The CLI against a service or network that fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { createProgress, transferProgress } from './progress.ts';
import { parseServerEvents } from './server-events.ts';
import { displayWidth, formatTable, sanitize } from './terminal.ts';
import { runCli } from './testing/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'pdm-cli-api-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a server that handles requests with `handle` and records them. `count` is the number of requests so far. */
async function startServer(handle: (request: IncomingMessage, response: ServerResponse, count: number) => void) {
  const requests: { path: string; key: string | undefined; bytes: number }[] = [];
  const listener: RequestListener = (request, response) => {
    const record = { path: request.url ?? '', key: request.headers['idempotency-key'] as string | undefined, bytes: 0 };
    requests.push(record);
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => {
      record.bytes += chunk.length;
    });
    handle(request, response, requests.length);
  };
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const environment = { PDM_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, PDM_TOKEN: 'pdm_x' };
  return {
    requests,
    environment,
    run: (words: string) => runCli(words.split(' '), { environment }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const sendProblem = (response: ServerResponse, status: number, code: string, headers = {}) =>
  response
    .writeHead(status, { 'content-type': 'application/problem+json', ...headers })
    .end(JSON.stringify({ status, code, detail: `It is ${code}.` }));
const document = {
  id: 'doc_1',
  number: 'PRT-000001',
  name: 'x',
  kind: 'model',
  workspaces: [{ id: 'wsp_1', name: 'main', draftId: 'ver_1' }],
};
const sendJson = (response: ServerResponse, value: unknown) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

test('retries an interrupted upload with the same idempotency key and prints a message', async () => {
  const file = join(folder, 'a.step');
  writeFileSync(file, 'x'.repeat(100_000));
  await using service = await startServer((request, response, count) => {
    if (request.method === 'GET') sendJson(response, document);
    else if (count === 2) request.once('data', () => request.socket.destroy());
    else
      request.once('end', () => sendJson(response, { fileName: 'a.step', size: 100_000, sha256: 'abc', jobId: null }));
  });
  const { exit, err } = await service.run(`upload ${file} --to PRT-1`);
  const [, first, second] = service.requests;
  expect([exit, err]).toEqual([
    0,
    expect.stringMatching(/^The connection to \S+ was lost: .*\. Retrying \(attempt 2 of 3\) …\n$/),
  ]);
  expect([second?.key, second?.bytes]).toEqual([first?.key, 100_000]);
  expect(first?.key).toMatch(/^[0-9a-f-]{36}$/);
});

test('repeats a write that timed out with the same idempotency key', async () => {
  await using slow = await startServer((request, response, count) => {
    if (request.method === 'GET') sendJson(response, document);
    else if (count === 2) sendProblem(response, 504, 'timeout', { 'retry-after': '0' });
    else sendJson(response, { number: 1 });
  });
  const { err } = await slow.run('version PRT-1');
  expect(err).toBe('It is timeout. Retrying (attempt 2 of 3) …\n');
  const [, first, second] = slow.requests;
  expect(first?.key).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toEqual(first);
});

test('retries after 503 with Retry-After, but not after 403', async () => {
  await using busy = await startServer((_, response, count) =>
    count === 1
      ? sendProblem(response, 503, 'unavailable', { 'retry-after': '0' })
      : sendJson(response, { name: 'Ed', role: 'editor', token: null }),
  );
  expect(await busy.run('whoami')).toMatchObject({ exit: 0, err: 'It is unavailable. Retrying (attempt 2 of 3) …\n' });
  await using rejecting = await startServer((_, response) => sendProblem(response, 403, 'forbidden'));
  expect(await rejecting.run('whoami')).toEqual({
    exit: 1,
    out: '',
    err: 'pdm whoami: It is forbidden. (forbidden)\n',
  });
  expect(rejecting.requests).toHaveLength(1);
});

test('reports the error of an upload that is rejected before it is complete', async () => {
  const file = join(folder, 'large.bin');
  writeFileSync(file, Buffer.alloc(8 * 1024 * 1024));
  await using service = await startServer((request, response) => {
    if (request.method === 'GET') return void sendJson(response, document);
    request.pause();
    sendProblem(response, 413, 'file_too_large');
  });
  expect(await service.run(`upload ${file} --to PRT-1`)).toMatchObject({
    exit: 1,
    err: 'pdm upload: It is file_too_large. (file_too_large)\n',
  });
});

test('Ctrl-C, even twice, closes the connection of an upload and exits with 130', async () => {
  const file = join(folder, 'slow.bin');
  writeFileSync(file, Buffer.alloc(32 * 1024 * 1024));
  const uploading = Promise.withResolvers<IncomingMessage>();
  await using service = await startServer((request, response) => {
    if (request.method === 'GET') return void sendJson(response, document);
    request.once('data', () => uploading.resolve(request.pause()));
  });
  const args = [join(import.meta.dirname, '..', 'pdm.mjs'), 'upload', file, '--to', 'PRT-1'];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...service.environment } });
  const stderr = child.stderr.toArray();
  const request = await uploading.promise;
  const closed = new Promise((resolve) => request.once('close', resolve));
  child.kill('SIGINT');
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  // A paused stream does not emit 'close'.
  request.resume();
  await closed;
  expect([code, Buffer.concat(await stderr).toString()]).toEqual([130, 'pdm upload: Interrupted.\n']);
  expect(request.complete).toBe(false);
});

test('rejects responses of other services and does not follow redirects', async () => {
  await using other = await startServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  );
  expect(await other.run('whoami')).toMatchObject({
    exit: 3,
    err: expect.stringContaining('Unexpected response from'),
  });
  await using moved = await startServer((_, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  );
  expect(await moved.run('whoami')).toMatchObject({
    exit: 3,
    err: expect.stringContaining('(status 302)'),
  });
});

test('rejects a download whose SHA-256 differs', async () => {
  const artifact = {
    id: 'art_1',
    kind: 'source',
    fileName: '../../evil.step',
    size: 4,
    sha256: '0'.repeat(64),
    stale: false,
  };
  await using service = await startServer((request, response) => {
    if (request.url?.endsWith('/file')) response.writeHead(200).end('data');
    else
      sendJson(
        response,
        request.url?.includes('/resolve')
          ? { resolution: { versionId: 'ver_1' } }
          : { items: [artifact], nextCursor: null },
      );
  });
  expect(await service.run(`download PRT-1 -o ${folder}`)).toMatchObject({
    exit: 3,
    err: expect.stringContaining('the SHA-256 of the received bytes is not'),
  });
});

test('replaces control characters, and aligns columns of wide and combining characters', () => {
  expect(sanitize('a\u001b]0;x\u0007\n b\u202e')).toBe('a\uFFFD]0;x\uFFFD b\uFFFD');
  const lines = formatTable(
    ['N', 'Name'],
    [
      [1, '軸受'],
      [22, 'e\u0301'],
    ],
    (_, text) => text,
  );
  expect(lines).toEqual([' N  Name', ' 1  軸受', '22  e\u0301']);
  expect(['軸受', 'e\u0301'].map(displayWidth)).toEqual([4, 1]);
});

test('prints throttled progress with the remaining time on one line of a terminal, and nothing to a pipe', () => {
  let now = 0;
  const written: string[] = [];
  const screen = (isTTY: boolean) =>
    Object.assign(new Writable({ write: (text, _, done) => done(void written.push(String(text))) }), {
      isTTY,
      columns: 90,
    });
  const progress = createProgress(screen(true), () => now);
  const onProgress = transferProgress(progress, 'a.step', 4_000_000, () => now);
  for (const [time, size] of [
    [2_000, 1_000_000],
    [2_010, 1_100_000],
    [3_000, 4_000_000],
  ] as const) {
    now = time;
    onProgress(size);
  }
  progress.end();
  transferProgress(createProgress(screen(false)), 'b', 1)(1);
  expect(written).toEqual([
    '\r██████░░░░░░░░░░░░░░░░░░  25 % a.step  1.0 MB of 4.0 MB, 500.0 kB/s, 6 s left\u001b[K',
    '\r████████████████████████ 100 % a.step  4.0 MB of 4.0 MB, 1.3 MB/s, 0 s left\u001b[K',
    '\r\u001b[K',
  ]);
});

test('parses events split at any byte, including events with only an id', async () => {
  const bytes = Buffer.from(
    ': comment\n\nid: 7\ndata: "é"\n\nid: 8\n\nevent: end\r\ndata: 1\r\ndata: 2\r\n\r\ndata: cut',
  );
  const events = [];
  for await (const event of parseServerEvents(
    (async function* () {
      for (const byte of bytes) yield Buffer.from([byte]);
    })(),
  ))
    events.push(event);
  expect(events).toEqual([
    { id: '7', event: 'message', data: '"é"' },
    { id: '8', event: 'message', data: null },
    { id: null, event: 'end', data: '1\n2' },
  ]);
});
