import { addressOf } from '../shell/addresses.ts';
import { Icon } from '../ui/icon.tsx';
import { Picture } from '../ui/picture.tsx';
import { JobProgress } from '../upload/job-progress.tsx';
import { ModelView } from '../viewer/model-view.tsx';
import type { Shown } from './document-page.tsx';
import { ExportPanel } from './export-panel.tsx';
import { FilesPanel } from './files-panel.tsx';
import { PropertiesPanel } from './properties-panel.tsx';
import { ReleasedWith } from './release-dialog.tsx';

/** A draft or version as it looks: its shape, its measures, its files. */
export function OverviewTab(shown: Shown) {
  const { document, version, reload } = shown;
  const job = version.newestJob;
  const properties = version.artifacts.find(({ kind }) => kind === 'properties');
  return (
    <div class="overview">
      <div class="overview-shape">
        {document.kind === 'code' ? <Generator {...shown} /> : <ModelView versionId={version.id} />}
      </div>
      <aside class="overview-side" aria-label="About what is shown">
        {version.comment && <p class="wrap">{version.comment}</p>}
        {version.releasedAs && document.kind === 'assembly' && (
          <ReleasedWith key={version.id} revisionId={version.releasedAs.revisionId} documentId={document.id} />
        )}
        {job && job.status !== 'done' && (
          <section class="card" aria-label="Newest job">
            <JobProgress key={job.id} jobId={job.id} onEnd={reload} />
          </section>
        )}
        {properties && <PropertiesPanel key={properties.id} artifactId={properties.id} stale={properties.stale} />}
        <FilesPanel {...shown} />
        {document.kind !== 'code' && <ExportPanel {...shown} />}
      </aside>
    </div>
  );
}

/** A generator has no shape of its own: where to go on. */
function Generator({ document, version }: Shown) {
  if (version.thumbnailUrl) return <Picture url={version.thumbnailUrl} kind="code" size="large" />;
  return (
    <div class="overview-generator">
      <Icon name="code" />
      <p>
        A generator of documents. Its repository, its parameters and its runs are under{' '}
        <a href={addressOf.document(document.id, 'code', { version: version.id })}>Code</a>.
      </p>
    </div>
  );
}
