import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { cutOffWhenSlow } from './slow-body.ts';

const servers: { close(): void }[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** Sends some bytes to a server that reads as `read` says, then nothing; answers what becomes of the connection. */
async function sendAndStall(
  read: boolean,
): Promise<{ ended: Promise<unknown>; alive: () => boolean; end: () => void }> {
  const server = createServer((incoming) => {
    cutOffWhenSlow(incoming, 20);
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

test('an upload that stalls while the service waits for it loses its connection', async () => {
  const { ended } = await sendAndStall(true);
  expect(await ended).toBeInstanceOf(Error);
});

test('an upload that stalls because the service does not read it is left alone', async () => {
  const { alive, end } = await sendAndStall(false);
  await (await sendAndStall(true)).ended; // as long as it takes to lose a connection, and longer
  expect(alive()).toBe(true);
  end();
});
