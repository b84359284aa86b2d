import { EmptyAssembly } from '../assembly/empty-assembly.tsx';
import { isActiveStatus } from '../jobs/job-labels.ts';
import { urlFor } from '../shell/router.ts';
import { Icon } from '../ui/icon.tsx';
import { Thumbnail } from '../ui/thumbnail.tsx';
import { JobProgress } from '../upload/job-progress.tsx';
import { ModelView } from '../viewer/model-view.tsx';
import type { DocumentViewProps } from './document-page.tsx';
import { ExportPanel } from './export-panel.tsx';
import { FilesPanel } from './files-panel.tsx';
import { PropertiesPanel } from './properties-panel.tsx';
import { RevisionWarnings } from './release-dialog.tsx';

/** The overview of a draft or version: 3D view, properties, files and exports. */
export function OverviewTab(props: DocumentViewProps) {
  const { document, version, reload } = props;
  const job = version.newestJob;
  const properties = version.artifacts.find(({ kind }) => kind === 'properties');
  return (
    <div class="overview">
      <div class="overview-shape">
        {document.kind === 'code' ? (
          <GeneratorInfo {...props} />
        ) : isEmptyAssembly(props) ? (
          <EmptyAssembly {...props} />
        ) : (
          <ModelView versionId={version.id} />
        )}
      </div>
      <aside class="overview-side" aria-label="Details">
        {version.comment && <p class="wrap">{version.comment}</p>}
        {version.releasedAs && document.kind === 'assembly' && (
          <RevisionWarnings key={version.id} revisionId={version.releasedAs.revisionId} documentId={document.id} />
        )}
        {job && job.status !== 'done' && (
          <section class="card" aria-label="Newest job">
            <JobProgress key={job.id} jobId={job.id} onEnd={isActiveStatus(job.status) ? reload : undefined} />
          </section>
        )}
        {properties && <PropertiesPanel key={properties.id} artifactId={properties.id} stale={properties.stale} />}
        <FilesPanel {...props} />
        {document.kind !== 'code' && <ExportPanel {...props} />}
      </aside>
    </div>
  );
}

const isEmptyAssembly = ({ document, version: { type, artifacts } }: DocumentViewProps): boolean =>
  document.kind === 'assembly' &&
  type === 'draft' &&
  !artifacts.some(({ kind }) => kind === 'asm-json' || kind === 'source');

/** Shown instead of a 3D view for generators. */
function GeneratorInfo({ document, version }: DocumentViewProps) {
  if (version.thumbnailUrl) return <Thumbnail url={version.thumbnailUrl} kind="code" size="large" />;
  return (
    <div class="overview-generator">
      <Icon name="code" />
      <p>
        Generates documents. To see its repository, parameters and runs, open the{' '}
        <a href={urlFor.document(document.id, 'code', { version: version.id })}>Code</a> tab.
      </p>
    </div>
  );
}
