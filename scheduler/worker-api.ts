// A client of the public worker routes: the scheduler comes in by the same door as anybody's worker.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent } from 'undici';
import type { Reach } from '../subgraphs/core/dispatch.ts';
import type { JobType } from './engines/engine.ts';
import { ApiRefusal, httpClient } from './http-client.ts';

/** A job in this worker's hands, as claim answers it. */
export type HeldJob = {
  id: string;
  versionId: string;
  documentId: string;
  type: JobType;
  attempt: number;
  inputSha256: string | null;
  format: string | null;
  queuedAt: string;
  leaseSeconds: number;
  heartbeatSeconds: number;
};
export type ContextFile = {
  id: string;
  kind: string;
  fileName: string;
  contentType: string;
  size: number;
  sha256: string;
  url: string;
};
/** A file of the service: by its address below the API, and the hash of its bytes. */
export type Downloadable = Pick<ContextFile, 'kind' | 'sha256' | 'url'> & { size?: number };
export type JobContext = {
  document: { number: string; name: string; kind: string };
  version: { createdAt: string };
  files: ContextFile[];
  params: Record<string, unknown> | null;
};
export type Beat = { percent?: number; step?: string; log: string[] };
export type Failure = { code: string; message: string; final: boolean; again: boolean };
export type Result = { kind: string; file: string; fileName: string; contentType: string; generator: string };

export type WorkerApi = {
  workerId: string;
  /** How the API stands, as the last call saw it. */
  reach(): Reach;
  claim(
    wish: { types: readonly JobType[]; environment: Record<string, string>; waitSeconds: number },
    signal: AbortSignal,
  ): Promise<HeldJob | null>;
  context(job: HeldJob, signal: AbortSignal): Promise<JobContext>;
  /** Fetches an input file. Throws a BadDownload when its bytes are not those of its SHA-256. */
  download(file: Downloadable, target: string, signal: AbortSignal): Promise<void>;
  /** The asm.json of the job's draft or version, its references turned into locations. */
  resolvedAsmJson(job: HeldJob, signal: AbortSignal): Promise<unknown>;
  /** The same of a version that such a location names, below the address of the API. */
  resolvedAt(path: string, signal: AbortSignal): Promise<unknown>;
  heartbeat(job: HeldJob, beat: Beat, signal: AbortSignal): Promise<{ cancel: boolean }>;
  upload(job: HeldJob, result: Result, signal: AbortSignal): Promise<void>;
  /** Hands over what a run made; that ends the job. */
  deliver(job: HeldJob, archive: string, signal: AbortSignal): Promise<void>;
  complete(job: HeldJob, log: string[]): Promise<{ status: string }>;
  fail(job: HeldJob, failure: Failure, log: string[]): Promise<{ status: string }>;
  giveBack(job: HeldJob): Promise<{ status: string }>;
  close(): Promise<void>;
};

/** What came is not what the service said it would be. */
export class BadDownload extends Error {
  override readonly name = 'BadDownload';
}

const BEAT_TIMEOUT = 10_000;
const CALL_TIMEOUT = 30_000;

/** The worker routes at `apiUrl` (`http://…/api/v1`) with a worker's token. */
export function workerApi({ apiUrl, token, workerId }: { apiUrl: string; token: string; workerId: string }): WorkerApi {
  const http = httpClient({ apiUrl, token, agent: new Agent({ keepAliveTimeout: 30_000, connectTimeout: 5_000 }) });
  const held = ({ attempt }: HeldJob) => ({ attempt, workerId });
  const say = async <T>(
    job: HeldJob,
    deed: string,
    body: object,
    signal = AbortSignal.timeout(CALL_TIMEOUT),
  ): Promise<T> =>
    (await http.json('POST', `/jobs/${job.id}/${deed}`, { body: { ...held(job), ...body }, signal })) as T;

  return {
    workerId,
    reach: http.reach,
    close: http.close,
    claim: async (wish, signal) => {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(wish.waitSeconds * 1000 + CALL_TIMEOUT)]);
      return (await http.json('POST', '/jobs/claim', {
        body: { workerId, ...wish },
        signal: patience,
      })) as HeldJob | null;
    },
    context: async (job, signal) =>
      (await http.json('GET', `/jobs/${job.id}/context`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT)]),
      })) as JobContext,
    download: async (file, target, signal) => {
      const body = await http.stream(file.url, signal);
      const { hash, bytes } = await save(body, target, signal);
      if (hash !== file.sha256)
        throw new BadDownload(
          `${file.kind} does not have the expected SHA-256 (${bytes}${file.size === undefined ? '' : ` of ${file.size}`} bytes came)`,
        );
    },
    resolvedAsmJson: ({ versionId }, signal) =>
      http.json('GET', `/versions/${versionId}/asm-json/resolved`, { signal }),
    resolvedAt: (path, signal) => http.json('GET', path, { signal }),
    heartbeat: (job, beat, signal) =>
      say(job, 'heartbeat', beat, AbortSignal.any([signal, AbortSignal.timeout(BEAT_TIMEOUT)])),
    upload: async (job, { kind, file, fileName, contentType, generator }, signal) => {
      const { size } = await stat(file);
      const headers = {
        'content-type': contentType,
        'content-length': String(size),
        'x-file-name': latin1(fileName),
        'x-generator': generator,
        'x-job-attempt': String(job.attempt),
        ...(job.inputSha256 ? { 'x-input-sha256': job.inputSha256 } : {}),
      };
      await http.send('POST', `/versions/${job.versionId}/artifacts?kind=${encodeURIComponent(kind)}`, {
        headers,
        body: () => createReadStream(file),
        signal,
      });
    },
    deliver: async (job, archive, signal) => {
      const { size } = await stat(archive);
      const headers = {
        'content-type': 'application/x-tar',
        'content-length': String(size),
        'x-job-attempt': String(job.attempt),
      };
      await http.send('POST', `/jobs/${job.id}/result`, { headers, body: () => createReadStream(archive), signal });
    },
    complete: (job, log) => say(job, 'complete', { log }),
    fail: (job, { code, message, final, again }, log) =>
      say(job, 'fail', { error: { code, message }, final, again, log }),
    giveBack: (job) => say(job, 'give-back', {}),
  };
}

/** Whether the service says that the job is no longer this worker's. */
export function lostIt(error: unknown): boolean {
  return error instanceof ApiRefusal && (error.code === 'lease_lost' || error.code === 'not_your_job');
}

/** Whether the service says that the input of the job has been replaced. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiRefusal && error.code === 'stale_input';
}

async function save(body: Readable, target: string, signal: AbortSignal): Promise<{ hash: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(body, counted, createWriteStream(target), { signal });
  return { hash: hash.digest('hex'), bytes };
}

// A header carries bytes: those of the UTF-8 text, one character each.
function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
