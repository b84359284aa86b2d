import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Log } from '../subgraphs/core/log.ts';
import type { Engine, EngineArtifact } from './engines/engine.ts';
import { MissingInput } from './fetch-file.ts';
import { type Heartbeat, startHeartbeat } from './heartbeat.ts';
import { ApiRefusal, mayPass, untilAnswered } from './http-client.ts';
import { fetchInputs } from './inputs.ts';
import { type Failure, type HeldJob, isStale, type JobContext, lostIt, type WorkerApi } from './worker-api.ts';

/** How a job ended for this worker, and with which error if it did. */
export type Outcome = { status: string; reason: string };
/** A job under way. */
export type Working = { job: HeldJob; since: Date; beat: Heartbeat; outcome: Promise<Outcome> };
type Tools = { api: WorkerApi; engine: Engine; workDir: string; log: Log };

// Faults that are not the job's: the service tries it again by itself, three times in all.
const PASSING = ['engine_crashed', 'not_converted', 'missing_file', 'bad_download'];

/** Works on one job from the fetching of its inputs to its end; never throws. The job's folder is gone afterwards. */
export function workOnJob(job: HeldJob, tools: Tools): Working {
  const beat = startHeartbeat(tools.api, job);
  return { job, since: new Date(), beat, outcome: work(job, beat, tools) };
}

async function work(job: HeldJob, beat: Heartbeat, tools: Tools): Promise<Outcome> {
  const folder = join(tools.workDir, `${job.id}-${job.attempt}-${randomUUID().slice(0, 8)}`);
  try {
    return await finish(job, beat, tools, await attempt(job, beat, tools, folder));
  } catch (error) {
    const reason = error instanceof ApiRefusal ? error.code : 'unreachable';
    tools.log.warn(
      { jobId: job.id, attempt: job.attempt, err: error },
      'the end of a job could not be told; its lease runs out',
    );
    return { status: 'lost', reason };
  } finally {
    await beat.end();
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
      tools.log.error({ err: error, folder }, "a job's folder could not be deleted"),
    );
  }
}

/** Everything but the last word: null when the results are stored, else why they are not. */
async function attempt(
  job: HeldJob,
  beat: Heartbeat,
  { api, engine, log }: Tools,
  folder: string,
): Promise<Failure | null> {
  const { signal } = beat;
  const seconds = job.leaseSeconds;
  try {
    beat.log(`Attempt ${job.attempt}: ${engine.name} ${engine.version} on worker ${api.workerId}.`);
    const handedOut = async () => {
      const context = await untilAnswered(() => api.context(job, signal), { signal, seconds });
      return { context, task: await fetchInputs({ api, job, context, folder, signal, seconds }) };
    };
    // An input replaced on the way may still be in a version that waits for the job: a second context names it, or is refused for good.
    const { context, task } = await handedOut().catch((error: unknown) => {
      if (isStale(error)) return handedOut();
      throw error;
    });
    const result = await engine.run(task, { log: beat.log, progress: beat.progress, signal });
    if (signal.aborted) return null;
    if ('error' in result) return { ...result.error, again: PASSING.includes(result.error.code) };
    if ('delivery' in result) {
      // taking it ends the job: what the log has yet to hear goes first
      await beat.flush();
      await untilAnswered(() => api.deliver(job, result.delivery, signal), { signal, seconds });
      return null;
    }
    for (const artifact of result.artifacts) {
      const upload = { ...artifact, ...named(artifact, context), generator: `${engine.name}/${engine.version}` };
      await untilAnswered(() => api.upload(job, upload, signal), { signal, seconds });
    }
    return null;
  } catch (error) {
    if (signal.aborted) return null;
    return failureOf(error, log, job, beat);
  }
}

/** The last word about the job, told until it is heard or the lease has run out. */
async function finish(job: HeldJob, beat: Heartbeat, { api, log }: Tools, failure: Failure | null): Promise<Outcome> {
  const reason = beat.reason();
  const lines = await beat.end();
  const told = async (deed: () => Promise<{ status: string }>, seconds = job.leaseSeconds): Promise<Outcome> => {
    const { status } = await untilAnswered(deed, { seconds });
    log.info({ jobId: job.id, type: job.type, attempt: job.attempt, status, code: failure?.code }, 'job ended');
    return { status, reason: reason ?? failure?.code ?? 'none' };
  };
  if (reason === 'lease_lost') return { status: 'lost', reason };
  if (reason === 'shutdown') return told(() => api.giveBack(job), 2);
  if (reason === 'cancel')
    return told(() =>
      api.fail(job, { code: 'cancelled', message: 'the job was cancelled', final: true, again: false }, lines),
    );
  if (failure?.code === 'lease_lost') return { status: 'lost', reason: failure.code };
  return told(() => (failure ? api.fail(job, failure, lines) : api.complete(job, lines)));
}

function failureOf(error: unknown, log: Log, job: HeldJob, beat: Heartbeat): Failure {
  if (lostIt(error)) return { code: 'lease_lost', message: '', final: false, again: false };
  if (error instanceof MissingInput)
    return { code: error.code, message: error.message, final: error.final, again: !error.final };
  if (error instanceof ApiRefusal) {
    return { code: error.code, message: `the service refused: ${error.message}`, final: false, again: mayPass(error) };
  }
  if (mayPass(error))
    return { code: 'unreachable', message: 'the service could not be reached', final: false, again: true };
  log.error({ jobId: job.id, attempt: job.attempt, err: error }, 'working on a job failed');
  beat.log(error instanceof Error ? String(error.stack) : String(error));
  return {
    code: 'internal',
    message: error instanceof Error ? error.message : String(error),
    final: false,
    again: false,
  };
}

const FORMS: Record<EngineArtifact['kind'], { ending: string; contentType: string }> = {
  stp: { ending: '.stp', contentType: 'model/step' },
  ofb: { ending: '.ofb', contentType: 'application/octet-stream' },
  glb: { ending: '.glb', contentType: 'model/gltf-binary' },
  properties: { ending: '.properties.json', contentType: 'application/json' },
  thumbnail: { ending: '.png', contentType: 'image/png' },
  'asm-json': { ending: '.asm.json', contentType: 'application/json' },
};

// Results are named after the source: bracket.step → bracket.glb.
function named({ kind }: EngineArtifact, { files, document }: JobContext): { fileName: string; contentType: string } {
  const source = files[0]?.fileName ?? document.number;
  const { ending, contentType } = FORMS[kind];
  return { fileName: basename(source, extname(source)).replace(/\.asm$/, '') + ending, contentType };
}
