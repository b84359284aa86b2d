// The scenes that are played with a worker, in their order, and what each of them shows.
import { type CheckName, type Finding, fail, notTested, pass } from './checks.ts';
import type { ClaimPeriod } from './evaluate-requests.ts';
import type { MockJob, Faults } from './mock-job.ts';
import type { RecordedRequest, MockService } from './mock-service.ts';
import type { WorkerHandle } from './worker-process.ts';

export type ScenarioContext = {
  service: MockService;
  /** The worker as a process that can be started and stopped; null when it runs elsewhere. */
  worker: { current(): WorkerHandle; restart(): Promise<void> } | null;
  claims: ClaimPeriod[];
};
export type Scenario = { name: string; checks: readonly CheckName[]; run(stage: ScenarioContext): Promise<Finding[]> };

/** No worker came to take a job. */
export class NoWorkerError extends Error {}

const COMING_SECONDS = 30;
const EXIT_SECONDS = 20;
const IDLE_SECONDS = 2.5;
const MOST_CLAIMS_A_SECOND = 5;
const LAST_WORDS = ['complete', 'fail', 'give-back'];
const GARBAGE = Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 73 + 41) % 251));

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'a plain job',
    checks: ['well-formed', 'claims-with-worker-id', 'sends-attempt', 'names-generator', 'names-input'],
    run: async (stage) => {
      await played(stage, {});
      return [];
    },
  },
  {
    name: 'an input that is none',
    checks: ['fails-with-a-reason'],
    run: async (stage) => {
      const { job, ended, said } = await played(stage, {}, GARBAGE);
      if (!ended)
        return [
          fail('fails-with-a-reason', 'It fell silent over an input it cannot read, and let the lease run out.'),
        ];
      if (job.endedBy === 'complete')
        return [
          notTested('fails-with-a-reason', 'It completed a job whose input is 512 bytes of nothing: it can do any.'),
        ];
      if (job.endedBy === 'give-back')
        return [fail('fails-with-a-reason', 'It gave back a job it cannot do: the next worker gets it, and so on.')];
      const { message } = (said.findLast(({ operation }) => operation === 'fail')?.body.error ?? {}) as { message?: string };
      return [
        message?.trim()
          ? pass('fails-with-a-reason', message)
          : fail('fails-with-a-reason', 'Its fail had no message.'),
      ];
    },
  },
  {
    name: 'damaged bytes',
    checks: ['verifies-downloads'],
    run: async (stage) => {
      const { job, said } = await played(stage, { corruptInput: true });
      const check = 'verifies-downloads';
      if (!said.some(({ operation }) => operation === 'download')) return [notTested(check, 'It downloaded nothing.')];
      const stored = said.find(({ operation, status }) => operation === 'upload' && status === 201);
      if (stored)
        return [fail(check, `It stored ${stored.kind}, made of bytes that do not have the SHA-256 of the file.`)];
      if (job.endedBy === 'complete') return [fail(check, 'It completed a job whose input came damaged.')];
      return [
        job.endedBy ? pass(check) : fail(check, 'It fell silent over damaged bytes, and let the lease run out.'),
      ];
    },
  },
  {
    name: 'a last word without an answer',
    checks: ['repeats-the-last-word'],
    run: async (stage) => {
      const check = 'repeats-the-last-word';
      const { said, ended, job } = await played(stage, { dropConnection: true });
      if (!ended || job.endedBy === 'give-back') return [notTested(check, 'It said neither complete nor fail.')];
      const words = () => stage.service.requests.filter((entry) => entry.job === job && LAST_WORDS.includes(entry.operation));
      await stage.service.waitUntil(() => Boolean(words()[1]?.status), stage.service.leaseSeconds);
      const [first, second] = words();
      if (!second)
        return [fail(check, `Its ${first?.operation ?? said.at(-1)?.operation} was not answered, and it was not repeated.`)];
      if (second.operation !== first?.operation)
        return [fail(check, `Its ${first?.operation} was not answered, and then it said ${second.operation}.`)];
      if (second.attempt !== first.attempt)
        return [fail(check, `It repeated ${second.operation} with attempt ${second.attempt} instead of ${first.attempt}.`)];
      return [pass(check)];
    },
  },
  {
    name: 'a slow download, a heartbeat lost on the way',
    checks: ['beats-in-time', 'bears-a-missed-beat', 'sends-attempt'],
    run: async (stage) => {
      const { job, said, ended } = await played(stage, { downloadSeconds: slow(stage), failHeartbeat: 1 });
      const beats = said.filter(({ operation }) => operation === 'heartbeat');
      const check = 'bears-a-missed-beat';
      if (!beats.length) return [notTested(check, 'There was no heartbeat.')];
      if (ended && job.endedBy !== 'complete')
        return [fail(check, `After one heartbeat answered 503 it said ${job.endedBy}.`)];
      if (!ended) return [fail(check, 'After one heartbeat answered 503 it was not heard of again.')];
      return [beats.length > 1 ? pass(check) : notTested(check, 'The job was done before the next heartbeat.')];
    },
  },
  {
    name: 'a job that a user cancels',
    checks: ['stops-on-cancel'],
    run: async (stage) => {
      const check = 'stops-on-cancel';
      const { job, told, after, ended } = await playedUntilTold(stage, { downloadSeconds: slow(stage) }, true);
      if (!told) return [notTested(check, 'There was no heartbeat that could have told it.')];
      const upload = after.find(({ operation }) => operation === 'upload');
      if (upload) return [fail(check, `Told to cancel, it uploaded ${upload.kind} ${late(told, upload)}.`)];
      if (job.endedBy === 'complete') return [fail(check, 'Told to cancel, it completed the job.')];
      return [
        ended
          ? pass(check)
          : fail(check, 'Told to cancel, it went on, or fell silent: neither fail nor give-back came.'),
      ];
    },
  },
  {
    name: 'a job that goes to another worker',
    checks: ['stops-after-lease-lost'],
    run: async (stage) => {
      const check = 'stops-after-lease-lost';
      const { told, after } = await playedUntilTold(stage, { downloadSeconds: slow(stage), loseLease: true }, false);
      if (!told) return [notTested(check, 'There was no heartbeat that could have told it.')];
      const wrong = after.find(({ operation }) => operation === 'upload' || operation === 'complete');
      if (wrong) return [fail(check, `After lease_lost it still said ${wrong.operation} ${late(told, wrong)}.`)];
      const beats = after.filter(({ operation }) => operation === 'heartbeat').length;
      return [beats > 1 ? fail(check, `After lease_lost it sent ${beats} more heartbeats.`) : pass(check)];
    },
  },
  {
    name: 'an outage, and no job',
    checks: ['bears-an-outage', 'waits-patiently'],
    run: async ({ service, worker }) => {
      const claims = (since: number) => service.requests.filter(({ operation, at }) => operation === 'claim' && at >= since);
      service.refuseClaims();
      const refused = () =>
        service.requests.findLast(
          ({ operation, status, code }) => operation === 'claim' && status === 503 && code === 'unavailable',
        );
      if (!(await service.waitUntil(() => refused() !== undefined, COMING_SECONDS))) throw new NoWorkerError();
      const told = performance.now();
      const came = await service.waitUntil(() => claims(told).length > 0, service.leaseSeconds + 10);
      if (!came) {
        const ended = worker?.current().exit();
        const how = ended ? `it ended with ${ended.code ?? ended.signal}` : 'it did not ask again';
        return [
          fail('bears-an-outage', `A claim was answered 503, and ${how}.`),
          notTested('waits-patiently', 'It did not come back.'),
        ];
      }
      const from = performance.now();
      await service.waitUntil(() => false, IDLE_SECONDS);
      const rate = claims(from).length / IDLE_SECONDS;
      const patient =
        rate > MOST_CLAIMS_A_SECOND
          ? fail('waits-patiently', `It asked ${rate.toFixed(0)} times a second.`)
          : pass('waits-patiently');
      return [pass('bears-an-outage', `back after ${((claims(told)[0]?.at ?? told) - told).toFixed(0)} ms`), patient];
    },
  },
  {
    name: 'SIGTERM in the middle of a job',
    checks: ['gives-back-on-sigterm'],
    run: async (stage) => {
      const check = 'gives-back-on-sigterm';
      const { service, worker } = stage;
      if (!worker) return [notTested(check, 'Let worker-check start the worker (-- COMMAND) to see this.')];
      const job = await taken(stage, { downloadSeconds: slow(stage) * 1.2 });
      await service.waitUntil(
        () => service.requests.some((entry) => entry.job === job && entry.operation === 'download'),
        service.leaseSeconds,
      );
      const handle = worker.current();
      const asked = performance.now();
      handle.terminate();
      const exited = await service.waitUntil(() => handle.exit() !== null, EXIT_SECONDS);
      hold(stage, job, performance.now());
      if (!exited) return [fail(check, `It was still there ${EXIT_SECONDS} s after SIGTERM.`)];
      const claimed = service.requests.find(({ operation, at }) => operation === 'claim' && at > asked + 1_000);
      if (claimed) return [fail(check, 'It claimed again after SIGTERM.')];
      if (!job.endedBy)
        return [
          fail(
            check,
            'It exited with a job in its hands: the job waits for the end of the lease, and a try is charged.',
          ),
        ];
      if (job.endedBy === 'fail')
        return [fail(check, 'It failed its job because it was stopped; give-back charges nothing.')];
      return [pass(check, `${job.endedBy}, exit after ${((performance.now() - asked) / 1000).toFixed(1)} s`)];
    },
  },
  {
    name: 'the same worker, started again',
    checks: ['fresh-worker-id'],
    run: async ({ service, worker }) => {
      const check = 'fresh-worker-id';
      if (!worker) return [notTested(check, 'Let worker-check start the worker (-- COMMAND) to see this.')];
      const ids = () =>
        new Set(
          service.requests
            .filter(({ operation, body }) => operation === 'claim' && 'workerId' in body)
            .map(({ body }) => body.workerId),
        );
      if (!(await service.waitUntil(() => ids().size > 0, COMING_SECONDS))) throw new NoWorkerError();
      const known = ids();
      await worker.restart();
      const begun = performance.now();
      const came = await service.waitUntil(
        () => service.requests.some(({ operation, at, body }) => operation === 'claim' && at > begun && 'workerId' in body),
        COMING_SECONDS,
      );
      if (!came) return [notTested(check, 'Started again, it claimed nothing.')];
      return [
        ids().size > known.size
          ? pass(check)
          : fail(check, 'Started again, it claimed with the workerId of the process before.'),
      ];
    },
  },
];

function slow({ service }: ScenarioContext): number {
  return service.heartbeatSeconds * 2.5;
}

function late(told: RecordedRequest, then: RecordedRequest): string {
  return `${((then.at - told.at) / 1000).toFixed(1)} s later`;
}

async function taken({ service, worker }: ScenarioContext, quirks: Faults, content?: Buffer): Promise<MockJob> {
  const job = service.queue(quirks, content);
  const begun = performance.now();
  const refused = () =>
    service.requests.filter(({ operation, at, status }) => operation === 'claim' && at > begun && status >= 400 && status < 500)
      .length > 1;
  const taken = () => job.state.status !== 'waiting';
  await service.waitUntil(() => taken() || refused() || worker?.current().exit() != null, COMING_SECONDS);
  if (taken()) return job;
  service.withdraw(job);
  throw new NoWorkerError();
}

/** A job from its claim to its end: `ended` is false when the worker fell silent; `said` is what it said about it. */
async function played(stage: ScenarioContext, quirks: Faults, content?: Buffer) {
  const { service } = stage;
  const job = await taken(stage, quirks, content);
  const over = () => job.state.status !== 'running';
  await service.waitUntil(over, (quirks.downloadSeconds ?? 0) + service.leaseSeconds * 4);
  hold(stage, job, performance.now());
  return { job, ended: job.endedBy !== null, said: service.requests.filter((entry) => entry.job === job) };
}

/** A job whose first heartbeat says that it is to be let go of, and what the worker did after that. */
async function playedUntilTold(stage: ScenarioContext, quirks: Faults, cancel: boolean) {
  const { service } = stage;
  const job = await taken(stage, quirks);
  job.state.cancelAsked = cancel;
  const beats = () =>
    service.requests.filter((entry) => entry.job === job && entry.operation === 'heartbeat' && entry.status);
  const over = () => job.state.status !== 'running' || job.endedBy !== null;
  await service.waitUntil(() => beats().length > 0 || over(), (quirks.downloadSeconds ?? 0) + service.leaseSeconds * 2);
  const told = beats()[0] ?? null;
  hold(stage, job, told?.at ?? performance.now());
  const since = () => service.requests.filter(({ at }) => told && at > told.at);
  // It has let go when it asks for the next job; a moment later what it began before would have arrived.
  const gone = () => since().some(({ operation, at }) => operation === 'claim' && performance.now() - at > 500);
  const wrong = () => since().some((entry) => entry.job === job && ['upload', 'complete'].includes(entry.operation));
  if (told)
    await service.waitUntil(
      () => wrong() || gone() || (cancel && over()),
      (quirks.downloadSeconds ?? 0) + service.leaseSeconds * 1.5,
    );
  return {
    job,
    told,
    after: since().filter((entry) => entry.job === job && entry !== told),
    ended: job.endedBy !== null,
  };
}

// From the claim to its end there must be heartbeats.
function hold({ service, claims }: ScenarioContext, job: MockJob, to: number): void {
  const began = job.claimedAt ?? to;
  const last = service.requests.findLast(
    (entry) => entry.job === job && LAST_WORDS.includes(entry.operation) && entry.at <= to,
  );
  claims.push({ job, attempt: job.claimedAttempt, from: began, to: Math.max(began, last?.at ?? to) });
}
