// The worker routes of the service (docs/worker-protocol.md).
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { ApiError, ConnectionError, DigestMismatchError } from './errors.ts';
import { type HttpClient, readJson } from './http.ts';
import type { InputFile, Job, JobMetadata } from './job.ts';

export type ClaimRequest = {
  types?: readonly string[];
  environment?: Record<string, string> | readonly string[];
  /** Only conversions of a source of at most 2 MB. Requires `environment`. */
  light?: boolean;
  waitSeconds: number;
  leaseSeconds?: number;
};
export type Heartbeat = { percent?: number; step?: string; log: string[] };
export type Failure = { code: string; message: string; final: boolean; retryable: boolean };
export type ResultUpload = {
  kind: string;
  content: Blob | Uint8Array<ArrayBuffer>;
  fileName: string;
  contentType: string;
  generator: string;
};
type JobRef = Pick<Job, 'id' | 'attempt'>;
export type RemoteFile = Pick<InputFile, 'kind' | 'sha256' | 'url'> & { size?: number };
type Outcome = { status: string };

export type WorkerApi = ReturnType<typeof createWorkerApi>;

const TIMEOUT_MILLISECONDS = 30_000;
const HEARTBEAT_TIMEOUT_MILLISECONDS = 10_000;

/** Returns the worker routes for one worker. Requests other than uploads and downloads time out after 30 s. */
export function createWorkerApi(http: HttpClient, workerId: string) {
  const withTimeout = (signal?: AbortSignal, milliseconds = TIMEOUT_MILLISECONDS) => {
    const timeout = AbortSignal.timeout(milliseconds);
    return signal ? AbortSignal.any([signal, timeout]) : timeout;
  };
  const post = async <T>(job: JobRef, action: string, body: object, signal = withTimeout()): Promise<T | null> => {
    const path = `/jobs/${job.id}/${action}`;
    const response = await http({ method: 'POST', path, body: { attempt: job.attempt, workerId, ...body }, signal });
    return readJson<T>(response, signal);
  };

  return {
    /**
     * Claims the oldest matching job; returns null if none arrives within `waitSeconds`. `stopped` aborts the request
     * only until a response begins, because that response may contain a job.
     */
    claim: async (request: ClaimRequest, stopped: AbortSignal): Promise<Job | null> => {
      const waiting = new AbortController();
      const abort = () => waiting.abort();
      stopped.addEventListener('abort', abort);
      if (stopped.aborted) abort();
      const signal = withTimeout(waiting.signal, request.waitSeconds * 1000 + TIMEOUT_MILLISECONDS);
      try {
        const response = await http({ method: 'POST', path: '/jobs/claim', body: { workerId, ...request }, signal });
        stopped.removeEventListener('abort', abort);
        return await readJson<Job>(response, signal);
      } finally {
        stopped.removeEventListener('abort', abort);
      }
    },
    metadata: async ({ id }: JobRef, stopped: AbortSignal): Promise<JobMetadata> => {
      const signal = withTimeout(stopped);
      const response = await http({ method: 'GET', path: `/jobs/${id}/context`, signal });
      const metadata = await readJson<JobMetadata>(response, signal);
      if (!metadata) throw new ConnectionError('the response for the job context was empty');
      return metadata;
    },
    /** Downloads a file. Throws a DigestMismatchError, which is transient, if the bytes do not match its SHA-256. */
    download: async (file: RemoteFile, path: string, signal: AbortSignal): Promise<void> => {
      const { body } = await http({ method: 'GET', path: file.url, headers: { accept: '*/*' }, signal });
      const { sha256, bytes } = await save(body, path, signal);
      const of = file.size === undefined ? '' : ` of ${file.size}`;
      if (sha256 !== file.sha256)
        throw new DigestMismatchError(`the SHA-256 of ${file.kind} does not match (received ${bytes}${of} bytes)`);
    },
    heartbeat: async (
      job: JobRef,
      heartbeat: Heartbeat,
      stopped: AbortSignal,
    ): Promise<{ cancelRequested: boolean }> => {
      const signal = withTimeout(stopped, HEARTBEAT_TIMEOUT_MILLISECONDS);
      const response = await post<{ cancelRequested: boolean }>(job, 'heartbeat', heartbeat, signal);
      return { cancelRequested: response?.cancelRequested === true };
    },
    upload: async (
      job: Job,
      { kind, content, fileName, contentType, generator }: ResultUpload,
      signal: AbortSignal,
    ): Promise<void> => {
      const headers = {
        'content-type': contentType,
        'x-file-name': encodeHeader(fileName),
        'x-generator': encodeHeader(generator),
        'x-job-attempt': String(job.attempt),
        ...(job.inputSha256 ? { 'x-input-sha256': job.inputSha256 } : {}),
      };
      const path = `/versions/${job.versionId}/artifacts?kind=${encodeURIComponent(kind)}`;
      await readJson(await http({ method: 'POST', path, headers, body: content, signal }), signal);
    },
    /** Sends the documents of a run or split as a tar archive, which marks the job as done. */
    submitResult: async (job: JobRef, archive: Blob | Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<void> => {
      const headers = {
        'content-type': 'application/x-tar',
        'x-file-name': 'result.tar',
        'x-job-attempt': String(job.attempt),
      };
      const path = `/jobs/${job.id}/result`;
      await readJson(await http({ method: 'POST', path, headers, body: archive, signal }), signal);
    },
    complete: (job: JobRef, log: string[]) => post<Outcome>(job, 'complete', { log }),
    fail: (job: JobRef, { code, message, final, retryable }: Failure, log: string[]) =>
      post<Outcome>(job, 'fail', { error: { code, message }, final, retryable, log }),
    giveBack: (job: JobRef) => post<Outcome>(job, 'give-back', {}),
  };
}

async function save(
  body: Response['body'],
  path: string,
  signal: AbortSignal,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const source = body ? Readable.fromWeb(body as ReadableStream<Uint8Array>) : Readable.from([]);
  try {
    await pipeline(source, meter, createWriteStream(path), { signal });
  } catch (error) {
    if (signal.aborted || isFileError(error) || error instanceof ApiError) throw error;
    throw new ConnectionError('the connection was lost during a download', { cause: error });
  }
  return { sha256: hash.digest('hex'), bytes };
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && ['open', 'write', 'close'].includes(String(error.syscall));
}

// Headers carry bytes: this sends the text as UTF-8, one character per byte.
function encodeHeader(text: string): string {
  return Buffer.from(text.replace(/[\r\n\0]/g, ' '), 'utf8').toString('latin1');
}
