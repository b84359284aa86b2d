import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineJob, JobType } from './engines/engine.ts';
import { untilAnswered } from './http-client.ts';
import { BadDownload, type ContextFile, type JobContext, type WorkerApi } from './worker-api.ts';

/** An input that the job needs and the service did not hand out, or not whole. */
export class MissingInput extends Error {
  override readonly name = 'MissingInput';
  readonly code: 'missing_file' | 'bad_download';
  constructor(code: 'missing_file' | 'bad_download', message: string) {
    super(message);
    this.code = code;
  }
}

type Fetch = (kind: string) => Promise<string>;

const PREPARE: Partial<Record<JobType, (fetch: Fetch) => Promise<EngineJob>>> = {
  convert: async (fetch) => ({ type: 'convert', source: await fetch('source') }),
};

/** The job types whose inputs this scheduler can fetch. */
export const PREPARED = Object.keys(PREPARE) as JobType[];

const TRIES = 3;

/** Fetches what a job needs into its folder (named by kind, never by what a user called it) and says it in the words of the engine. */
export async function fetchInputs(
  api: WorkerApi,
  type: JobType,
  context: JobContext,
  { folder, signal, seconds }: { folder: string; signal: AbortSignal; seconds: number },
): Promise<EngineJob> {
  const prepare = PREPARE[type];
  if (!prepare) throw new MissingInput('missing_file', `this scheduler cannot fetch the inputs of ${type} jobs`);
  await mkdir(folder, { recursive: true });
  return prepare(async (kind) => {
    const file = context.files.find((candidate) => candidate.kind === kind);
    if (!file) throw new MissingInput('missing_file', `${kind} was not handed to the engine`);
    const target = join(folder, kind);
    await untilAnswered(() => wholeDownload(api, file, target, signal), { signal, seconds });
    return target;
  });
}

async function wholeDownload(api: WorkerApi, file: ContextFile, target: string, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await api.download(file, target, signal);
    } catch (error) {
      if (!(error instanceof BadDownload)) throw error;
      if (tries === TRIES) throw new MissingInput('bad_download', error.message);
    }
  }
}
