// How fast jobs are handed out and completed, durably and with their audit records, beside pg-boss, Graphile Worker and
// BullMQ on servers of their own. All stay up and are measured by turns, since a machine may be twice as fast a minute
// later: in each round every system drains the same number of jobs with each number of workers, every other round in
// the reverse order, and is idle while others are measured. A ratio is the middle of those of the rounds, with the
// lowest and the highest; the first round warms all up and is not counted. The clock runs while workers claim and
// complete, until all completions are on disk, not while a system queues jobs or starts its workers. Processor time is
// that of all processes of a system, from the first claim until it has come to rest. Run by `npm run bench jobs`
// (MONGODB_URL: on that server, whose processor time is not counted); `node launch.mjs bench/jobs.ts ours
// graphile-worker 32` runs only what is named, with so many workers. Aims: half of the waits within 5 ms, three times
// pg-boss, as fast as Graphile Worker with 32 workers for less processor time, and a claim among 100,000 waiting jobs
// as fast as among 100.
import { setTimeout as pause } from 'node:timers/promises';
import { startPdmQueue } from './peers/pdm-queue.ts';
import { PEERS, type Peer, startPeer } from './peers/peers.ts';
import { cpuMs, type JobQueue } from './peers/job-queue.ts';

const ROUNDS = 4;
const JOBS = 1_000;
const JOBS_OF_ONE = 250;
const WAITS = 25;
const MANY = 100_000;
const FEW = 100;
const NAMED = process.argv.slice(2);
const counts = NAMED.flatMap((word) => Number(word) || []);
const WORKERS: readonly number[] = counts.length ? counts : [1, 8, 32];

/**
 * What was seen of a system in the counted rounds, one after the other; `idle`: milliseconds of processor that it had
 * in each second while another was measured.
 */
type Seen = {
  system: JobQueue;
  drains: Record<number, { perSecond: number; processor: number }[]>;
  waits: number[][];
  idle: number[];
};

const ours = await startPdmQueue();
const seen: Seen[] = [seenOf(ours)];
try {
  for (const peer of Object.keys(PEERS) as Peer[]) {
    if (!NAMED.every((word) => Number(word)) && !NAMED.includes(peer)) continue;
    const started = await startPeer(peer);
    if (typeof started === 'string') console.log(`${PEERS[peer].name}: not run, ${started}`);
    else seen.push(seenOf(started));
  }
  for (let round = 0; round <= ROUNDS; round++) await measure(round % 2 ? seen.toReversed() : seen, round > 0);
  report();
} finally {
  for (const { system } of seen) if (system !== ours) await system.stop();
}

if (!NAMED.length) {
  const few = middle(await ours.claimAmong(FEW));
  const many = middle(await ours.claimAmong(MANY));
  console.log(
    `\na claim and its end among ${FEW} waiting ${few.toFixed(1)} ms, among ${MANY} ${many.toFixed(1)} ms: ratio ${(many / few).toFixed(2)} (aim: 1)`,
  );
}
await ours.stop();

async function measure(order: Seen[], counted: boolean): Promise<void> {
  for (const workers of WORKERS) {
    for (const one of order) {
      const drain = await inItsTurn(one, () => drained(one.system, workers));
      if (counted) one.drains[workers]?.push(drain);
    }
  }
  for (const one of order) {
    const waits = await inItsTurn(one, () => one.system.claimLatencies(WAITS));
    if (counted) one.waits.push(waits);
  }
}

async function inItsTurn<T>({ system }: Seen, deed: () => Promise<T>): Promise<T> {
  const others = seen.filter((other) => other.system !== system);
  const before = others.map((other) => cpuMs(other.system));
  const begun = performance.now();
  const answer = await deed();
  await atRest(system);
  const seconds = (performance.now() - begun) / 1000;
  for (const [n, other] of others.entries()) other.idle.push((cpuMs(other.system) - before[n]!) / seconds);
  return answer;
}

async function drained(system: JobQueue, workers: number): Promise<{ perSecond: number; processor: number }> {
  const jobs = workers === 1 ? JOBS_OF_ONE : JOBS;
  await system.queue(jobs);
  await atRest(system);
  let before = 0;
  const begun = () => {
    before = cpuMs(system);
  };
  const seconds = await system.drain(workers, jobs, begun);
  await atRest(system);
  return { perSecond: jobs / seconds, processor: (cpuMs(system) - before) / jobs };
}

/** Waits, two seconds at most, until a system has next to nothing to do. */
async function atRest(system: JobQueue): Promise<void> {
  for (let before = cpuMs(system), looks = 0; looks < 20; looks++) {
    await pause(100);
    const now = cpuMs(system);
    if (now - before < 10) return;
    before = now;
  }
}

function report(): void {
  const [own, ...peers] = seen;
  if (!own) return;
  for (const workers of WORKERS) {
    console.log(`\nclaimed and completed, ${workers} workers:`);
    const of = (one: Seen) => one.drains[workers] ?? [];
    const told = (one: Seen) =>
      `  ${one.system.name}: ${middle(of(one).map(({ perSecond }) => perSecond)).toFixed(0)}/s, ${middle(of(one).map(({ processor }) => processor)).toFixed(2)} ms of processor for each`;
    console.log(told(own));
    for (const peer of peers) {
      const faster = of(own).map(({ perSecond }, n) => perSecond / of(peer)[n]!.perSecond);
      const cheaper = of(own).map(({ processor }, n) => processor / of(peer)[n]!.processor);
      console.log(`${told(peer)}; ours / it ${spread(faster)}, processor ${spread(cheaper)}`);
    }
  }
  console.log('\nqueued to claimed by a worker that waits (aim: p50 ≤ 5 ms):');
  const told = ({ system, waits }: Seen) =>
    `  ${system.name}: p50 ${middle(waits.flat()).toFixed(1)} ms, p99 ${late(waits.flat()).toFixed(1)} ms`;
  console.log(told(own));
  for (const peer of peers)
    console.log(
      `${told(peer)}; its p50 / ours ${spread(peer.waits.map((times, n) => middle(times) / middle(own.waits[n]!)))}`,
    );
  console.log('\nprocessor while others were measured, of each second (ours with what measures):');
  for (const { system, idle } of seen)
    console.log(`  ${system.name}: ${middle(idle).toFixed(0)} ms, at most ${Math.max(...idle).toFixed(0)} ms`);
}

function seenOf(system: JobQueue): Seen {
  return { system, drains: Object.fromEntries(WORKERS.map((workers) => [workers, []])), waits: [], idle: [] };
}

function sorted(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b);
}

function middle(numbers: readonly number[]): number {
  const inOrder = sorted(numbers);
  const half = (inOrder.length - 1) / 2;
  return (inOrder[Math.floor(half)]! + inOrder[Math.ceil(half)]!) / 2;
}

function late(numbers: readonly number[]): number {
  return sorted(numbers)[Math.floor((numbers.length - 1) * 0.99)]!;
}

function spread(ratios: readonly number[]): string {
  return `${middle(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
}
