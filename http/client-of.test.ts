import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf } from './client-of.ts';

const answers: ServerResponse[] = [];
const server = createServer((_request, answer) => void answers.push(answer));
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => server.close());

async function asked() {
  const client = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false }).on(
    'error',
    () => undefined,
  );
  await expect.poll(() => answers.length).toBe(1);
  const answer = answers.pop()!;
  return { client, answer, waiting: clientOf(answer) };
}

test('a client that leaves is seen, and ends the signal, also one that is asked for afterwards', async () => {
  const [early, late] = [await asked(), await asked()];
  const { signal } = early.waiting;
  expect([early.waiting.hasLeft(), signal.aborted]).toEqual([false, false]);
  for (const { client, answer } of [early, late]) {
    client.destroy();
    if (!answer.closed) await once(answer, 'close');
  }
  expect([early.waiting.hasLeft(), signal.aborted]).toEqual([true, true]);
  expect([late.waiting.hasLeft(), late.waiting.signal.aborted]).toEqual([true, true]);
  expect(early.waiting.signal).toBe(signal);
});

test('a client that has its answer has not left', async () => {
  const { client, answer, waiting } = await asked();
  const { signal } = waiting;
  client.on('response', (response) => response.resume());
  answer.end('done');
  if (!answer.closed) await once(answer, 'close');
  expect([waiting.hasLeft(), signal.aborted]).toEqual([false, false]);
});
