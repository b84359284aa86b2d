import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Permits } from '../subgraphs/core/dispatch.ts';
import type { Log } from '../subgraphs/core/log.ts';
import type { Engine } from './engines/engine.ts';
import { PREPARED } from './inputs.ts';
import { startLoop } from './loop.ts';
import { schedulerMetrics } from './metrics.ts';
import { type Mode, type SchedulerStatus, statusOf } from './status.ts';
import { askApi, statusAccess } from './status-access.ts';
import { serveStatus } from './status-server.ts';
import { workerApi } from './worker-api.ts';

export type SchedulerOptions = {
  /** The API, e.g. http://127.0.0.1:8080/api/v1, and the token of a worker. */
  apiUrl: string;
  token: string;
  host: string;
  /** Of status and metrics; 0 takes a free one. */
  port: number;
  /** A folder of its own for the files of running jobs; it is deleted in the end. */
  workDir: string;
  engine: Engine;
  log: Log;
  /** Where it hears of jobs; without, or while that is away, it waits at the API. It is stopped with the scheduler. */
  permits?: Permits | null;
  /** How long running jobs may go on when it is stopped; then they are given back. */
  graceSeconds?: number;
};

const GRACE_SECONDS = 7;

export type Scheduler = { url: string; status(): SchedulerStatus; stop(): Promise<void> };

/** Starts status and metrics, and works on the jobs of an API with one engine. `stop` gives back what is not finished within the grace. */
export async function startScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const { apiUrl, token, host, port, workDir, engine, log, permits = null, graceSeconds = GRACE_SECONDS } = options;
  if (!engine.types.some((type) => PREPARED.includes(type)))
    throw new Error(`The engine ${engine.name} does no job that the scheduler can prepare`);
  await mkdir(workDir, { recursive: true });

  // A random part: a worker that starts again must not be taken for the one that disappeared.
  const workerId = `${hostname().slice(0, 60)}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const api = workerApi({ apiUrl, token, workerId });
  const metrics = schedulerMetrics(engine, () => modeOf(permits));
  // The port first: a process that cannot have it must not have claimed a job. Nothing is asked for before the loop is there.
  const status = () => statusOf({ api, apiUrl, engine, loop, permits, mode: modeOf(permits) });
  const server = await serveStatus({ host, port }, { status, metrics, admit: statusAccess(askApi(apiUrl)) });
  const loop = startLoop({ api, permits, engine, workDir, log: log.child({ workerId }), on: metrics });
  metrics.watch(loop);
  log.info(
    { url: server.url, engine: engine.name, types: engine.types, slots: engine.state().slots.length },
    'the scheduler works',
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

function modeOf(permits: Permits | null): Mode {
  return permits?.up() ? 'nats' : 'poll';
}
