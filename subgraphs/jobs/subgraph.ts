// The jobs subgraph: jobs, the worker protocol, generators and runs.

import { batched } from '../core/batching/batched.ts';
import { createTransactionBatcher } from '../core/batching/transaction-batcher.ts';
import {
  assertPermitted,
  type Context,
  defineSubgraph,
  entityBy,
  entityStub,
  lookup,
  mutation,
  mutationOutsideTransaction,
  query,
  type Subgraph,
  Upload,
  userResolvers,
} from '../core/graphql.ts';
import type { Services } from '../core/work.ts';
import { cancelJob } from './cancel-job.ts';
import { setCode } from './code/set-code.ts';
import { syncCode } from './code/sync-code.ts';
import { exportFormats } from './export-formats.ts';
import type { Resolvers } from './generated/resolvers.ts';
import { createLoaders, type Loaders } from './loaders.ts';
import { readJobLog } from './read-job-log.ts';
import { readJobs, readJobsOfVersion } from './read-jobs.ts';
import { readProvenance } from './read-provenance.ts';
import { parsedParams, readRuns, runOf } from './read-runs.ts';
import { requestExport } from './request-export.ts';
import { requestRun } from './request-run.ts';
import { retryJob } from './retry-job.ts';
import { createClaimDispatcher } from './worker/claim-dispatcher.ts';
import { claimJob } from './worker/claim-job.ts';
import { batchedCompletion, type completeJob } from './worker/complete-job.ts';
import { failJob } from './worker/fail-job.ts';
import { giveBackJob } from './worker/give-back-job.ts';
import { heartbeatJob } from './worker/heartbeat-job.ts';
import { jobContext } from './worker/job-context.ts';
import { submitJobResult } from './worker/submit-job-result.ts';

type SubgraphContext = Context<Loaders>;

/** Creates the jobs subgraph. */
export function jobsSubgraph(services: Services): Subgraph {
  return defineSubgraph<Loaders>({
    name: 'jobs',
    schema: new URL('./schema.graphql', import.meta.url),
    services,
    resolvers: resolversOf(services),
    shownToWorkers: ['Job', 'ContextDocument', 'ContextVersion', 'ContextFile'],
    loaders: createLoaders,
  });
}

function resolversOf(services: Services): Resolvers<SubgraphContext> {
  // Claims and completions write the audit chains of the same documents, so they share transactions.
  const batcher = createTransactionBatcher();
  const claims = createClaimDispatcher({ db: services.mongo.db }, services.clock, batcher);
  const completeBatched = batched(batchedCompletion, batcher);
  return {
    Query: {
      job: lookup('job', ({ loaders }: SubgraphContext, { id }: { id: string }) => loaders.job.load(id)),
      jobs: query(readJobs),
      jobLog: lookup('job', readJobLog),
      exportFormats: query(exportFormats),
      run: lookup('run', ({ loaders }: SubgraphContext, { id }: { id: string }) => loaders.run.load(id)),
      jobContext: lookup('job', jobContext, 'work'),
    },
    Mutation: {
      setCode: mutation(setCode),
      // Fetches the code before its transaction.
      syncCode,
      // Checks the parameters before its transaction.
      requestRun,
      // Stores the files before its transaction.
      submitJobResult,
      requestExport: mutation(requestExport),
      retryJob: mutation(retryJob),
      cancelJob: mutation(cancelJob),
      // Waits outside of a transaction; each attempt has its own.
      claimJob: mutationOutsideTransaction(
        (context: SubgraphContext, input: Parameters<typeof claimJob>[2]) => claimJob(context, claims, input),
        'work',
      ),
      heartbeatJob: mutationOutsideTransaction(heartbeatJob, 'work'),
      // Concurrent completions share a transaction.
      completeJob: mutationOutsideTransaction(
        ({ services, request }: SubgraphContext, input: Parameters<typeof completeJob>[1]) =>
          completeBatched(services, request, input),
        'work',
      ),
      failJob: mutation(failJob, 'work'),
      giveBackJob: mutation(giveBackJob, 'work'),
    },
    Upload,
    Version: {
      __resolveReference: entityStub<Loaders>(),
      jobs: ({ id }, page, context) => readJobsOfVersion(context, id, page),
      runs: ({ id }, page, context) => readRuns(context, id, page),
      newestJob: async ({ id }, _arguments, { loaders }) => (await loaders.newestJobs.load(id))[0] ?? null,
    },
    Document: {
      __resolveReference: entityStub<Loaders>(),
      generator: async ({ id }, _arguments, { loaders }) => {
        const generated = (await loaders.document.load(id))?.generated;
        // The generator may have been deleted.
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
      job: ({ jobId }, _arguments, { loaders }) => loaders.job.load(jobId),
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
    User: userResolvers,
    Job: {
      __resolveReference: entityBy((loaders: Loaders) => loaders.job),
      id: ({ _id }) => _id,
      version: ({ versionId }) => ({ id: versionId }),
      document: ({ documentId }) => ({ id: documentId }),
      run: ({ runId }, _arguments, { request, loaders }) => {
        assertPermitted(request, 'read'); // workers read jobs, but not runs
        return runId ? loaders.run.load(runId) : null;
      },
      cancelRequested: ({ cancelAsked }) => cancelAsked,
      log: async ({ _id, logSize, logLines }, _arguments, { loaders }) => {
        loaders.assertLogLimit(logSize + logLines); // empty lines count as well
        const records = await loaders.log.load(_id);
        return records.flatMap(({ at, lines }) => lines.map((line) => ({ at, line })));
      },
    },
    ContextDocument: { id: ({ _id }) => _id },
    ContextVersion: { id: ({ _id }) => _id },
    ContextFile: { id: ({ _id }) => _id, url: ({ _id }) => `/api/v1/artifacts/${_id}/file` },
  };
}
