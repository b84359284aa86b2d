// /metrics of the API and of subgraphs that run alone, for Prometheus: what this process does and how the queue stands. No label ever names a document, a job or a person.

import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, Registry } from 'prom-client';
import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import { assertAbility } from '../../subgraphs/core/domain/access/permissions.ts';
import { CATALOGUE, DomainError, type ErrorKind } from '../../subgraphs/core/domain/errors.ts';
import { registerProcessMetrics } from '../../subgraphs/core/platform/metrics.ts';
import { subscribe } from '../../subgraphs/core/platform/instrumentation.ts';
import { watchRequests } from './metrics-requests.ts';

type WaitingJobs = { type: string; environment: string; count: number; oldest: Date };
/** What is told of the store besides what the process does; left out where another process tells it. */
export type StorePorts = {
  health(): Promise<{ parts: Record<string, { status: string }> }>;
  waiting(): Promise<readonly WaitingJobs[]>;
};
export type MetricsPorts = {
  authenticate(request: { authorization?: string; ip: string }): Promise<Actor>;
  store?: StorePorts;
};

// The figures of one scrape, and of several Prometheus servers, are one question to the store.
const FRESH_MILLISECONDS = 1_000;

/** Everything that a server of the service tells, and of the store if it is given. */
export function serverMetrics(app: FastifyInstance, store?: StorePorts): Registry {
  const register = new Registry();
  registerProcessMetrics(register);
  watchRequests(app, register);
  const forget = watchWrites(register);
  app.addHook('onClose', async () => forget());
  if (store) storeMetrics(register, store);
  if (store) queueMetrics(register, store);
  return register;
}

/**
 * Watches a server that is not listening yet and mounts GET /metrics on it, for a token that may read. While the store is away, so that
 * nobody can be asked who it is, a token that was good before is let in: this is when the figures are needed.
 */
export function mountMetrics(app: FastifyInstance, ports: MetricsPorts): void {
  const register = serverMetrics(app, ports.store);
  const wereGood = new Set<string>();
  const admit = async ({ headers: { authorization }, ip }: FastifyRequest): Promise<void> => {
    const key = hash('sha256', authorization ?? '', 'base64');
    try {
      const { role } = await ports.authenticate({ authorization, ip });
      if (role !== 'system') assertAbility({ role }, 'read');
      wereGood.add(key);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unavailable' && wereGood.has(key)) return;
      wereGood.delete(key);
      throw error;
    }
  };
  app.get('/metrics', async (request, reply) => {
    try {
      await admit(request);
    } catch (error) {
      if (error instanceof DomainError) return refused(reply, error);
      throw error;
    }
    return reply
      .header('cache-control', 'no-store')
      .type(register.contentType)
      .send(await register.metrics());
  });
}

function watchWrites(register: Registry): () => void {
  const registers = [register];
  const commands = new Counter({
    name: 'pdm_commands_total',
    help: 'Writes by how they ended',
    labelNames: ['command', 'outcome'],
    registers,
  });
  const retried = new Counter({
    name: 'pdm_transaction_retries_total',
    help: 'Transactions that were run again because another one was faster',
    labelNames: ['command'],
    registers,
  });
  const records = new Counter({
    name: 'pdm_audit_records_total',
    help: 'Audit records by what was done',
    labelNames: ['action'],
    registers,
  });
  const sweep = new Gauge({
    name: 'pdm_sweeper_last_success_timestamp_seconds',
    help: 'When ended leases were last looked for, in seconds since 1970; 0: not in this process',
    registers,
  });
  const swept = new Counter({
    name: 'pdm_job_leases_expired_total',
    help: 'Jobs whose worker had disappeared',
    registers,
  });
  const rings = new Counter({
    name: 'pdm_job_notifications_total',
    help: 'Rings for schedulers over NATS',
    labelNames: ['result'],
    registers,
  });
  const deliveries = new Counter({
    name: 'pdm_webhook_delivery_attempts_total',
    help: 'Tries of deliveries to webhooks by how they ended',
    labelNames: ['result'],
    registers,
  });
  const added = new Counter({
    name: 'pdm_jobs_queued_total',
    help: 'Jobs that were queued',
    labelNames: ['type'],
    registers,
  });
  const again = new Counter({
    name: 'pdm_job_retries_total',
    help: 'Failed jobs that somebody had run again',
    labelNames: ['type'],
    registers,
  });
  return subscribe({
    queue: ({ action: deed, type }) => (deed === 'added' ? added : again).inc({ type }),
    notification: ({ result }) => rings.inc({ result }),
    delivery: ({ result }) => deliveries.inc({ result }),
    command: ({ command, runs, outcome, actions }) => {
      commands.inc({ command, outcome });
      if (runs > 1) retried.inc({ command }, runs - 1);
      for (const action of actions) records.inc({ action });
    },
    sweep: ({ at, count }) => {
      sweep.set(at.getTime() / 1000);
      swept.inc(count);
    },
  });
}

function storeMetrics(register: Registry, { health }: StorePorts): void {
  new Gauge({
    name: 'pdm_store_up',
    help: 'Whether a part under the API answers: the database, the file store',
    labelNames: ['part'],
    registers: [register],
    async collect() {
      const { parts } = await health();
      for (const [part, { status }] of Object.entries(parts)) this.set({ part }, status === 'unavailable' ? 0 : 1);
    },
  });
}

function queueMetrics(register: Registry, ports: StorePorts): void {
  const waiting = remembered(() => ports.waiting().catch(() => [])); // away: pdm_store_up says so
  new Gauge({
    name: 'pdm_jobs_waiting',
    help: 'Jobs that wait for a worker',
    labelNames: ['type', 'environment'],
    registers: [register],
    async collect() {
      this.reset();
      for (const { type, environment, count } of await waiting()) this.set({ type, environment }, count);
    },
  });
  new Gauge({
    name: 'pdm_jobs_oldest_waiting_age_seconds',
    help: 'How long the oldest waiting job has waited',
    labelNames: ['type'],
    registers: [register],
    async collect() {
      this.reset();
      for (const [type, oldest] of oldestByType(await waiting()))
        this.set({ type }, Math.max(0, (Date.now() - oldest) / 1000));
    },
  });
}

function oldestByType(waiting: readonly WaitingJobs[]): Map<string, number> {
  const ages = new Map<string, number>();
  for (const { type, oldest } of waiting)
    ages.set(type, Math.min(ages.get(type) ?? Number.POSITIVE_INFINITY, oldest.getTime()));
  return ages;
}

function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let known: { at: number; answer: Promise<T> } | null = null;
  return () => {
    if (!known || performance.now() - known.at > FRESH_MILLISECONDS) known = { at: performance.now(), answer: ask() };
    return known.answer;
  };
}

const STATUS: Partial<Record<ErrorKind, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  'rate-limited': 429,
  unavailable: 503,
};

function refused(reply: FastifyReply, error: DomainError): FastifyReply {
  const status = STATUS[CATALOGUE[error.code].kind] ?? 500;
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (typeof error.details.retryAfter === 'number') reply.header('retry-after', String(error.details.retryAfter));
  return reply.code(status).type('text/plain').send(`${error.message}\n`);
}
