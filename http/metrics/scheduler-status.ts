// /scheduler/status of the API: the status of the scheduler in this process, the queue and its history. The web app
// needs it because the scheduler itself listens on loopback only.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import { assertAbility } from '../../subgraphs/core/domain/access/permissions.ts';
import { refuse } from '../../subgraphs/core/domain/errors.ts';
import type { Log } from '../../subgraphs/core/platform/log.ts';
import { mountJsonRoutes } from '../json-routes.ts';
import type { QueueHistory, QueueState } from './queue-history.ts';

export type SchedulerStatusPorts = {
  authenticate(request: FastifyRequest): Promise<Actor>;
  admit(actor: Actor): Record<string, string>;
  /** Returns the status of the scheduler; null if this process has none. Rejects if it does not respond. */
  scheduler(): Promise<unknown>;
  queue(): Promise<QueueState>;
  history: QueueHistory;
  log: Log;
};

const NO_SCHEDULER =
  'This API process runs no scheduler. Schedulers elsewhere report their status at their own addresses.';

/**
 * Mounts GET /scheduler/status for users that may read. `since` limits the history to samples after that Unix time in
 * seconds.
 */
export async function mountSchedulerStatus(app: FastifyInstance, ports: SchedulerStatusPorts): Promise<void> {
  await mountJsonRoutes(app, ports.log, (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const actor = await ports.authenticate(request);
      if (actor.role !== 'system') assertAbility({ role: actor.role }, 'read');
      reply.headers(ports.admit(actor));
    });

    scope.get('/scheduler/status', async ({ query }) => {
      const since = parseSince(query as Record<string, unknown>);
      const [status, { waiting, running }] = await Promise.all([readStatus(ports), ports.queue()]);
      return { ...status, waiting, running, history: ports.history.since(since) };
    });
  });
}

// A scheduler that does not respond is part of the result, not an error of this request.
async function readStatus({
  scheduler,
  log,
}: SchedulerStatusPorts): Promise<{ scheduler: unknown; schedulerError: string | null }> {
  try {
    const status = await scheduler();
    return { scheduler: status, schedulerError: status === null ? NO_SCHEDULER : null };
  } catch (error) {
    log.warn({ err: error }, 'scheduler status unavailable');
    return { scheduler: null, schedulerError: 'The scheduler does not respond.' };
  }
}

function parseSince({ since }: Record<string, unknown>): number | null {
  if (since === undefined) return null;
  if (typeof since === 'string' && /^\d{1,12}$/.test(since)) return Number(since);
  return refuse('validation_failed', '`since` must be a Unix time in whole seconds.', {
    errors: [{ path: '/since', message: 'must be a whole number from 0' }],
  });
}
