// Serves /metrics for Prometheus: the API and each separate subgraph server. Labels never identify a document, a job or
// a person.
import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, Registry } from 'prom-client';
import type { BackupStatus } from '../../subgraphs/core/backup-status.ts';
import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import { assertAbility } from '../../subgraphs/core/domain/access/permissions.ts';
import { CATALOGUE, DomainError, type ErrorKind } from '../../subgraphs/core/domain/errors.ts';
import { subscribe } from '../../subgraphs/core/platform/instrumentation.ts';
import { registerProcessMetrics } from '../../subgraphs/core/platform/metrics.ts';
import { registerRequestMetrics } from './request-metrics.ts';

type WaitingJobs = { type: string; environment: string; count: number; oldest: Date };
/** Reads the state of the store. Only one process reports it. */
export type StorePorts = {
  health(): Promise<{ parts: Record<string, { status: string }> }>;
  waiting(): Promise<readonly WaitingJobs[]>;
  backups(): BackupStatus | null;
};
export type MetricsPorts = {
  /** Throws `unauthenticated`, or `unavailable` if the store is down. */
  authenticate(request: { authorization?: string; ip: string }): Promise<Actor>;
  store?: StorePorts;
};

// The metrics of one scrape, and of several Prometheus servers, share one query.
const MAX_AGE_MS = 1_000;

/** Creates the registry of a server, with the metrics of the store if `store` is passed. */
export function createServerMetrics(app: FastifyInstance, store?: StorePorts): Registry {
  const register = new Registry();
  registerProcessMetrics(register);
  registerRequestMetrics(app, register);
  const unsubscribe = registerEventMetrics(register);
  app.addHook('onClose', async () => unsubscribe());
  if (store) registerStoreMetrics(register, store);
  if (store) registerQueueMetrics(register, store);
  if (store) registerBackupMetrics(register, store);
  return register;
}

/**
 * Mounts GET /metrics on a server that is not listening yet, for tokens that may read. While the store is down and no
 * token can be verified, tokens that were accepted before are accepted: this is when the metrics are needed.
 */
export function mountMetrics(app: FastifyInstance, ports: MetricsPorts): void {
  const register = createServerMetrics(app, ports.store);
  const acceptedBefore = new Set<string>();
  const admit = async ({ headers: { authorization }, ip }: FastifyRequest): Promise<void> => {
    const key = hash('sha256', authorization ?? '', 'base64');
    try {
      const { role } = await ports.authenticate({ authorization, ip });
      if (role !== 'system') assertAbility({ role }, 'read');
      acceptedBefore.add(key);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unavailable' && acceptedBefore.has(key)) return;
      acceptedBefore.delete(key);
      throw error;
    }
  };
  app.get('/metrics', async (request, reply) => {
    try {
      await admit(request);
    } catch (error) {
      if (error instanceof DomainError) return sendError(reply, error);
      throw error;
    }
    return reply
      .header('cache-control', 'no-store')
      .type(register.contentType)
      .send(await register.metrics());
  });
}

function registerEventMetrics(register: Registry): () => void {
  const registers = [register];
  const commands = new Counter({
    name: 'pdm_commands_total',
    help: 'Write commands by command and outcome.',
    labelNames: ['command', 'outcome'],
    registers,
  });
  const retried = new Counter({
    name: 'pdm_transaction_retries_total',
    help: 'Transactions repeated after a write conflict, by command.',
    labelNames: ['command'],
    registers,
  });
  const records = new Counter({
    name: 'pdm_audit_records_total',
    help: 'Audit records by action.',
    labelNames: ['action'],
    registers,
  });
  const sweep = new Gauge({
    name: 'pdm_sweeper_last_success_timestamp_seconds',
    help: 'Time of the last successful check for expired leases, in seconds since 1970; 0 if this process runs none.',
    registers,
  });
  const swept = new Counter({
    name: 'pdm_job_leases_expired_total',
    help: 'Jobs whose lease expired because their worker sent no heartbeat.',
    registers,
  });
  const notifications = new Counter({
    name: 'pdm_job_notifications_total',
    help: 'Notifications about new jobs sent to schedulers over NATS, by result.',
    labelNames: ['result'],
    registers,
  });
  const deliveries = new Counter({
    name: 'pdm_webhook_delivery_attempts_total',
    help: 'Webhook delivery attempts by result.',
    labelNames: ['result'],
    registers,
  });
  const queued = new Counter({
    name: 'pdm_jobs_queued_total',
    help: 'Jobs added to the queue, by type.',
    labelNames: ['type'],
    registers,
  });
  const retries = new Counter({
    name: 'pdm_job_retries_total',
    help: 'Failed jobs retried by a user, by type.',
    labelNames: ['type'],
    registers,
  });
  const overloaded = new Counter({
    name: 'pdm_overloaded_requests_total',
    help: 'Requests rejected with 503 because they would have waited too long for a slot, by access.',
    labelNames: ['access'],
    registers,
  });
  return subscribe({
    overload: ({ access }) => overloaded.inc({ access }),
    queue: ({ action, type }) => (action === 'added' ? queued : retries).inc({ type }),
    notification: ({ result }) => notifications.inc({ result }),
    delivery: ({ result }) => deliveries.inc({ result }),
    command: ({ command, runs, outcome, actions }) => {
      commands.inc({ command, outcome });
      if (runs > 1) retried.inc({ command }, runs - 1);
      for (const name of actions) records.inc({ action: name });
    },
    sweep: ({ at, count }) => {
      sweep.set(at.getTime() / 1000);
      swept.inc(count);
    },
  });
}

function registerStoreMetrics(register: Registry, { health }: StorePorts): void {
  new Gauge({
    name: 'pdm_store_up',
    help: 'Whether a dependency responds (1) or not (0): the database, the file store.',
    labelNames: ['part'],
    registers: [register],
    async collect() {
      const { parts } = await health();
      for (const [part, { status }] of Object.entries(parts)) this.set({ part }, status === 'unavailable' ? 0 : 1);
    },
  });
}

function registerQueueMetrics(register: Registry, ports: StorePorts): void {
  const waiting = withCache(() => ports.waiting().catch(() => [])); // pdm_store_up reports that the store is down
  new Gauge({
    name: 'pdm_jobs_waiting',
    help: 'Jobs waiting for a worker, by type and required environment.',
    labelNames: ['type', 'environment'],
    registers: [register],
    async collect() {
      this.reset();
      for (const { type, environment, count } of await waiting()) this.set({ type, environment }, count);
    },
  });
  new Gauge({
    name: 'pdm_jobs_oldest_waiting_age_seconds',
    help: 'Age of the oldest waiting job in seconds, by type.',
    labelNames: ['type'],
    registers: [register],
    async collect() {
      this.reset();
      for (const [type, oldest] of oldestByType(await waiting()))
        this.set({ type }, Math.max(0, (Date.now() - oldest) / 1000));
    },
  });
}

function registerBackupMetrics(register: Registry, { backups }: StorePorts): void {
  const registers = [register];
  new Gauge({
    name: 'pdm_backup_last_success_timestamp_seconds',
    help: 'Time of the newest complete scheduled backup, in seconds since 1970; 0 if there is none.',
    registers,
    collect() {
      this.set((backups()?.lastBackup?.createdAt.getTime() ?? 0) / 1000);
    },
  });
  new Gauge({
    name: 'pdm_backup_interval_seconds',
    help: 'Time between scheduled backups in seconds; 0 if none are scheduled.',
    registers,
    collect() {
      this.set(backups()?.everySeconds ?? 0);
    },
  });
}

// Returns the queueing time of the oldest waiting job of each type.
function oldestByType(waiting: readonly WaitingJobs[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { type, oldest } of waiting)
    times.set(type, Math.min(times.get(type) ?? Number.POSITIVE_INFINITY, oldest.getTime()));
  return times;
}

function withCache<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | null = null;
  return () => {
    if (!last || performance.now() - last.at > MAX_AGE_MS) last = { at: performance.now(), result: read() };
    return last.result;
  };
}

const STATUS: Partial<Record<ErrorKind, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  'rate-limited': 429,
  unavailable: 503,
};

function sendError(reply: FastifyReply, error: DomainError): FastifyReply {
  const status = STATUS[CATALOGUE[error.code].kind] ?? 500;
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (typeof error.details.retryAfter === 'number') reply.header('retry-after', String(error.details.retryAfter));
  return reply.code(status).type('text/plain').send(`${error.message}\n`);
}
