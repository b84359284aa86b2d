import { setTimeout as sleep } from 'node:timers/promises';
import type { JobFragment } from '../rest-adapter/generated/operations.ts';
import { type Api, pathSegment } from './api.ts';
import { createProgress } from './progress.ts';
import { sanitize, type Terminal, writeLine } from './terminal.ts';

const MIN_POLL_MS = 200;
const MAX_POLL_MS = 2_000;

/** Polls a job until it has ended. Prints its progress and log unless `quiet`. */
export async function followJob(terminal: Terminal, api: Api, id: string, quiet: boolean): Promise<JobFragment> {
  const progress = createProgress(terminal.err);
  let printed = 0;
  let pollMs = MIN_POLL_MS;
  try {
    for (;;) {
      const job = await api.get<JobFragment>(`/jobs/${pathSegment(id)}`);
      const newLines = quiet ? [] : job.log.slice(printed);
      if (!quiet) {
        if (newLines.length) progress.end();
        for (const { line } of newLines) writeLine(terminal.err, `  ${sanitize(line)}`);
        const { percent = 0, step = '' } = job.progress ?? {};
        progress.show(`${job.type} ${job.status} ${sanitize(step)}`, job.status === 'running' ? percent / 100 : null);
      }
      printed = job.log.length;
      if (job.status !== 'waiting' && job.status !== 'running') return job;
      pollMs = newLines.length ? MIN_POLL_MS : Math.min(pollMs * 1.3, MAX_POLL_MS);
      await sleep(pollMs, undefined, { signal: terminal.signal });
    }
  } finally {
    progress.end();
  }
}
