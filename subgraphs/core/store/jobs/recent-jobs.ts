// Caches of jobs that this process wrote a moment ago, so that the next command on them need not read them again.
import { createRecentWritesCache } from '../../cache/recent-writes-cache.ts';
import type { JobRecord } from '../schema/collections.ts';

/** Jobs that were claimed or whose lease was renewed, by id. */
export const claimedJobsCache = createRecentWritesCache<JobRecord>();
/** Waiting jobs that workers were notified of, by the key of the notification. */
export const notifiedJobsCache = createRecentWritesCache<JobRecord>();
