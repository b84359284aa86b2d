import type { Log } from '../subgraphs/core/log.ts';
import type { Engine } from './engines/engine.ts';
import { ApiRefusal, waited } from './http-client.ts';
import { PREPARED } from './inputs.ts';
import { type Outcome, type Working, workOnJob } from './work-on-job.ts';
import type { HeldJob, WorkerApi } from './worker-api.ts';

/** Hears what happens to jobs: for metrics. */
export type LoopListener = {
  claimed(result: 'job' | 'none' | 'error', job?: HeldJob): void;
  ended(job: HeldJob, outcome: Outcome, seconds: number): void;
};
export type Loop = {
  running(): Working[];
  draining(): boolean;
  /** Stops claiming; running jobs may finish within the grace, then they are given back. */
  stop(graceSeconds: number): Promise<void>;
};

const WAIT_SECONDS = 25;
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 5_000;

/** Claims jobs for the free slots of an engine and works on them; while the API is away it goes on trying, every 0.2 to 5 s. */
export function startLoop({ api, engine, workDir, log, on }: { api: WorkerApi; engine: Engine; workDir: string; log: Log; on: LoopListener }): Loop {
  const stopping = new AbortController();
  const running = new Set<Working>();
  const slots = engine.state().slots.length;
  const wish = { types: engine.types.filter((type) => PREPARED.includes(type)), environment: engine.environment, waitSeconds: WAIT_SECONDS };

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

  const claiming = (async () => {
    for (let pause = FIRST_PAUSE; !stopping.signal.aborted; ) {
      if (running.size >= slots) {
        await anyEnded(running, stopping.signal);
        continue;
      }
      try {
        const job = await api.claim(wish, stopping.signal);
        on.claimed(job ? 'job' : 'none', job ?? undefined);
        pause = FIRST_PAUSE;
        if (job) start(job);
      } catch (error) {
        if (stopping.signal.aborted) return;
        on.claimed('error');
        if (pause === FIRST_PAUSE)
          log.warn({ err: error, code: error instanceof ApiRefusal ? error.code : undefined }, 'no job could be claimed; trying on');
        await waited(pause * (0.8 + Math.random() * 0.4), stopping.signal);
        pause = Math.min(pause * 2, LONGEST_PAUSE);
      }
    }
  })();

  return {
    running: () => [...running],
    draining: () => stopping.signal.aborted,
    stop: async (graceSeconds) => {
      stopping.abort();
      await claiming;
      const all = Promise.all([...running].map(({ outcome }) => outcome));
      await Promise.race([all, waited(graceSeconds * 1000)]);
      for (const { beat } of running) beat.stopFor('shutdown');
      await all;
    },
  };
}

/** Resolves when one of the jobs has ended, or when the signal aborts; leaves no listener on the signal, which lives as long as the process. */
function anyEnded(jobs: Iterable<Working>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done);
    for (const { outcome } of jobs) void outcome.then(done);
    if (signal.aborted) done();
  });
}
