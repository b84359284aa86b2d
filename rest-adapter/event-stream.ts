// GET /events/stream: events as server-sent events. One follower of the log serves all clients of this process.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createRequestContext } from '../http/request-context.ts';
import { formatEvent, RECONNECT_DELAY, sendEvents } from '../http/response/send-events.ts';
import type { Actor } from '../subgraphs/core/domain/access/actor.ts';
import { assertAbility, hasAbility, isAdministrator } from '../subgraphs/core/domain/access/permissions.ts';
import { matchesTypes, validateEventPosition, validateEventTypes } from '../subgraphs/core/domain/audit/cloud-event.ts';
import { type FieldError, refuse } from '../subgraphs/core/domain/errors.ts';
import { checkUnknownFields } from './input-check.ts';
import { serviceProblems } from './openapi/openapi-problems.ts';

/** An event in two forms: for administrators and for other users. Null if other users do not receive it. */
type FeedEvent = { seq: number; action: string; forAdministrators: string; forReaders: string | null };

/** A follower of the sealed log. */
export type EventTail = {
  newest(): Promise<number>;
  follow(after: number, signal: AbortSignal): AsyncIterable<FeedEvent[]>;
};

export type EventPorts = {
  events: EventTail;
  /** Returns the caller as of now. Throws `unauthenticated` once the credentials are no longer valid. */
  identify(request: FastifyRequest): Promise<Actor>;
};

// The longest time for which a revoked token still receives events. The log yields a batch, possibly empty, every few
// seconds.
const REAUTHENTICATE_MS = 5_000;

/**
 * Mounts GET /events/stream: events of the requested types after `Last-Event-ID`, else after `after`, else from now on.
 * The stream ends when the token becomes invalid, the service stops or the client disconnects.
 */
export function mountEventStream(rest: FastifyInstance, { events, identify }: EventPorts): void {
  rest.route({
    method: ['GET', 'HEAD'],
    exposeHeadRoute: false,
    url: '/events/stream',
    config: { limitedAs: 'stream' },
    handler: async (request, reply) => {
      const { actor, signal } = createRequestContext(request, reply);
      if (actor.role !== 'system') assertAbility({ role: actor.role }, 'read');
      const { after, types } = parseQuery(request);
      const newestSeq = await events.newest();
      const from = after === null ? newestSeq : validateEventPosition(after, newestSeq);
      return sendEvents(request, reply, () => eventTexts(from, types, signal, request));
    },
  });

  async function* eventTexts(
    from: number,
    types: readonly string[],
    signal: AbortSignal,
    request: FastifyRequest,
  ): AsyncGenerator<string> {
    let seesAllEvents = seesAll(request.caller.actor);
    let authenticatedAt = performance.now();
    yield RECONNECT_DELAY;
    for await (const batch of events.follow(from, signal)) {
      if (performance.now() - authenticatedAt >= REAUTHENTICATE_MS) {
        const actor = await identify(request).catch(() => null);
        // The client reconnects and then receives the error.
        if (!actor || (actor.role !== 'system' && !hasAbility(actor.role, 'read'))) return;
        seesAllEvents = seesAll(actor);
        authenticatedAt = performance.now();
      }
      yield formatBatch(batch, types, seesAllEvents);
    }
  }
}

// A trailing id without data is not an event, but clients send it back as Last-Event-ID. So they continue after events
// that were filtered out.
function formatBatch(batch: readonly FeedEvent[], types: readonly string[], all: boolean): string {
  const last = batch.at(-1);
  if (!last) return ': no new events\n\n';
  let text = '';
  let lastSent = 0;
  for (const { seq, action, forAdministrators, forReaders } of batch) {
    const data = all ? forAdministrators : forReaders;
    if (data === null || !matchesTypes(types, { action })) continue;
    text += formatEvent({ id: seq, data });
    lastSent = seq;
  }
  return lastSent === last.seq ? text : `${text}id: ${last.seq}\n\n`;
}

function seesAll(actor: Actor | null): boolean {
  return actor !== null && isAdministrator(actor);
}

function parseQuery({ query, headers }: FastifyRequest): { after: number | null; types: string[] } {
  const parameters = query as Record<string, unknown>;
  const errors: FieldError[] = [];
  checkUnknownFields(parameters, ['after', 'types'], '', errors, 'parameter');
  for (const [name, value] of Object.entries(parameters))
    if (typeof value !== 'string') errors.push({ path: `/${name}`, message: 'must not be repeated' });
  const header = headers['last-event-id'];
  const after = header === undefined || header === '' ? parameters.after : header;
  if (after !== undefined && !/^\d{1,15}$/.test(String(after)))
    errors.push({ path: after === header ? '/Last-Event-ID' : '/after', message: 'must be a whole number from 0' });
  if (errors.length)
    refuse('validation_failed', `${errors.map(({ path, message }) => `${path.slice(1)} ${message}`).join('; ')}.`, {
      errors: errors,
    });
  return {
    after: after === undefined ? null : Number(after),
    types: validateEventTypes(String(parameters.types ?? '').split(',')),
  };
}

const optionalParameter = (name: string, location: 'query' | 'header', schema: object, description: string) => ({
  name,
  in: location,
  required: false,
  description,
  schema,
});
const SEQ = { type: 'integer', minimum: 0 };

/** The OpenAPI description of the route. */
export const EVENT_STREAM_OPERATION = {
  '/events/stream': {
    get: {
      operationId: 'StreamEvents',
      tags: ['Events'],
      summary: 'Stream events as server-sent events',
      description:
        'Sends each event as a message with a CloudEvent, whose id is the `seq` to resume after. Events about access and the system are sent to administrators only.',
      parameters: [
        optionalParameter('after', 'query', SEQ, 'Streams events after this `seq`. Default: only new events.'),
        optionalParameter(
          'types',
          'query',
          { type: 'string' },
          'Event types, comma-separated, e.g. version.released,document.*. Default: all.',
        ),
        optionalParameter(
          'Last-Event-ID',
          'header',
          SEQ,
          'The last received `seq`. Reconnecting clients send it automatically. Takes precedence over `after`.',
        ),
      ],
      responses: {
        200: {
          description:
            'A stream of messages. Filtered-out events only send their id, and comments are sent while there are no events.',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        ...serviceProblems(['bad_cursor']),
      },
    },
  },
};
