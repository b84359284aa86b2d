// /scheduler/status at the address of the API: the status of the scheduler that runs beside it, and how the queue stands and stood lately. A page
// that people have open cannot ask the scheduler itself, which answers on this machine alone.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import { assertAbility } from '../../subgraphs/core/domain/access/permissions.ts';
import { refuse } from '../../subgraphs/core/domain/errors.ts';
import type { Log } from '../../subgraphs/core/platform/log.ts';
import { mountBesideApi } from '../beside-api.ts';
import type { QueueHistory, QueueState } from './queue-history.ts';

export type SchedulerStatusPorts = {
  authenticate(request: FastifyRequest): Promise<Actor>;
  admit(actor: Actor): Record<string, string>;
  /** What the scheduler says of itself; null when none runs beside this process. Rejects when it does not answer. */
  scheduler(): Promise<unknown>;
  queue(): Promise<QueueState>;
  history: QueueHistory;
  log: Log;
};

const ELSEWHERE =
  'No scheduler runs beside this process of the API. Those that run elsewhere tell of themselves at their own addresses.';

/** Mounts GET /scheduler/status for whoever may read, with `since`: of the history only what came after that second since 1970. */
export async function mountSchedulerStatus(app: FastifyInstance, ports: SchedulerStatusPorts): Promise<void> {
  await mountBesideApi(app, ports.log, (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const actor = await ports.authenticate(request);
      if (actor.role !== 'system') assertAbility({ role: actor.role }, 'read');
      reply.headers(ports.admit(actor));
    });

    scope.get('/scheduler/status', async ({ query }) => {
      const since = secondIn(query as Record<string, unknown>);
      const [found, { waiting, running }] = await Promise.all([asked(ports), ports.queue()]);
      return { ...found, waiting, running, history: ports.history.since(since) };
    });
  });
}

// that it does not answer is what somebody wants to see who looks here
async function asked({
  scheduler,
  log,
}: SchedulerStatusPorts): Promise<{ scheduler: unknown; schedulerError: string | null }> {
  try {
    const status = await scheduler();
    return { scheduler: status, schedulerError: status === null ? ELSEWHERE : null };
  } catch (error) {
    log.warn({ err: error }, 'the scheduler did not tell its status');
    return { scheduler: null, schedulerError: 'The scheduler does not answer at the moment.' };
  }
}

function secondIn({ since }: Record<string, unknown>): number | null {
  if (since === undefined) return null;
  if (typeof since === 'string' && /^\d{1,12}$/.test(since)) return Number(since);
  return refuse('validation_failed', 'since is a time in whole seconds since 1970.', {
    errors: [{ path: '/since', message: 'must be a whole number from 0' }],
  });
}
