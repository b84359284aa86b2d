import { byId, listsBy } from '../core/graphql.ts';
import { newestJobs } from '../core/store/job-lists.ts';
import { logsOf } from '../core/store/job-logs.ts';
import type { Scope } from '../core/store/scope.ts';

export type Loaders = ReturnType<typeof loaders>;

/** The loaders of one request. */
export function loaders(scope: Scope) {
  return {
    job: byId(scope, 'jobs'),
    log: listsBy(
      (jobIds) => logsOf(scope, jobIds),
      ({ jobId }) => jobId,
    ),
    newestJobs: listsBy(
      (versionIds) => newestJobs(scope, versionIds),
      ({ versionId }) => versionId,
    ),
  };
}
