// The scenarios that are run with a worker, in order, and the checks that each of them evaluates.
import { type CheckName, type Finding, fail, pass, skip } from './checks.ts';
import type { ClaimPeriod } from './evaluate-requests.ts';
import type { Faults, MockJob } from './mock-job.ts';
import type { MockService, RecordedRequest } from './mock-service.ts';
import type { WorkerHandle } from './worker-process.ts';

export type ScenarioContext = {
  service: MockService;
  /** The worker, if it can be started and stopped; null if the user runs it. */
  worker: { current(): WorkerHandle; restart(): Promise<void> } | null;
  claims: ClaimPeriod[];
};
export type Scenario = {
  name: string;
  checks: readonly CheckName[];
  run(context: ScenarioContext): Promise<Finding[]>;
};

/** No worker claimed the job. */
export class NoWorkerError extends Error {}

const CLAIM_TIMEOUT_SECONDS = 30;
const EXIT_TIMEOUT_SECONDS = 20;
const IDLE_SECONDS = 2.5;
const MAX_CLAIMS_PER_SECOND = 5;
const END_OPERATIONS = ['complete', 'fail', 'give-back'];
const INVALID_INPUT = Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 73 + 41) % 251));

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'job with a valid input',
    checks: ['valid-requests', 'sends-worker-id', 'sends-attempt', 'sends-generator', 'sends-input-hash'],
    run: async (context) => {
      await runJob(context, {});
      return [];
    },
  },
  {
    name: 'job with an invalid input',
    checks: ['reports-failure'],
    run: async (context) => [evaluateFailureReport(await runJob(context, {}, INVALID_INPUT))],
  },
  {
    name: 'corrupt download',
    checks: ['verifies-downloads'],
    run: async (context) => [evaluateDownload(await runJob(context, { corruptInput: true }))],
  },
  {
    name: 'connection lost on complete or fail',
    checks: ['retries-end'],
    run: async (context) => {
      const { ended, job } = await runJob(context, { dropConnection: true });
      if (!ended || job.endedBy === 'give-back')
        return [skip('retries-end', 'The worker called neither complete nor fail.')];
      const { service } = context;
      const endRequests = () =>
        service.requests.filter((entry) => entry.job === job && END_OPERATIONS.includes(entry.operation));
      await service.waitUntil(() => Boolean(endRequests()[1]?.status), service.leaseSeconds);
      return [evaluateEndRetry(endRequests())];
    },
  },
  {
    name: 'slow download with a failed heartbeat',
    checks: ['sends-heartbeats', 'retries-heartbeat', 'sends-attempt'],
    run: async (context) => [
      evaluateHeartbeatRetry(
        await runJob(context, { downloadSeconds: slowDownloadSeconds(context), failHeartbeat: 1 }),
      ),
    ],
  },
  {
    name: 'job cancelled by a user',
    checks: ['stops-on-cancel'],
    run: async (context) => [
      evaluateCancel(await runStoppedJob(context, { downloadSeconds: slowDownloadSeconds(context) }, true)),
    ],
  },
  {
    name: 'job reassigned to another worker',
    checks: ['stops-on-lease-lost'],
    run: async (context) => [
      evaluateLeaseLoss(
        await runStoppedJob(context, { downloadSeconds: slowDownloadSeconds(context), loseLease: true }, false),
      ),
    ],
  },
  {
    name: 'service unavailable, then no job',
    checks: ['retries-claim', 'limits-claims'],
    run: checkClaims,
  },
  {
    name: 'SIGTERM during a job',
    checks: ['handles-sigterm'],
    run: async (context) => [await checkSigterm(context)],
  },
  {
    name: 'restart',
    checks: ['new-worker-id'],
    run: async (context) => [await checkNewWorkerId(context)],
  },
];

function evaluateFailureReport({ job, ended, requests }: JobRun): Finding {
  const check = 'reports-failure';
  if (!ended)
    return fail(check, 'The worker could not read the input, and let the lease expire instead of calling fail.');
  if (job.endedBy === 'complete')
    return skip(
      check,
      'The worker completed a job whose input is invalid (512 arbitrary bytes), so it accepts any input.',
    );
  if (job.endedBy === 'give-back')
    return fail(check, 'The worker gave back a job that it cannot do; the next worker would receive the same job.');
  const request = requests.findLast(({ operation }) => operation === 'fail');
  const { message } = (request?.body.error ?? {}) as { message?: string };
  return message?.trim() ? pass(check, message) : fail(check, 'The fail request has no message.');
}

function evaluateDownload({ job, requests }: JobRun): Finding {
  const check = 'verifies-downloads';
  if (!requests.some(({ operation }) => operation === 'download')) return skip(check, 'The worker downloaded nothing.');
  const stored = requests.find(({ operation, status }) => operation === 'upload' && status === 201);
  if (stored) return fail(check, `The worker uploaded ${stored.kind}, derived from an input with the wrong SHA-256.`);
  if (job.endedBy === 'complete') return fail(check, 'The worker completed a job with a corrupt input.');
  if (!job.endedBy) return fail(check, 'The worker let the lease expire after a corrupt download.');
  return pass(check);
}

function evaluateEndRetry([first, second]: RecordedRequest[]): Finding {
  const check = 'retries-end';
  if (!second) return fail(check, `The ${first?.operation} request got no response, and the worker did not repeat it.`);
  if (second.operation !== first?.operation)
    return fail(
      check,
      `The ${first?.operation} request got no response, and the worker then called ${second.operation}.`,
    );
  if (second.attempt !== first.attempt)
    return fail(
      check,
      `The worker repeated ${second.operation} with attempt number ${second.attempt} instead of ${first.attempt}.`,
    );
  return pass(check);
}

function evaluateHeartbeatRetry({ job, requests, ended }: JobRun): Finding {
  const check = 'retries-heartbeat';
  const heartbeats = requests.filter(({ operation }) => operation === 'heartbeat');
  if (!heartbeats.length) return skip(check, 'The worker sent no heartbeat.');
  if (!ended) return fail(check, 'After a heartbeat failed with 503, the worker sent nothing more.');
  if (job.endedBy !== 'complete')
    return fail(check, `After a heartbeat failed with 503, the worker called ${job.endedBy}.`);
  return heartbeats.length > 1 ? pass(check) : skip(check, 'The job was done before the next heartbeat.');
}

function evaluateCancel({ job, notice, later, ended }: StoppedJobRun): Finding {
  const check = 'stops-on-cancel';
  if (!notice) return skip(check, 'The worker sent no heartbeat, so it could not learn of the cancellation.');
  const upload = later.find(({ operation }) => operation === 'upload');
  if (upload)
    return fail(check, `The worker uploaded ${upload.kind} ${formatDelay(notice, upload)} after the cancellation.`);
  if (job.endedBy === 'complete') return fail(check, 'The worker completed the job after the cancellation.');
  if (!ended) return fail(check, 'The worker called neither fail nor give-back after the cancellation.');
  return pass(check);
}

function evaluateLeaseLoss({ notice, later }: StoppedJobRun): Finding {
  const check = 'stops-on-lease-lost';
  if (!notice) return skip(check, 'The worker sent no heartbeat, so it could not receive lease_lost.');
  const request = later.find(({ operation }) => operation === 'upload' || operation === 'complete');
  if (request)
    return fail(check, `The worker called ${request.operation} ${formatDelay(notice, request)} after lease_lost.`);
  const heartbeats = later.filter(({ operation }) => operation === 'heartbeat').length;
  return heartbeats > 1 ? fail(check, `The worker sent ${heartbeats} more heartbeats after lease_lost.`) : pass(check);
}

async function checkClaims({ service, worker }: ScenarioContext): Promise<Finding[]> {
  const claimsSince = (time: number) =>
    service.requests.filter(({ operation, at }) => operation === 'claim' && at >= time);
  service.failClaims();
  const failedClaim = () =>
    service.requests.some(
      ({ operation, status, code }) => operation === 'claim' && status === 503 && code === 'unavailable',
    );
  if (!(await service.waitUntil(failedClaim, CLAIM_TIMEOUT_SECONDS))) throw new NoWorkerError();
  const failedAt = performance.now();
  if (!(await service.waitUntil(() => claimsSince(failedAt).length > 0, service.leaseSeconds + 10))) {
    const exit = worker?.current().exit();
    const reaction = exit ? `the worker exited with ${exit.code ?? exit.signal}` : 'the worker did not claim again';
    return [
      fail('retries-claim', `A claim failed with 503, and ${reaction}.`),
      skip('limits-claims', 'The worker did not claim again.'),
    ];
  }
  const retryMs = (claimsSince(failedAt)[0]?.at ?? failedAt) - failedAt;
  const idleFrom = performance.now();
  await service.waitUntil(() => false, IDLE_SECONDS);
  const rate = claimsSince(idleFrom).length / IDLE_SECONDS;
  return [
    pass('retries-claim', `claimed again after ${retryMs.toFixed(0)} ms`),
    rate > MAX_CLAIMS_PER_SECOND
      ? fail('limits-claims', `The worker claimed ${rate.toFixed(0)} times per second.`)
      : pass('limits-claims'),
  ];
}

const EXTERNAL_WORKER = 'Requires a worker started by worker-check (-- COMMAND).';

async function checkSigterm(context: ScenarioContext): Promise<Finding> {
  const check = 'handles-sigterm';
  const { service, worker } = context;
  if (!worker) return skip(check, EXTERNAL_WORKER);
  const job = await queueAndWaitForClaim(context, { downloadSeconds: slowDownloadSeconds(context) * 1.2 });
  await service.waitUntil(
    () => service.requests.some((entry) => entry.job === job && entry.operation === 'download'),
    service.leaseSeconds,
  );
  const handle = worker.current();
  const terminatedAt = performance.now();
  handle.terminate();
  const exited = await service.waitUntil(() => handle.exit() !== null, EXIT_TIMEOUT_SECONDS);
  recordClaim(context, job, performance.now());
  if (!exited) return fail(check, `The worker was still running ${EXIT_TIMEOUT_SECONDS} s after SIGTERM.`);
  if (service.requests.some(({ operation, at }) => operation === 'claim' && at > terminatedAt + 1_000))
    return fail(check, 'The worker claimed a job after SIGTERM.');
  if (!job.endedBy)
    return fail(
      check,
      'The worker exited while holding a job. The job waits until the lease expires and loses an attempt.',
    );
  if (job.endedBy === 'fail')
    return fail(
      check,
      'The worker called fail because it was stopped. Use give-back, which does not count as an attempt.',
    );
  return pass(check, `${job.endedBy}, exited after ${((performance.now() - terminatedAt) / 1000).toFixed(1)} s`);
}

async function checkNewWorkerId({ service, worker }: ScenarioContext): Promise<Finding> {
  const check = 'new-worker-id';
  if (!worker) return skip(check, EXTERNAL_WORKER);
  const claims = () => service.requests.filter(({ operation, body }) => operation === 'claim' && 'workerId' in body);
  const ids = () => new Set(claims().map(({ body }) => body.workerId));
  if (!(await service.waitUntil(() => ids().size > 0, CLAIM_TIMEOUT_SECONDS))) throw new NoWorkerError();
  const known = ids();
  await worker.restart();
  const restartedAt = performance.now();
  const claimed = await service.waitUntil(() => claims().some(({ at }) => at > restartedAt), CLAIM_TIMEOUT_SECONDS);
  if (!claimed) return skip(check, 'The restarted worker claimed no job.');
  return ids().size > known.size
    ? pass(check)
    : fail(check, 'The restarted worker used the workerId of the previous process.');
}

/** Longer than two heartbeat intervals, so that heartbeats are due during the download. */
function slowDownloadSeconds({ service }: ScenarioContext): number {
  return service.heartbeatSeconds * 2.5;
}

function formatDelay(from: RecordedRequest, to: RecordedRequest): string {
  return `${((to.at - from.at) / 1000).toFixed(1)} s`;
}

/** Queues a job and waits until the worker claims it. */
async function queueAndWaitForClaim(
  { service, worker }: ScenarioContext,
  faults: Faults,
  content?: Buffer,
): Promise<MockJob> {
  const job = service.queue(faults, content);
  const queuedAt = performance.now();
  const rejectedTwice = () =>
    service.requests.filter(
      ({ operation, at, status }) => operation === 'claim' && at > queuedAt && status >= 400 && status < 500,
    ).length > 1;
  const claimed = () => job.state.status !== 'waiting';
  await service.waitUntil(
    () => claimed() || rejectedTwice() || worker?.current().exit() != null,
    CLAIM_TIMEOUT_SECONDS,
  );
  if (claimed()) return job;
  service.withdraw(job);
  throw new NoWorkerError();
}

/** A job from claim to end. `ended` is false if the worker let the lease expire. */
type JobRun = { job: MockJob; ended: boolean; requests: RecordedRequest[] };

async function runJob(context: ScenarioContext, faults: Faults, content?: Buffer): Promise<JobRun> {
  const { service } = context;
  const job = await queueAndWaitForClaim(context, faults, content);
  const isOver = () => job.state.status !== 'running';
  await service.waitUntil(isOver, (faults.downloadSeconds ?? 0) + service.leaseSeconds * 4);
  recordClaim(context, job, performance.now());
  return { job, ended: job.endedBy !== null, requests: service.requests.filter((entry) => entry.job === job) };
}

/** A job whose first heartbeat requests the worker to stop (`notice`), and its later requests about the job. */
type StoppedJobRun = { job: MockJob; ended: boolean; notice: RecordedRequest | null; later: RecordedRequest[] };

async function runStoppedJob(context: ScenarioContext, faults: Faults, cancel: boolean): Promise<StoppedJobRun> {
  const { service } = context;
  const job = await queueAndWaitForClaim(context, faults);
  job.state.cancelAsked = cancel;
  const downloadSeconds = faults.downloadSeconds ?? 0;
  const firstHeartbeat = () =>
    service.requests.find((entry) => entry.job === job && entry.operation === 'heartbeat' && entry.status);
  const isOver = () => job.state.status !== 'running' || job.endedBy !== null;
  await service.waitUntil(() => firstHeartbeat() !== undefined || isOver(), downloadSeconds + service.leaseSeconds * 2);
  const notice = firstHeartbeat() ?? null;
  recordClaim(context, job, notice?.at ?? performance.now());
  const later = () => service.requests.filter(({ at }) => notice && at > notice.at);
  // Half a second after the next claim, requests that were already on their way have arrived.
  const movedOn = () => later().some(({ operation, at }) => operation === 'claim' && performance.now() - at > 500);
  const violated = () => later().some((entry) => entry.job === job && ['upload', 'complete'].includes(entry.operation));
  if (notice)
    await service.waitUntil(
      () => violated() || movedOn() || (cancel && isOver()),
      downloadSeconds + service.leaseSeconds * 1.5,
    );
  return {
    job,
    ended: job.endedBy !== null,
    notice,
    later: later().filter((entry) => entry.job === job && entry !== notice),
  };
}

/** Records the period in which heartbeats are due: until the worker ended the job, or until `to`. */
function recordClaim({ service, claims }: ScenarioContext, job: MockJob, to: number): void {
  const from = job.claimedAt ?? to;
  const end = service.requests.findLast(
    (entry) => entry.job === job && END_OPERATIONS.includes(entry.operation) && entry.at <= to,
  );
  claims.push({ job, attempt: job.claimedAttempt, from, to: Math.max(from, end?.at ?? to) });
}
