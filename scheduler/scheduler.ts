import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Permits } from '../subgraphs/core/platform/dispatch.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import type { Engine } from './engines/engine.ts';
import { SUPPORTED_TYPES } from './fetch-inputs.ts';
import { startJobLoop } from './job-loop.ts';
import { createSchedulerMetrics } from './metrics.ts';
import { type DispatchMode, readStatus, type SchedulerStatus } from './status.ts';
import { createRoleLookup, createStatusAccess } from './status-access.ts';
import { serveStatus } from './status-server.ts';
import { connectApi } from './worker-api.ts';

export type SchedulerOptions = {
  /** The address of the API, for example http://127.0.0.1:8080/api/v1. */
  apiUrl: string;
  /** A token with the role worker. */
  token: string;
  /** The address and port for status and metrics; port 0 selects a free one. */
  host: string;
  port: number;
  /** A folder for the files of running jobs, deleted on stop. */
  workDir: string;
  engine: Engine;
  log: Log;
  /**
   * The source of job notifications, stopped with the scheduler. Without it, or while it is unavailable, the scheduler
   * long-polls the API.
   */
  permits?: Permits | null;
  /** How long running jobs may continue after a stop before they are given back. Default: 7 s. */
  graceSeconds?: number;
};

const GRACE_SECONDS = 7;

export type Scheduler = { url: string; status(): SchedulerStatus; stop(): Promise<void> };

/**
 * Serves status and metrics, and runs jobs of the API with one engine. `stop` gives back jobs that do not finish within
 * `graceSeconds`.
 */
export async function startScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const { apiUrl, token, host, port, workDir, engine, log, permits = null, graceSeconds = GRACE_SECONDS } = options;
  if (!engine.types.some((type) => SUPPORTED_TYPES.includes(type)))
    throw new Error(`the engine ${engine.name} supports no job type of the scheduler`);
  await mkdir(workDir, { recursive: true });

  // The random part distinguishes a restarted scheduler from the one that disappeared.
  const workerId = `${hostname().slice(0, 60)}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const api = connectApi({ apiUrl, token, workerId });
  const metrics = createSchedulerMetrics(engine, () => modeOf(permits));
  // Bind the port before claiming jobs: a process that fails to bind must not hold any. `loop` is set before the first
  // request arrives.
  const status = () => readStatus({ api, apiUrl, engine, loop, permits, mode: modeOf(permits) });
  const server = await serveStatus(
    { host, port },
    { status, metrics, checkAccess: createStatusAccess(createRoleLookup(apiUrl)) },
  );
  const loop = startJobLoop({ api, permits, engine, workDir, log: log.child({ workerId }), on: metrics });
  metrics.watch(loop);
  log.info(
    { url: server.url, engine: engine.name, types: engine.types, slots: engine.state().slots.length },
    'scheduler started',
  );

  return {
    url: server.url,
    status,
    stop: async () => {
      await loop.stop(graceSeconds);
      await permits?.stop();
      await engine.stop();
      await api.close();
      await server.close();
      await rm(workDir, { recursive: true, force: true });
    },
  };
}

function modeOf(permits: Permits | null): DispatchMode {
  return permits?.up() ? 'nats' : 'poll';
}
