import { readFileSync } from 'node:fs';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { registerProcessMetrics } from '../subgraphs/core/platform/metrics.ts';
import type { Job } from '../worker-sdk/job.ts';
import type { Engine } from './engines/engine.ts';
import { RESTART_REASONS, sumRestarts } from './engines/restarts.ts';
import type { JobLoop, JobLoopListener } from './job-loop.ts';
import type { DispatchMode } from './status.ts';

export type SchedulerMetrics = JobLoopListener & {
  watch(loop: JobLoop): void;
  text(): Promise<string>;
  contentType: string;
  register: Registry;
};

const RUN_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200];
const QUEUE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60, 300, 1800, 3600];

/**
 * Returns the metrics of this scheduler in the Prometheus text format. Labels never contain ids of documents or jobs.
 */
export function createSchedulerMetrics(engine: Engine, mode: () => DispatchMode): SchedulerMetrics {
  const register = new Registry();
  const registers = [register];
  registerProcessMetrics(register);
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: L[], collect?: (this: Gauge<L>) => void) =>
    new Gauge({ name, help, labelNames, registers, collect });
  const labels = { engine: engine.name };
  const slots = () => engine.state().slots;
  let running: JobLoop['running'] = () => [];
  let draining: JobLoop['isDraining'] = () => false;

  const claims = counter('pdm_job_claims_total', 'Claims, by result', ['engine', 'result']);
  const finished = counter('pdm_jobs_finished_total', 'Jobs that this scheduler ended, by outcome', [
    'type',
    'outcome',
    'reason',
  ]);
  const rejected = counter('pdm_job_results_refused_total', 'Results that the service rejected, by error code', [
    'reason',
  ]);
  const leasesLost = counter('pdm_job_leases_lost_total', 'Jobs stopped because their lease was lost', ['type']);
  // Initialize the counters with 0, so that the first event shows as an increase.
  for (const type of engine.types) leasesLost.inc({ type }, 0);
  for (const reason of REJECTION_CODES) rejected.inc({ reason }, 0);
  const busySeconds = counter('pdm_engine_busy_seconds_total', 'Seconds that slots spent on jobs', ['engine']);
  const queued = new Histogram({
    name: 'pdm_job_queue_duration_seconds',
    help: 'Seconds from queueing to claim',
    labelNames: ['type'],
    buckets: QUEUE_SECONDS,
    registers,
  });
  const run = new Histogram({
    name: 'pdm_job_run_duration_seconds',
    help: 'Seconds from claim to end',
    labelNames: ['type', 'outcome'],
    buckets: RUN_SECONDS,
    registers,
  });
  gauge('pdm_jobs_running', 'Jobs that this scheduler is running', ['type'], function collect() {
    this.reset();
    for (const type of engine.types) this.set({ type }, running().filter(({ job }) => job.type === type).length);
  });
  gauge('pdm_engine_up', 'Whether the engine accepts jobs (1) or is draining (0)', ['engine'], function collect() {
    this.set(labels, draining() ? 0 : 1);
  });
  gauge('pdm_engine_slots', 'Jobs that the engine can run concurrently', ['engine'], function collect() {
    this.set(labels, slots().length);
  });
  gauge('pdm_engine_slots_busy', 'Slots that are running a job', ['engine'], function collect() {
    this.set(labels, slots().filter(({ busy }) => busy).length);
  });
  gauge(
    'pdm_engine_memory_bytes',
    'Resident memory of the engine processes (Linux only)',
    ['engine'],
    function collect() {
      this.reset();
      const all = slots();
      // The processes of a container are not visible here.
      if (process.platform !== 'linux' || all.some(({ pid, busy }) => busy && pid === null)) return;
      this.set(
        labels,
        all.reduce((sum, { pid }) => sum + (pid === null ? 0 : residentBytes(pid)), 0),
      );
    },
  );
  new Counter({
    name: 'pdm_engine_restarts_total',
    help: 'Restarts of engine processes, by reason',
    labelNames: ['engine', 'reason'],
    registers,
    collect() {
      this.reset();
      const { restartReasons } = sumRestarts(slots());
      for (const reason of RESTART_REASONS) this.inc({ ...labels, reason }, restartReasons[reason]);
    },
  });
  gauge('pdm_dispatch_mode', 'How the scheduler learns of jobs: nats or poll', ['mode'], function collect() {
    for (const candidate of MODES) this.set({ mode: candidate }, candidate === mode() ? 1 : 0);
  });
  const permits = counter('pdm_dispatch_permits_total', 'Permits, by outcome', ['result']);
  return {
    watch: (loop) => {
      running = loop.running;
      draining = loop.isDraining;
    },
    onClaim: (result, job) => {
      claims.inc({ engine: engine.name, result });
      if (job) queued.observe({ type: job.type }, secondsSince(job));
    },
    onEnd: ({ type }, { status, reason }, seconds) => {
      finished.inc({ type, outcome: status, reason });
      run.observe({ type, outcome: status }, seconds);
      busySeconds.inc(labels, seconds);
      if (status === 'lost') leasesLost.inc({ type });
      if (REJECTION_CODES.includes(reason)) rejected.inc({ reason });
    },
    onPermits: (result, count) => permits.inc({ result }, count),
    text: () => register.metrics(),
    contentType: register.contentType,
    register,
  };
}

const MODES: readonly DispatchMode[] = ['nats', 'poll'];
const REJECTION_CODES = ['lease_lost', 'not_your_job', 'stale_input'];

// The resident memory of a process and its descendants, which do the work in a sandbox; 0 if the process has ended.
function residentBytes(pid: number): number {
  try {
    const [, kilobytes = 0] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + residentBytes(Number(child)), Number(kilobytes) * 1024);
  } catch {
    return 0;
  }
}

// The clocks of the two machines may differ.
function secondsSince({ queuedAt }: Job): number {
  return Math.max(0, (Date.now() - Date.parse(queuedAt)) / 1000);
}
