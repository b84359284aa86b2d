// The scenes that are played with a worker, in their order, and what each of them shows.
import { type CheckName, type Finding, fault, notSeen, pass } from './checks.ts';
import type { Held } from './judge-journal.ts';
import type { PlayedJob, Quirks } from './played-job.ts';
import type { Entry, PlayedService } from './played-service.ts';
import type { WorkerHandle } from './worker-process.ts';

export type Stage = {
  service: PlayedService;
  /** The worker as a process that can be started and stopped; null when it runs elsewhere. */
  worker: { now(): WorkerHandle; again(): Promise<void> } | null;
  held: Held[];
};
export type Scene = { name: string; shows: readonly CheckName[]; play(stage: Stage): Promise<Finding[]> };

/** No worker came to take a job. */
export class NoWorker extends Error {}

const COMING_SECONDS = 30;
const EXIT_SECONDS = 20;
const IDLE_SECONDS = 2.5;
const MOST_CLAIMS_A_SECOND = 5;
const LAST_WORDS = ['complete', 'fail', 'give-back'];
const GARBAGE = Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 73 + 41) % 251));

export const SCENES: readonly Scene[] = [
  {
    name: 'a plain job',
    shows: ['well-formed', 'claims-with-worker-id', 'sends-attempt', 'names-generator', 'names-input'],
    play: async (stage) => {
      await played(stage, {});
      return [];
    },
  },
  {
    name: 'an input that is none',
    shows: ['fails-with-a-reason'],
    play: async (stage) => {
      const { job, ended, said } = await played(stage, {}, GARBAGE);
      if (!ended)
        return [
          fault('fails-with-a-reason', 'It fell silent over an input it cannot read, and let the lease run out.'),
        ];
      if (job.endedBy === 'complete')
        return [
          notSeen('fails-with-a-reason', 'It completed a job whose input is 512 bytes of nothing: it can do any.'),
        ];
      if (job.endedBy === 'give-back')
        return [fault('fails-with-a-reason', 'It gave back a job it cannot do: the next worker gets it, and so on.')];
      const { message } = (said.findLast(({ deed }) => deed === 'fail')?.body.error ?? {}) as { message?: string };
      return [
        message?.trim()
          ? pass('fails-with-a-reason', message)
          : fault('fails-with-a-reason', 'Its fail had no message.'),
      ];
    },
  },
  {
    name: 'damaged bytes',
    shows: ['verifies-downloads'],
    play: async (stage) => {
      const { job, said } = await played(stage, { damaged: true });
      const check = 'verifies-downloads';
      if (!said.some(({ deed }) => deed === 'download')) return [notSeen(check, 'It downloaded nothing.')];
      const stored = said.find(({ deed, status }) => deed === 'upload' && status === 201);
      if (stored)
        return [fault(check, `It stored ${stored.kind}, made of bytes that do not have the SHA-256 of the file.`)];
      if (job.endedBy === 'complete') return [fault(check, 'It completed a job whose input came damaged.')];
      return [
        job.endedBy ? pass(check) : fault(check, 'It fell silent over damaged bytes, and let the lease run out.'),
      ];
    },
  },
  {
    name: 'a last word without an answer',
    shows: ['repeats-the-last-word'],
    play: async (stage) => {
      const check = 'repeats-the-last-word';
      const { said, ended, job } = await played(stage, { hangUp: true });
      if (!ended || job.endedBy === 'give-back') return [notSeen(check, 'It said neither complete nor fail.')];
      const words = () => stage.service.journal.filter((entry) => entry.job === job && LAST_WORDS.includes(entry.deed));
      await stage.service.until(() => Boolean(words()[1]?.status), stage.service.leaseSeconds);
      const [first, second] = words();
      if (!second)
        return [fault(check, `Its ${first?.deed ?? said.at(-1)?.deed} was not answered, and it was not repeated.`)];
      if (second.deed !== first?.deed)
        return [fault(check, `Its ${first?.deed} was not answered, and then it said ${second.deed}.`)];
      if (second.attempt !== first.attempt)
        return [fault(check, `It repeated ${second.deed} with attempt ${second.attempt} instead of ${first.attempt}.`)];
      return [pass(check)];
    },
  },
  {
    name: 'a slow download, a heartbeat lost on the way',
    shows: ['beats-in-time', 'bears-a-missed-beat', 'sends-attempt'],
    play: async (stage) => {
      const { job, said, ended } = await played(stage, { dripSeconds: slow(stage), missedBeat: 1 });
      const beats = said.filter(({ deed }) => deed === 'heartbeat');
      const check = 'bears-a-missed-beat';
      if (!beats.length) return [notSeen(check, 'There was no heartbeat.')];
      if (ended && job.endedBy !== 'complete')
        return [fault(check, `After one heartbeat answered 503 it said ${job.endedBy}.`)];
      if (!ended) return [fault(check, 'After one heartbeat answered 503 it was not heard of again.')];
      return [beats.length > 1 ? pass(check) : notSeen(check, 'The job was done before the next heartbeat.')];
    },
  },
  {
    name: 'a job that a user cancels',
    shows: ['stops-on-cancel'],
    play: async (stage) => {
      const check = 'stops-on-cancel';
      const { job, told, after, ended } = await playedUntilTold(stage, { dripSeconds: slow(stage) }, true);
      if (!told) return [notSeen(check, 'There was no heartbeat that could have told it.')];
      const upload = after.find(({ deed }) => deed === 'upload');
      if (upload) return [fault(check, `Told to cancel, it uploaded ${upload.kind} ${late(told, upload)}.`)];
      if (job.endedBy === 'complete') return [fault(check, 'Told to cancel, it completed the job.')];
      return [
        ended
          ? pass(check)
          : fault(check, 'Told to cancel, it went on, or fell silent: neither fail nor give-back came.'),
      ];
    },
  },
  {
    name: 'a job that goes to another worker',
    shows: ['stops-after-lease-lost'],
    play: async (stage) => {
      const check = 'stops-after-lease-lost';
      const { told, after } = await playedUntilTold(stage, { dripSeconds: slow(stage), lost: true }, false);
      if (!told) return [notSeen(check, 'There was no heartbeat that could have told it.')];
      const wrong = after.find(({ deed }) => deed === 'upload' || deed === 'complete');
      if (wrong) return [fault(check, `After lease_lost it still said ${wrong.deed} ${late(told, wrong)}.`)];
      const beats = after.filter(({ deed }) => deed === 'heartbeat').length;
      return [beats > 1 ? fault(check, `After lease_lost it sent ${beats} more heartbeats.`) : pass(check)];
    },
  },
  {
    name: 'an outage, and no job',
    shows: ['bears-an-outage', 'waits-patiently'],
    play: async ({ service, worker }) => {
      const claims = (since: number) => service.journal.filter(({ deed, at }) => deed === 'claim' && at >= since);
      service.refuseClaims();
      const refused = () =>
        service.journal.findLast(
          ({ deed, status, code }) => deed === 'claim' && status === 503 && code === 'unavailable',
        );
      if (!(await service.until(() => refused() !== undefined, COMING_SECONDS))) throw new NoWorker();
      const told = performance.now();
      const came = await service.until(() => claims(told).length > 0, service.leaseSeconds + 10);
      if (!came) {
        const ended = worker?.now().exit();
        const how = ended ? `it ended with ${ended.code ?? ended.signal}` : 'it did not ask again';
        return [
          fault('bears-an-outage', `A claim was answered 503, and ${how}.`),
          notSeen('waits-patiently', 'It did not come back.'),
        ];
      }
      const from = performance.now();
      await service.until(() => false, IDLE_SECONDS);
      const rate = claims(from).length / IDLE_SECONDS;
      const patient =
        rate > MOST_CLAIMS_A_SECOND
          ? fault('waits-patiently', `It asked ${rate.toFixed(0)} times a second.`)
          : pass('waits-patiently');
      return [pass('bears-an-outage', `back after ${((claims(told)[0]?.at ?? told) - told).toFixed(0)} ms`), patient];
    },
  },
  {
    name: 'SIGTERM in the middle of a job',
    shows: ['gives-back-on-sigterm'],
    play: async (stage) => {
      const check = 'gives-back-on-sigterm';
      const { service, worker } = stage;
      if (!worker) return [notSeen(check, 'Let worker-check start the worker (-- COMMAND) to see this.')];
      const job = await taken(stage, { dripSeconds: slow(stage) * 1.2 });
      await service.until(
        () => service.journal.some((entry) => entry.job === job && entry.deed === 'download'),
        service.leaseSeconds,
      );
      const handle = worker.now();
      const asked = performance.now();
      handle.terminate();
      const exited = await service.until(() => handle.exit() !== null, EXIT_SECONDS);
      hold(stage, job, performance.now());
      if (!exited) return [fault(check, `It was still there ${EXIT_SECONDS} s after SIGTERM.`)];
      const claimed = service.journal.find(({ deed, at }) => deed === 'claim' && at > asked + 1_000);
      if (claimed) return [fault(check, 'It claimed again after SIGTERM.')];
      if (!job.endedBy)
        return [
          fault(
            check,
            'It exited with a job in its hands: the job waits for the end of the lease, and a try is charged.',
          ),
        ];
      if (job.endedBy === 'fail')
        return [fault(check, 'It failed its job because it was stopped; give-back charges nothing.')];
      return [pass(check, `${job.endedBy}, exit after ${((performance.now() - asked) / 1000).toFixed(1)} s`)];
    },
  },
  {
    name: 'the same worker, started again',
    shows: ['fresh-worker-id'],
    play: async ({ service, worker }) => {
      const check = 'fresh-worker-id';
      if (!worker) return [notSeen(check, 'Let worker-check start the worker (-- COMMAND) to see this.')];
      const ids = () =>
        new Set(
          service.journal
            .filter(({ deed, body }) => deed === 'claim' && 'workerId' in body)
            .map(({ body }) => body.workerId),
        );
      if (!(await service.until(() => ids().size > 0, COMING_SECONDS))) throw new NoWorker();
      const known = ids();
      await worker.again();
      const begun = performance.now();
      const came = await service.until(
        () => service.journal.some(({ deed, at, body }) => deed === 'claim' && at > begun && 'workerId' in body),
        COMING_SECONDS,
      );
      if (!came) return [notSeen(check, 'Started again, it claimed nothing.')];
      return [
        ids().size > known.size
          ? pass(check)
          : fault(check, 'Started again, it claimed with the workerId of the process before.'),
      ];
    },
  },
];

function slow({ service }: Stage): number {
  return service.heartbeatSeconds * 2.5;
}

function late(told: Entry, then: Entry): string {
  return `${((then.at - told.at) / 1000).toFixed(1)} s later`;
}

async function taken({ service, worker }: Stage, quirks: Quirks, content?: Buffer): Promise<PlayedJob> {
  const job = service.queue(quirks, content);
  const begun = performance.now();
  const refused = () =>
    service.journal.filter(({ deed, at, status }) => deed === 'claim' && at > begun && status >= 400 && status < 500)
      .length > 1;
  const taken = () => job.state.status !== 'waiting';
  await service.until(() => taken() || refused() || worker?.now().exit() != null, COMING_SECONDS);
  if (taken()) return job;
  service.withdraw(job);
  throw new NoWorker();
}

/** A job from its claim to its end: `ended` is false when the worker fell silent; `said` is what it said about it. */
async function played(stage: Stage, quirks: Quirks, content?: Buffer) {
  const { service } = stage;
  const job = await taken(stage, quirks, content);
  const over = () => job.state.status !== 'running';
  await service.until(over, (quirks.dripSeconds ?? 0) + service.leaseSeconds * 4);
  hold(stage, job, performance.now());
  return { job, ended: job.endedBy !== null, said: service.journal.filter((entry) => entry.job === job) };
}

/** A job whose first heartbeat says that it is to be let go of, and what the worker did after that. */
async function playedUntilTold(stage: Stage, quirks: Quirks, cancel: boolean) {
  const { service } = stage;
  const job = await taken(stage, quirks);
  job.state.cancelAsked = cancel;
  const beats = () =>
    service.journal.filter((entry) => entry.job === job && entry.deed === 'heartbeat' && entry.status);
  const over = () => job.state.status !== 'running' || job.endedBy !== null;
  await service.until(() => beats().length > 0 || over(), (quirks.dripSeconds ?? 0) + service.leaseSeconds * 2);
  const told = beats()[0] ?? null;
  hold(stage, job, told?.at ?? performance.now());
  const since = () => service.journal.filter(({ at }) => told && at > told.at);
  // It has let go when it asks for the next job; a moment later what it began before would have arrived.
  const gone = () => since().some(({ deed, at }) => deed === 'claim' && performance.now() - at > 500);
  const wrong = () => since().some((entry) => entry.job === job && ['upload', 'complete'].includes(entry.deed));
  if (told)
    await service.until(
      () => wrong() || gone() || (cancel && over()),
      (quirks.dripSeconds ?? 0) + service.leaseSeconds * 1.5,
    );
  return {
    job,
    told,
    after: since().filter((entry) => entry.job === job && entry !== told),
    ended: job.endedBy !== null,
  };
}

// From the claim to its end there must be heartbeats.
function hold({ service, held }: Stage, job: PlayedJob, to: number): void {
  const began = job.handedAt ?? to;
  const last = service.journal.findLast(
    (entry) => entry.job === job && LAST_WORDS.includes(entry.deed) && entry.at <= to,
  );
  held.push({ job, attempt: job.handedAttempt, from: began, to: Math.max(began, last?.at ?? to) });
}
