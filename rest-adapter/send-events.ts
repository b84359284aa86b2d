// What a job's log says as server-sent events, line by line, until the job has ended.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { COME_AGAIN, eventText, writeEvents } from '../http/response/write-events.ts';
import { isObject } from '../subgraphs/core/domain/text/is-object.ts';

/** A part of a log, as the operation answers it. */
type Part = { lines: { index: number; at: string; line: string }[]; nextIndex: number; finalStatus: string | null };

/** Asks for the part from a place on, which takes up to ten seconds; null when there is none to be had here any more. */
export type ReadOn = (from: number) => Promise<unknown>;

// Then the client comes again by itself, with its credentials.
const LONGEST_MS = 10 * 60_000;

/**
 * Answers with one event for each line, whose id is the place to read on from (a client sends it back as Last-Event-ID), a comment every ten seconds
 * in which nothing came, and the event `end` with the status of the job. No more than one part is held for a reader.
 */
export function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  first: unknown,
  readOn: ReadOn,
  idleMs?: number,
): FastifyReply {
  return writeEvents(request, reply, () => events(first, readOn, () => reply.raw.destroyed), idleMs);
}

async function* events(first: unknown, readOn: ReadOn, left: () => boolean): AsyncGenerator<string> {
  const end = performance.now() + LONGEST_MS;
  yield COME_AGAIN;
  for (
    let part = partOf(first);
    part && !left();
    part = performance.now() < end ? partOf(await readOn(part.nextIndex)) : null
  ) {
    for (const { index, at, line } of part.lines)
      yield eventText({ id: index + 1, data: JSON.stringify({ at, line }) });
    if (part.finalStatus) {
      yield eventText({ id: part.nextIndex, name: 'end', data: JSON.stringify({ status: part.finalStatus }) });
      return;
    }
    if (!part.lines.length) yield ': nothing new\n\n';
  }
}

function partOf(value: unknown): Part | null {
  return isObject(value) && Array.isArray(value.lines) ? (value as Part) : null;
}
