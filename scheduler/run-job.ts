import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { EXPORTS } from '../subgraphs/core/domain/formats/formats.ts';
import { errorMessage } from '../subgraphs/core/domain/text/error-message.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { ApiError, ConnectionError, isStaleInput, isTransient } from '../worker-sdk/errors.ts';
import { withRetry } from '../worker-sdk/http.ts';
import type { Job, JobMetadata } from '../worker-sdk/job.ts';
import type { Failure } from '../worker-sdk/worker-api.ts';
import type { Engine, EngineArtifact } from './engines/engine.ts';
import { InputError } from './fetch-file.ts';
import { fetchInputs } from './fetch-inputs.ts';
import { holdLease, type Lease, patienceSeconds } from './lease.ts';
import type { WorkerApi } from './worker-api.ts';

/**
 * The status of a job when this worker ended it (`lost` if it could not), and the abort reason or error code (`none` on
 * success).
 */
export type Outcome = { status: string; reason: string };
export type RunningJob = { job: Job; startedAt: Date; lease: Lease; outcome: Promise<Outcome> };
type Options = { api: WorkerApi; engine: Engine; workDir: string; log: Log };

// The service retries a job that failed with one of these codes, up to three attempts in all.
const RETRYABLE_CODES = ['engine_crashed', 'not_converted', 'missing_file', 'bad_download'];
// with the grace period of 7 s, less than the 10 s after which a draining scheduler exits
const GIVE_BACK_SECONDS = 2;

/**
 * Fetches the inputs of a job, runs the engine, uploads the results and reports the outcome; `outcome` never rejects.
 * Deletes the job's folder.
 */
export function runJob(job: Job, options: Options): RunningJob {
  const lease = holdLease(options.api, job);
  return { job, startedAt: new Date(), lease, outcome: execute(job, lease, options) };
}

async function execute(job: Job, lease: Lease, options: Options): Promise<Outcome> {
  const { log } = options;
  const folder = join(options.workDir, `${job.id}-${job.attempt}-${randomUUID().slice(0, 8)}`);
  try {
    return await reportOutcome(job, lease, options, await attempt(job, lease, options, folder));
  } catch (error) {
    const reason = error instanceof ApiError ? error.code : 'unreachable';
    log.warn(
      { jobId: job.id, attempt: job.attempt, err: error },
      'could not report the outcome of a job; its lease will expire',
    );
    return { status: 'lost', reason };
  } finally {
    await lease.end();
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
      log.error({ err: error, folder }, 'could not delete the folder of a job'),
    );
  }
}

/** Runs the job and stores its results. Returns null on success or abort, otherwise the failure. */
async function attempt(job: Job, lease: Lease, { api, engine, log }: Options, folder: string): Promise<Failure | null> {
  const { signal } = lease;
  const seconds = patienceSeconds(job);
  const retry = { signal, seconds };
  try {
    lease.log(`Attempt ${job.attempt}: ${engine.name} ${engine.version} on worker ${api.workerId}.`);
    const prepare = async () => {
      const metadata = await withRetry(() => api.metadata(job, signal), retry);
      return { metadata, task: await fetchInputs({ api, job, metadata, folder, signal, seconds }) };
    };
    // An input replaced in the meantime may still be in a version that waits for this job: reading the metadata again
    // returns it, or fails.
    const { metadata, task } = await prepare().catch((error: unknown) => {
      if (isStaleInput(error)) return prepare();
      throw error;
    });
    const result = await engine.run(task, { log: lease.log, progress: lease.progress, signal });
    if (signal.aborted) return null;
    if ('error' in result) return { ...result.error, retryable: RETRYABLE_CODES.includes(result.error.code) };
    if ('delivery' in result) {
      // The delivery ends the job, so the pending log lines must be sent first.
      await lease.flush();
      const archive = await openAsBlob(result.delivery);
      await withRetry(() => api.submitResult(job, archive, signal), retry);
      return null;
    }
    const generator = `${engine.name}/${engine.version}`;
    for (const { kind, file } of result.artifacts) {
      const upload = { kind, content: await openAsBlob(file), generator, ...fileNameAndType(kind, metadata) };
      await withRetry(() => api.upload(job, upload, signal), retry);
    }
    return null;
  } catch (error) {
    return signal.aborted ? null : failureOf(error, log, job, lease);
  }
}

/** Reports the outcome, repeated until the service confirms it or the worker's patience ends. */
async function reportOutcome(job: Job, lease: Lease, { api, log }: Options, failure: Failure | null): Promise<Outcome> {
  const reason = lease.reason();
  const lines = await lease.end();
  const report = async (
    request: () => Promise<{ status: string } | null>,
    seconds = patienceSeconds(job),
  ): Promise<Outcome> => {
    const status = (await withRetry(request, { seconds }))?.status ?? 'unknown';
    log.info({ jobId: job.id, type: job.type, attempt: job.attempt, status, code: failure?.code }, 'job ended');
    return { status, reason: reason ?? failure?.code ?? 'none' };
  };
  if (reason === 'lease_lost') return { status: 'lost', reason };
  if (reason === 'shutdown') return report(() => api.giveBack(job), GIVE_BACK_SECONDS);
  if (reason === 'cancelled') return report(() => api.fail(job, CANCELLED, lines));
  if (failure?.code === 'lease_lost') return { status: 'lost', reason: failure.code };
  return report(() => (failure ? api.fail(job, failure, lines) : api.complete(job, lines)));
}

const CANCELLED: Failure = { code: 'cancelled', message: 'the job was cancelled', final: true, retryable: false };

function failureOf(error: unknown, log: Log, job: Job, lease: Lease): Failure {
  if (error instanceof InputError)
    return { code: error.code, message: error.message, final: error.final, retryable: !error.final };
  if (error instanceof ApiError) {
    if (error.code === 'lease_lost' || error.code === 'not_your_job')
      return { code: 'lease_lost', message: '', final: false, retryable: false };
    const message = `the service rejected a request: ${error.message}`;
    return { code: error.code, message, final: false, retryable: isTransient(error) };
  }
  if (error instanceof ConnectionError)
    return { code: 'unreachable', message: 'cannot connect to the service', final: false, retryable: true };
  log.error({ jobId: job.id, attempt: job.attempt, err: error }, 'a job failed with an unexpected error');
  lease.log(error instanceof Error ? String(error.stack) : String(error));
  const message = errorMessage(error);
  return { code: 'internal', message, final: false, retryable: false };
}

const FILE_TYPES: Record<string, { extension: string; contentType: string }> = {
  ...Object.fromEntries(
    EXPORTS.map(({ kind, mediaType }) => [kind, { extension: `.${kind}`, contentType: mediaType }]),
  ),
  glb: { extension: '.glb', contentType: 'model/gltf-binary' },
  properties: { extension: '.properties.json', contentType: 'application/json' },
  thumbnail: { extension: '.png', contentType: 'image/png' },
  measure: { extension: '.measure.json', contentType: 'application/json' },
  'asm-json': { extension: '.asm.json', contentType: 'application/json' },
};

// Results are named after the source: bracket.step → bracket.glb.
function fileNameAndType(kind: EngineArtifact['kind'], { files, document }: JobMetadata) {
  const source = files[0]?.fileName ?? document.number;
  const { extension, contentType } = FILE_TYPES[kind]!;
  return { fileName: basename(source, extname(source)).replace(/\.asm$/, '') + extension, contentType };
}
