import { join } from 'node:path';
import { untilAnswered } from './http-client.ts';
import { BadDownload, type Downloadable, type HeldJob, type JobContext, type WorkerApi } from './worker-api.ts';

/** An input that the job needs and the service did not hand out, or not whole; `final`: nor will it. */
export class MissingInput extends Error {
  override readonly name = 'MissingInput';
  readonly code: string;
  readonly final: boolean;
  constructor(code: string, message: string, final = false) {
    super(message);
    this.code = code;
    this.final = final;
  }
}

/** What inputs are fetched with: into the job's folder, until the signal aborts, each call for at most so many seconds while nobody answers. */
export type Fetching = {
  api: WorkerApi;
  job: HeldJob;
  context: JobContext;
  folder: string;
  signal: AbortSignal;
  seconds: number;
};

const TRIES = 3;

/** Fetches a file under this name into the job's folder, whole: checked against its hash, tried three times. Answers with its path. */
export async function fetchFile(
  { api, folder, signal, seconds }: Fetching,
  file: Downloadable,
  name: string,
): Promise<string> {
  const target = join(folder, name);
  await untilAnswered(() => wholeDownload(api, file, target, signal), { signal, seconds });
  return target;
}

async function wholeDownload(api: WorkerApi, file: Downloadable, target: string, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await api.download(file, target, signal);
    } catch (error) {
      if (!(error instanceof BadDownload)) throw error;
      if (tries === TRIES) throw new MissingInput('bad_download', error.message);
    }
  }
}
