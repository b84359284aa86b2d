// The 3D view of a version; until it has a model, its thumbnail and the state of the job.
import { ModelOfVersionDocument, type ModelOfVersionQuery } from '../generated/operations.ts';
import { explainJobError } from '../jobs/explain-job-error.ts';
import { apiUrl } from '../shell/api-client.ts';
import type { EventFilter } from '../shell/live-events.ts';
import { urlFor } from '../shell/router.ts';
import { usePolling, useQuery } from '../shell/use-query.ts';
import { Icon } from '../ui/icon.tsx';
import { ProgressBar, QueryView } from '../ui/status.tsx';
import { kindIcon } from '../ui/thumbnail.tsx';
import { type LineLink, ModelStage, type OpenedStage } from './model-stage.tsx';
import { usePartLines } from './use-part-lines.ts';
import type { ViewState } from './view-state.ts';

const POLL_MS = 2_000; // job progress sends no event

type VersionModelProps = {
  versionId: string;
  compact?: boolean;
  link?: LineLink;
  differences?: ViewState['differences'];
  onStage?: (stage: OpenedStage | null) => void;
};

/** The model of one version; `compact` omits the part tree. */
export function VersionModel({ versionId, compact = false, link, differences, onStage }: VersionModelProps) {
  const isRelevant: EventFilter = ({ type, data, subject }) =>
    !type.startsWith('view.') && // named views change neither the model nor its lines
    (data.versionId === versionId ||
      subject === versionId ||
      (data.documentId !== null && data.documentId === documentId));
  const result = useQuery(ModelOfVersionDocument, { id: versionId }, isRelevant);
  const documentId = result.data?.version?.document.id;
  const hasLines = result.data?.version?.document.kind === 'assembly' && (!compact || link !== undefined);
  const linesOf = usePartLines(hasLines ? versionId : null, isRelevant);
  const hasActiveJob =
    result.data?.jobs.items.some(({ status }) => status === 'running' || status === 'waiting') ?? false;
  usePolling(hasActiveJob, result, POLL_MS);
  return (
    <QueryView query={result}>
      {({ version, jobs }) => {
        if (!version) return <p class="loading">Draft or version not found.</p>;
        const { glb } = version;
        if (!glb) return <NoModel version={version} job={jobs.items[0]} />;
        const title = `${version.document.number} ${version.document.name}`;
        return (
          <div class={`model-view ${compact ? '' : 'fill'}`}>
            {glb.stale && <StaleNote job={jobs.items[0]} />}
            <ModelStage
              key={glb.sha256}
              versionId={version.id}
              glb={glb}
              title={title}
              propertiesId={version.properties && version.properties.stale === glb.stale ? version.properties.id : null}
              measureId={version.measure && version.measure.stale === glb.stale ? version.measure.id : null}
              thumbnail={version.thumbnailUrl ?? null}
              compact={compact}
              linesOf={linesOf}
              link={link}
              differences={differences}
              urlOfLine={({ path }) =>
                urlFor.document(version.document.id, 'bom', { version: version.id, row: path, view: '3d' })
              }
              onStage={onStage}
            />
          </div>
        );
      }}
    </QueryView>
  );
}

type Version = NonNullable<ModelOfVersionQuery['version']>;
type Job = ModelOfVersionQuery['jobs']['items'][number];

function NoModel({ version, job }: { version: Version; job: Job | undefined }) {
  const kind = version.document.kind;
  return (
    <div class="stage-empty">
      {version.thumbnailUrl ? <img src={apiUrl(version.thumbnailUrl)} alt="" /> : <Icon name={kindIcon(kind)} />}
      <p>{emptyText(kind, version.type, job)}</p>
      <JobLine job={job} />
    </div>
  );
}

function emptyText(kind: string, type: string, job: Job | undefined): string {
  if (job?.status === 'running' || job?.status === 'waiting') return 'The 3D view appears here when the job is done.';
  if (job?.status === 'failed') return `No 3D view. ${job.error ? explainJobError(job.error.code) : 'The job failed.'}`;
  if (type !== 'draft') return 'This version has no 3D view.';
  return kind === 'assembly'
    ? 'Upload a STEP assembly or an asm.json to see the assembly here.'
    : 'Upload a STEP file to see the model here.';
}

function StaleNote({ job }: { job: Job | undefined }) {
  return (
    <div class="stage-note" role="status">
      <Icon name="warning" />
      <span>Outdated: the source has changed since this model was created.</span>
      <JobLine job={job} />
    </div>
  );
}

function JobLine({ job }: { job: Job | undefined }) {
  if (!job || job.status === 'done' || job.status === 'cancelled') return null;
  return (
    <span class="stage-job">
      {job.status === 'running' && (
        <ProgressBar value={job.progress ? job.progress.percent / 100 : undefined} label="Progress" />
      )}
      <a href={urlFor.job(job.id)}>{jobText(job)}</a>
    </span>
  );
}

function jobText({ status, progress }: Job): string {
  if (status === 'failed') return 'View the error';
  if (status === 'waiting') return 'Waiting for an engine';
  return progress?.step ?? 'Running';
}
