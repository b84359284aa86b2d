// The feed of events as server-sent events. It has no operation behind it: one tail of the log serves all who listen in this process.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contextOf } from '../http/caller.ts';
import { COME_AGAIN, eventText, writeEvents } from '../http/response/write-events.ts';
import type { Actor } from '../subgraphs/core/domain/access/actor.ts';
import { assertAbility, hasAbility } from '../subgraphs/core/domain/access/permissions.ts';
import { checkedPlace, checkedTypes, isOfTypes } from '../subgraphs/core/domain/audit/cloud-event.ts';
import { refuse } from '../subgraphs/core/domain/errors.ts';
import { checkKnown, type InputFault } from './input-check.ts';

/** An event in both its forms; null: readers are not told of it. */
type Told = { seq: number; action: string; forAdministrators: string; forReaders: string | null };

/** The tail of the log (subgraphs/documents/events/event-tail.ts). */
export type EventTail = {
  newest(): Promise<number>;
  follow(after: number, signal: AbortSignal): AsyncIterable<Told[]>;
};

export type EventPorts = {
  events: EventTail;
  /** Who a request is from now, for as long as it goes on: refuses with `unauthenticated` once its credentials are no longer good. */
  identify(request: FastifyRequest): Promise<Actor>;
};

// So long at most a token that was ended gets more; every few seconds there is a part, if only an empty one.
const LOOK_AGAIN_MS = 5_000;

/**
 * Mounts GET /events/stream: from `Last-Event-ID`, else `after`, else now on, the events of the `types`. It ends with the
 * token, with the service, and when the client leaves.
 */
export function mountEventStream(rest: FastifyInstance, { events, identify }: EventPorts): void {
  rest.route({
    method: ['GET', 'HEAD'],
    exposeHeadRoute: false,
    url: '/events/stream',
    config: { lasts: 'stream' },
    handler: async (request, reply) => {
      const { actor, signal } = contextOf(request, reply);
      if (actor.role !== 'system') assertAbility({ role: actor.role }, 'read');
      const { after, types } = askedFor(request);
      const newest = await events.newest();
      const from = after === null ? newest : checkedPlace(after, newest);
      return writeEvents(request, reply, () => texts(from, types, signal, request));
    },
  });

  async function* texts(
    from: number,
    types: readonly string[],
    signal: AbortSignal,
    request: FastifyRequest,
  ): AsyncGenerator<string> {
    let all = seesAll(request.caller.actor);
    let looked = performance.now();
    yield COME_AGAIN;
    for await (const part of events.follow(from, signal)) {
      if (performance.now() - looked >= LOOK_AGAIN_MS) {
        const actor = await identify(request).catch(() => null);
        // the client comes again, and is told why not
        if (!actor || (actor.role !== 'system' && !hasAbility(actor.role, 'read'))) return;
        all = seesAll(actor);
        looked = performance.now();
      }
      yield textOf(part, types, all);
    }
  }
}

// An id alone is no event, and yet is what the client sends back: so it goes on behind what it is not told.
function textOf(part: readonly Told[], types: readonly string[], all: boolean): string {
  const last = part.at(-1);
  if (!last) return ': nothing new\n\n';
  let text = '';
  let told = 0;
  for (const { seq, action, forAdministrators, forReaders } of part) {
    const data = all ? forAdministrators : forReaders;
    if (data === null || !isOfTypes(types, { action })) continue;
    text += eventText({ id: seq, data });
    told = seq;
  }
  return told === last.seq ? text : `${text}id: ${last.seq}\n\n`;
}

function seesAll(actor: Actor | null): boolean {
  return actor !== null && (actor.role === 'system' || hasAbility(actor.role, 'administer'));
}

function askedFor({ query, headers }: FastifyRequest): { after: number | null; types: string[] } {
  const given = query as Record<string, unknown>;
  const faults: InputFault[] = [];
  checkKnown(given, ['after', 'types'], '', faults, 'parameter');
  for (const [name, value] of Object.entries(given))
    if (typeof value !== 'string') faults.push({ path: `/${name}`, message: 'is given more than once' });
  const header = headers['last-event-id'];
  const after = header === undefined || header === '' ? given.after : header;
  if (after !== undefined && !/^\d{1,15}$/.test(String(after)))
    faults.push({ path: after === header ? '/Last-Event-ID' : '/after', message: 'must be a whole number from 0' });
  if (faults.length)
    refuse('validation_failed', `${faults.map(({ path, message }) => `${path.slice(1)} ${message}`).join('; ')}.`, {
      errors: faults,
    });
  return {
    after: after === undefined ? null : Number(after),
    types: checkedTypes(String(given.types ?? '').split(',')),
  };
}

const optional = (name: string, where: 'query' | 'header', schema: object, description: string) => ({
  name,
  in: where,
  required: false,
  description,
  schema,
});
const PLACE = { type: 'integer', minimum: 0 };
const PROBLEM = { $ref: '#/components/responses/Problem' };

/** The same route for the description of the interface. */
export const EVENT_STREAM_OPERATION = {
  '/events/stream': {
    get: {
      operationId: 'StreamEvents',
      tags: ['Events'],
      summary:
        'Follow what is recorded as server-sent events: each message is a CloudEvent, its id the place in the log to go on from',
      parameters: [
        optional('after', 'query', PLACE, 'The place after which to begin; left out: now.'),
        optional(
          'types',
          'query',
          { type: 'string' },
          'The types of events, separated by commas, e.g. version.released,document.*',
        ),
        optional(
          'Last-Event-ID',
          'header',
          PLACE,
          'The place to go on from, as a client that comes again sends it by itself; it counts before `after`.',
        ),
      ],
      responses: {
        200: {
          description:
            'Messages, ids alone behind records that are not told or not wanted, and comments while nothing comes.',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        default: PROBLEM,
      },
    },
  },
};
