import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchClient } from './client-disconnect.ts';

const responses: ServerResponse[] = [];
const server = createServer((_request, response) => void responses.push(response));
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => server.close());

async function connect() {
  const client = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false }).on(
    'error',
    () => undefined,
  );
  await expect.poll(() => responses.length).toBe(1);
  const response = responses.pop()!;
  return { client, response, connection: watchClient(response) };
}

test('aborts when the client disconnects, whether the signal was read before or after', async () => {
  const [early, late] = [await connect(), await connect()];
  const { signal } = early.connection;
  expect([early.connection.isAborted(), signal.aborted]).toEqual([false, false]);
  for (const { client, response } of [early, late]) {
    client.destroy();
    if (!response.closed) await once(response, 'close');
  }
  expect([early.connection.isAborted(), signal.aborted]).toEqual([true, true]);
  expect([late.connection.isAborted(), late.connection.signal.aborted]).toEqual([true, true]);
  expect(early.connection.signal).toBe(signal);
});

test('does not abort after a complete response', async () => {
  const { client, response, connection } = await connect();
  const { signal } = connection;
  client.on('response', (message) => message.resume());
  response.end('done');
  if (!response.closed) await once(response, 'close');
  expect([connection.isAborted(), signal.aborted]).toEqual([false, false]);
});
