import { join } from 'node:path';
import { DigestMismatchError } from '../worker-sdk/errors.ts';
import { withRetry } from '../worker-sdk/http.ts';
import type { Job, JobMetadata } from '../worker-sdk/job.ts';
import type { RemoteFile } from '../worker-sdk/worker-api.ts';
import type { WorkerApi } from './worker-api.ts';

/** An input that cannot be fetched. `final`: a retry with the same input cannot help. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly code: string;
  readonly final: boolean;
  constructor(code: string, message: string, final = false) {
    super(message);
    this.code = code;
    this.final = final;
  }
}

/** Where and how to fetch inputs. Each request is retried for at most `seconds`. */
export type FetchContext = {
  api: WorkerApi;
  job: Job;
  metadata: JobMetadata;
  folder: string;
  signal: AbortSignal;
  seconds: number;
};

const MAX_ATTEMPTS = 3;

/**
 * Downloads a file to `name` in the job's folder, verifies its SHA-256 and returns its path. Throws an InputError after
 * three mismatches.
 */
export async function fetchFile(
  { api, folder, signal, seconds }: FetchContext,
  file: RemoteFile,
  name: string,
): Promise<string> {
  const path = join(folder, name);
  await withRetry(() => downloadVerified(api, file, path, signal), { signal, seconds });
  return path;
}

async function downloadVerified(api: WorkerApi, file: RemoteFile, path: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await api.download(file, path, signal);
    } catch (error) {
      if (!(error instanceof DigestMismatchError)) throw error;
      if (attempt === MAX_ATTEMPTS) throw new InputError('bad_download', error.message);
    }
  }
}
