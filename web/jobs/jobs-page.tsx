// The page of all jobs.
import { usePaletteCommands } from '../shell/command-palette.tsx';
import { navigate, route, urlFor, withQuery } from '../shell/router.ts';
import { useTitle } from '../shell/use-title.ts';
import { jobLabel } from './job-labels.ts';
import { type JobLine, JobList } from './job-list.tsx';
import { JobPanel } from './job-panel.tsx';

const STATUSES = ['waiting', 'running', 'failed', 'done', 'cancelled'] as const satisfies readonly JobLine['status'][];
const TYPES = ['convert', 'assemble', 'export', 'run'] as const satisfies readonly JobLine['type'][];

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | undefined =>
  values.find((value) => value === text);

/** All jobs with filters, and the selected job beside them. */
export function JobsPage({ jobId }: { jobId: string | null }) {
  useTitle('Jobs');
  const { query } = route.value;
  const status = oneOf(STATUSES, query.get('status'));
  const type = oneOf(TYPES, query.get('type'));
  const search = route.value.query.toString();
  usePaletteCommands('jobs', [
    {
      id: 'failed-jobs',
      label: 'Show failed jobs',
      icon: 'jobs',
      run: () => navigate(`${urlFor.jobs()}?status=failed`),
    },
    {
      id: 'waiting-jobs',
      label: 'Show waiting jobs',
      icon: 'jobs',
      run: () => navigate(`${urlFor.jobs()}?status=waiting`),
    },
  ]);
  return (
    <div class="jobs-page">
      <section aria-label="Jobs">
        <div class="row">
          <h1>Jobs</h1>
          <fieldset class="choice" aria-label="Status">
            <button type="button" aria-pressed={!status} onClick={() => navigate(withQuery({ status: null }))}>
              all
            </button>
            {STATUSES.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === status}
                onClick={() => navigate(withQuery({ status: name }))}
              >
                {name}
              </button>
            ))}
          </fieldset>
          <label class="inline">
            Type
            <select
              value={type ?? ''}
              onChange={(event) => navigate(withQuery({ type: event.currentTarget.value || null }))}
            >
              <option value="">all</option>
              {TYPES.map((name) => (
                <option key={name} value={name}>
                  {jobLabel(name, null)}
                </option>
              ))}
            </select>
          </label>
        </div>
        <JobList
          filter={{ status, type }}
          isRelevant={({ data }) => data.jobId !== null}
          selectedId={jobId}
          hrefOf={(id) => `${urlFor.job(id)}${search ? `?${search}` : ''}`}
        />
      </section>
      {jobId && (
        <aside class="card" aria-label="Selected job">
          <JobPanel key={jobId} jobId={jobId} />
        </aside>
      )}
    </div>
  );
}
