import { refuse } from '../core/domain/errors.ts';
import type { Context } from '../core/graphql.ts';
import { waited } from '../core/platform/waited.ts';
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

const LONGEST_WAIT = 30;
const MOST_LINES = 2_000;
const LOOK_MILLISECONDS = 500;
// A group of lines is counted before it is stored: what is missing for longer was lost with the process that should have stored it.
const GAP_MILLISECONDS = 2_000;

/**
 * A part of a job's log, from a place on. Without lines there it waits up to `waitSeconds` (at most 30) for one, for the end of the job, or for the service
 * to stop, which is `unavailable`: read on elsewhere. Null: there is no such job (any more).
 */
export async function readJobLog(
  { scope, services, request }: Context,
  { id, from, waitSeconds }: Input,
): Promise<JobLogChunk | null> {
  const place = inRange('from', from ?? 0, Number.MAX_SAFE_INTEGER);
  const end = performance.now() + inRange('waitSeconds', waitSeconds ?? 0, LONGEST_WAIT) * 1000;
  const over = AbortSignal.any([request.signal, services.dispatch.closed]);
  let gapSince: number | null = null;

  for (;;) {
    const job = await find(scope, 'jobs', id);
    if (!job) return null;
    const part = job.logLines > place ? await partOf(scope, job, place) : { lines: [], nextIndex: place };
    const gap = part.lines.length ? part.lines[0]!.index > place : job.logLines > place;
    gapSince = gap ? (gapSince ?? performance.now()) : null;
    const patient = gapSince !== null && performance.now() - gapSince < GAP_MILLISECONDS;
    const next = gap && !part.lines.length ? job.logLines : part.nextIndex;

    if (!patient) {
      const ended = isUnfinished(job) || next < job.logLines ? null : job.status;
      if (part.lines.length || ended || performance.now() >= end)
        return { lines: part.lines, nextIndex: next, finalStatus: ended };
    }
    if (services.dispatch.closed.aborted)
      refuse('unavailable', 'The service is being stopped. Read on in a moment.', { part: 'api' });
    if (request.signal.aborted) return { lines: [], nextIndex: place, finalStatus: null };
    await waited(
      Math.max(10, Math.min(LOOK_MILLISECONDS, patient ? LOOK_MILLISECONDS : end - performance.now())),
      over,
    );
  }
}

/** The lines that are there in one piece; behind a gap in the middle nothing is told yet. */
async function partOf(
  scope: Context['scope'],
  job: JobRecord,
  from: number,
): Promise<Pick<JobLogChunk, 'lines' | 'nextIndex'>> {
  const lines: JobLogChunk['lines'] = [];
  let next = from;
  for (const group of await linesFrom(scope, job._id, from)) {
    if (lines.length && (group.first > next || lines.length + group.lines.length > MOST_LINES)) break;
    for (const [n, line] of group.lines.entries()) {
      const place = group.first + n;
      if (place < from) continue;
      lines.push({ index: place, at: group.at, line });
      next = place + 1;
    }
  }
  return { lines, nextIndex: next };
}

function inRange(name: string, value: number, most: number): number {
  if (value < 0 || value > most)
    refuse('validation_failed', `${name} must be from 0 to ${most}.`, {
      errors: [{ path: `/${name}`, message: `must be from 0 to ${most}` }],
    });
  return value;
}
