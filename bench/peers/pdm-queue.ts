import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { batched } from '../../subgraphs/core/batching/batched.ts';
import { createTransactionBatcher } from '../../subgraphs/core/batching/transaction-batcher.ts';
import { queueJob } from '../../subgraphs/core/commands/queue-job.ts';
import { newId } from '../../subgraphs/core/platform/id.ts';
import { hasPendingRecords } from '../../subgraphs/core/store/audit/audit-seals.ts';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import type { JobRecord } from '../../subgraphs/core/store/schema/collections.ts';
import { type Command, inTransaction } from '../../subgraphs/core/work.ts';
import { startSealing } from '../../subgraphs/documents/audit/seal-audit.ts';
import { createClaimDispatcher } from '../../subgraphs/jobs/worker/claim-dispatcher.ts';
import { claimJob } from '../../subgraphs/jobs/worker/claim-job.ts';
import { batchedCompletion } from '../../subgraphs/jobs/worker/complete-job.ts';
import { requestAs, testStore } from '../../test/support/store.ts';
import { type JobQueue, processTree } from './job-queue.ts';

const DOCUMENTS = 100;
const JOBS_PER_TRANSACTION = 50;
/**
 * Within this time after a write the embedded store moves it from the journal to the data file, which belongs to its
 * CPU time.
 */
const STORE_CHECKPOINT_MS = 2_200;

/**
 * Starts the PDM job queue in this process, composed as in the subgraphs, with its own store and audit sealing. Workers
 * complete a job while they claim the next one, like the SDK. `claimAmong`: ms of a claim and its completion among
 * `count` waiting jobs.
 */
export async function startPdmQueue(): Promise<JobQueue & { claimAmong(count: number): Promise<number[]> }> {
  const before = new Set(processTree(process.pid));
  const { services, close } = await testStore();
  const processes = [process.pid, ...processTree(process.pid).filter((pid) => !before.has(pid))];
  const scope = { db: services.mongo.db };
  const batcher = createTransactionBatcher();
  const dispatcher = createClaimDispatcher(scope, services.clock, batcher);
  const completing = batched(batchedCompletion, batcher);
  const sealing = startSealing(services);
  let queuedSoFar = 0;

  async function queue(jobs: number): Promise<void> {
    for (let remaining = jobs; remaining > 0; remaining -= JOBS_PER_TRANSACTION) {
      const count = Math.min(remaining, JOBS_PER_TRANSACTION);
      await inTransaction(services, requestAs('editor'), queueExports, { count, first: queuedSoFar });
      queuedSoFar += count;
    }
  }

  const claim = async (workerId: string, waitSeconds: number) => {
    const request = requestAs('worker', workerId);
    return (
      (await claimJob({ services, request, scope, loaders: null }, dispatcher, { workerId, waitSeconds }))?.job ?? null
    );
  };
  const complete = (workerId: string, { _id, attempt }: JobRecord) =>
    completing(services, requestAs('worker', workerId), { id: _id, attempt });

  /** Claims and completes jobs until none is waiting or `max` is reached. Returns them in the order of the claims. */
  async function work(workerId: string, max = Number.POSITIVE_INFINITY): Promise<JobRecord[]> {
    const jobs: JobRecord[] = [];
    for (let job = await claim(workerId, 0); job; ) {
      jobs.push(job);
      [job] = await Promise.all([jobs.length < max ? claim(workerId, 0) : null, complete(workerId, job)]);
    }
    return jobs;
  }

  // Sealing continues after the last completion and belongs to the same measurement.
  async function waitUntilSealed(): Promise<void> {
    while (await hasPendingRecords(scope)) await pause(50);
  }

  return {
    name: 'PDM',
    processes: () => processes,

    async queue(jobs) {
      await queue(jobs);
      await waitUntilSealed();
    },

    async drain(workers, jobs, onStart) {
      onStart();
      const start = performance.now();
      const claimed = await Promise.all(Array.from({ length: workers }, (_, worker) => work(`w${worker}`)));
      const seconds = (performance.now() - start) / 1000;
      assert.equal(claimed.flat().length, jobs);
      assert.equal(new Set(claimed.flat().map(({ _id }) => _id)).size, jobs, 'a job was claimed twice');
      for (const jobsOfWorker of claimed)
        assert.deepEqual(
          jobsOfWorker,
          jobsOfWorker.toSorted((a, b) => a.seq - b.seq),
          'a worker claimed jobs out of order',
        );
      await waitUntilSealed();
      await pause(STORE_CHECKPOINT_MS);
      return seconds;
    },

    async claimLatencies(count) {
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
      await waitUntilSealed();
      return times;
    },

    async claimAmong(count) {
      const jobs = collection(scope, 'jobs');
      const present = await jobs.countDocuments({ status: 'waiting' });
      const template = await jobs.findOne({});
      assert(template);
      for (let n = present; n < count; n += 5_000)
        await jobs.insertMany(
          Array.from({ length: Math.min(5_000, count - n) }, (_, k) => waitingJob(template, n + k)),
        );
      const times: number[] = [];
      for (let n = 0; n < 40; n++) {
        const start = performance.now();
        assert.equal((await work('w', 1)).length, 1);
        times.push(performance.now() - start);
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
    const target = { documentId: `doc_${n % DOCUMENTS}`, versionId: `ver_${n % DOCUMENTS}` };
    work.audit({ action: 'export.requested', documentId: target.documentId, summary: 'An export was queued.' });
    const job = {
      ...target,
      type: 'export' as const,
      format: `${n}`,
      inputSha256: null,
      inputKinds: [],
      environment: null,
    };
    await queueJob(work, job, { atEnd: true });
  }
  return null;
};

function waitingJob(template: JobRecord, n: number): JobRecord {
  const initialState = {
    status: 'waiting' as const,
    attempt: 0,
    tokenId: null,
    workerId: null,
    finishedAt: null,
    startedAt: null,
    endedAttempt: null,
  };
  return {
    ...template,
    ...initialState,
    _id: newId('job'),
    seq: 1 + n,
    documentId: `doc_${n % DOCUMENTS}`,
    availableAt: new Date(0),
    lock: 0,
  };
}
