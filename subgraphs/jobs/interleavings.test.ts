// All commands that can end an attempt, concurrently and in random order. PDM_TEST_INTERLEAVINGS sets the number of
// rounds.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { editor, jobBench, LEASE, worker } from '../../test/support/job-bench.ts';
import { requestAs } from '../../test/support/store.ts';
import { batched } from '../core/batching/batched.ts';
import { listChain } from '../core/store/audit/list-audit.ts';
import { collection } from '../core/store/query/scope.ts';
import { cancelJob } from './cancel-job.ts';
import { batchedCompletion } from './worker/complete-job.ts';
import { expireJob } from './worker/expire-job.ts';
import { failJob } from './worker/fail-job.ts';
import { giveBackJob } from './worker/give-back-job.ts';
import { heartbeatJob } from './worker/heartbeat-job.ts';

const ROUNDS = Number(process.env.PDM_TEST_INTERLEAVINGS ?? 20);
const bench = await jobBench();
const { services, scope, state, run, contextOf, running, job } = bench;
const complete = batched(batchedCompletion);

beforeAll(() => bench.fresh());
afterAll(() => bench.close());

const sweeper = requestAs('admin', 'service');
const commands = {
  complete: (id: string) => complete(services, worker, { id, attempt: 1 }),
  completeAgain: (id: string) => complete(services, worker, { id, attempt: 1 }),
  lose: (id: string) => run(expireJob, { id }, sweeper),
  loseAgain: (id: string) => run(expireJob, { id }, sweeper),
  fail: (id: string) => run(failJob, { id, attempt: 1, error: { code: 'broken', message: 'broken' } }),
  giveBack: (id: string) => run(giveBackJob, { id, attempt: 1 }),
  beat: (id: string) => heartbeatJob(contextOf(), { id, attempt: 1 }),
  cancel: (id: string) => run(cancelJob, { id }, editor),
} satisfies Record<string, (id: string) => Promise<unknown>>;
const ENDINGS = ['job.completed', 'job.failed', 'job.given_back', 'job.requeued', 'job.cancelled'];
const STATUS: Record<string, string> = {
  'job.completed': 'done',
  'job.failed': 'failed',
  'job.given_back': 'waiting',
  'job.requeued': 'waiting',
};

test(`ends an attempt exactly once, by the first of several concurrent commands, in ${ROUNDS} rounds`, {
  timeout: 3_600_000,
}, async () => {
  const firstEndings = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    await collection(scope, 'jobs').deleteMany({});
    const { _id: id } = await running();
    if (round % 4) state.now += LEASE + 1;
    const chosen = Object.entries(commands).filter(
      ([name]) => round % 3 === 0 || name.startsWith('complete') || name.startsWith('lose') || Math.random() < 0.3,
    );
    const outcomes = await Promise.allSettled(
      chosen
        .sort(() => Math.random() - 0.5)
        .map(async ([name, command]) => {
          for (let n = Math.floor(Math.random() * 4); n > 0; n--) await new Promise((resolve) => setImmediate(resolve));
          return [name, await command(id)];
        }),
    );

    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(['lease_lost', 'job_not_cancellable']).toContain(outcome.reason.code);
    const records = (await listChain(scope, state.place.documentId, { limit: 20 }))
      .filter(({ jobId }) => jobId === id)
      .reverse();
    const endings = records.filter(({ action }) => ENDINGS.includes(action)).map(({ action }) => action);
    const after = await job(id);
    // A requeued job may be cancelled; nothing else follows an ending.
    const [ending, next, ...more] = endings;
    expect(more).toEqual([]);
    if (next) expect([STATUS[String(ending)], next]).toEqual(['waiting', 'job.cancelled']);
    const isCancelled = next === 'job.cancelled' || ending === 'job.cancelled';
    const status = isCancelled ? 'cancelled' : ending ? STATUS[ending] : 'running';
    expect([after.status, after.attempt]).toEqual([status, 1]);
    firstEndings.add(ending ?? 'none');
  }
  expect(firstEndings.size).toBeGreaterThan(1);
});
