// The page of a run.
import { Fragment } from 'preact';
import { GetRunDocument, type GetRunQuery } from '../generated/operations.ts';
import { JobActions } from '../jobs/job-actions.tsx';
import { JobError } from '../jobs/job-error.tsx';
import { JobLog } from '../jobs/job-log.tsx';
import { apiUrl } from '../shell/api-client.ts';
import { isObject } from '../shell/is-object.ts';
import { urlFor } from '../shell/router.ts';
import { type QueryResult, usePolling, useQuery } from '../shell/use-query.ts';
import { useTitle } from '../shell/use-title.ts';
import { Icon } from '../ui/icon.tsx';
import { NotFound, QueryView } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { CommitLink } from './commit-link.tsx';
import { CreatedDocuments, isActive, RunProgress } from './run-list.tsx';

const POLL_MS = 1_500; // job progress sends no event

/** One run: its parameters, commit, progress, log and created documents. */
export function RunPage({ id }: { id: string }) {
  const result: QueryResult<GetRunQuery> = useQuery(
    GetRunDocument,
    { id },
    ({ data }) => data.jobId !== null && data.jobId === result.data?.run?.job?.id,
  );
  const active = result.data?.run ? isActive(result.data.run) : false;
  usePolling(active, result, POLL_MS);
  return (
    <QueryView query={result}>
      {({ run }) =>
        run ? (
          <Run run={run} onChanged={result.reload} />
        ) : (
          <NotFound title="Run not found">
            It may have been deleted with its document. <a href="/">Go to all documents</a>
          </NotFound>
        )
      }
    </QueryView>
  );
}

type OneRun = NonNullable<GetRunQuery['run']>;

function Run({ run, onChanged }: { run: OneRun; onChanged: () => void }) {
  const { document, version, generator, commit, createdBy, createdAt, job, documents, params, isolation, forced } = run;
  useTitle(`Run of ${generator.name}`);
  const codeQuery = { ...(version ? { version: version.id } : {}), run: run.id };
  return (
    <article class="run-page" aria-label={`Run of ${document.name}`}>
      <header>
        <small>
          <a href={urlFor.document(document.id, 'code', version ? { version: version.id } : {})}>
            {document.number} {document.name}
          </a>
          {version && ` · ${version.n === null ? 'draft' : `v${version.n}`}`}
        </small>
        <div class="row">
          <h1>
            Run of {generator.name} {generator.version}
          </h1>
          {forced && <span class="mark">rerun</span>}
          {job && <JobActions job={job} onChanged={onChanged} />}
        </div>
        <small>
          {createdBy.name}, <Time at={createdAt} />
        </small>
      </header>
      <RunProgress run={run} />
      {job?.error && <JobError error={job.error} />}
      <div class="run-parts">
        <section class="card" aria-label="Created documents">
          <h2>Created documents</h2>
          {documents.length > 0 ? (
            <CreatedDocuments documents={documents} />
          ) : (
            <p class="quiet">{NO_DOCUMENTS_TEXT[job?.status ?? ''] ?? 'None.'}</p>
          )}
        </section>
        <section class="card" aria-label="Parameters">
          <div class="row">
            <h2>Parameters</h2>
            <a class="button end" href={urlFor.document(document.id, 'code', codeQuery)}>
              Run with other parameters
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
              href={apiUrl(`/runs/${encodeURIComponent(run.id)}/provenance`)}
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
              <a class="end" href={urlFor.job(job.id)}>
                Job
              </a>
            </div>
            <JobLog key={job.id} jobId={job.id} />
          </section>
        )}
      </div>
    </article>
  );
}

const NO_DOCUMENTS_TEXT: Record<string, string> = {
  waiting: 'Waiting for a worker.',
  running: 'The documents are created when the run is done.',
  failed: 'None: the run failed.',
  cancelled: 'None: the run was cancelled.',
};

function Params({ params }: { params: unknown }) {
  const entries = Object.entries(isObject(params) ? params : {});
  if (entries.length === 0) return <p class="quiet">None.</p>;
  return (
    <dl class="facts">
      {entries.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>
            <ParamValue value={value} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

function ParamValue({ value }: { value: unknown }) {
  if (Array.isArray(value) && value.length > 0)
    return (
      <ol class="param-items">
        {value.map((item, at) => (
          <li key={at}>
            <ParamValue value={item} />
          </li>
        ))}
      </ol>
    );
  if (isObject(value)) return <Params params={value} />;
  return <span class="wrap">{Array.isArray(value) ? 'None.' : String(value)}</span>;
}
