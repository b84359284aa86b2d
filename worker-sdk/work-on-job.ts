import { FinalError, isLost, isStale, mayPass, PassingError, ServiceRefusal } from './faults.ts';
import type { Heart, Held } from './heartbeat.ts';
import { untilAnswered } from './http.ts';
import type { Job } from './job.ts';
import { type JobContext, jobContext } from './job-context.ts';
import type { Failure, Routes } from './routes.ts';
import { waited } from './waited.ts';

export type Handler = (job: Job, ctx: JobContext) => Promise<void> | void;
type Tools = {
  service: Routes;
  heart: Heart;
  handler: Handler;
  generator: string;
  log(line: string): void;
  abandoned: AbortSignal;
};

/** A job under way: `free` resolves when the handler is back, `ended` when the service knows as well how it ended. Neither rejects. */
export type Working = { job: Job; stop(): void; free: Promise<void>; ended: Promise<void> };

// A handler that was told to stop is waited for that long before its job is spoken for.
const LET_GO_MILLISECONDS = 5_000;
const GIVE_BACK_SECONDS = 3;

/** Works on one job: its lease is kept from here on, its last word is told until it is heard. */
export function workOnJob(job: Job, tools: Tools): Working {
  const held = tools.heart.hold(job);
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  return { job, stop: () => held.stopFor('shutdown'), free, ended: work(job, held, tools, release).finally(release) };
}

async function work(
  job: Job,
  held: Held,
  { service, handler, generator, log, abandoned }: Tools,
  release: () => void,
): Promise<void> {
  const { ctx, clear } = jobContext(job, held, service, generator);
  const handling = handled(handler, job, ctx, held);
  void handling.then(release);
  const named = `${job.type} ${job.id}, attempt ${job.attempt}`;
  log(`${named}: started`);
  try {
    const back = new AbortController();
    const failure = await Promise.race([handling, letGo(held.signal, AbortSignal.any([abandoned, back.signal]))]);
    back.abort();
    const lines = await held.end();
    log(`${named}: ${await lastWord(job, held, service, failure, lines)}`);
  } catch (error) {
    log(`${named}: its end could not be told, its lease runs out: ${error instanceof Error ? error.message : error}`);
  }
  // The slot is free only when the handler is: two jobs at once may be more than it can bear.
  await Promise.race([handling, aborted(abandoned)]);
  await clear().catch((error: Error) => log(`${named}: its folder could not be deleted: ${error.message}`));
}

/** Tells the service how it ended; answers with that in a word. */
async function lastWord(
  job: Job,
  held: Held,
  service: Routes,
  failure: Failure | null,
  lines: string[],
): Promise<string> {
  const reason = held.reason();
  const seconds = job.leaseSeconds;
  try {
    if (reason === 'lease_lost' || failure?.code === 'lease_lost') return 'lost';
    if (reason === 'shutdown') {
      await untilAnswered(() => service.giveBack(job), { seconds: GIVE_BACK_SECONDS });
      return 'given back';
    }
    const said = reason === 'cancel' ? CANCELLED : failure;
    const refused = await untilAnswered(() => (said ? service.fail(job, said, lines) : service.complete(job, lines)), {
      seconds,
    }).then(
      () => null,
      (error: unknown) => notDone(error, said),
    );
    if (refused) await untilAnswered(() => service.fail(job, refused, lines), { seconds });
    const told = said ?? refused;
    return told ? `${told.code}: ${told.message}` : 'done';
  } catch (error) {
    if (isLost(error)) return 'lost';
    throw error;
  }
}

// A job that the service does not take for done has failed, at once and by that name, and not when its lease has run out three times.
function notDone(error: unknown, said: Failure | null): Failure {
  if (said || !(error instanceof ServiceRefusal) || error.code !== 'result_missing') throw error;
  return { code: error.code, message: error.message, final: false, again: false };
}

const CANCELLED: Failure = { code: 'cancelled', message: 'The job was cancelled.', final: true, again: false };

/** Runs the handler; null when it is through, else why the job failed. */
async function handled(handler: Handler, job: Job, ctx: JobContext, held: Held): Promise<Failure | null> {
  try {
    await handler(job, ctx);
    return null;
  } catch (error) {
    return failureOf(error, held);
  }
}

function failureOf(error: unknown, held: Held): Failure {
  const message = (error instanceof Error && error.message) || String(error);
  if (error instanceof FinalError) return { code: error.code, message, final: true, again: false };
  if (error instanceof PassingError) return { code: error.code, message, final: false, again: true };
  if (isStale(error)) return { code: 'stale_input', message, final: false, again: false };
  if (isLost(error)) return { code: 'lease_lost', message, final: false, again: false };
  if (mayPass(error)) return { code: 'unreachable', message, final: false, again: true };
  if (error instanceof ServiceRefusal)
    return { code: error.code, message: `the service refused: ${message}`, final: false, again: false };
  if (!held.signal.aborted && error instanceof Error && error.stack) held.log(error.stack);
  return { code: 'failed', message, final: false, again: false };
}

// What is told when the handler does not come back: the reason of the signal decides, not this.
async function letGo(signal: AbortSignal, abandoned: AbortSignal): Promise<null> {
  await aborted(signal);
  await waited(LET_GO_MILLISECONDS, abandoned);
  return null;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
