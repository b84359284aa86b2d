import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { abortSlowBody } from './slow-body.ts';

const servers: { close(): void }[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** Sends some bytes to a server that reads them or not, then nothing. `ended` resolves when the connection is lost. */
async function sendAndStall(
  read: boolean,
): Promise<{ ended: Promise<unknown>; alive: () => boolean; end: () => void }> {
  const server = createServer((incoming) => {
    abortSlowBody(incoming, 20);
    incoming.on('error', () => undefined);
    if (read) incoming.pipe(new PassThrough()).resume();
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': 1_000_000 } });
  const ended = new Promise((resolve) => client.on('error', resolve));
  client.write(Buffer.alloc(100_000));
  return { ended, alive: () => !client.destroyed, end: () => client.destroy() };
}

test('closes the connection of an upload that stalls while the service waits for it', async () => {
  const { ended } = await sendAndStall(true);
  expect(await ended).toBeInstanceOf(Error);
});

test('keeps the connection of an upload that the service does not read', async () => {
  const { alive, end } = await sendAndStall(false);
  await (await sendAndStall(true)).ended; // longer than it takes to close a stalled connection
  expect(alive()).toBe(true);
  end();
});
