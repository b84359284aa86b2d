import type { JobFragment, JobSummaryFragment } from '../../rest-adapter/generated/operations.ts';
import { allOf, apiFor, part } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT, Failure } from '../exit.ts';
import { followJob } from '../follow-job.ts';
import { documentOf } from '../named.ts';
import { countIn } from '../number.ts';
import { painter, plain, say, sayJson, type Terminal, table, when } from '../terminal.ts';

type Options = { status?: string; limit: number; wait?: true; json?: true };

/** Lists jobs, or shows one with its log. */
export const jobs: Deed = {
  define: (command) =>
    command
      .argument('[which]', 'the number or id of a document: its jobs; the id of a job: that one with its log')
      .option('--status <status>', 'only those: waiting, running, done, failed or cancelled')
      .option('--limit <count>', 'how many at most, the newest first', countIn, 50)
      .option('--wait', 'with the id of a job: until it has ended'),
  async run(terminal, { status, limit, wait, json }: Options, which?: string) {
    const api = apiFor(terminal);
    if (which?.startsWith('job_')) {
      const job = wait
        ? await followJob(terminal, api, which, json === true)
        : await api.get<JobFragment>(`/jobs/${part(which)}`);
      if (json) sayJson(terminal, job);
      else tell(terminal, job, wait === true);
      return wait && job.status !== 'done' ? EXIT.refused : EXIT.good;
    }
    if (wait) throw new Failure('--wait needs the id of a job.', EXIT.usage);
    const documentId = which === undefined ? undefined : (await documentOf(api, which)).id;
    const found = await allOf<JobSummaryFragment>(api, '/jobs', { documentId, status }, limit);
    if (json) {
      sayJson(terminal, found);
      return EXIT.good;
    }
    const rows = found.items.map(({ id, type, status, progress, queuedAt, error }) => [
      ...[id, type, status === 'running' && progress ? `running ${Math.round(progress.percent)} %` : status],
      ...[when(queuedAt), error?.message ?? null],
    ]);
    if (!rows.length) say(terminal.out, 'There are no such jobs.');
    else
      for (const line of table(
        ['Job', 'Type', 'Status', 'Queued', 'Error'],
        rows,
        painter(terminal.out, terminal.environment),
      ))
        say(terminal.out, line);
    return EXIT.good;
  },
};

function tell({ out }: Terminal, { id, type, status, error, log }: JobFragment, told: boolean): void {
  say(out, `${id}  ${type}  ${status}${error ? `: ${plain(error.message)} (${error.code})` : ''}`);
  if (!told) for (const { at, line } of log) say(out, `  ${at.slice(11, 19)}  ${plain(line)}`);
}
