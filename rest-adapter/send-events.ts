// Server-sent events: what a job's log says, line by line, until the job has ended.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRecord } from './input-check.ts';

/** A part of a log, as the operation answers it. */
type Part = { lines: { place: number; at: string; line: string }[]; next: number; ended: string | null };

/** Asks for the part from a place on, which takes up to ten seconds; null when there is none to be had here any more. */
export type ReadOn = (from: number) => Promise<unknown>;

const IDLE_MS = 30_000;
// Then the client comes again by itself, with its credentials.
const LONGEST_MS = 10 * 60_000;

/**
 * Answers with one event for each line, whose id is the place to read on from (a client sends it back as Last-Event-ID), a comment every ten seconds in which nothing came, and the event
 * `end` with the status of the job. A reader that takes nothing for 30 seconds is cut off; no more than one part is held for it.
 */
export function sendEvents(request: FastifyRequest, reply: FastifyReply, first: unknown, readOn: ReadOn, idleMs = IDLE_MS): FastifyReply {
  reply.type('text/event-stream').headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  if (request.method === 'HEAD') return reply.send();
  reply.raw.setTimeout(idleMs);
  const stream = Readable.from(
    events(first, readOn, () => reply.raw.destroyed),
    { objectMode: false, highWaterMark: 16_384 },
  );
  stream.once('error', (error) => request.caller.log.info({ err: error }, 'a stream of events broke off'));
  return reply.send(stream);
}

async function* events(first: unknown, readOn: ReadOn, left: () => boolean): AsyncGenerator<string> {
  const end = performance.now() + LONGEST_MS;
  yield 'retry: 1000\n\n';
  for (let part = partOf(first); part && !left(); part = performance.now() < end ? partOf(await readOn(part.next)) : null) {
    for (const { place, at, line } of part.lines) yield event({ id: place + 1, data: { at, line } });
    if (part.ended) {
      yield event({ id: part.next, name: 'end', data: { status: part.ended } });
      return;
    }
    if (!part.lines.length) yield ': nothing new\n\n';
  }
}

function event({ id, name, data }: { id: number; name?: string; data: object }): string {
  return `${name ? `event: ${name}\n` : ''}id: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}

function partOf(value: unknown): Part | null {
  return isRecord(value) && Array.isArray(value.lines) ? (value as Part) : null;
}
