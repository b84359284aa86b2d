import type { Connectivity, Permits } from '../subgraphs/core/platform/dispatch.ts';
import { version } from '../subgraphs/core/platform/version.ts';
import type { Engine, EngineState } from './engines/engine.ts';
import type { JobLoop } from './job-loop.ts';
import type { WorkerApi } from './worker-api.ts';

/** How the scheduler learns of jobs: permits over NATS, or long polling of the API. */
export type DispatchMode = 'nats' | 'poll';

export type SchedulerStatus = {
  version: string;
  workerId: string;
  uptimeSeconds: number;
  mode: DispatchMode;
  api: Connectivity & { url: string };
  /** The connectivity of NATS; null if NATS is not configured. */
  nats: Connectivity | null;
  draining: boolean;
  engines: ({
    name: string;
    types: string[];
    environment: Record<string, string>;
    state: 'ready' | 'busy' | 'draining';
    busy: number;
  } & EngineState)[];
  running: {
    jobId: string;
    type: string;
    attempt: number;
    since: Date;
    leaseUntil: Date;
    progress: { percent: number | null; step: string | null };
  }[];
};

type Parts = {
  api: WorkerApi;
  apiUrl: string;
  engine: Engine;
  loop: JobLoop;
  permits: Permits | null;
  mode: DispatchMode;
};

/** Returns the current status of the scheduler and its engine. */
export function readStatus({ api, apiUrl, engine, loop, permits, mode }: Parts): SchedulerStatus {
  const draining = loop.isDraining();
  engine.startProbe?.();
  const state = engine.state();
  const busy = state.slots.filter((slot) => slot.busy).length;
  const slotsState = busy === state.slots.length ? 'busy' : 'ready';
  return {
    version,
    workerId: api.workerId,
    uptimeSeconds: Math.round(process.uptime()),
    mode,
    api: { ...api.connectivity(), url: apiUrl },
    nats: permits?.connectivity() ?? null,
    draining,
    engines: [
      {
        name: engine.name,
        types: engine.types,
        environment: engine.environment,
        state: draining ? 'draining' : slotsState,
        busy,
        ...state,
      },
    ],
    running: loop.running().map(({ job, startedAt, lease }) => {
      const { leaseUntil, percent, step } = lease.status();
      const progress = { percent, step };
      return { jobId: job.id, type: job.type, attempt: job.attempt, since: startedAt, leaseUntil, progress };
    }),
  };
}
