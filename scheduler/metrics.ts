import { readFileSync } from 'node:fs';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { processMetrics } from '../subgraphs/core/metrics.ts';
import type { Engine } from './engines/engine.ts';
import { RESTART_REASONS, restartsOf } from './engines/restarts.ts';
import type { Loop, LoopListener } from './loop.ts';
import type { Mode } from './status.ts';
import type { HeldJob } from './worker-api.ts';

export type Metrics = LoopListener & {
  watch(loop: Loop): void;
  text(): Promise<string>;
  contentType: string;
  register: Registry;
};

const RUN_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200];
const QUEUE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60, 300, 1800, 3600];

/** What the scheduler can know by itself, in the Prometheus text format. No label ever names a document or a job. */
export function schedulerMetrics(engine: Engine, mode: () => Mode): Metrics {
  const register = new Registry();
  const registers = [register];
  processMetrics(register);
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: L[], collect?: (this: Gauge<L>) => void) =>
    new Gauge({ name, help, labelNames, registers, collect });
  const by = { engine: engine.name };
  const slots = () => engine.state().slots;
  let running: Loop['running'] = () => [];
  let draining: Loop['draining'] = () => false;

  const claims = counter('pdm_job_claims_total', 'Claims by their result', ['by', 'result']);
  const finished = counter('pdm_jobs_finished_total', 'Jobs this scheduler worked on, by outcome', [
    'type',
    'outcome',
    'reason',
  ]);
  const refused = counter(
    'pdm_job_results_refused_total',
    'Work that the service refused to take, by the code of the refusal',
    ['reason'],
  );
  const leasesLost = counter('pdm_job_lease_lost_total', 'Jobs let go of because the lease was lost', ['type']);
  // from nought, or the first of them would be no increase
  for (const type of engine.types) leasesLost.inc({ type }, 0);
  for (const reason of REFUSALS) refused.inc({ reason }, 0);
  const busySeconds = counter('pdm_engine_busy_seconds_total', 'Seconds in which slots worked on jobs', ['engine']);
  const queued = new Histogram({
    name: 'pdm_job_queue_duration_seconds',
    help: 'From queueing to claim',
    labelNames: ['type'],
    buckets: QUEUE_SECONDS,
    registers,
  });
  const run = new Histogram({
    name: 'pdm_job_run_duration_seconds',
    help: 'From claim to end',
    labelNames: ['type', 'outcome'],
    buckets: RUN_SECONDS,
    registers,
  });
  gauge('pdm_jobs_running', 'Jobs under way here', ['type'], function collect() {
    this.reset();
    for (const type of engine.types) this.set({ type }, running().filter(({ job }) => job.type === type).length);
  });
  gauge('pdm_engine_up', 'Whether the engine takes jobs', ['engine'], function collect() {
    this.set(by, draining() ? 0 : 1);
  });
  gauge('pdm_engine_slots', 'Jobs the engine can work on at once', ['engine'], function collect() {
    this.set(by, slots().length);
  });
  gauge('pdm_engine_slots_busy', 'Slots that work on a job', ['engine'], function collect() {
    this.set(by, slots().filter(({ busy }) => busy).length);
  });
  gauge(
    'pdm_engine_memory_bytes',
    'Memory of the processes of the engine, where the system tells it',
    ['engine'],
    function collect() {
      this.reset();
      const all = slots();
      // of a container the engine of containers knows, not this process
      if (process.platform !== 'linux' || all.some(({ pid, busy }) => busy && pid === null)) return;
      this.set(
        by,
        all.reduce((sum, { pid }) => sum + (pid === null ? 0 : residentBytes(pid)), 0),
      );
    },
  );
  new Counter({
    name: 'pdm_engine_restarts_total',
    help: 'Processes of the engine that ended before their time and had to be started again, by why',
    labelNames: ['engine', 'reason'],
    registers,
    collect() {
      this.reset();
      const { restartReasons } = restartsOf(slots());
      for (const reason of RESTART_REASONS) this.inc({ ...by, reason }, restartReasons[reason]);
    },
  });
  gauge('pdm_dispatch_mode', 'How the scheduler hears of jobs', ['mode'], function collect() {
    for (const each of MODES) this.set({ mode: each }, each === mode() ? 1 : 0);
  });
  const permits = counter('pdm_dispatch_permits_total', 'Permits by what became of them', ['result']);
  return {
    watch: (loop) => {
      running = loop.running;
      draining = loop.draining;
    },
    claimed: (result, job) => {
      claims.inc({ by: engine.name, result });
      if (job) queued.observe({ type: job.type }, secondsSince(job));
    },
    ended: ({ type }, { status, reason }, seconds) => {
      finished.inc({ type, outcome: status, reason });
      run.observe({ type, outcome: status }, seconds);
      busySeconds.inc(by, seconds);
      if (status === 'lost') leasesLost.inc({ type });
      if (REFUSALS.includes(reason)) refused.inc({ reason });
    },
    permits: (result, count) => permits.inc({ result }, count),
    text: () => register.metrics(),
    contentType: register.contentType,
    register,
  };
}

const MODES: readonly Mode[] = ['nats', 'poll'];
const REFUSALS = ['lease_lost', 'not_your_job', 'stale_input'];

// Of a process and those it started, which is where the work is done behind the walls of a sandbox. One that has just ended has none.
function residentBytes(pid: number): number {
  try {
    const [, kilobytes = 0] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + residentBytes(Number(child)), Number(kilobytes) * 1024);
  } catch {
    return 0;
  }
}

// Two clocks: never below zero.
function secondsSince({ queuedAt }: HeldJob): number {
  return Math.max(0, (Date.now() - Date.parse(queuedAt)) / 1000);
}
