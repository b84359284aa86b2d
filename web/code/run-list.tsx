import { useState } from 'preact/hooks';
import { CodeRunsDocument, type RunLineFragment } from '../generated/operations.ts';
import { JobError } from '../jobs/job-error.tsx';
import { statusMark } from '../jobs/job-words.ts';
import { addressOf, withQuery } from '../shell/addresses.ts';
import { ask } from '../shell/ask.ts';
import { ofDocument } from '../shell/live.ts';
import { useAgainWhile, useAsk } from '../shell/use-ask.ts';
import { noteProblem } from '../ui/notes.tsx';
import { Picture } from '../ui/picture.tsx';
import { Answer, Nothing, Progress } from '../ui/state.tsx';
import { Time } from '../ui/time.tsx';
import { paramsLine } from './params-values.ts';

const LOOK_AGAIN_MS = 1_500; // progress is told to the service, but is no event

export const isMoving = (run: Pick<RunLineFragment, 'job'>): boolean =>
  run.job?.status === 'waiting' || run.job?.status === 'running';

/** The runs that were asked for at a draft or version, the newest first, and what each made. */
export function RunList({ documentId, versionId }: { documentId: string; versionId: string }) {
  const asked = useAsk(CodeRunsDocument, { id: versionId }, ofDocument(documentId));
  const [older, setOlder] = useState<{ runs: readonly RunLineFragment[]; next: string | null } | null>(null);
  const page = asked.data?.version?.runs;
  const moves = page?.items.some(isMoving) ?? false;
  useAgainWhile(moves, asked, LOOK_AGAIN_MS);
  const next = older ? older.next : (page?.nextCursor ?? null);
  const readOn = async () => {
    try {
      const { version } = await ask(CodeRunsDocument, { id: versionId, cursor: next });
      setOlder((before) => ({
        runs: [...(before?.runs ?? []), ...(version?.runs.items ?? [])],
        next: version?.runs.nextCursor ?? null,
      }));
    } catch (error) {
      noteProblem(error);
    }
  };
  return (
    <section aria-label="Runs">
      <h2>Runs</h2>
      <Answer of={asked}>
        {({ version }) => {
          const newest = version?.runs.items ?? [];
          const runs = [...newest, ...(older?.runs ?? []).filter(({ id }) => !newest.some((each) => each.id === id))];
          if (runs.length === 0) return <Nothing>It has not been run here yet.</Nothing>;
          return (
            <ul class="runs">
              {runs.map((run) => (
                <RunLine key={run.id} run={run} />
              ))}
            </ul>
          );
        }}
      </Answer>
      {next && (
        <button type="button" onClick={() => void readOn()}>
          Older runs
        </button>
      )}
    </section>
  );
}

function RunLine({ run }: { run: RunLineFragment }) {
  const { id, params, job, createdAt, createdBy, documents, forced } = run;
  return (
    <li class="card">
      <div class="row">
        <a class="grow params-line" href={addressOf.run(id)} title={paramsLine(params)}>
          {paramsLine(params) || 'without parameters'}
        </a>
        {forced && <span class="mark">again</span>}
        {job && <span class={`mark ${statusMark(job.status)}`}>{job.status}</span>}
      </div>
      <RunProgress run={run} />
      {job?.error && <JobError error={job.error} />}
      {documents.length > 0 && <Made documents={documents} />}
      <small>
        {createdBy.name}, <Time at={createdAt} /> · <a href={withQuery({ run: id })}>Take its parameters</a>
      </small>
    </li>
  );
}

/** How far a run is, while it is. */
export function RunProgress({ run: { job } }: { run: Pick<RunLineFragment, 'job'> }) {
  if (job?.status !== 'running') return null;
  return (
    <div>
      <Progress done={job.progress ? job.progress.percent / 100 : undefined} label={job.progress?.step ?? 'Running'} />
      <small>{job.progress ? `${Math.round(job.progress.percent)} % · ${job.progress.step}` : 'Running'}</small>
    </div>
  );
}

/** The documents a run made, with their pictures. */
export function Made({ documents }: { documents: RunLineFragment['documents'] }) {
  return (
    <ul class="made" aria-label="What it made">
      {documents.map(({ id, number, name, kind, thumbnailUrl }) => (
        <li key={id}>
          <a href={addressOf.document(id)}>
            <Picture url={thumbnailUrl} kind={kind} size="medium" />
            <span>
              <b>{name}</b>
              <small>{number}</small>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
