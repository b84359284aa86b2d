// Streams the log of a job as server-sent events until the job has ended.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatEvent, RECONNECT_DELAY, sendEvents } from '../http/response/send-events.ts';
import { isObject } from '../subgraphs/core/domain/text/is-object.ts';

/** A chunk of a log, as the operation returns it. */
type LogChunk = { lines: { index: number; at: string; line: string }[]; nextIndex: number; finalStatus: string | null };

/**
 * Reads the chunk from a line index; waits up to ten seconds for new lines. Returns null if the log is no longer
 * available.
 */
export type ReadLog = (from: number) => Promise<unknown>;

// After this time the client reconnects and authenticates again.
const MAX_DURATION_MS = 10 * 60_000;

/**
 * Sends one event per line, whose id is the next line index (a reconnecting client sends it as Last-Event-ID), a
 * comment every ten seconds without new lines, and the event `end` with the final status of the job. At most one chunk
 * is buffered per client.
 */
export function sendJobLog(
  request: FastifyRequest,
  reply: FastifyReply,
  first: unknown,
  readLog: ReadLog,
  idleMs?: number,
): FastifyReply {
  return sendEvents(request, reply, () => jobLogEvents(first, readLog, () => reply.raw.destroyed), idleMs);
}

async function* jobLogEvents(first: unknown, readLog: ReadLog, isDisconnected: () => boolean): AsyncGenerator<string> {
  const end = performance.now() + MAX_DURATION_MS;
  yield RECONNECT_DELAY;
  for (
    let chunk = chunkOf(first);
    chunk && !isDisconnected();
    chunk = performance.now() < end ? chunkOf(await readLog(chunk.nextIndex)) : null
  ) {
    for (const { index, at, line } of chunk.lines)
      yield formatEvent({ id: index + 1, data: JSON.stringify({ at, line }) });
    if (chunk.finalStatus) {
      yield formatEvent({ id: chunk.nextIndex, name: 'end', data: JSON.stringify({ status: chunk.finalStatus }) });
      return;
    }
    if (!chunk.lines.length) yield ': no new lines\n\n';
  }
}

function chunkOf(value: unknown): LogChunk | null {
  return isObject(value) && Array.isArray(value.lines) ? (value as LogChunk) : null;
}
