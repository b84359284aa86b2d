import { mkdir } from 'node:fs/promises';
import { EXPORTS, exportSourceOf, type FileExportFormat } from '../subgraphs/core/domain/formats/formats.ts';
import type { EngineJob, JobType } from './engines/engine.ts';
import { fetchAssembly } from './fetch-assembly.ts';
import { type FetchContext, fetchFile, InputError } from './fetch-file.ts';

const FETCHERS: Partial<Record<JobType, (context: FetchContext) => Promise<EngineJob>>> = {
  convert: async (context) => ({
    type: 'convert',
    source: await inputOfKind(context, 'source'),
    fileName: context.metadata.files.find(({ kind }) => kind === 'source')?.fileName,
    split: context.job.format === 'SPLIT',
  }),
  assemble: async (context) => ({
    type: 'assemble',
    ...(await fetchAssembly(context)),
    name: context.metadata.document.name,
  }),
  export: async (context) => {
    const { job, metadata } = context;
    const exported = EXPORTS.find((each) => each.format === job.format);
    const from = exported ? exportSourceOf(exported, metadata.document.kind) : 'asm-json';
    if (from !== 'asm-json') {
      const source = await inputOfKind(context, from);
      return { type: 'export', format: exported!.format as FileExportFormat, source, name: metadata.document.name };
    }
    const common = { type: 'export' as const, name: metadata.document.name, time: metadata.version.createdAt };
    // An engine that writes OFB fetches the parts itself. Other engines reject the job, so they need no inputs either.
    if (job.format === 'OFB') return { ...common, format: 'OFB', asmJson: '', files: {} };
    const format = job.format === 'BREP' ? job.format : 'STP';
    return { ...common, format, ...(await fetchAssembly(context)) };
  },
  run: async (context) => ({
    type: 'run',
    archive: await inputOfKind(context, 'code'),
    params: (context.metadata.params ?? {}) as Record<string, unknown>,
  }),
};

/** The job types whose inputs the scheduler can fetch. */
export const SUPPORTED_TYPES = Object.keys(FETCHERS) as JobType[];

/**
 * Fetches the inputs of a job into its folder and returns the job for the engine. Files are named by kind or hash,
 * never by user input.
 */
export async function fetchInputs(context: FetchContext): Promise<EngineJob> {
  const { job, folder } = context;
  const fetch = FETCHERS[job.type];
  if (!fetch) throw new InputError('missing_file', `the scheduler does not support jobs of type ${job.type}`);
  await mkdir(folder, { recursive: true });
  return fetch(context);
}

async function inputOfKind(context: FetchContext, kind: string): Promise<string> {
  const file = context.metadata.files.find((candidate) => candidate.kind === kind);
  if (!file) throw new InputError('missing_file', `the job has no input file of kind ${kind}`);
  return fetchFile(context, file, kind);
}
