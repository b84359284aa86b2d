import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isStale } from './faults.ts';
import type { Held } from './heartbeat.ts';
import { untilAnswered } from './http.ts';
import type { InputFile, Job, JobPapers } from './job.ts';
import type { Routes } from './routes.ts';

export type UploadOptions = { fileName?: string; contentType?: string; generator?: string };

/** What a handler has at hand for one job. Everything here is tried again while the service is away, and refuses once the job must be let go of. */
export type JobContext = {
  /** Aborts when the job must be let go of: its lease is lost, a user cancelled it, the worker is being stopped. */
  signal: AbortSignal;
  /** The document, the draft or version, the input files, and for a run its parameters. */
  papers(): Promise<JobPapers>;
  /** The input files. */
  files(): Promise<InputFile[]>;
  /** Fetches an input file into the job's folder, or to a path, compares its SHA-256, and answers where it lies. */
  download(file: InputFile, path?: string): Promise<string>;
  /** Stores a result: a file (its path), bytes, or a stream, which is put into the job's folder first so that it can be sent again. */
  upload(kind: string, content: string | Uint8Array<ArrayBuffer> | Readable, options?: UploadOptions): Promise<void>;
  /**
   * Hands over the documents that a job made which makes documents (a run, the taking apart of an assembly): a tar archive,
   * as its path, bytes or a stream. With it the job is done.
   */
  deliver(archive: string | Uint8Array<ArrayBuffer> | Readable): Promise<void>;
  /** A line for the job's log; people see it within a second or two. */
  log(line: string): void;
  /** How far the job is, 0 to 100, and in a word or two with what. */
  progress(percent: number, step?: string): void;
  /** A folder for this job alone; it is deleted when the job ends. */
  folder(): Promise<string>;
};

/** The context of one job, and `clear`, which deletes its folder. */
export function jobContext(
  job: Job,
  held: Held,
  service: Routes,
  generator: string,
): { ctx: JobContext; clear(): Promise<void> } {
  const { signal } = held;
  const patience = { signal, seconds: job.leaseSeconds };
  let papers: Promise<JobPapers> | null = null;
  let made: Promise<string> | null = null;
  let spooled = 0;

  const read = (fresh = false): Promise<JobPapers> => {
    if (fresh || !papers) papers = untilAnswered(() => service.papers(job, signal), patience);
    return papers;
  };
  const folder = (): Promise<string> => {
    made ??= mkdtemp(join(tmpdir(), 'pdm-job-'));
    return made;
  };
  const fetched = async (file: InputFile, path: string): Promise<string> => {
    await untilAnswered(() => service.download(file, path, signal), patience);
    return path;
  };

  const ctx: JobContext = {
    signal,
    papers: () => read(),
    files: async () => (await read()).files,
    folder,
    download: async (file, path) => {
      const target = path ?? join(await folder(), `${file.id}${endingOf(file.fileName)}`);
      try {
        return await fetched(file, target);
      } catch (error) {
        if (!isStale(error)) throw error;
        // Replaced since the papers were read: fresh ones name it in a version that waits for the result, or are refused for good.
        const again = (await read(true)).files.find(({ sha256 }) => sha256 === file.sha256);
        if (!again) throw error;
        return fetched(again, target);
      }
    },
    upload: async (kind, content, options = {}) => {
      const bytes = await bytesOf(content);
      const named =
        options.fileName ?? (typeof content === 'string' ? basename(content) : `${kind}${ENDINGS[kind] ?? ''}`);
      const contentType =
        options.contentType ?? CONTENT_TYPES[extname(named).toLowerCase()] ?? 'application/octet-stream';
      const result = { kind, content: bytes, fileName: named, contentType, generator: options.generator ?? generator };
      await untilAnswered(() => service.upload(job, result, signal), patience);
    },
    deliver: async (archive) => {
      const bytes = await bytesOf(archive);
      await untilAnswered(() => service.deliver(job, bytes, signal), patience);
    },
    log: held.log,
    progress: (percent, step = '') => held.progress(percent, step),
  };
  return {
    ctx,
    clear: async () => {
      if (made) await rm(await made, { recursive: true, force: true });
    },
  };

  async function bytesOf(
    content: string | Uint8Array<ArrayBuffer> | Readable,
  ): Promise<Blob | Uint8Array<ArrayBuffer>> {
    signal.throwIfAborted();
    if (typeof content === 'string') return openAsBlob(content);
    return content instanceof Readable ? openAsBlob(await spool(content)) : content;
  }

  async function spool(content: Readable): Promise<string> {
    spooled += 1;
    const path = join(await folder(), `result-${spooled}`);
    await pipeline(content, createWriteStream(path), { signal });
    return path;
  }
}

const ENDINGS: Record<string, string> = {
  stp: '.stp',
  ofb: '.ofb',
  glb: '.glb',
  properties: '.json',
  thumbnail: '.png',
};
const CONTENT_TYPES: Record<string, string> = {
  '.stp': 'model/step',
  '.step': 'model/step',
  '.glb': 'model/gltf-binary',
  '.json': 'application/json',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
};

// The name is somebody else's: only its ending is taken over, for programs that go by it.
function endingOf(fileName: string): string {
  const ending = extname(fileName);
  return /^\.\w{1,10}$/.test(ending) ? ending : '';
}
