// The worker routes of the service, as docs/worker-protocol.md describes them.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { NoAnswer, ServiceRefusal } from './faults.ts';
import { type Http, jsonOf } from './http.ts';
import type { InputFile, Job, JobPapers } from './job.ts';

export type Wish = {
  types?: readonly string[];
  environment?: Record<string, string> | readonly string[];
  waitSeconds: number;
};
export type Beat = { percent?: number; step?: string; log: string[] };
export type Failure = { code: string; message: string; final: boolean; again: boolean };
export type Result = {
  kind: string;
  content: Blob | Uint8Array<ArrayBuffer>;
  fileName: string;
  contentType: string;
  generator: string;
};
type Held = Pick<Job, 'id' | 'attempt'>;

export type Routes = ReturnType<typeof routes>;

const CALL_MILLISECONDS = 30_000;

/** The worker routes for one worker. Every request but up- and downloads is given up after 30 s. */
export function routes(http: Http, workerId: string) {
  const within = (signal?: AbortSignal, milliseconds = CALL_MILLISECONDS) => {
    const timeout = AbortSignal.timeout(milliseconds);
    return signal ? AbortSignal.any([signal, timeout]) : timeout;
  };
  const say = async (job: Held, deed: string, body: object): Promise<void> => {
    const signal = within();
    await jsonOf(
      await http({
        method: 'POST',
        path: `/jobs/${job.id}/${deed}`,
        body: { attempt: job.attempt, workerId, ...body },
        signal,
      }),
      signal,
    );
  };

  return {
    /** The oldest fitting job, or null when none came in that time. Hangs up when stopped, unless an answer has begun: there may be a job in it. */
    claim: async (wish: Wish, stopped: AbortSignal): Promise<Job | null> => {
      const waiting = new AbortController();
      const hangUp = () => waiting.abort();
      stopped.addEventListener('abort', hangUp);
      if (stopped.aborted) hangUp();
      const signal = within(waiting.signal, wish.waitSeconds * 1000 + CALL_MILLISECONDS);
      try {
        const answer = await http({ method: 'POST', path: '/jobs/claim', body: { workerId, ...wish }, signal });
        stopped.removeEventListener('abort', hangUp);
        return await jsonOf<Job>(answer, signal);
      } finally {
        stopped.removeEventListener('abort', hangUp);
      }
    },
    papers: async ({ id }: Held, stopped: AbortSignal): Promise<JobPapers> => {
      const signal = within(stopped);
      const papers = await jsonOf<JobPapers>(
        await http({ method: 'GET', path: `/jobs/${id}/context`, signal }),
        signal,
      );
      if (!papers) throw new NoAnswer('the context of the job was empty');
      return papers;
    },
    /** Fetches an input file. Bytes that are not those of its SHA-256 are as good as no answer. */
    download: async (file: InputFile, path: string, signal: AbortSignal): Promise<void> => {
      const { body } = await http({ method: 'GET', path: file.url, headers: { accept: '*/*' }, signal });
      const { sha256, bytes } = await saved(body, path, signal);
      if (sha256 !== file.sha256)
        throw new NoAnswer(`${file.kind} came damaged: its SHA-256 is another (${bytes} of ${file.size} bytes came)`);
    },
    heartbeat: async (job: Held, beat: Beat, stopped: AbortSignal): Promise<{ cancel: boolean }> => {
      const signal = within(stopped, 10_000);
      const body = { attempt: job.attempt, workerId, ...beat };
      const told = await jsonOf<{ cancel: boolean }>(
        await http({ method: 'POST', path: `/jobs/${job.id}/heartbeat`, body, signal }),
        signal,
      );
      return { cancel: told?.cancel === true };
    },
    upload: async (
      job: Job,
      { kind, content, fileName, contentType, generator }: Result,
      signal: AbortSignal,
    ): Promise<void> => {
      const headers = {
        'content-type': contentType,
        'x-file-name': asHeader(fileName),
        'x-generator': asHeader(generator),
        'x-job-attempt': String(job.attempt),
        ...(job.inputSha256 ? { 'x-input-sha256': job.inputSha256 } : {}),
      };
      const path = `/versions/${job.versionId}/artifacts?kind=${encodeURIComponent(kind)}`;
      await jsonOf(await http({ method: 'POST', path, headers, body: content, signal }), signal);
    },
    /** Hands over what a job that makes documents made, which ends it as done. */
    deliver: async (job: Held, archive: Blob | Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<void> => {
      const headers = {
        'content-type': 'application/x-tar',
        'x-file-name': 'result.tar',
        'x-job-attempt': String(job.attempt),
      };
      await jsonOf(
        await http({ method: 'POST', path: `/jobs/${job.id}/result`, headers, body: archive, signal }),
        signal,
      );
    },
    complete: (job: Held, log: string[]) => say(job, 'complete', { log }),
    fail: (job: Held, { code, message, final, again }: Failure, log: string[]) =>
      say(job, 'fail', { error: { code, message }, final, again, log }),
    giveBack: (job: Held) => say(job, 'give-back', {}),
  };
}

async function saved(
  body: Response['body'],
  path: string,
  signal: AbortSignal,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const source = body ? Readable.fromWeb(body as ReadableStream<Uint8Array>) : Readable.from([]);
  try {
    await pipeline(source, counted, createWriteStream(path), { signal });
  } catch (error) {
    if (signal.aborted || isOfTheDisk(error) || error instanceof ServiceRefusal) throw error;
    throw new NoAnswer('the connection broke during a download', { cause: error });
  }
  return { sha256: hash.digest('hex'), bytes };
}

function isOfTheDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && ['open', 'write', 'close'].includes(String(error.syscall));
}

// A header carries bytes: those of the UTF-8 text, one character each.
function asHeader(text: string): string {
  return Buffer.from(text.replace(/[\r\n\0]/g, ' '), 'utf8').toString('latin1');
}
