import { setTimeout as wait } from 'node:timers/promises';
import type { JobFragment } from '../rest-adapter/generated/operations.ts';
import { type Api, part } from './api.ts';
import { progressOn } from './progress.ts';
import { plain, say, type Terminal } from './terminal.ts';

const SOONEST_MS = 200;
const LATEST_MS = 2_000;

/** Shows a job's progress and its log, line by line, until it has ended; nothing of it where `quiet`. */
export async function followJob(terminal: Terminal, api: Api, id: string, quiet: boolean): Promise<JobFragment> {
  const progress = progressOn(terminal.err);
  let told = 0;
  let pause = SOONEST_MS;
  try {
    for (;;) {
      const job = await api.get<JobFragment>(`/jobs/${part(id)}`);
      if (!quiet) {
        const fresh = job.log.slice(told);
        if (fresh.length) progress.end();
        for (const { line } of fresh) say(terminal.err, `  ${plain(line)}`);
        const { percent = 0, step = '' } = job.progress ?? {};
        progress.show(`${job.type} ${job.status} ${plain(step)}`, job.status === 'running' ? percent / 100 : null);
        // asks less often while nothing happens
        pause = fresh.length ? SOONEST_MS : Math.min(pause * 1.3, LATEST_MS);
      } else pause = Math.min(pause * 1.3, LATEST_MS);
      told = job.log.length;
      if (job.status !== 'waiting' && job.status !== 'running') return job;
      await wait(pause, undefined, { signal: terminal.signal });
    }
  } finally {
    progress.end();
  }
}
