import { OneRunDocument, type OneRunQuery } from '../generated/operations.ts';
import { JobDeeds } from '../jobs/job-deeds.tsx';
import { JobError } from '../jobs/job-error.tsx';
import { JobLog } from '../jobs/job-log.tsx';
import { addressOf } from '../shell/addresses.ts';
import { fileAddress } from '../shell/ask.ts';
import { useTitle } from '../shell/title.ts';
import { type Asked, useAgainWhile, useAsk } from '../shell/use-ask.ts';
import { Icon } from '../ui/icon.tsx';
import { Answer, NotThere } from '../ui/state.tsx';
import { Time } from '../ui/time.tsx';
import { CommitLink } from './commit-link.tsx';
import { isObject } from './params-form.ts';
import { isMoving, Made, RunProgress } from './run-list.tsx';

const LOOK_AGAIN_MS = 1_500;

/** One run of a generator: with what, from which commit, how it goes, and what it made. */
export function RunPage({ id }: { id: string }) {
  const asked: Asked<OneRunQuery> = useAsk(
    OneRunDocument,
    { id },
    ({ data }) => data.jobId !== null && data.jobId === asked.data?.run?.job?.id,
  );
  const moves = asked.data?.run ? isMoving(asked.data.run) : false;
  useAgainWhile(moves, asked, LOOK_AGAIN_MS);
  return (
    <Answer of={asked}>
      {({ run }) =>
        run ? (
          <Run run={run} onChanged={asked.reload} />
        ) : (
          <NotThere what="There is no such run">
            It may have gone with its document. <a href="/">To the documents</a>
          </NotThere>
        )
      }
    </Answer>
  );
}

type OneRun = NonNullable<OneRunQuery['run']>;

function Run({ run, onChanged }: { run: OneRun; onChanged: () => void }) {
  const { document, version, generator, commit, createdBy, createdAt, job, documents, params, isolation, forced } = run;
  useTitle(`Run of ${generator.name}`);
  const codeQuery = { ...(version ? { version: version.id } : {}), run: run.id };
  return (
    <article class="run-page" aria-label={`Run of ${document.name}`}>
      <header>
        <small>
          <a href={addressOf.document(document.id, 'code', version ? { version: version.id } : {})}>
            {document.number} {document.name}
          </a>
          {version && ` · ${version.n === null ? 'draft' : `v${version.n}`}`}
        </small>
        <div class="row">
          <h1>
            Run of {generator.name} {generator.version}
          </h1>
          {forced && <span class="mark">run again</span>}
          {job && <JobDeeds job={job} onChanged={onChanged} />}
        </div>
        <small>
          {createdBy.name}, <Time at={createdAt} />
        </small>
      </header>
      <RunProgress run={run} />
      {job?.error && <JobError error={job.error} />}
      <div class="run-parts">
        <section class="card" aria-label="What it made">
          <h2>What it made</h2>
          {documents.length > 0 ? (
            <Made documents={documents} />
          ) : (
            <p class="quiet">{NOT_YET[job?.status ?? ''] ?? 'Nothing.'}</p>
          )}
        </section>
        <section class="card" aria-label="Parameters">
          <div class="row">
            <h2>Parameters</h2>
            <a class="button end" href={addressOf.document(document.id, 'code', codeQuery)}>
              Run with others
            </a>
          </div>
          <Params params={params} />
        </section>
        <section class="card" aria-label="Origin">
          <h2>Origin</h2>
          <dl class="facts">
            <dt>Commit</dt>
            <dd>
              <CommitLink repoUrl={version?.code?.repoUrl} commit={commit} />
            </dd>
            {version?.code && (
              <>
                <dt>Repository</dt>
                <dd class="mono">{version.code.repoUrl}</dd>
                <dt>Folder</dt>
                <dd class="mono">{version.code.path || '/'}</dd>
              </>
            )}
            <dt>Sandbox</dt>
            <dd>{isolation ?? '–'}</dd>
          </dl>
          {documents.length > 0 && (
            <a
              class="button"
              href={fileAddress(`/runs/${encodeURIComponent(run.id)}/provenance`)}
              download={`${run.id}.intoto.json`}
            >
              <Icon name="download" /> Provenance (in-toto)
            </a>
          )}
        </section>
        {job && (
          <section class="card run-log" aria-label="Job">
            <div class="row">
              <h2>Log</h2>
              <a class="end" href={addressOf.job(job.id)}>
                The job
              </a>
            </div>
            <JobLog key={job.id} jobId={job.id} />
          </section>
        )}
      </div>
    </article>
  );
}

const NOT_YET: Record<string, string> = {
  waiting: 'It waits for a worker.',
  running: 'All documents come in one step, when it is done.',
  failed: 'Nothing: it failed.',
  cancelled: 'Nothing: it was cancelled.',
};

function Params({ params }: { params: unknown }) {
  const each = isObject(params) ? Object.entries(params) : [];
  if (each.length === 0) return <p class="quiet">None.</p>;
  return (
    <dl class="facts">
      {each.map(([name, value]) => (
        <>
          <dt key={`${name} name`}>{name}</dt>
          <dd key={name} class={typeof value === 'object' ? 'mono' : ''}>
            {typeof value === 'object' ? JSON.stringify(value) : String(value)}
          </dd>
        </>
      ))}
    </dl>
  );
}
