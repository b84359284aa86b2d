import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { sharedTurns } from '../../subgraphs/core/batching/shared-turns.ts';
import { together } from '../../subgraphs/core/batching/together.ts';
import { queueJob } from '../../subgraphs/core/commands/queue-job.ts';
import { newId } from '../../subgraphs/core/platform/id.ts';
import { recordsWait } from '../../subgraphs/core/store/audit/audit-seals.ts';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import type { JobRecord } from '../../subgraphs/core/store/schema/collections.ts';
import { type Command, inTransaction } from '../../subgraphs/core/work.ts';
import { startSealing } from '../../subgraphs/documents/audit/seal-audit.ts';
import { claimDesk } from '../../subgraphs/jobs/worker/claim-desk.ts';
import { claimJob } from '../../subgraphs/jobs/worker/claim-job.ts';
import { completions } from '../../subgraphs/jobs/worker/complete-job.ts';
import { requestAs, testStore } from '../../test/support/store.ts';
import { type System, withChildren } from './system.ts';

const DOCUMENTS = 100;
const QUEUED_TOGETHER = 50;
/** At most so long after a write the embedded store takes it over from its journal into its data file: that is work of its turn too. */
const STORE_AT_REST_MS = 2_200;

/**
 * Our job queue as the subgraphs put it together, in this process and with a store of its own: what is recorded is also sealed. Workers say that a job is done while they
 * claim the next one, as the SDK does. `claimAmong`: milliseconds of one claim and its end while so many wait.
 */
export async function startOurs(): Promise<System & { claimAmong(count: number): Promise<number[]> }> {
  const before = new Set(withChildren(process.pid));
  const { services, close } = await testStore();
  const processes = [process.pid, ...withChildren(process.pid).filter((pid) => !before.has(pid))];
  const scope = { db: services.mongo.db };
  const turns = sharedTurns();
  const desk = claimDesk(scope, services.clock, turns);
  const completing = together(completions, turns);
  const sealing = startSealing(services);
  let queuedSoFar = 0;

  async function queue(jobs: number): Promise<void> {
    for (let left = jobs; left > 0; left -= QUEUED_TOGETHER) {
      const count = Math.min(left, QUEUED_TOGETHER);
      await inTransaction(services, requestAs('editor'), queueExports, { count, first: queuedSoFar });
      queuedSoFar += count;
    }
  }

  const claim = async (workerId: string, waitSeconds: number) => {
    const request = requestAs('worker', workerId);
    return (await claimJob({ services, request, scope, loaders: null }, desk, { workerId, waitSeconds }))?.job ?? null;
  };
  const complete = (workerId: string, { _id, attempt }: JobRecord) =>
    completing(services, requestAs('worker', workerId), { id: _id, attempt });

  /** Claims and completes until nothing waits, at most so many; answers with the jobs in the order in which they were handed out. */
  async function work(workerId: string, most = Number.POSITIVE_INFINITY): Promise<JobRecord[]> {
    const jobs: JobRecord[] = [];
    for (let job = await claim(workerId, 0); job; ) {
      jobs.push(job);
      [job] = await Promise.all([jobs.length < most ? claim(workerId, 0) : null, complete(workerId, job)]);
    }
    return jobs;
  }

  // The sealer goes on after the last completion: that is work of the same turn.
  async function sealed(): Promise<void> {
    while (await recordsWait(scope)) await pause(50);
  }

  return {
    name: 'ours',
    processes: () => processes,

    async queue(jobs) {
      await queue(jobs);
      await sealed();
    },

    async drain(workers, jobs, begun) {
      begun();
      const start = performance.now();
      const done = await Promise.all(Array.from({ length: workers }, (_, worker) => work(`w${worker}`)));
      const seconds = (performance.now() - start) / 1000;
      assert.equal(done.flat().length, jobs);
      assert.equal(new Set(done.flat().map(({ _id }) => _id)).size, jobs, 'a job was handed out twice');
      for (const its of done)
        assert.deepEqual(
          its,
          its.toSorted((a, b) => a.seq - b.seq),
          'a worker was handed an older job after a younger one',
        );
      await sealed();
      await pause(STORE_AT_REST_MS);
      return seconds;
    },

    async waits(count) {
      const times: number[] = [];
      for (let n = 0; n < count; n++) {
        const claiming = claim('w', 30).then((job) => ({ job, at: performance.now() }));
        await queue(1);
        const queued = performance.now();
        const { job, at } = await claiming;
        times.push(Math.max(0, at - queued));
        assert(job);
        await complete('w', job);
      }
      await sealed();
      return times;
    },

    async claimAmong(count) {
      const jobs = collection(scope, 'jobs');
      const present = await jobs.countDocuments({ status: 'waiting' });
      const pattern = await jobs.findOne({});
      assert(pattern);
      for (let n = present; n < count; n += 5_000)
        await jobs.insertMany(
          Array.from({ length: Math.min(5_000, count - n) }, (_, k) => waitingLike(pattern, n + k)),
        );
      const times: number[] = [];
      for (let n = 0; n < 40; n++) {
        const begun = performance.now();
        assert.equal((await work('w', 1)).length, 1);
        times.push(performance.now() - begun);
      }
      return times;
    },

    async stop() {
      await sealing.stop();
      await close();
    },
  };
}

const queueExports: Command<{ count: number; first: number }, null> = async (work, { count, first }) => {
  for (let n = first; n < first + count; n++) {
    const place = { documentId: `doc_${n % DOCUMENTS}`, versionId: `ver_${n % DOCUMENTS}` };
    work.audit({ action: 'export.requested', documentId: place.documentId, summary: 'An export was queued.' });
    const order = {
      ...place,
      type: 'export' as const,
      format: `${n}`,
      inputSha256: null,
      inputKinds: [],
      environment: null,
    };
    await queueJob(work, order, { atEnd: true });
  }
  return null;
};

function waitingLike(pattern: JobRecord, n: number): JobRecord {
  const fresh = {
    status: 'waiting' as const,
    attempt: 0,
    tokenId: null,
    workerId: null,
    finishedAt: null,
    startedAt: null,
    endedAttempt: null,
  };
  return {
    ...pattern,
    ...fresh,
    _id: newId('job'),
    seq: 1 + n,
    documentId: `doc_${n % DOCUMENTS}`,
    availableAt: new Date(0),
    lock: 0,
  };
}
