// The jobs that this process wrote a moment ago, so that the next command on them need not read them again.
import { justWritten } from '../../cache/just-written.ts';
import type { JobRecord } from '../schema/collections.ts';

/** Jobs that were claimed or renewed, by id. */
export const heldJobs = justWritten<JobRecord>();
/** Waiting jobs that workers were notified of, by the key of the notification. */
export const rungJobs = justWritten<JobRecord>();
