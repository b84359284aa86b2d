import { sharedTurns } from '../core/batching/shared-turns.ts';
import { together } from '../core/batching/together.ts';
import {
  type Context,
  defineSubgraph,
  entityBy,
  entityOfOthers,
  mutation,
  mutationOutsideTransaction,
  query,
  type Subgraph,
  Upload,
} from '../core/graphql.ts';
import type { Services } from '../core/work.ts';
import { cancelJob } from './cancel-job.ts';
import { setCode } from './code/set-code.ts';
import { syncCode } from './code/sync-code.ts';
import { exportFormats } from './export-formats.ts';
import type { Resolvers } from './generated/resolvers.ts';
import { type Loaders, loaders } from './loaders.ts';
import { readJobLog } from './read-job-log.ts';
import { readJobs, readJobsOfVersion } from './read-jobs.ts';
import { readProvenance } from './read-provenance.ts';
import { parsedParams, readRuns, runOf } from './read-runs.ts';
import { requestExport } from './request-export.ts';
import { requestRun } from './request-run.ts';
import { retryJob } from './retry-job.ts';
import { claimDesk } from './worker/claim-desk.ts';
import { claimJob } from './worker/claim-job.ts';
import { type completeJob, completions } from './worker/complete-job.ts';
import { submitJobResult } from './worker/submit-job-result.ts';
import { failJob } from './worker/fail-job.ts';
import { giveBackJob } from './worker/give-back-job.ts';
import { heartbeatJob } from './worker/heartbeat-job.ts';
import { jobContext } from './worker/job-context.ts';

type In = Context<Loaders>;

/** Jobs, and the routes of the workers that do them. */
export function jobsSubgraph(services: Services): Subgraph {
  return defineSubgraph<Loaders>({
    name: 'jobs',
    schema: new URL('./schema.graphql', import.meta.url),
    services,
    resolvers: resolversOf(services),
    shownToWorkers: ['Job', 'ContextDocument', 'ContextVersion', 'ContextFile'],
    loaders,
  });
}

function resolversOf(services: Services): Resolvers<In> {
  // Claims and completions meet in the chains of the same documents.
  const turns = sharedTurns();
  const desk = claimDesk({ db: services.mongo.db }, services.clock, turns);
  const completing = together(completions, turns);
  return {
    Query: {
      job: query(({ loaders }: In, { id }: { id: string }) => loaders.job.load(id)),
      jobs: query(readJobs),
      jobLog: query(readJobLog),
      exportFormats: query(exportFormats),
      run: query(({ loaders }: In, { id }: { id: string }) => loaders.run.load(id)),
      jobContext: query(jobContext, 'work'),
    },
    Mutation: {
      setCode: mutation(setCode),
      // Fetches first, then one transaction.
      syncCode,
      // Checks the parameters first, then one transaction.
      requestRun,
      // Stores the bytes first, then one transaction.
      submitJobResult,
      requestExport: mutation(requestExport),
      retryJob: mutation(retryJob),
      cancelJob: mutation(cancelJob),
      // Waits outside of a transaction; each attempt is one.
      claimJob: mutationOutsideTransaction(
        (context: In, input: Parameters<typeof claimJob>[2]) => claimJob(context, desk, input),
        'work',
      ),
      heartbeatJob: mutationOutsideTransaction(heartbeatJob, 'work'),
      // Completions that arrive at the same time share a transaction.
      completeJob: mutationOutsideTransaction(
        ({ services, request }: In, input: Parameters<typeof completeJob>[1]) => completing(services, request, input),
        'work',
      ),
      failJob: mutation(failJob, 'work'),
      giveBackJob: mutation(giveBackJob, 'work'),
    },
    Upload,
    Version: {
      __resolveReference: entityOfOthers<Loaders>(),
      jobs: ({ id }, page, context) => readJobsOfVersion(context, id, page),
      runs: ({ id }, page, context) => readRuns(context, id, page),
      newestJob: async ({ id }, _arguments, { loaders }) => (await loaders.newestJobs.load(id))[0] ?? null,
    },
    Document: {
      __resolveReference: entityOfOthers<Loaders>(),
      generator: async ({ id }, _arguments, { loaders }) => {
        const generated = (await loaders.document.load(id))?.generated;
        // it may have been deleted since
        return generated && (await loaders.document.load(generated.generatorId)) ? { id: generated.generatorId } : null;
      },
      generatorVersion: async ({ id }, _arguments, { loaders }) => (await loaders.document.load(id))?.generated ?? null,
      run: async ({ id }, _arguments, { loaders }) => runOf(loaders, await loaders.document.load(id)),
      runParameters: async ({ id }, _arguments, { loaders }) => {
        const run = await runOf(loaders, await loaders.document.load(id));
        return run && parsedParams(run);
      },
      importedFrom: async ({ id }, _arguments, { loaders }) => (await loaders.document.load(id))?.importedFrom ?? null,
    },
    ImportedFrom: {
      document: async ({ documentId }, _arguments, { loaders }) =>
        (await loaders.document.load(documentId)) ? { id: documentId } : null,
    },
    GeneratorVersion: { id: ({ versionId }) => versionId, version: ({ versionId }) => ({ id: versionId }) },
    Run: {
      __resolveReference: entityBy((loaders: Loaders) => loaders.run),
      id: ({ _id }) => _id,
      version: ({ versionId }) => ({ id: versionId }),
      document: ({ documentId }) => ({ id: documentId }),
      params: parsedParams,
      commit: ({ code }) => code.commit,
      isolation: ({ result }) => result?.isolation ?? null,
      job: ({ jobId }, _arguments, { loaders }) => loaders.job.load(jobId),
      documents: async ({ result }, _arguments, { loaders }) => {
        const found = await loaders.document.loadMany(result?.documentIds ?? []);
        return found.flatMap((document) => (document && !(document instanceof Error) ? [{ id: document._id }] : []));
      },
      provenance: readProvenance,
    },
    User: {
      id: (id) => id,
      name: async (id, _arguments, { loaders }) => (await loaders.user.load(id))?.name ?? 'unknown',
    },
    Job: {
      __resolveReference: entityBy((loaders: Loaders) => loaders.job),
      id: ({ _id }) => _id,
      version: ({ versionId }) => ({ id: versionId }),
      document: ({ documentId }) => ({ id: documentId }),
      cancelRequested: ({ cancelAsked }) => cancelAsked,
      log: async ({ _id, logSize, logLines }, _arguments, { loaders }) => {
        loaders.logAllowance(logSize + logLines); // an empty line is one as well
        const records = await loaders.log.load(_id);
        return records.flatMap(({ at, lines }) => lines.map((line) => ({ at, line })));
      },
    },
    ContextDocument: { id: ({ _id }) => _id },
    ContextVersion: { id: ({ _id }) => _id },
    ContextFile: { id: ({ _id }) => _id, url: ({ _id }) => `/api/v1/artifacts/${_id}/file` },
  };
}
