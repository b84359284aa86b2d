// Everything that can end an attempt, at the same time, in any order. PDM_TEST_INTERLEAVINGS=10000 for many rounds.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { editor, jobBench, LEASE, worker } from '../../test/support/job-bench.ts';
import { requestAs } from '../../test/support/store.ts';
import { together } from '../core/batching/together.ts';
import { ofChain } from '../core/store/audit/audit.ts';
import { collection } from '../core/store/query/scope.ts';
import { cancelJob } from './cancel-job.ts';
import { completions } from './worker/complete-job.ts';
import { failJob } from './worker/fail-job.ts';
import { giveBackJob } from './worker/give-back-job.ts';
import { heartbeatJob } from './worker/heartbeat-job.ts';
import { loseJob } from './worker/lose-job.ts';

const ROUNDS = Number(process.env.PDM_TEST_INTERLEAVINGS ?? 20);
const bench = await jobBench();
const { services, scope, state, run, contextOf, running, job } = bench;
const completing = together(completions);

beforeAll(() => bench.fresh());
afterAll(() => bench.close());

const sweeper = requestAs('admin', 'service');
const deeds = {
  complete: (id: string) => completing(services, worker, { id, attempt: 1 }),
  completeToo: (id: string) => completing(services, worker, { id, attempt: 1 }),
  lose: (id: string) => run(loseJob, { id }, sweeper),
  loseToo: (id: string) => run(loseJob, { id }, sweeper),
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

test(`whatever comes together, an attempt ends once, as whoever was first says: ${ROUNDS} rounds`, {
  timeout: 3_600_000,
}, async () => {
  const first = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    await collection(scope, 'jobs').deleteMany({});
    const { _id: id } = await running();
    if (round % 4) state.now += LEASE + 1;
    const chosen = Object.entries(deeds).filter(
      ([name]) => round % 3 === 0 || name.startsWith('complete') || name.startsWith('lose') || Math.random() < 0.3,
    );
    const answers = await Promise.allSettled(
      chosen
        .sort(() => Math.random() - 0.5)
        .map(async ([name, deed]) => {
          for (let n = Math.floor(Math.random() * 4); n > 0; n--) await new Promise((resolve) => setImmediate(resolve));
          return [name, await deed(id)];
        }),
    );

    for (const answer of answers)
      if (answer.status === 'rejected') expect(['lease_lost', 'job_not_cancellable']).toContain(answer.reason.code);
    const records = (await ofChain(scope, state.place.documentId, { limit: 20 }))
      .filter(({ jobId }) => jobId === id)
      .reverse();
    const endings = records.filter(({ action }) => ENDINGS.includes(action)).map(({ action }) => action);
    const after = await job(id);
    // What was put back may have been cancelled after that; nothing else follows an ending.
    const [ending, then, ...more] = endings;
    expect(more).toEqual([]);
    if (then) expect([STATUS[String(ending)], then]).toEqual(['waiting', 'job.cancelled']);
    const wanted =
      then === 'job.cancelled' || ending === 'job.cancelled' ? 'cancelled' : ending ? STATUS[ending] : 'running';
    expect([after.status, after.attempt]).toEqual([wanted, 1]);
    first.add(ending ?? 'none');
  }
  expect(first.size).toBeGreaterThan(1);
});
