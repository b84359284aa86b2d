import type { Permits, Reach } from '../subgraphs/core/dispatch.ts';
import { version } from '../subgraphs/core/version.ts';
import type { Engine, EngineState } from './engines/engine.ts';
import type { Loop } from './loop.ts';
import type { WorkerApi } from './worker-api.ts';

/** How it hears of jobs: by permits over `nats`, or by waiting at the API (`poll`). */
export type Mode = 'nats' | 'poll';

export type SchedulerStatus = {
  version: string;
  workerId: string;
  uptimeSeconds: number;
  mode: Mode;
  api: Reach & { url: string };
  /** How NATS stands; null where none is used. */
  nats: Reach | null;
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

type Parts = { api: WorkerApi; apiUrl: string; engine: Engine; loop: Loop; permits: Permits | null; mode: Mode };

/** How the scheduler and its engine stand right now. */
export function statusOf({ api, apiUrl, engine, loop, permits, mode }: Parts): SchedulerStatus {
  const draining = loop.draining();
  engine.examine?.();
  const state = engine.state();
  const busy = state.slots.filter((slot) => slot.busy).length;
  return {
    version,
    workerId: api.workerId,
    uptimeSeconds: Math.round(process.uptime()),
    mode,
    api: { ...api.reach(), url: apiUrl },
    nats: permits?.reach() ?? null,
    draining,
    engines: [
      {
        name: engine.name,
        types: engine.types,
        environment: engine.environment,
        state: draining ? 'draining' : busy === state.slots.length ? 'busy' : 'ready',
        busy,
        ...state,
      },
    ],
    running: loop.running().map(({ job, since, beat }) => {
      const { leaseUntil, percent, step } = beat.state();
      return { jobId: job.id, type: job.type, attempt: job.attempt, since, leaseUntil, progress: { percent, step } };
    }),
  };
}
