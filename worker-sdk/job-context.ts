import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isStaleInput } from './errors.ts';
import { withRetry } from './http.ts';
import type { InputFile, Job, JobMetadata } from './job.ts';
import type { Lease } from './lease-manager.ts';
import type { WorkerApi } from './worker-api.ts';

export type UploadOptions = { fileName?: string; contentType?: string; generator?: string };
/** A file (its path), bytes, or a stream, which is first written to the job's folder so that it can be sent again. */
export type Content = string | Uint8Array<ArrayBuffer> | Readable;

/**
 * The tools of a handler for one job. All requests are retried while the service is unavailable and fail once `signal`
 * has aborted.
 */
export type JobContext = {
  /** Aborts when the job must be stopped: its lease is lost, a user cancelled it, or the worker is shutting down. */
  signal: AbortSignal;
  /** Returns the document, the draft or version, the input files, and the parameters of a run. */
  metadata(): Promise<JobMetadata>;
  /** Returns the input files. */
  files(): Promise<InputFile[]>;
  /** Downloads an input file to `path` (default: the job's folder), verifies its SHA-256 and returns its path. */
  download(file: InputFile, path?: string): Promise<string>;
  /** Stores a result. A second upload of the same kind replaces the first. */
  upload(kind: string, content: Content, options?: UploadOptions): Promise<void>;
  /**
   * Sends the result of a job that creates documents (a run or split) as a tar archive and marks the job as done.
   */
  submitResult(archive: Content): Promise<void>;
  /** Appends a line to the job's log. It is sent within a second or two. */
  log(line: string): void;
  /** Reports the progress, 0 to 100, and a short name for the current step. */
  progress(percent: number, step?: string): void;
  /** Returns a temporary folder for this job; it is deleted when the job ends. */
  folder(): Promise<string>;
};

/** Returns the context of one job, and `cleanUp`, which deletes its folder. */
export function createJobContext(
  job: Job,
  lease: Lease,
  api: WorkerApi,
  generator: string,
): { ctx: JobContext; cleanUp(): Promise<void> } {
  const { signal } = lease;
  const retry = { signal, seconds: job.leaseSeconds };
  let metadata: Promise<JobMetadata> | null = null;
  let temporaryFolder: Promise<string> | null = null;
  let spooled = 0;

  const readMetadata = (refresh = false): Promise<JobMetadata> => {
    if (refresh || !metadata) metadata = withRetry(() => api.metadata(job, signal), retry);
    return metadata;
  };
  const folder = (): Promise<string> => {
    temporaryFolder ??= mkdtemp(join(tmpdir(), 'pdm-job-'));
    return temporaryFolder;
  };
  const downloadTo = async (file: InputFile, path: string): Promise<string> => {
    await withRetry(() => api.download(file, path, signal), retry);
    return path;
  };

  const ctx: JobContext = {
    signal,
    metadata: () => readMetadata(),
    files: async () => (await readMetadata()).files,
    folder,
    download: async (file, path) => {
      const target = path ?? join(await folder(), `${file.id}${extensionOf(file.fileName)}`);
      try {
        return await downloadTo(file, target);
      } catch (error) {
        if (!isStaleInput(error)) throw error;
        // The source was replaced after the metadata was read. If a version with the old source still waits for the
        // result, new metadata refers to the file in that version; otherwise the request fails.
        const current = (await readMetadata(true)).files.find(({ sha256 }) => sha256 === file.sha256);
        if (!current) throw error;
        return downloadTo(current, target);
      }
    },
    upload: async (kind, content, options = {}) => {
      const body = await requestBody(content);
      const defaultName = typeof content === 'string' ? basename(content) : `${kind}${EXTENSIONS[kind] ?? ''}`;
      const fileName = options.fileName ?? defaultName;
      const contentType =
        options.contentType ?? CONTENT_TYPES[extname(fileName).toLowerCase()] ?? 'application/octet-stream';
      const result = { kind, content: body, fileName, contentType, generator: options.generator ?? generator };
      await withRetry(() => api.upload(job, result, signal), retry);
    },
    submitResult: async (archive) => {
      const body = await requestBody(archive);
      await withRetry(() => api.submitResult(job, body, signal), retry);
    },
    log: lease.log,
    progress: (percent, step = '') => lease.progress(percent, step),
  };
  return {
    ctx,
    cleanUp: async () => {
      if (temporaryFolder) await rm(await temporaryFolder, { recursive: true, force: true });
    },
  };

  async function requestBody(content: Content): Promise<Blob | Uint8Array<ArrayBuffer>> {
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

const EXTENSIONS: Record<string, string> = {
  stp: '.stp',
  ofb: '.ofb',
  glb: '.glb',
  properties: '.json',
  thumbnail: '.png',
  measure: '.json',
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

// The file name is untrusted: only a plain extension is used, for programs that depend on it.
function extensionOf(fileName: string): string {
  const extension = extname(fileName);
  return /^\.\w{1,10}$/.test(extension) ? extension : '';
}
