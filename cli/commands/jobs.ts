import type { JobFragment, JobSummaryFragment } from '../../rest-adapter/generated/operations.ts';
import { createApi, listAll, pathSegment } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { fetchDocument } from '../document-reference.ts';
import { CliError, EXIT } from '../exit.ts';
import { followJob } from '../follow-job.ts';
import { parsePositiveInteger } from '../positive-integer.ts';
import { createStyler, formatTable, formatTime, sanitize, type Terminal, writeJson, writeLine } from '../terminal.ts';

type Options = { status?: string; limit: number; wait?: true; json?: true };

/** `pdm jobs`: lists jobs, or prints one job with its log. */
export const jobs: CliCommand = {
  define: (command) =>
    command
      .argument('[document-or-job]', 'number or id of a document to list its jobs, or id of a job to show its log')
      .option('--status <status>', 'list only waiting, running, done, failed or cancelled jobs')
      .option('--limit <count>', 'maximum number of jobs, newest first', parsePositiveInteger, 50)
      .option('--wait', 'with a job id: wait until the job has ended'),
  async run(terminal, { status, limit, wait, json }: Options, target?: string) {
    const api = createApi(terminal);
    if (target?.startsWith('job_')) {
      const job = wait
        ? await followJob(terminal, api, target, json === true)
        : await api.get<JobFragment>(`/jobs/${pathSegment(target)}`);
      if (json) writeJson(terminal, job);
      else printJob(terminal, job, { withLog: !wait });
      return wait && job.status !== 'done' ? EXIT.failure : EXIT.success;
    }
    if (wait) throw new CliError('--wait requires a job id.', EXIT.usage);
    const documentId = target === undefined ? undefined : (await fetchDocument(api, target)).id;
    const found = await listAll<JobSummaryFragment>(api, '/jobs', { documentId, status }, limit);
    if (json) writeJson(terminal, found);
    else if (!found.items.length) writeLine(terminal.out, 'No jobs found.');
    else printJobs(terminal, found.items);
    return EXIT.success;
  },
};

function printJobs({ out, environment }: Terminal, jobs: readonly JobSummaryFragment[]): void {
  const rows = jobs.map(({ id, type, status, progress, queuedAt, error }) => {
    const percent = status === 'running' && progress ? ` ${Math.round(progress.percent)} %` : '';
    return [id, type, `${status}${percent}`, formatTime(queuedAt), error?.message ?? null];
  });
  const titles = ['Job', 'Type', 'Status', 'Queued', 'Error'];
  for (const line of formatTable(titles, rows, createStyler(out, environment))) writeLine(out, line);
}

function printJob({ out }: Terminal, job: JobFragment, { withLog }: { withLog: boolean }): void {
  const { id, type, status, error, log } = job;
  writeLine(out, `${id}  ${type}  ${status}${error ? `: ${sanitize(error.message)} (${error.code})` : ''}`);
  if (withLog) for (const { at, line } of log) writeLine(out, `  ${at.slice(11, 19)}  ${sanitize(line)}`);
}
