// Sends server-sent events.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

const IDLE_MS = 30_000;
const BUFFER_BYTES = 16_384;

/**
 * Sends a stream of formatted events, the next when the client has read the previous ones. A client that reads nothing
 * for 30 seconds is disconnected; it reconnects with the id of its last event.
 */
export function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  events: () => AsyncIterable<string>,
  idleMs = IDLE_MS,
): FastifyReply {
  reply.type('text/event-stream').headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  if (request.method === 'HEAD') return reply.send();
  reply.raw.setTimeout(idleMs);
  const stream = Readable.from(events(), { objectMode: false, highWaterMark: BUFFER_BYTES });
  stream.once('error', (error) => request.caller.log.info({ err: error }, 'event stream aborted'));
  return reply.send(stream);
}

/** Sets the delay after which clients reconnect: 1 s. */
export const RECONNECT_DELAY = 'retry: 1000\n\n';

/** Formats an event; `data` is JSON. */
export function formatEvent({ id, name, data }: { id: number; name?: string; data: string }): string {
  return `${name ? `event: ${name}\n` : ''}id: ${id}\ndata: ${data}\n\n`;
}
