import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import * as lifecycle from './job-lifecycle.ts';
import {
  type JobChange,
  type JobEvent,
  type JobState,
  type JobStatus,
  MAX_TRIES,
  TRANSITIONS,
} from './job-lifecycle.ts';

const START = new Date('2026-01-01T00:00:00Z');
const LEASE = 60;
const STATUSES: JobStatus[] = ['waiting', 'running', 'done', 'failed', 'cancelled'];
const EVENTS = Object.keys(TRANSITIONS) as JobEvent[];
const NOT_CONVERTED = { code: 'not_converted', message: 'PRT-000001 v1 has no STEP file yet', final: false };
const ERROR = { code: 'not_step', message: 'not a STEP file', final: true };

const queued: JobState = {
  _id: 'job_1',
  type: 'convert',
  status: 'waiting',
  attempt: 0,
  maxAttempts: MAX_TRIES,
  lost: 0,
  tokenId: null,
  earlierTokenIds: [],
  lostTokenIds: [],
  workerId: null,
  leaseExpiresAt: null,
  cancelAsked: false,
  progress: null,
  error: null,
  endedAttempt: null,
  availableAt: START,
  startedAt: null,
  finishedAt: null,
};

const apply: Record<JobEvent, (job: JobState, now: Date) => JobChange> = {
  claim: (job, now) => lifecycle.claim(job, { tokenId: 'tok_1', workerId: 'w1' }, now, LEASE),
  heartbeat: (job, now) => {
    const { leaseExpiresAt, startedAt } = lifecycle.heartbeat(job, now, LEASE);
    return { leaseExpiresAt, startedAt };
  },
  complete: lifecycle.complete,
  fail: (job, now) => lifecycle.fail(job, ERROR, now),
  endLostAttempt: lifecycle.endLostAttempt,
  engineCrashed: (job, now) => lifecycle.engineCrashed(job, { ...ERROR, code: 'engine_crashed', final: false }, now),
  awaitInput: (job, now) => lifecycle.awaitInput(job, NOT_CONVERTED, now),
  giveBack: lifecycle.giveBack,
  retry: lifecycle.retry,
  cancel: lifecycle.cancel,
  supersede: lifecycle.supersede,
};

const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const transition = (job: JobState, event: JobEvent, now = START): JobState => ({ ...job, ...apply[event](job, now) });
const running = transition(queued, 'claim');
const inState: Record<JobStatus, JobState> = {
  waiting: queued,
  running,
  done: transition(running, 'complete'),
  failed: transition(running, 'fail'),
  cancelled: transition(queued, 'cancel'),
};

describe('the transition table', () => {
  const cells = STATUSES.flatMap((status) => EVENTS.map((event) => [event, status] as const));

  test.each(cells)('checks %s for a job that is %s', (event, status) => {
    const { from, to } = TRANSITIONS[event] as { from: readonly JobStatus[]; to: readonly JobStatus[] };
    if (from.includes(status)) expect(to).toContain(transition(inState[status], event).status);
    else expect(() => transition(inState[status], event)).toThrow(DomainError);
  });

  test('throws a specific error code', () => {
    expect(() => transition(running, 'retry')).toThrow(expect.objectContaining({ code: 'job_not_failed' }));
    expect(() => transition(inState.done, 'cancel')).toThrow(expect.objectContaining({ code: 'job_not_cancellable' }));
    expect(() => transition(inState.done, 'heartbeat')).toThrow(expect.objectContaining({ code: 'lease_lost' }));
  });
});

describe('the transitions', () => {
  test('increments the attempt and sets the lease on claim', () => {
    expect(running).toMatchObject({
      status: 'running',
      attempt: 1,
      tokenId: 'tok_1',
      workerId: 'w1',
      leaseExpiresAt: at(LEASE),
      startedAt: START,
    });
  });

  test('counts a lost attempt when a worker disappears, and fails after the third', () => {
    let job = queued;
    for (const count of [1, 2]) {
      job = transition(transition(job, 'claim'), 'endLostAttempt');
      expect(job).toMatchObject({
        status: 'waiting',
        lost: count,
        attempt: count,
        tokenId: null,
        lostTokenIds: ['tok_1'],
        error: null,
      });
    }
    job = transition(transition(job, 'claim'), 'endLostAttempt');
    expect(job).toMatchObject({
      status: 'failed',
      lost: 3,
      attempt: 3,
      error: { code: 'worker_disappeared', final: false },
    });
  });

  test('counts a lost attempt and delays the retry by 0.5 s × 2^lost when the engine crashes, and fails with its error', () => {
    const first = transition(running, 'engineCrashed');
    expect(first).toMatchObject({ status: 'waiting', lost: 1, availableAt: at(1), lostTokenIds: [] });
    const second = transition(transition(first, 'claim'), 'engineCrashed');
    expect(second).toMatchObject({ status: 'waiting', lost: 2, availableAt: at(2) });
    expect(transition(transition(second, 'claim'), 'engineCrashed')).toMatchObject({
      status: 'failed',
      error: { code: 'engine_crashed' },
    });
  });

  test('retries after 1, 2, 4 … 60 s for about an hour while an input is not ready, without counting lost attempts', () => {
    let job = queued;
    const delays: number[] = [];
    while (job.status === 'waiting') {
      job = transition(transition(job, 'claim'), 'awaitInput');
      if (job.status === 'waiting') delays.push((job.availableAt.getTime() - START.getTime()) / 1000);
    }
    expect(delays.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(delays.reduce((sum, delay) => sum + delay)).toBeGreaterThan(3_500);
    expect(job).toMatchObject({ status: 'failed', lost: 0, error: NOT_CONVERTED });
    expect(transition(transition(transition(job, 'retry'), 'claim'), 'awaitInput')).toMatchObject({
      status: 'waiting',
      availableAt: at(1),
    });
  });

  test('keeps three attempts however often the job is given back', () => {
    let job = queued;
    for (let n = 1; n <= 5; n++) job = transition(transition(job, 'claim'), 'giveBack');
    expect(job).toMatchObject({ status: 'waiting', lost: 0, attempt: 5, maxAttempts: 8 });
  });

  test('grants three attempts on retry and keeps the attempt number', () => {
    const retried = transition(inState.failed, 'retry');
    expect(retried).toMatchObject({
      status: 'waiting',
      attempt: 1,
      maxAttempts: 4,
      lost: 0,
      error: null,
      finishedAt: null,
      tokenId: null,
    });
  });

  test('cancels a running job when its worker ends the attempt or the lease expires', () => {
    const cancelling = transition(running, 'cancel');
    expect(cancelling).toMatchObject({ status: 'running', cancelAsked: true });
    expect(lifecycle.heartbeat(cancelling, START, LEASE).cancelRequested).toBe(true);
    for (const event of ['fail', 'giveBack', 'endLostAttempt', 'engineCrashed'] as const)
      expect(transition(cancelling, event)).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } });
    expect(transition(cancelling, 'complete')).toMatchObject({ status: 'done', error: null });
  });

  test('ends the job as superseded if its input was replaced', () => {
    const stale = { ...running, ...lifecycle.fail(running, { ...ERROR, code: 'stale_input' }, START) };
    expect(stale).toMatchObject({ status: 'cancelled', error: { code: 'superseded' } });
  });

  test('limits heartbeats to the maximum duration of an attempt', () => {
    const renewed = { ...running, leaseExpiresAt: at(3600) };
    const end = { leaseExpiresAt: at(3600), startedAt: START };
    expect(lifecycle.heartbeat(renewed, at(3590), LEASE)).toEqual({ ...end, cancelRequested: false });
    expect(lifecycle.heartbeat(renewed, at(3601), LEASE)).toEqual({ ...end, cancelRequested: true });
  });

  test('keeps the duration of an attempt when the clock is set', () => {
    const days = 40 * 86_400;
    const ahead = lifecycle.heartbeat(running, at(days + 20), LEASE);
    expect(ahead).toEqual({ leaseExpiresAt: at(days + 80), startedAt: at(days - 40), cancelRequested: false });
    const corrected = lifecycle.heartbeat({ ...running, ...ahead }, at(40), LEASE);
    expect(corrected).toEqual({ leaseExpiresAt: at(100), startedAt: at(40), cancelRequested: false });
  });

  test('treats a pause or a lease that ends too far in the future as ended', () => {
    const paused = (seconds: number) => ({ ...queued, availableAt: at(seconds) });
    expect([0, 1, 60, 61].map((s) => lifecycle.isAvailable(paused(s), START))).toEqual([true, false, false, true]);
    const leased = (seconds: number) => ({ ...running, leaseExpiresAt: at(seconds) });
    const isExpired = (seconds: number) => lifecycle.isLeaseExpired(leased(seconds), START, LEASE);
    expect([-1, 0, 120, 121].map(isExpired)).toEqual([true, false, false, true]);
    const lost = lifecycle.endLostAttempt(leased(40 * 86_400), START);
    expect(lost).toMatchObject({ status: 'waiting', lost: 1 });
  });

  test('fails with timeout after the maximum duration, with or without a message from the worker', () => {
    const long = { ...running, leaseExpiresAt: at(3600) };
    const timeout = { code: 'timeout', message: expect.stringContaining('60 minutes'), final: false };
    expect(lifecycle.endLostAttempt(long, at(3605))).toMatchObject({ status: 'failed', error: timeout, tokenId: null });
    expect(lifecycle.fail(long, { ...ERROR, code: 'cancelled' }, at(3602))).toMatchObject({
      status: 'failed',
      error: timeout,
    });
    expect(lifecycle.endLostAttempt({ ...long, cancelAsked: true }, at(3605))).toMatchObject({ status: 'cancelled' });
    // a worker that disappeared earlier costs a try, even if detected late
    expect(lifecycle.endLostAttempt(running, at(4000))).toMatchObject({ status: 'waiting', lost: 1 });
  });

  test('reports an expired lease only after its end and for running jobs', () => {
    expect(lifecycle.isLeaseExpired(running, at(LEASE), LEASE)).toBe(false);
    expect(lifecycle.isLeaseExpired(running, at(LEASE + 0.001), LEASE)).toBe(true);
    expect(lifecycle.isLeaseExpired(queued, at(LEASE + 1), LEASE)).toBe(false);
  });
});

describe('random histories', () => {
  const history = fc.array(fc.constantFrom(...EVENTS), { maxLength: 60, size: 'max' });

  test('increases the attempt, keeps fewer than three lost attempts, and never leaves done or cancelled', () => {
    fc.assert(
      fc.property(history, (events) => {
        let job = queued;
        let claims = 0;
        for (const [second, event] of events.entries()) {
          const before = job;
          if (!(TRANSITIONS[event].from as readonly JobStatus[]).includes(before.status)) continue;
          job = transition(before, event, at(second));
          claims += event === 'claim' ? 1 : 0;
          expect(['done', 'cancelled']).not.toContain(before.status);
          expect(job.attempt).toBe(claims);
          expect(job.attempt).toBeLessThanOrEqual(job.maxAttempts);
          if (job.status === 'waiting') expect(job.lost).toBeLessThan(MAX_TRIES);
          if (job.lost === MAX_TRIES) expect(job.status).not.toBe('running');
          expect(job.leaseExpiresAt !== null).toBe(job.status === 'running');
          expect(job.finishedAt !== null).toBe(['done', 'failed', 'cancelled'].includes(job.status));
          expect(job.error !== null).toBe(['failed', 'cancelled'].includes(job.status));
          if (job.status === 'waiting')
            expect([job.tokenId, job.workerId, job.cancelAsked, job.progress]).toEqual([null, null, false, null]);
        }
      }),
    );
  });
});
