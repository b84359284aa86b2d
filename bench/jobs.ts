// How fast jobs are handed out and completed, durably and with their audit records, beside pg-boss, Graphile Worker and BullMQ on servers of their own in
// the same run. Run by `npm run bench jobs` (MONGODB_URL: on that server); `node launch.mjs bench/jobs.ts ours graphile-worker 32` runs only what is named,
// with so many workers. Our workers say that a job is done while they claim the next one, as the SDK does. Aims: half of the waits within 5 ms, three times pg-boss, as fast as Graphile
// Worker, and a claim among 100,000 waiting jobs as fast as among 100.
import assert from 'node:assert/strict';
import { sharedTurns } from '../subgraphs/core/shared-turns.ts';
import type { JobRecord } from '../subgraphs/core/store/collections.ts';
import { queueJob } from '../subgraphs/core/store/jobs.ts';
import { collection } from '../subgraphs/core/store/scope.ts';
import { together } from '../subgraphs/core/together.ts';
import { type Command, inTransaction, newId } from '../subgraphs/core/work.ts';
import { startSealing } from '../subgraphs/documents/seal-audit.ts';
import { claimDesk } from '../subgraphs/jobs/claim-desk.ts';
import { claimJob } from '../subgraphs/jobs/claim-job.ts';
import { completions } from '../subgraphs/jobs/complete-job.ts';
import { requestAs, testStore } from '../test/support/store.ts';
import { type Figures, peers } from './peers/peers.ts';

const WAITS = 100;
const JOBS = 1_000;
const NAMED = process.argv.slice(2);
const named = (name: string) => NAMED.every((word) => Number(word)) || NAMED.includes(name);
const counts = NAMED.flatMap((word) => Number(word) || []);
const WORKERS: readonly number[] = counts.length ? counts : [1, 8, 32];
const DOCUMENTS = 100;
const MANY = 100_000;
const FEW = 100;
const AIM = 5;

const { services, close } = await testStore();
const scope = { db: services.mongo.db };
// As the subgraphs put them together: what is recorded is also sealed meanwhile.
const turns = sharedTurns();
const desk = claimDesk(scope, services.clock, turns);
const completing = together(completions, turns);
const sealing = startSealing(services);
const editor = requestAs('editor');
let queuedSoFar = 0;

const queue: Command<{ count: number; first: number }, null> = async (work, { count, first }) => {
  for (let n = first; n < first + count; n++) {
    const place = { documentId: `doc_${n % DOCUMENTS}`, versionId: `ver_${n % DOCUMENTS}` };
    work.audit({ action: 'export.queued', documentId: place.documentId, summary: 'An export was queued.' });
    const order = { ...place, type: 'export' as const, format: `${n}`, inputSha256: null, inputKinds: [], environment: null };
    await queueJob(work, order, { atEnd: true });
  }
  return null;
};

async function queued(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 50) {
    const some = Math.min(left, 50);
    await inTransaction(services, editor, queue, { count: some, first: queuedSoFar });
    queuedSoFar += some;
  }
}

/** Claims and completes until nothing waits, at most so many; answers with the jobs in the order in which they were handed out. */
async function work(workerId: string, most = Number.POSITIVE_INFINITY): Promise<JobRecord[]> {
  const request = requestAs('worker', workerId);
  const claim = async () => (await claimJob({ services, request, scope, loaders: null }, desk, { workerId, waitSeconds: 0 }))?.job ?? null;
  const jobs: JobRecord[] = [];
  for (let job = await claim(); job; ) {
    jobs.push(job);
    const done = completing(services, request, { id: job._id, attempt: job.attempt });
    [job] = await Promise.all([jobs.length < most ? claim() : null, done]);
  }
  return jobs;
}

async function waits(): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < WAITS; n++) {
    const request = requestAs('worker', 'w');
    const claiming = claimJob({ services, request, scope, loaders: null }, desk, { workerId: 'w', waitSeconds: 30 });
    await queued(1);
    const begun = performance.now();
    const claimed = await claiming;
    times.push(performance.now() - begun);
    assert(claimed);
    await completing(services, request, { id: claimed.job._id, attempt: 1 });
  }
  return times;
}

async function perSecond(workers: number): Promise<number> {
  await queued(JOBS);
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const done = await Promise.all(Array.from({ length: workers }, (_, worker) => work(`w${worker}`)));
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  assert.equal(new Set(done.flat().map(({ _id }) => _id)).size, JOBS);
  assert.equal(done.flat().length, JOBS);
  for (const jobs of done)
    assert.deepEqual(
      jobs,
      jobs.toSorted((a, b) => a.seq - b.seq),
      'a worker was handed an older job after a younger one',
    );
  console.log(`${workers} workers: ${JOBS} jobs each once, ${((user + system) / 1000 / JOBS).toFixed(2)} ms of this process for each`);
  return JOBS / seconds;
}

/** Milliseconds of one claim and complete, the middle of many, while so many wait. */
async function amongWaiting(count: number): Promise<number> {
  const jobs = collection(scope, 'jobs');
  const [pattern] = await jobs.find({}).limit(1).toArray();
  const present = await jobs.countDocuments({ status: 'waiting' });
  const waiting = (n: number): JobRecord => {
    const fresh = { status: 'waiting' as const, attempt: 0, tokenId: null, workerId: null, finishedAt: null, startedAt: null, endedAttempt: null };
    return { ...pattern!, ...fresh, _id: newId('job'), seq: 1 + present + n, documentId: `doc_${n % DOCUMENTS}`, availableAt: new Date(0), lock: 0 };
  };
  for (let n = present; n < count; n += 5_000) await jobs.insertMany(Array.from({ length: Math.min(5_000, count - n) }, (_, k) => waiting(n + k)));
  const times: number[] = [];
  for (let n = 0; n < 40; n++) {
    const begun = performance.now();
    assert.equal((await work('w', 1)).length, 1);
    times.push(performance.now() - begun);
  }
  return middle(times);
}

const sorted = (times: number[]) => [...times].sort((a, b) => a - b);
const middle = (times: number[]) => sorted(times)[Math.floor(times.length / 2)]!;
const late = (times: number[]) => sorted(times)[Math.floor((times.length - 1) * 0.99)]!;

function told(name: string, { perSecond, waits }: Figures): void {
  const rates = WORKERS.map((count) => `${Math.round(perSecond[count]!)}/s by ${count}`).join(', ');
  console.log(`${name}: queued to claimed p50 ${middle(waits).toFixed(1)} ms, p99 ${late(waits).toFixed(1)} ms; claimed and completed ${rates}`);
}

const others = ['pg-boss', 'graphile-worker', 'bullmq'].filter(named);
// The waits last, as with the others: then all of them run warm.
const rates: Record<number, number> = {};
for (const count of WORKERS) rates[count] = await perSecond(count);
const ours: Figures = { perSecond: rates, waits: await waits() };
console.log(`\naim: queued to claimed p50 ≤ ${AIM} ms`);
told('ours', ours);
for (const peer of await peers({ jobs: JOBS, waits: WAITS, workers: WORKERS }, others)) {
  if ('notRun' in peer) {
    console.log(`${peer.name}: not run, ${peer.notRun}`);
    continue;
  }
  told(peer.name, peer.figures);
  const ratios = WORKERS.map((count) => `${(ours.perSecond[count]! / peer.figures.perSecond[count]!).toFixed(2)} with ${count}`).join(', ');
  console.log(`  ours / ${peer.name}: ${ratios}; its wait / ours: ${(middle(peer.figures.waits) / middle(ours.waits)).toFixed(1)}`);
}

if (NAMED.length) {
  await sealing.stop();
  await close();
  process.exit();
}
const among = [await amongWaiting(FEW), await amongWaiting(MANY)] as const;
console.log(
  `a claim and its end among ${FEW} waiting ${among[0].toFixed(1)} ms, among ${MANY} ${among[1].toFixed(1)} ms: ratio ${(among[1] / among[0]).toFixed(2)} (aim: 1)`,
);
await sealing.stop();
await close();
