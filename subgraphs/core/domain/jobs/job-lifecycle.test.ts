import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import * as lifecycle from './job-lifecycle.ts';
import { type JobChange, type JobEvent, type JobState, type JobStatus, TRANSITIONS, TRIES } from './job-lifecycle.ts';

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
  maxAttempts: TRIES,
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

const deeds: Record<JobEvent, (job: JobState, now: Date) => JobChange> = {
  claim: (job, now) => lifecycle.claim(job, { tokenId: 'tok_1', workerId: 'w1' }, now, LEASE),
  heartbeat: (job, now) => ({ leaseExpiresAt: lifecycle.heartbeat(job, now, LEASE).leaseExpiresAt }),
  complete: lifecycle.complete,
  fail: (job, now) => lifecycle.fail(job, ERROR, now),
  lost: lifecycle.lost,
  engineCrashed: (job, now) => lifecycle.engineCrashed(job, { ...ERROR, code: 'engine_crashed', final: false }, now),
  awaitInput: (job, now) => lifecycle.awaitInput(job, NOT_CONVERTED, now),
  giveBack: lifecycle.giveBack,
  retry: lifecycle.retry,
  cancel: lifecycle.cancel,
  supersede: lifecycle.supersede,
};

const at = (seconds: number) => new Date(START.getTime() + seconds * 1000);
const moved = (job: JobState, event: JobEvent, now = START): JobState => ({ ...job, ...deeds[event](job, now) });
const running = moved(queued, 'claim');
const inState: Record<JobStatus, JobState> = {
  waiting: queued,
  running,
  done: moved(running, 'complete'),
  failed: moved(running, 'fail'),
  cancelled: moved(queued, 'cancel'),
};

describe('every event in every state', () => {
  const cells = STATUSES.flatMap((status) => EVENTS.map((event) => [event, status] as const));

  test.each(cells)('%s of a job that is %s', (event, status) => {
    const { from, to } = TRANSITIONS[event] as { from: readonly JobStatus[]; to: readonly JobStatus[] };
    if (from.includes(status)) expect(to).toContain(moved(inState[status], event).status);
    else expect(() => moved(inState[status], event)).toThrow(DomainError);
  });

  test('the refusals have the codes of the catalogue', () => {
    expect(() => moved(running, 'retry')).toThrow(expect.objectContaining({ code: 'job_not_failed' }));
    expect(() => moved(inState.done, 'cancel')).toThrow(expect.objectContaining({ code: 'job_not_cancellable' }));
    expect(() => moved(inState.done, 'heartbeat')).toThrow(expect.objectContaining({ code: 'lease_lost' }));
  });
});

describe('the rules', () => {
  test('a claim counts the attempt up and gives a lease', () => {
    expect(running).toMatchObject({
      status: 'running',
      attempt: 1,
      tokenId: 'tok_1',
      workerId: 'w1',
      leaseExpiresAt: at(LEASE),
      startedAt: START,
    });
  });

  test('a worker that disappears is charged a try; at the third time the job fails', () => {
    let job = queued;
    for (const count of [1, 2]) {
      job = moved(moved(job, 'claim'), 'lost');
      expect(job).toMatchObject({
        status: 'waiting',
        lost: count,
        attempt: count,
        tokenId: null,
        lostTokenIds: ['tok_1'],
        error: null,
      });
    }
    job = moved(moved(job, 'claim'), 'lost');
    expect(job).toMatchObject({
      status: 'failed',
      lost: 3,
      attempt: 3,
      error: { code: 'worker_disappeared', final: false },
    });
  });

  test('a crashed engine is a lost try with a pause of 0.5 s × 2^lost, and fails with its own error', () => {
    const once = moved(running, 'engineCrashed');
    expect(once).toMatchObject({ status: 'waiting', lost: 1, availableAt: at(1), lostTokenIds: [] });
    const twice = moved(moved(once, 'claim'), 'engineCrashed');
    expect(twice).toMatchObject({ status: 'waiting', lost: 2, availableAt: at(2) });
    expect(moved(moved(twice, 'claim'), 'engineCrashed')).toMatchObject({
      status: 'failed',
      error: { code: 'engine_crashed' },
    });
  });

  test('waiting for an input charges no try: after 1, 2, 4 … 60 s it is tried again, for about an hour', () => {
    let job = queued;
    const pauses: number[] = [];
    while (job.status === 'waiting') {
      job = moved(moved(job, 'claim'), 'awaitInput');
      if (job.status === 'waiting') pauses.push((job.availableAt.getTime() - START.getTime()) / 1000);
    }
    expect(pauses.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(pauses.reduce((sum, pause) => sum + pause)).toBeGreaterThan(3_500);
    expect(job).toMatchObject({ status: 'failed', lost: 0, error: NOT_CONVERTED });
    expect(moved(moved(moved(job, 'retry'), 'claim'), 'awaitInput')).toMatchObject({
      status: 'waiting',
      availableAt: at(1),
    });
  });

  test('giving back charges nothing: also after many times there are three tries', () => {
    let job = queued;
    for (let n = 1; n <= 5; n++) job = moved(moved(job, 'claim'), 'giveBack');
    expect(job).toMatchObject({ status: 'waiting', lost: 0, attempt: 5, maxAttempts: 8 });
  });

  test('a retry grants three tries, and the attempt goes on counting', () => {
    const retried = moved(inState.failed, 'retry');
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

  test('a running job that is asked to stop ends as cancelled when its worker answers or its lease ends', () => {
    const asked = moved(running, 'cancel');
    expect(asked).toMatchObject({ status: 'running', cancelAsked: true });
    expect(lifecycle.heartbeat(asked, START, LEASE).cancelRequested).toBe(true);
    for (const event of ['fail', 'giveBack', 'lost', 'engineCrashed'] as const)
      expect(moved(asked, event)).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } });
    expect(moved(asked, 'complete')).toMatchObject({ status: 'done', error: null });
  });

  test('a result for an input that was replaced ends the job as superseded, not as failed', () => {
    const stale = { ...running, ...lifecycle.fail(running, { ...ERROR, code: 'stale_input' }, START) };
    expect(stale).toMatchObject({ status: 'cancelled', error: { code: 'superseded' } });
  });

  test('heartbeats cannot keep an attempt beyond an hour', () => {
    const late = lifecycle.heartbeat(running, at(3590), LEASE);
    expect(late).toEqual({ leaseExpiresAt: at(3600), cancelRequested: false });
    expect(lifecycle.heartbeat(running, at(3601), LEASE)).toEqual({ leaseExpiresAt: at(3600), cancelRequested: true });
  });

  test('an attempt that takes longer fails with timeout, whether its worker answers or not', () => {
    const long = { ...running, ...lifecycle.heartbeat(running, at(3590), LEASE), status: 'running' as const };
    const timeout = { code: 'timeout', message: expect.stringContaining('60 minutes'), final: false };
    expect(lifecycle.lost(long, at(3605))).toMatchObject({ status: 'failed', error: timeout, tokenId: null });
    expect(lifecycle.fail(long, { ...ERROR, code: 'cancelled' }, at(3602))).toMatchObject({
      status: 'failed',
      error: timeout,
    });
    expect(lifecycle.lost({ ...long, cancelAsked: true }, at(3605))).toMatchObject({ status: 'cancelled' });
    // a worker that disappeared before is charged a try, however late that is seen
    expect(lifecycle.lost(running, at(4000))).toMatchObject({ status: 'waiting', lost: 1 });
  });

  test('a lease has expired only after its end, and only of a running job', () => {
    expect(lifecycle.expired(running, at(LEASE))).toBe(false);
    expect(lifecycle.expired(running, at(LEASE + 0.001))).toBe(true);
    expect(lifecycle.expired(queued, at(LEASE + 1))).toBe(false);
  });
});

describe('any history', () => {
  const history = fc.array(fc.constantFrom(...EVENTS), { maxLength: 60, size: 'max' });

  test('keeps the attempt growing, the tries below three, and nobody leaves done or cancelled', () => {
    fc.assert(
      fc.property(history, (events) => {
        let job = queued;
        let claims = 0;
        for (const [second, event] of events.entries()) {
          const before = job;
          if (!(TRANSITIONS[event].from as readonly JobStatus[]).includes(before.status)) continue;
          job = moved(before, event, at(second));
          claims += event === 'claim' ? 1 : 0;
          expect(['done', 'cancelled']).not.toContain(before.status);
          expect(job.attempt).toBe(claims);
          expect(job.attempt).toBeLessThanOrEqual(job.maxAttempts);
          if (job.status === 'waiting') expect(job.lost).toBeLessThan(TRIES);
          if (job.lost === TRIES) expect(job.status).not.toBe('running');
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
