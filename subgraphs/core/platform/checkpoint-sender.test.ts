import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createCheckpointSender } from './checkpoint-sender.ts';
import { createLog } from './log.ts';

const log = createLog({ name: 'test', pretty: false, level: 'silent' });
let statuses: number[] = [];
let rejected: string[] = [];
let received: { authorization?: string; body: string }[] = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  // the last status is used until the list is replaced
  const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200;
  if (status === 200) received.push({ authorization: request.headers.authorization, body });
  else rejected.push(body);
  response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('thank you');
});
let url = '';
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/checkpoints`;
});
beforeEach(() => {
  [statuses, received, rejected] = [[], [], []];
});
afterAll(() => void server.close());

test('sends a checkpoint as plain text with the credentials of the address', async () => {
  const post = createCheckpointSender(url.replace('//', '//pdm:s%20cret@'), log);
  post.send(3, 'pdm/audit/x\n3\n…\n');
  await post.close();
  expect(received).toEqual([
    { authorization: `Basic ${Buffer.from('pdm:s cret').toString('base64')}`, body: 'pdm/audit/x\n3\n…\n' },
  ]);
  expect(post.failure()).toBeNull();
});

test('retries only the newest checkpoint until it is accepted, and reports since when sending fails', async () => {
  statuses = [500, 302, 503];
  const error = vi.spyOn(log, 'error');
  const post = createCheckpointSender(url, log, { firstPauseMs: 5 });
  const before = new Date();
  post.send(1, 'one');
  await vi.waitFor(() => expect(rejected.length).toBeGreaterThan(3));
  expect(post.failure()?.reason).toBe('the response status was 503');
  expect(post.failure()?.since.getTime()).toBeGreaterThanOrEqual(before.getTime());
  post.send(2, 'two');
  // the first checkpoint may be in flight
  await vi.waitFor(() => expect(rejected).toContain('two'));
  statuses = [];
  await vi.waitFor(() => expect(received).toEqual([{ authorization: undefined, body: 'two' }]));
  await post.close();
  expect([post.failure(), error.mock.calls.length]).toEqual([null, 1]);
});

test('tries once more when the service stops, and never prevents the stop', async () => {
  const post = createCheckpointSender('http://127.0.0.1:9/', log, { firstPauseMs: 60_000 });
  post.send(1, 'one');
  await vi.waitFor(() => expect(post.failure()).not.toBeNull());
  await post.close();
  statuses = [500];
  const later = createCheckpointSender(url, log, { firstPauseMs: 60_000 });
  later.send(1, 'one');
  await vi.waitFor(() => expect(later.failure()).not.toBeNull());
  statuses = [];
  await later.close();
  expect(received.map(({ body }) => body)).toEqual(['one']);
});
