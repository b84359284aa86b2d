import type { Permit, Permits } from '../subgraphs/core/platform/dispatch.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { waitForAny, sleep } from '../worker-sdk/sleep.ts';
import type { Engine } from './engines/engine.ts';
import { ApiRefusal } from './http-client.ts';
import { PREPARED } from './inputs.ts';
import { type Outcome, type Working, workOnJob } from './work-on-job.ts';
import type { HeldJob, WorkerApi } from './worker-api.ts';

/** Hears what happens to jobs: for metrics. */
export type LoopListener = {
  claimed(result: 'job' | 'none' | 'error', job?: HeldJob): void;
  ended(job: HeldJob, outcome: Outcome, seconds: number): void;
  permits(result: 'done' | 'given back', count: number): void;
};
export type Loop = {
  running(): Working[];
  draining(): boolean;
  /** Stops claiming; running jobs may finish within the grace, then they are given back. */
  stop(graceSeconds: number): Promise<void>;
};

type Parts = { api: WorkerApi; permits: Permits | null; engine: Engine; workDir: string; log: Log; on: LoopListener };

const WAIT_SECONDS = 25;
// While the message server is away: soon enough back to it.
const WAIT_SECONDS_MEANWHILE = 5;
// A lost permit delays its job by that much at most.
const LOOK_MILLISECONDS = 1_000;
const MOST_PERMITS = 256;
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 5_000;
const AFTER_A_FAILURE = 500;

/**
 * Claims jobs for the free slots of an engine and works on them. It claims when a slot has become free, a permit has come or a second has passed;
 * without permits it waits at the API. While the API is away it goes on trying, every 0.2 to 5 s.
 */
export function startLoop({ api, permits, engine, workDir, log, on }: Parts): Loop {
  const stopping = new AbortController();
  const running = new Set<Working>();
  const slots = engine.state().slots.length;
  const types = engine.types.filter((type) => PREPARED.includes(type));
  const wish = { types, environment: engine.environment };

  function start(job: HeldJob): void {
    const begun = performance.now();
    const working = workOnJob(job, { api, engine, workDir, log });
    running.add(working);
    log.info({ jobId: job.id, type: job.type, attempt: job.attempt }, 'job started');
    void working.outcome.then((outcome) => {
      running.delete(working);
      on.ended(job, outcome, (performance.now() - begun) / 1000);
    });
  }

  // As long as it is not known that the API answers, it is asked to answer at once: the status tells by it how the API stands.
  function waitSeconds(): number {
    if (permits?.up() || !api.reach().reachable) return 0;
    return permits ? WAIT_SECONDS_MEANWHILE : WAIT_SECONDS;
  }

  /** Claims until the slots are full or nothing waits (then true). */
  async function claimed(waitSeconds: number): Promise<boolean> {
    while (running.size < slots && !stopping.signal.aborted) {
      const job = await api.claim({ ...wish, waitSeconds }, stopping.signal);
      on.claimed(job ? 'job' : 'none', job ?? undefined);
      if (!job) return true;
      start(job);
    }
    return false;
  }

  const claiming = (async () => {
    let held: Permit[] = [];
    // Permits of jobs that went by the timer are left over: while nothing waits, they are taken in growing handfuls.
    let handful = 1;
    for (let pause = FIRST_PAUSE; !stopping.signal.aborted; ) {
      const free = slots - running.size;
      if (free <= 0) {
        await waitForAny(outcomesOf(running), stopping.signal);
        continue;
      }
      try {
        const nothingWaits = await claimed(waitSeconds());
        pause = FIRST_PAUSE;
        const used = nothingWaits ? held.length : free;
        handful = nothingWaits && held.length ? Math.min(handful * 2, MOST_PERMITS) : 1;
        settle(held.splice(0, used), held.splice(0));
        if (nothingWaits && permits?.up()) {
          const milliseconds = LOOK_MILLISECONDS * (0.8 + Math.random() * 0.4);
          held = await permits.next(types, {
            most: (slots - running.size) * handful,
            milliseconds,
            signal: stopping.signal,
          });
        }
      } catch (error) {
        settle([], held.splice(0), AFTER_A_FAILURE);
        if (stopping.signal.aborted) return;
        on.claimed('error');
        if (pause === FIRST_PAUSE)
          log.warn(
            { err: error, code: error instanceof ApiRefusal ? error.code : undefined },
            'no job could be claimed; trying on',
          );
        await sleep(pause * (0.8 + Math.random() * 0.4), stopping.signal);
        pause = Math.min(pause * 2, LONGEST_PAUSE);
      }
    }
    settle([], held.splice(0));
  })();

  function settle(done: Permit[], back: Permit[], milliseconds = 0): void {
    for (const permit of done) permit.done();
    for (const permit of back) permit.giveBack(milliseconds);
    if (done.length) on.permits('done', done.length);
    if (back.length) on.permits('given back', back.length);
  }

  return {
    running: () => [...running],
    draining: () => stopping.signal.aborted,
    stop: async (graceSeconds) => {
      stopping.abort();
      await claiming;
      const all = Promise.all(outcomesOf(running));
      await Promise.race([all, sleep(graceSeconds * 1000)]);
      for (const { beat } of running) beat.stopFor('shutdown');
      await all;
    },
  };
}

function outcomesOf(running: Iterable<Working>): Promise<Outcome>[] {
  return [...running].map(({ outcome }) => outcome);
}
