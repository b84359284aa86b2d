// Reads a job's log, waiting for new lines.
import { refuse } from '../core/domain/errors.ts';
import type { Context } from '../core/graphql.ts';
import { sleep } from '../core/platform/sleep.ts';
import { linesFrom } from '../core/store/jobs/job-logs.ts';
import { isUnfinished } from '../core/store/jobs/jobs.ts';
import { find } from '../core/store/query/records.ts';
import type { JobRecord, JobStatus } from '../core/store/schema/collections.ts';

type Input = { id: string; from?: number | null; waitSeconds?: number | null };
export type JobLogChunk = {
  lines: { index: number; at: Date; line: string }[];
  nextIndex: number;
  finalStatus: JobStatus | null;
};

const MAX_WAIT_SECONDS = 30;
const MAX_LINES = 2_000;
const POLL_MS = 500;
// Lines are counted before they are stored. A gap that lasts longer than this is permanent: the process ended before it
// stored the lines.
const MAX_GAP_MS = 2_000;

/**
 * Returns lines of a job's log starting at `from`. If there are none yet, waits up to `waitSeconds` (at most 30) for
 * new lines or the end of the job. Returns null if there is no such job. Throws `unavailable` if the service stops.
 */
export async function readJobLog(
  { scope, services, request }: Context,
  { id, from, waitSeconds }: Input,
): Promise<JobLogChunk | null> {
  const start = requireInRange('from', from ?? 0, Number.MAX_SAFE_INTEGER);
  const deadline = performance.now() + requireInRange('waitSeconds', waitSeconds ?? 0, MAX_WAIT_SECONDS) * 1000;
  const stopped = AbortSignal.any([request.signal, services.dispatch.closed]);
  let gapSince: number | null = null;

  for (;;) {
    const job = await find(scope, 'jobs', id);
    if (!job) return null;
    const chunk = job.logLines > start ? await readChunk(scope, job, start) : { lines: [], nextIndex: start };
    const hasGap = chunk.lines.length ? chunk.lines[0]!.index > start : job.logLines > start;
    gapSince = hasGap ? (gapSince ?? performance.now()) : null;
    const awaitsGap = gapSince !== null && performance.now() - gapSince < MAX_GAP_MS;
    const nextIndex = hasGap && !chunk.lines.length ? job.logLines : chunk.nextIndex;

    if (!awaitsGap) {
      const finalStatus = isUnfinished(job) || nextIndex < job.logLines ? null : job.status;
      if (chunk.lines.length || finalStatus || performance.now() >= deadline)
        return { lines: chunk.lines, nextIndex, finalStatus };
    }
    if (services.dispatch.closed.aborted)
      refuse('unavailable', 'The service is stopping. Repeat the request in a moment.', { part: 'api' });
    if (request.signal.aborted) return { lines: [], nextIndex: start, finalStatus: null };
    const pauseMs = awaitsGap ? POLL_MS : Math.max(10, Math.min(POLL_MS, deadline - performance.now()));
    await sleep(pauseMs, stopped);
  }
}

/** Returns contiguous lines, up to the first gap. */
async function readChunk(
  scope: Context['scope'],
  job: JobRecord,
  from: number,
): Promise<Pick<JobLogChunk, 'lines' | 'nextIndex'>> {
  const lines: JobLogChunk['lines'] = [];
  let nextIndex = from;
  for (const group of await linesFrom(scope, job._id, from)) {
    if (lines.length && (group.first > nextIndex || lines.length + group.lines.length > MAX_LINES)) break;
    for (const [n, line] of group.lines.entries()) {
      const index = group.first + n;
      if (index < from) continue;
      lines.push({ index, at: group.at, line });
      nextIndex = index + 1;
    }
  }
  return { lines, nextIndex };
}

function requireInRange(name: string, value: number, max: number): number {
  if (value < 0 || value > max)
    refuse('validation_failed', `${name} must be from 0 to ${max}.`, {
      errors: [{ path: `/${name}`, message: `must be from 0 to ${max}` }],
    });
  return value;
}
