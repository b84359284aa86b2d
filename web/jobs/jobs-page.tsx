import { address, addressOf, go, withQuery } from '../shell/addresses.ts';
import { useOffer } from '../shell/palette.tsx';
import { useTitle } from '../shell/title.ts';
import { type JobLine, JobList } from './job-list.tsx';
import { JobPanel } from './job-panel.tsx';

const STATUSES = ['waiting', 'running', 'failed', 'done', 'cancelled'] as const satisfies readonly JobLine['status'][];
const TYPES = ['convert', 'assemble', 'export', 'run'] as const satisfies readonly JobLine['type'][];

const oneOf = <Word extends string>(words: readonly Word[], given: string | null): Word | undefined =>
  words.find((word) => word === given);

/** All jobs of the service, with the chosen one beside them. */
export function JobsPage({ jobId }: { jobId: string | null }) {
  useTitle('Jobs');
  const { query } = address.value;
  const status = oneOf(STATUSES, query.get('status'));
  const type = oneOf(TYPES, query.get('type'));
  const search = address.value.query.toString();
  useOffer('jobs', [
    { id: 'failed-jobs', label: 'Show failed jobs', icon: 'jobs', run: () => go(`${addressOf.jobs()}?status=failed`) },
    {
      id: 'waiting-jobs',
      label: 'Show waiting jobs',
      icon: 'jobs',
      run: () => go(`${addressOf.jobs()}?status=waiting`),
    },
  ]);
  return (
    <div class="jobs-page">
      <section aria-label="Jobs">
        <div class="row">
          <h1>Jobs</h1>
          <fieldset class="choice" aria-label="Status">
            <button type="button" aria-pressed={!status} onClick={() => go(withQuery({ status: null }))}>
              all
            </button>
            {STATUSES.map((word) => (
              <button
                key={word}
                type="button"
                aria-pressed={word === status}
                onClick={() => go(withQuery({ status: word }))}
              >
                {word}
              </button>
            ))}
          </fieldset>
          <label class="inline">
            Type
            <select value={type ?? ''} onChange={(event) => go(withQuery({ type: event.currentTarget.value || null }))}>
              <option value="">all</option>
              {TYPES.map((word) => (
                <option key={word}>{word}</option>
              ))}
            </select>
          </label>
        </div>
        <JobList
          filter={{ status, type }}
          concerns={({ data }) => data.jobId !== null}
          chosen={jobId}
          hrefOf={(id) => `${addressOf.job(id)}${search ? `?${search}` : ''}`}
        />
      </section>
      {jobId && (
        <aside class="card" aria-label="The chosen job">
          <JobPanel key={jobId} jobId={jobId} />
        </aside>
      )}
    </div>
  );
}
