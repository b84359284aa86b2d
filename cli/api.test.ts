// What the command line does when the service, or the way to it, does not behave.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { progressOn, transferOn } from './progress.ts';
import { messagesIn } from './server-events.ts';
import { plain, table, widthOf } from './terminal.ts';
import { typed } from './testing/typed.ts';

const folder = mkdtempSync(join(tmpdir(), 'pdm-cli-api-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Answers as it is told to, and notes what was asked. */
async function played(answer: (request: IncomingMessage, response: ServerResponse, times: number) => void) {
  const asked: { path: string; key: string | undefined; bytes: number }[] = [];
  const listener: RequestListener = (request, response) => {
    const note = { path: request.url ?? '', key: request.headers['idempotency-key'] as string | undefined, bytes: 0 };
    asked.push(note);
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => {
      note.bytes += chunk.length;
    });
    answer(request, response, asked.length);
  };
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const environment = { PDM_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, PDM_TOKEN: 'pdm_x' };
  return {
    asked,
    environment,
    type: (words: string) => typed(words.split(' '), { environment }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const problem = (response: ServerResponse, status: number, code: string, headers = {}) =>
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
const answerJson = (response: ServerResponse, value: unknown) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

test('an upload that broke off is sent again under the same key, and that is told', async () => {
  const file = join(folder, 'a.step');
  writeFileSync(file, 'x'.repeat(100_000));
  await using service = await played((request, response, times) => {
    if (request.method === 'GET') answerJson(response, document);
    else if (times === 2) request.once('data', () => request.socket.destroy());
    else
      request.once('end', () =>
        answerJson(response, { fileName: 'a.step', size: 100_000, sha256: 'abc', jobId: null }),
      );
  });
  const { exit, err } = await service.type(`upload ${file} --to PRT-1`);
  const [, first, second] = service.asked;
  expect([exit, err]).toEqual([
    0,
    expect.stringMatching(/^The connection to \S+ broke off: .*\. Sending again \(2 of 3\) …\n$/),
  ]);
  expect([second?.key, second?.bytes]).toEqual([first?.key, 100_000]);
  expect(first?.key).toMatch(/^[0-9a-f-]{36}$/);
});

test('a service that asks to come again soon is asked again; a refusal is not repeated', async () => {
  await using busy = await played((_, response, times) =>
    times === 1
      ? problem(response, 503, 'unavailable', { 'retry-after': '0' })
      : answerJson(response, { name: 'Ed', role: 'editor', token: null }),
  );
  expect(await busy.type('whoami')).toMatchObject({ exit: 0, err: 'It is unavailable. Sending again (2 of 3) …\n' });
  await using refusing = await played((_, response) => problem(response, 403, 'forbidden'));
  expect(await refusing.type('whoami')).toEqual({
    exit: 1,
    out: '',
    err: 'pdm whoami: It is forbidden. (forbidden)\n',
  });
  expect(refusing.asked).toHaveLength(1);
});

test('a file that is refused before all of it was read is told as refused', async () => {
  const file = join(folder, 'large.bin');
  writeFileSync(file, Buffer.alloc(8 * 1024 * 1024));
  await using service = await played((request, response) => {
    if (request.method === 'GET') return void answerJson(response, document);
    request.pause();
    problem(response, 413, 'file_too_large');
  });
  expect(await service.type(`upload ${file} --to PRT-1`)).toMatchObject({
    exit: 1,
    err: 'pdm upload: It is file_too_large. (file_too_large)\n',
  });
});

test('Ctrl-C gives an upload up, also when it comes twice: the connection is closed, and it ends with 130', async () => {
  const file = join(folder, 'slow.bin');
  writeFileSync(file, Buffer.alloc(32 * 1024 * 1024));
  const under = Promise.withResolvers<IncomingMessage>();
  await using service = await played((request, response) => {
    if (request.method === 'GET') return void answerJson(response, document);
    request.once('data', () => under.resolve(request.pause()));
  });
  const words = [join(import.meta.dirname, '..', 'pdm.mjs'), 'upload', file, '--to', 'PRT-1'];
  const child = spawn(process.execPath, words, { env: { ...process.env, ...service.environment } });
  const said = child.stderr.toArray();
  const request = await under.promise;
  const closed = new Promise((resolve) => request.once('close', resolve));
  child.kill('SIGINT');
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  // a connection that nobody reads from does not tell of its end
  request.resume();
  await closed;
  expect([code, Buffer.concat(await said).toString()]).toEqual([
    130,
    'pdm upload: interrupted; what was under way is given up.\n',
  ]);
  expect(request.complete).toBe(false);
});

test('what does not answer like the service is not taken for it, and a redirection is not followed', async () => {
  await using other = await played((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  );
  expect(await other.type('whoami')).toMatchObject({
    exit: 3,
    err: expect.stringContaining('not as the service does'),
  });
  await using moved = await played((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
  expect(await moved.type('whoami')).toMatchObject({
    exit: 3,
    err: expect.stringContaining('answered 302 and not as the service does'),
  });
});

test('a download that is not what is stored is not kept', async () => {
  const artifact = {
    id: 'art_1',
    kind: 'source',
    fileName: '../../evil.step',
    size: 4,
    sha256: '0'.repeat(64),
    stale: false,
  };
  await using service = await played((request, response) => {
    if (request.url?.endsWith('/file')) response.writeHead(200).end('data');
    else
      answerJson(
        response,
        request.url?.includes('/resolve')
          ? { resolution: { versionId: 'ver_1' } }
          : { items: [artifact], nextCursor: null },
      );
  });
  expect(await service.type(`download PRT-1 -o ${folder}`)).toMatchObject({
    exit: 3,
    err: expect.stringContaining('did not arrive as it is stored'),
  });
});

test('a service cannot steer the terminal, and columns stand under each other in every script', () => {
  expect(plain('a\u001b]0;x\u0007\n b\u202e')).toBe('a\uFFFD]0;x\uFFFD b\uFFFD');
  const lines = table(
    ['N', 'Name'],
    [
      [1, '軸受'],
      [22, 'e\u0301'],
    ],
    (_, text) => text,
  );
  expect(lines).toEqual([' N  Name', ' 1  軸受', '22  e\u0301']);
  expect(['軸受', 'e\u0301'].map(widthOf)).toEqual([4, 1]);
});

test('progress is one line of the terminal, not too often, with the time that is left; in a pipe there is none', () => {
  let now = 0;
  const written: string[] = [];
  const screen = (isTTY: boolean) =>
    Object.assign(new Writable({ write: (text, _, done) => done(void written.push(String(text))) }), {
      isTTY,
      columns: 90,
    });
  const progress = progressOn(screen(true), () => now);
  const moved = transferOn(progress, 'a.step', 4_000_000, () => now);
  for (const [time, size] of [
    [2_000, 1_000_000],
    [2_010, 1_100_000],
    [3_000, 4_000_000],
  ] as const) {
    now = time;
    moved(size);
  }
  progress.end();
  transferOn(progressOn(screen(false)), 'b', 1)(1);
  expect(written).toEqual([
    '\r██████░░░░░░░░░░░░░░░░░░  25 % a.step  1.0 MB of 4.0 MB, 500.0 kB/s, 6 s left\u001b[K',
    '\r████████████████████████ 100 % a.step  4.0 MB of 4.0 MB, 1.3 MB/s, 0 s left\u001b[K',
    '\r\u001b[K',
  ]);
});

test('events are read however they come in pieces, also those that are only an id', async () => {
  const bytes = Buffer.from(
    ': nothing\n\nid: 7\ndata: "é"\n\nid: 8\n\nevent: end\r\ndata: 1\r\ndata: 2\r\n\r\ndata: cut',
  );
  const found = [];
  for await (const message of messagesIn(
    (async function* () {
      for (const byte of bytes) yield Buffer.from([byte]);
    })(),
  ))
    found.push(message);
  expect(found).toEqual([
    { id: '7', event: 'message', data: '"é"' },
    { id: '8', event: 'message', data: null },
    { id: null, event: 'end', data: '1\n2' },
  ]);
});
