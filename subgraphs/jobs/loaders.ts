// The batching loaders of the jobs subgraph.
import DataLoader from 'dataloader';
import { byId, createListLoader } from '../core/loaders.ts';
import { operationLimit } from '../core/operation-limit.ts';
import { newestJobs } from '../core/store/jobs/job-lists.ts';
import { logsOf } from '../core/store/jobs/job-logs.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { JobRecord } from '../core/store/schema/collections.ts';

export type Loaders = ReturnType<typeof createLoaders>;

// Five full logs; documented in the schema.
const MAX_LOG_CHARACTERS = 5_000_000;

const MAX_LISTS = 20;

/** Creates the loaders of one request. */
export function createLoaders(scope: Scope) {
  return {
    job: byId(scope, 'jobs'),
    run: byId(scope, 'runs'),
    document: byId(scope, 'documents'),
    version: byId(scope, 'versions'),
    user: byId(scope, 'users'),
    countJobList: operationLimit('jobLists', MAX_LISTS, 'sorted, counted or further pages of jobs'),
    countRunList: operationLimit('runLists', MAX_LISTS, 'lists of runs'),
    countProvenance: operationLimit('provenances', MAX_LISTS, 'provenance statements'),
    log: createListLoader(
      (jobIds) => logsOf(scope, jobIds),
      ({ jobId }) => jobId,
    ),
    countLogCharacters: operationLimit('logCharacters', MAX_LOG_CHARACTERS, 'characters of logs'),
    firstJobs: createFirstPageLoader(scope),
    newestJobs: createListLoader(
      (versionIds) => newestJobs(scope, versionIds, 1),
      ({ versionId }) => versionId,
    ),
  };
}

type FirstPage = { versionId: string; limit: number };

/** Loads the newest jobs of drafts and versions: one query for all pages of the same size. */
function createFirstPageLoader(scope: Scope): DataLoader<FirstPage, JobRecord[], string> {
  const read = async (pages: readonly FirstPage[]): Promise<JobRecord[][]> => {
    const found = new Map<number, Map<string, JobRecord[]>>();
    for (const [limit, sameSize] of Map.groupBy(pages, ({ limit }) => limit)) {
      const versionIds = sameSize.map(({ versionId }) => versionId);
      found.set(
        limit,
        Map.groupBy(await newestJobs(scope, versionIds, limit), ({ versionId }) => versionId),
      );
    }
    return pages.map(({ versionId, limit }) => found.get(limit)?.get(versionId) ?? []);
  };
  return new DataLoader(read, { cacheKeyFn: ({ versionId, limit }) => `${versionId} ${limit}` });
}
