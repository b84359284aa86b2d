import { type Context, defineSubgraph, entity, mutation, query, type Subgraph } from '../core/graphql.ts';
import type { Services } from '../core/work.ts';
import { cancelJob } from './cancel-job.ts';
import { claimDesk } from './claim-desk.ts';
import { claimJob } from './claim-job.ts';
import { completeJob } from './complete-job.ts';
import { failJob } from './fail-job.ts';
import type { Resolvers } from './generated/resolvers.ts';
import { giveBackJob } from './give-back-job.ts';
import { heartbeatJob } from './heartbeat-job.ts';
import { jobContext } from './job-context.ts';
import { type Loaders, loaders } from './loaders.ts';
import { readJobLog } from './read-job-log.ts';
import { readJobs, readJobsOfVersion } from './read-jobs.ts';
import { retryJob } from './retry-job.ts';
import { readProvenance } from './read-provenance.ts';
import { parsedParams, readRuns, runOf } from './read-runs.ts';
import { requestExport } from './request-export.ts';
import { requestRun } from './request-run.ts';
import { setCode } from './set-code.ts';
import { syncCode } from './sync-code.ts';

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
  const desk = claimDesk({ db: services.mongo.db }, services.clock);
  return {
    Query: {
      job: query(({ loaders }: In, { id }: { id: string }) => loaders.job.load(id)),
      jobs: query(readJobs),
      jobLog: query(readJobLog),
      jobContext: query(jobContext, 'work'),
    },
    Mutation: {
      setCode: mutation(setCode),
      // Fetches first, then one transaction.
      syncCode,
      retryJob: mutation(retryJob),
      cancelJob: mutation(cancelJob),
      // Checks the parameters first, then one transaction.
      requestRun,
      // Stores the bytes first, then one transaction.
      deliverRun,
      requestExport: mutation(requestExport),
      // Waits outside of any transaction; each try is one.
      claimJob: query((context: In, input: Parameters<typeof claimJob>[2]) => claimJob(context, desk, input), 'work'),
      heartbeatJob: query(heartbeatJob, 'work'),
      completeJob: mutation(completeJob, 'work'),
      failJob: mutation(failJob, 'work'),
      giveBackJob: mutation(giveBackJob, 'work'),
    },
    Version: {
      __resolveReference: entity((_context: In, id) => ({ id })),
      jobs: ({ id }, page, context) => readJobsOfVersion(context, id, page),
      newestJob: async ({ id }, _arguments, { loaders }) => (await loaders.newestJobs.load(id))[0] ?? null,
    },
    Job: {
      __resolveReference: entity(({ loaders }: In, id) => loaders.job.load(id)),
      id: ({ _id }) => _id,
      version: ({ versionId }) => ({ id: versionId }),
      document: ({ documentId }) => ({ id: documentId }),
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
