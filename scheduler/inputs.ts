import { mkdir } from 'node:fs/promises';
import { fetchAssembly } from './assembly-inputs.ts';
import type { EngineJob, JobType } from './engines/engine.ts';
import { type Fetching, fetchFile, MissingInput } from './fetch-file.ts';

const PREPARE: Partial<Record<JobType, (fetching: Fetching) => Promise<EngineJob>>> = {
  convert: async (fetching) => ({
    type: 'convert',
    source: await inputOfKind(fetching, 'source'),
    split: fetching.job.format === 'SPLIT',
  }),
  assemble: async (fetching) => ({
    type: 'assemble',
    ...(await fetchAssembly(fetching)),
    name: fetching.context.document.name,
  }),
  export: async (fetching) => {
    const { job, context } = fetching;
    const made = { type: 'export' as const, name: context.document.name, time: context.version.createdAt };
    // whoever writes OFB fetches the parts by itself: nothing is fetched for an engine that will refuse
    if (job.format === 'OFB') return { ...made, format: 'OFB', asmJson: '', files: {} };
    return { ...made, format: 'STP', ...(await fetchAssembly(fetching)) };
  },
  run: async (fetching) => ({
    type: 'run',
    archive: await inputOfKind(fetching, 'code'),
    params: fetching.context.params ?? {},
  }),
};

/** The job types whose inputs this scheduler can fetch. */
export const PREPARED = Object.keys(PREPARE) as JobType[];

/** Fetches what a job needs into its folder (named by kind or hash, never by what a user called it) and says it in the words of the engine. */
export async function fetchInputs(fetching: Fetching): Promise<EngineJob> {
  const { job, folder } = fetching;
  const prepare = PREPARE[job.type];
  if (!prepare) throw new MissingInput('missing_file', `this scheduler cannot fetch the inputs of ${job.type} jobs`);
  await mkdir(folder, { recursive: true });
  return prepare(fetching);
}

async function inputOfKind(fetching: Fetching, kind: string): Promise<string> {
  const file = fetching.context.files.find((candidate) => candidate.kind === kind);
  if (!file) throw new MissingInput('missing_file', `${kind} was not handed to the engine`);
  return fetchFile(fetching, file, kind);
}
