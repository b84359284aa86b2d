// What a version looks like: its model when there is one, meanwhile its picture and what is being done.
import { ModelOfVersionDocument, type ModelOfVersionQuery } from '../generated/operations.ts';
import { engineWords } from '../jobs/engine-words.ts';
import { addressOf } from '../shell/addresses.ts';
import { fileAddress } from '../shell/ask.ts';
import type { Concerns } from '../shell/live.ts';
import { useAgainWhile, useAsk } from '../shell/use-ask.ts';
import { Icon } from '../ui/icon.tsx';
import { iconOf } from '../ui/picture.tsx';
import { Answer, Progress } from '../ui/state.tsx';
import { ModelStage, type OpenedStage } from './model-stage.tsx';

const LOOK_AGAIN_MS = 2_000; // progress is told to the service, but is no event

type ViewedProps = { versionId: string; compact?: boolean; onStage?: (stage: OpenedStage | null) => void };

/** The model of one version; `compact` without the tree of parts. */
export function Viewed({ versionId, compact = false, onStage }: ViewedProps) {
  const concerns: Concerns = ({ data, subject }) =>
    data.versionId === versionId ||
    subject === versionId ||
    (data.documentId !== null && data.documentId === documentId);
  const asked = useAsk(ModelOfVersionDocument, { id: versionId }, concerns);
  const documentId = asked.data?.version?.document.id;
  const runs = asked.data?.jobs.items.some(({ status }) => status === 'running' || status === 'waiting') ?? false;
  useAgainWhile(runs, asked, LOOK_AGAIN_MS);
  return (
    <Answer of={asked}>
      {({ version, jobs }) => {
        if (!version) return <p class="waiting">There is no such draft or version.</p>;
        const { glb } = version;
        if (!glb) return <NoModel version={version} job={jobs.items[0]} />;
        const title = `${version.document.number} ${version.document.name}`;
        return (
          <div class="model-view">
            {glb.stale && <Stale job={jobs.items[0]} />}
            <ModelStage
              key={glb.sha256}
              glb={glb}
              title={title}
              propertiesOf={version.properties && version.properties.stale === glb.stale ? version.properties.id : null}
              picture={version.thumbnailUrl ?? null}
              compact={compact}
              onStage={onStage}
            />
          </div>
        );
      }}
    </Answer>
  );
}

type Version = NonNullable<ModelOfVersionQuery['version']>;
type Job = ModelOfVersionQuery['jobs']['items'][number];

function NoModel({ version, job }: { version: Version; job: Job | undefined }) {
  const kind = version.document.kind;
  return (
    <div class="stage-empty">
      {version.thumbnailUrl ? <img src={fileAddress(version.thumbnailUrl)} alt="" /> : <Icon name={iconOf(kind)} />}
      <p>{wordsFor(kind, version.type, job)}</p>
      <JobLine job={job} />
    </div>
  );
}

function wordsFor(kind: string, type: string, job: Job | undefined): string {
  if (job?.status === 'running' || job?.status === 'waiting') return 'The 3D view appears here as soon as it is made.';
  if (job?.status === 'failed')
    return `There is no 3D view. ${job.error ? engineWords(job.error.code) : 'The job failed.'}`;
  if (type === 'draft')
    return kind === 'assembly'
      ? 'Upload an asm.json to see the assembly here.'
      : 'Upload a STEP file to see the model here.';
  return 'This version has no 3D view.';
}

function Stale({ job }: { job: Job | undefined }) {
  return (
    <div class="stage-note" role="status">
      <Icon name="warning" />
      <span>The source has changed: this is the model of the one before.</span>
      <JobLine job={job} />
    </div>
  );
}

function JobLine({ job }: { job: Job | undefined }) {
  if (!job || job.status === 'done' || job.status === 'cancelled') return null;
  return (
    <span class="stage-job">
      {job.status === 'running' && (
        <Progress done={job.progress ? job.progress.percent / 100 : undefined} label="Made so far" />
      )}
      <a href={addressOf.job(job.id)}>
        {job.status === 'failed'
          ? 'See what went wrong'
          : job.status === 'waiting'
            ? 'Waiting for the engine'
            : (job.progress?.step ?? 'Being made')}
      </a>
    </span>
  );
}
