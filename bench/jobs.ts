// Job queue throughput and claim latency, durable and with audit records, compared to pg-boss, Graphile Worker and
// BullMQ, each with its own server. Machine speed varies over minutes, so the queues are measured in turn: in each
// round every queue drains the same number of jobs with each number of workers, in alternating order, while the others
// are idle. Ratios are medians over the rounds (minimum to maximum); the first round is a warm-up. Time is measured
// from the first claim until all completions are on disk. CPU time covers all processes of a queue from the first claim
// until it is idle again. Run: `npm run bench jobs` (MONGODB_URL: use that server, whose CPU time is not counted), or
// `node launch.mjs bench/jobs.ts pdm graphile-worker 32` for some queues and numbers of workers. Targets: p50 claim
// latency ≤ 5 ms; 3 times pg-boss; as fast as Graphile Worker with 32 workers and less CPU; equal claims among 100 and
// 100,000 jobs.
import { setTimeout as pause } from 'node:timers/promises';
import { cpuMs, type JobQueue } from './peers/job-queue.ts';
import { startPdmQueue } from './peers/pdm-queue.ts';
import { PEERS, type Peer, startPeer } from './peers/peers.ts';

const ROUNDS = 4;
const JOBS = 1_000;
const JOBS_SINGLE_WORKER = 250;
const LATENCY_JOBS = 25;
const FEW = 100;
const MANY = 100_000;
const ARGUMENTS = process.argv.slice(2);
const NAMES = ARGUMENTS.filter((argument) => !Number(argument));
const counts = ARGUMENTS.flatMap((argument) => Number(argument) || []);
const WORKERS: readonly number[] = counts.length ? counts : [1, 8, 32];

/** Measurements of a queue, one entry per counted round. `idle`: CPU ms per second while another queue was measured. */
type Measurements = {
  queue: JobQueue;
  drains: Record<number, { perSecond: number; cpu: number }[]>;
  latencies: number[][];
  idle: number[];
};

const pdm = await startPdmQueue();
const measurements: Measurements[] = [createMeasurements(pdm)];
try {
  for (const peer of Object.keys(PEERS) as Peer[]) {
    if (NAMES.length && !NAMES.includes(peer)) continue;
    const started = await startPeer(peer);
    if (typeof started === 'string') console.log(`NOT RUN: ${PEERS[peer].name}: ${started}`);
    else measurements.push(createMeasurements(started));
  }
  for (let round = 0; round <= ROUNDS; round++)
    await measure(round % 2 ? measurements.toReversed() : measurements, round > 0);
  report();
} finally {
  for (const { queue } of measurements) if (queue !== pdm) await queue.stop();
}

if (!ARGUMENTS.length) {
  const few = median(await pdm.claimAmong(FEW));
  const many = median(await pdm.claimAmong(MANY));
  console.log(
    `\nclaim and complete among ${FEW} waiting jobs ${few.toFixed(1)} ms, among ${MANY} ${many.toFixed(1)} ms: ratio ${(many / few).toFixed(2)} (target: 1)`,
  );
}
await pdm.stop();

async function measure(order: Measurements[], counted: boolean): Promise<void> {
  for (const workers of WORKERS) {
    for (const each of order) {
      const result = await whileOthersIdle(each, () => drain(each.queue, workers));
      if (counted) each.drains[workers]?.push(result);
    }
  }
  for (const each of order) {
    const latencies = await whileOthersIdle(each, () => each.queue.claimLatencies(LATENCY_JOBS));
    if (counted) each.latencies.push(latencies);
  }
}

async function whileOthersIdle<T>({ queue }: Measurements, run: () => Promise<T>): Promise<T> {
  const others = measurements.filter((other) => other.queue !== queue);
  const before = others.map((other) => cpuMs(other.queue));
  const start = performance.now();
  const result = await run();
  await waitUntilIdle(queue);
  const seconds = (performance.now() - start) / 1000;
  for (const [n, other] of others.entries()) other.idle.push((cpuMs(other.queue) - before[n]!) / seconds);
  return result;
}

async function drain(queue: JobQueue, workers: number): Promise<{ perSecond: number; cpu: number }> {
  const jobs = workers === 1 ? JOBS_SINGLE_WORKER : JOBS;
  await queue.queue(jobs);
  await waitUntilIdle(queue);
  let before = 0;
  const seconds = await queue.drain(workers, jobs, () => {
    before = cpuMs(queue);
  });
  await waitUntilIdle(queue);
  return { perSecond: jobs / seconds, cpu: (cpuMs(queue) - before) / jobs };
}

/** Waits until the queue uses less than 10 % of a CPU, for at most two seconds. */
async function waitUntilIdle(queue: JobQueue): Promise<void> {
  for (let before = cpuMs(queue), checks = 0; checks < 20; checks++) {
    await pause(100);
    const now = cpuMs(queue);
    if (now - before < 10) return;
    before = now;
  }
}

function report(): void {
  const [pdmMeasurements, ...peers] = measurements;
  if (!pdmMeasurements) return;
  for (const workers of WORKERS) {
    console.log(`\nclaim and complete, ${workers} workers:`);
    const drainsOf = (each: Measurements) => each.drains[workers] ?? [];
    const line = (each: Measurements) =>
      `  ${each.queue.name}: ${median(drainsOf(each).map(({ perSecond }) => perSecond)).toFixed(0)} jobs/s, ${median(drainsOf(each).map(({ cpu }) => cpu)).toFixed(2)} ms of CPU per job`;
    console.log(line(pdmMeasurements));
    for (const peer of peers) {
      const rates = drainsOf(pdmMeasurements).map(({ perSecond }, n) => perSecond / drainsOf(peer)[n]!.perSecond);
      const costs = drainsOf(pdmMeasurements).map(({ cpu }, n) => cpu / drainsOf(peer)[n]!.cpu);
      console.log(`${line(peer)}; PDM / peer: rate ${formatRange(rates)}, CPU ${formatRange(costs)}`);
    }
  }
  console.log('\nlatency from queued to claimed (target: p50 ≤ 5 ms):');
  const line = ({ queue, latencies }: Measurements) =>
    `  ${queue.name}: p50 ${median(latencies.flat()).toFixed(1)} ms, p99 ${p99(latencies.flat()).toFixed(1)} ms`;
  console.log(line(pdmMeasurements));
  for (const peer of peers) {
    const ratios = peer.latencies.map((times, n) => median(times) / median(pdmMeasurements.latencies[n]!));
    console.log(`${line(peer)}; p50 peer / PDM ${formatRange(ratios)}`);
  }
  console.log('\nCPU per second while idle (PDM includes the benchmark):');
  for (const { queue, idle } of measurements)
    console.log(`  ${queue.name}: median ${median(idle).toFixed(0)} ms, max ${Math.max(...idle).toFixed(0)} ms`);
}

function createMeasurements(queue: JobQueue): Measurements {
  return { queue, drains: Object.fromEntries(WORKERS.map((workers) => [workers, []])), latencies: [], idle: [] };
}

function sorted(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b);
}

function median(numbers: readonly number[]): number {
  const ascending = sorted(numbers);
  const middle = (ascending.length - 1) / 2;
  return (ascending[Math.floor(middle)]! + ascending[Math.ceil(middle)]!) / 2;
}

function p99(numbers: readonly number[]): number {
  return sorted(numbers)[Math.floor((numbers.length - 1) * 0.99)]!;
}

function formatRange(ratios: readonly number[]): string {
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
}
