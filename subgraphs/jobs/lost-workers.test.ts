// Workers that disappear, and the sweep of expired leases.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { editor, jobBench, LEASE, other } from '../../test/support/job-bench.ts';
import { queueTestJob } from '../../test/support/job-fixture.ts';
import { requestAs } from '../../test/support/store.ts';
import { collection } from '../core/store/query/scope.ts';
import { createLeaseSweep } from './lease-sweep.ts';
import { createClaimDispatcher } from './worker/claim-dispatcher.ts';
import { claimJob } from './worker/claim-job.ts';
import { completeJob } from './worker/complete-job.ts';
import { expireJob } from './worker/expire-job.ts';
import { failJob } from './worker/fail-job.ts';
import { giveBackJob } from './worker/give-back-job.ts';
import { heartbeatJob } from './worker/heartbeat-job.ts';

const bench = await jobBench();
const { services, scope, state, run, contextOf, claimed, running, leaseRunsOut, job, lines, actions } = bench;

let monotonicMs = 0;
const pass = (ms: number) => {
  state.now += ms;
  monotonicMs += ms;
};

beforeEach(() => bench.fresh());
afterAll(() => bench.close());

describe('a worker that disappears', () => {
  test('loses the job when its lease expires, unless a late heartbeat comes before the sweep', async () => {
    const { _id: id } = await running();
    state.now += LEASE + 1;
    await heartbeatJob(contextOf(), { id, attempt: 1 });
    expect(await run(expireJob, { id }, requestAs('admin'))).toBeNull();
    expect(await leaseRunsOut(id)).toMatchObject({ status: 'waiting', lost: 1, workerId: null });
  });

  test('gets lease_lost when it returns, without affecting the new holder', async () => {
    const { _id: id } = await running();
    await leaseRunsOut(id);
    const second = await claimed(other);
    expect(second).toMatchObject({ attempt: 2, workerId: 'w2-1' });
    const lost = { id, attempt: 1 };
    const error = { message: 'too late' };

    await expect(heartbeatJob(contextOf(), lost)).rejects.toMatchObject({ code: 'lease_lost' });
    await expect(run(completeJob, lost)).rejects.toMatchObject({ code: 'lease_lost' });
    await expect(run(failJob, { ...lost, error })).rejects.toMatchObject({ code: 'lease_lost' });
    await expect(run(giveBackJob, lost)).rejects.toMatchObject({ code: 'lease_lost' });
    await expect(run(completeJob, { id })).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await job(id)).toMatchObject({ status: 'running', attempt: 2 });
    expect(await run(completeJob, { id, attempt: 2 }, other)).toMatchObject({ status: 'done', endedAttempt: 2 });
  });

  test('is distinguished from a second worker with the same token by attempt or workerId', async () => {
    const { _id: id } = await running();
    await leaseRunsOut(id);
    await claimed();

    await expect(run(completeJob, { id })).rejects.toMatchObject({ code: 'lease_lost' });
    await expect(run(completeJob, { id, attempt: 1 })).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await run(completeJob, { id, workerId: 'w1-1' })).toMatchObject({ status: 'done' });
  });

  test('fails the job and keeps its log when it happens three times', async () => {
    await queueTestJob(services, editor, state.place);
    let id = '';
    for (let n = 0; n < 3; n++) {
      ({ _id: id } = await claimed());
      await leaseRunsOut(id);
    }
    expect(await job(id)).toMatchObject({
      status: 'failed',
      attempt: 3,
      error: { code: 'worker_disappeared', final: false },
    });
    expect(await lines(id)).toEqual([1, 2, 3].map((n) => `Worker w1-1 disappeared (${n} of 3).`));
    expect((await actions()).slice(2)).toEqual([
      'job.claimed',
      'job.requeued',
      'job.claimed',
      'job.requeued',
      'job.claimed',
      'job.failed',
    ]);
  });

  test('fails the job with timeout if the worker sent heartbeats for longer than the time limit', async () => {
    const { _id: id } = await running();
    for (let minute = 1; minute <= 60; minute++) {
      state.now += LEASE - 1;
      await heartbeatJob(contextOf(), { id, attempt: 1 });
    }
    expect(await leaseRunsOut(id)).toMatchObject({
      status: 'failed',
      attempt: 1,
      lost: 0,
      error: { code: 'timeout', final: false },
    });
    expect(await lines(id)).toEqual([expect.stringMatching(/^timeout: .* 60 minutes/)]);
  });

  test('loses the job or completes it, whichever is first, when both happen concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      const { _id: id } = await running();
      state.now += LEASE + 1;
      const [completed, lost] = await Promise.allSettled([
        run(completeJob, { id, attempt: 1 }),
        run(expireJob, { id }, requestAs('admin')),
      ]);
      const after = await job(id);
      if (completed.status === 'fulfilled')
        expect([after.status, lost.status === 'fulfilled' && lost.value]).toEqual(['done', null]);
      else expect([after.status, completed.reason.code]).toEqual(['waiting', 'lease_lost']);
      await collection(scope, 'jobs').deleteMany({});
    }
  });
});

describe('the sweep', () => {
  test('requeues only jobs whose lease has expired', async () => {
    const { _id: id } = await running();
    const sweep = createLeaseSweep(services, () => monotonicMs);
    await sweep();
    for (let second = 5; second <= 60; second += 5) {
      pass(5_000);
      expect(await sweep()).toBe(0);
    }
    pass(5_000);
    expect(await sweep()).toBe(1);
    expect(await job(id)).toMatchObject({ status: 'waiting', lost: 1 });
    expect(await sweep()).toBe(0);
  });

  test('skips a job that it cannot expire and retries it later', async () => {
    const { _id: broken } = await running();
    const earlier = new Date(state.now - 1);
    await queueTestJob(services, editor, state.place, { inputSha256: 'b'.repeat(64) });
    const { _id: id } = await claimed();
    // An invalid record.
    await collection(scope, 'jobs').updateOne(
      { _id: broken },
      { $set: { earlierTokenIds: null as unknown as string[], leaseExpiresAt: earlier } },
    );
    const sweep = createLeaseSweep(services, () => monotonicMs);
    await sweep();
    for (let second = 5; second <= 60; second += 5) {
      pass(5_000);
      await sweep();
    }
    pass(5_000);
    await sweep();
    expect(await job(id)).toMatchObject({ status: 'waiting', lost: 1 });
    expect(await job(broken)).toMatchObject({ status: 'running' });
  });

  test('expires nothing for one lease after an outage, during which workers could not send heartbeats', async () => {
    const { _id: id } = await running();
    const sweep = createLeaseSweep(services, () => monotonicMs);
    pass(10 * LEASE);
    expect(await sweep()).toBe(0);
    for (let seconds = 5; seconds < 60; seconds += 5) {
      pass(5_000);
      expect(await sweep()).toBe(0);
    }
    await heartbeatJob(contextOf(), { id, attempt: 1 });
    pass(5_000);
    expect(await sweep()).toBe(0);
    expect(await job(id)).toMatchObject({ status: 'running', lost: 0 });
  });
});

describe('a short lease', () => {
  const claimShortly = (leaseSeconds: number) =>
    claimJob(contextOf(), createClaimDispatcher(scope, services.clock), { workerId: 'w1-1', leaseSeconds });

  test('is renewed by heartbeats and expires within 15 s of the last one', async () => {
    await queueTestJob(services, editor, state.place);
    const sweep = createLeaseSweep(services, () => monotonicMs);
    await sweep();
    const claim = await claimShortly(9);
    expect(claim).toMatchObject({ leaseSeconds: 9, heartbeatSeconds: 3 });
    const id = claim!.job._id;
    for (let beat = 1; beat <= 10; beat++) {
      pass(3_000);
      await heartbeatJob(contextOf(), { id, attempt: 1 });
      expect(await sweep()).toBe(0);
    }
    const swept: number[] = [];
    for (let seconds = 0; seconds < 15; seconds += 5) {
      pass(5_000);
      swept.push(await sweep());
    }
    expect(swept).toEqual([0, 1, 0]);
    expect(await claimed(other)).toMatchObject({ _id: id, attempt: 2 });
    await expect(run(completeJob, { id, attempt: 1 })).rejects.toMatchObject({ code: 'lease_lost' });
  });

  test('delays the sweep after an outage for its own duration only', async () => {
    await queueTestJob(services, editor, state.place);
    await claimShortly(9);
    const sweep = createLeaseSweep(services, () => monotonicMs);
    pass(60_000);
    const swept: number[] = [];
    for (let seconds = 0; seconds <= 15; seconds += 5) {
      swept.push(await sweep());
      pass(5_000);
    }
    expect(swept).toEqual([0, 0, 1, 0]);
  });

  test('is at least 3 s and at most that of the service', async () => {
    await expect(claimShortly(2)).rejects.toMatchObject({ code: 'validation_failed' });
    await queueTestJob(services, editor, state.place);
    expect(await claimShortly(600)).toMatchObject({ leaseSeconds: LEASE / 1000 });
  });
});

describe('when the clock is set', () => {
  const DAYS = 40 * 86_400_000;

  test('a job queued or paused while it was ahead is claimable after the correction, in its order', async () => {
    state.now += DAYS;
    const ahead = await queueTestJob(services, editor, state.place);
    await queueTestJob(services, editor, state.place, { type: 'export', format: 'paused' });
    const pausing = await claimed();
    const error = { code: 'not_converted', message: 'not yet' };
    await run(failJob, { id: pausing._id, attempt: 1, error, retryable: true });
    state.now -= DAYS;
    const sweep = createLeaseSweep(services, () => monotonicMs);
    await sweep();
    await queueTestJob(services, editor, state.place, { type: 'export', format: 'later' });
    const order = [await claimed(), await claimed(), await claimed()].map(({ format }) => format);
    expect(order).toEqual([null, 'paused', 'later']);
    expect(pausing._id).toBe(ahead._id);
  });

  test('a job leased while it was ahead is taken from a worker that does not return', async () => {
    const sweep = createLeaseSweep(services, () => monotonicMs);
    await sweep();
    state.now += DAYS;
    const { _id: id } = await running();
    await sweep();
    state.now -= DAYS;
    let swept = 0;
    for (let seconds = 0; seconds <= 65 && !swept; seconds += 5) {
      swept = await sweep();
      pass(5_000);
    }
    expect(await job(id)).toMatchObject({ status: 'waiting', lost: 1 });
  });

  test.each([DAYS, -DAYS])('a live worker keeps its job and its time when the clock moves by %s ms', async (jump) => {
    const { _id: id } = await running();
    const sweep = createLeaseSweep(services, () => monotonicMs);
    for (let seconds = 0; seconds < 120; seconds += 5) {
      if (seconds === 70) state.now += jump;
      expect(await sweep()).toBe(0);
      if (seconds % 20 === 15)
        expect(await heartbeatJob(contextOf(), { id, attempt: 1 })).toMatchObject({ cancelRequested: false });
      pass(5_000);
    }
    expect(await run(completeJob, { id, attempt: 1 })).toMatchObject({ status: 'done' });
  });
});
