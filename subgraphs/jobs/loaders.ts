// The batching loaders of the jobs subgraph.
import { byId, createFirstPageLoader, createListLoader } from '../core/loaders.ts';
import { operationLimit } from '../core/operation-limit.ts';
import { newestJobs } from '../core/store/jobs/job-lists.ts';
import { logsOf } from '../core/store/jobs/job-logs.ts';
import type { Scope } from '../core/store/query/scope.ts';

export type Loaders = ReturnType<typeof createLoaders>;

// Five full logs; documented in the schema.
const MAX_LOG_CHARACTERS = 5_000_000;

const MAX_LISTS = 20;

const newestJob = (scope: Scope, versionIds: readonly string[]) => newestJobs(scope, versionIds, 1);

/** Creates the loaders of one operation. The functions `assert…Limit` count reads and throw beyond a limit. */
export function createLoaders(scope: Scope) {
  return {
    job: byId(scope, 'jobs'),
    run: byId(scope, 'runs'),
    document: byId(scope, 'documents'),
    version: byId(scope, 'versions'),
    user: byId(scope, 'users'),
    assertJobListLimit: operationLimit('jobLists', MAX_LISTS, 'sorted, counted or further pages of jobs'),
    assertRunListLimit: operationLimit('runLists', MAX_LISTS, 'lists of runs'),
    assertProvenanceLimit: operationLimit('provenances', MAX_LISTS, 'provenance statements'),
    log: createListLoader(scope, logsOf, ({ jobId }) => jobId),
    assertLogLimit: operationLimit('logCharacters', MAX_LOG_CHARACTERS, 'characters of logs'),
    firstJobs: createFirstPageLoader(
      (versionIds, limit) => newestJobs(scope, versionIds, limit),
      ({ versionId }) => versionId,
    ),
    newestJobs: createListLoader(scope, newestJob, ({ versionId }) => versionId),
  };
}
