import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import Fastify from 'fastify';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { type ReadLog, sendJobLog } from './job-log-stream.ts';

let close: () => Promise<void> = async () => {};
afterEach(() => close());

let server: Server;
async function serve(first: unknown, readOn: ReadLog, idleMs?: number): Promise<number> {
  const app = Fastify();
  server = app.server;
  app.decorateRequest('caller');
  app.get('/', (request, reply) => {
    request.caller = { requestId: 'test', log: pino({ level: 'silent' }), actor: null };
    return sendJobLog(request, reply, first, readOn, idleMs);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  close = () => {
    app.server.closeAllConnections();
    return app.close();
  };
  return (app.server.address() as AddressInfo).port;
}

const at = '2026-01-01T00:00:00.000Z';
const part = (from: number, count: number, line = 'x') => ({
  lines: Array.from({ length: count }, (_, n) => ({ index: from + n, at, line })),
  nextIndex: from + count,
  finalStatus: null,
});

test('sends each line with the index to resume from, comments while idle, and the final status', async () => {
  const parts = [part(2, 0), { ...part(2, 1, 'two\nlines'), finalStatus: 'done' }];
  const port = await serve(part(0, 2), async (from) => {
    expect(from).toBe(2);
    return parts.shift();
  });
  const response = await fetch(`http://127.0.0.1:${port}`);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect((await response.text()).split('\n\n')).toEqual([
    'retry: 1000',
    `id: 1\ndata: {"at":"${at}","line":"x"}`,
    `id: 2\ndata: {"at":"${at}","line":"x"}`,
    ': no new lines',
    `id: 3\ndata: {"at":"${at}","line":"two\\nlines"}`,
    'event: end\nid: 3\ndata: {"status":"done"}',
    '',
  ]);
});

test('disconnects a client that does not read, and stops reading the log', async () => {
  let reads = 0;
  const readOn: ReadLog = async (from) => {
    reads += 1;
    return part(from, 100, 'x'.repeat(2_000));
  };
  const port = await serve(part(0, 1), readOn, 200);
  const socket = connect(port, '127.0.0.1').pause();
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const [connection]: Socket[] = await once(server, 'connection');
  await once(connection!, 'close');
  const before = reads;
  expect(before).toBeGreaterThan(0);
  const ended = once(socket, 'close');
  socket.resume();
  await ended;
  expect(reads).toBe(before);
});
