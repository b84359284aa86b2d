// Server-sent events, as whoever has some sends them.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

const IDLE_MS = 30_000;
const HELD_BYTES = 16_384;

/**
 * Answers with a stream of texts that are events already. The next one is asked for when the reader has taken those before; one that takes nothing
 * for 30 seconds is cut off, and comes again with the id of the last event it got.
 */
export function writeEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  texts: () => AsyncIterable<string>,
  idleMs = IDLE_MS,
): FastifyReply {
  reply.type('text/event-stream').headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  if (request.method === 'HEAD') return reply.send();
  reply.raw.setTimeout(idleMs);
  const stream = Readable.from(texts(), { objectMode: false, highWaterMark: HELD_BYTES });
  stream.once('error', (error) => request.caller.log.info({ err: error }, 'a stream of events broke off'));
  return reply.send(stream);
}

/** How soon a reader whose stream has ended comes again. */
export const COME_AGAIN = 'retry: 1000\n\n';

/** An event; `data` is JSON. */
export function eventText({ id, name, data }: { id: number; name?: string; data: string }): string {
  return `${name ? `event: ${name}\n` : ''}id: ${id}\ndata: ${data}\n\n`;
}
