import DataLoader from 'dataloader';
import { allowance } from '../core/allowance.ts';
import { byId, listsBy } from '../core/loaders.ts';
import { firstJobs } from '../core/store/jobs/job-lists.ts';
import { logsOf } from '../core/store/jobs/job-logs.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { JobRecord } from '../core/store/schema/collections.ts';

export type Loaders = ReturnType<typeof loaders>;

// Five full logs; the SDL says so.
const MOST_LOG = 5_000_000;

const MOST_LISTS = 20;

/** The loaders of one request. */
export function loaders(scope: Scope) {
  return {
    job: byId(scope, 'jobs'),
    run: byId(scope, 'runs'),
    document: byId(scope, 'documents'),
    version: byId(scope, 'versions'),
    user: byId(scope, 'users'),
    jobListAllowance: allowance('jobLists', MOST_LISTS, 'sorted, counted or further pages of jobs'),
    runListAllowance: allowance('runLists', MOST_LISTS, 'lists of runs'),
    provenanceAllowance: allowance('provenances', MOST_LISTS, 'statements of provenance'),
    log: listsBy(
      (jobIds) => logsOf(scope, jobIds),
      ({ jobId }) => jobId,
    ),
    logAllowance: allowance('logCharacters', MOST_LOG, 'characters of logs'),
    firstJobs: firstPages(scope),
    newestJobs: listsBy(
      (versionIds) => firstJobs(scope, versionIds, 1),
      ({ versionId }) => versionId,
    ),
  };
}

type FirstPage = { versionId: string; limit: number };

/** The newest jobs of drafts and versions: one query for all that ask for as many. */
function firstPages(scope: Scope): DataLoader<FirstPage, JobRecord[], string> {
  const read = async (pages: readonly FirstPage[]): Promise<JobRecord[][]> => {
    const found = new Map<number, Map<string, JobRecord[]>>();
    for (const [limit, alike] of Map.groupBy(pages, ({ limit }) => limit)) {
      const versionIds = alike.map(({ versionId }) => versionId);
      found.set(
        limit,
        Map.groupBy(await firstJobs(scope, versionIds, limit), ({ versionId }) => versionId),
      );
    }
    return pages.map(({ versionId, limit }) => found.get(limit)?.get(versionId) ?? []);
  };
  return new DataLoader(read, { cacheKeyFn: ({ versionId, limit }) => `${versionId} ${limit}` });
}
