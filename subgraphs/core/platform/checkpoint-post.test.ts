import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { checkpointPost } from './checkpoint-post.ts';
import { createLog } from './log.ts';

const log = createLog({ name: 'test', pretty: false, level: 'silent' });
let refusals: number[] = [];
let refused: string[] = [];
let received: { authorization?: string; body: string }[] = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  // the last of the refusals stays until they are over
  const status = (refusals.length > 1 ? refusals.shift() : refusals[0]) ?? 200;
  if (status !== 200) refused.push(body);
  if (status === 200) received.push({ authorization: request.headers.authorization, body });
  response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('thank you');
});
let url = '';
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/checkpoints`;
});
beforeEach(() => {
  [refusals, received, refused] = [[], [], []];
});
afterAll(() => void server.close());

test('a checkpoint arrives as the text it is, with the credentials of the address', async () => {
  const post = checkpointPost(url.replace('//', '//pdm:s%20cret@'), log);
  post.offer(3, 'pdm/audit/x\n3\n…\n');
  await post.close();
  expect(received).toEqual([
    { authorization: `Basic ${Buffer.from('pdm:s cret').toString('base64')}`, body: 'pdm/audit/x\n3\n…\n' },
  ]);
  expect(post.late()).toBeNull();
});

test('one that does not arrive is tried again until it does, the newest one only, and it is known since when', async () => {
  refusals = [500, 302, 503];
  const error = vi.spyOn(log, 'error');
  const post = checkpointPost(url, log, { firstPauseMs: 5 });
  const before = new Date();
  post.offer(1, 'one');
  await vi.waitFor(() => expect(refused.length).toBeGreaterThan(3));
  expect(post.late()?.why).toBe('it answered 503');
  expect(post.late()?.since.getTime()).toBeGreaterThanOrEqual(before.getTime());
  post.offer(2, 'two');
  // the one before may be on its way still
  await vi.waitFor(() => expect(refused).toContain('two'));
  refusals = [];
  await vi.waitFor(() => expect(received).toEqual([{ authorization: undefined, body: 'two' }]));
  await post.close();
  expect([post.late(), error.mock.calls.length]).toEqual([null, 1]);
});

test('when the service stops it is tried once more, and the service stops all the same', async () => {
  const post = checkpointPost('http://127.0.0.1:9/', log, { firstPauseMs: 60_000 });
  post.offer(1, 'one');
  await vi.waitFor(() => expect(post.late()).not.toBeNull());
  await post.close();
  refusals = [500];
  const later = checkpointPost(url, log, { firstPauseMs: 60_000 });
  later.offer(1, 'one');
  await vi.waitFor(() => expect(later.late()).not.toBeNull());
  refusals = [];
  await later.close();
  expect(received.map(({ body }) => body)).toEqual(['one']);
});
