// The jobs tab of a document.
import { isAboutDocument } from '../shell/live-events.ts';
import { route, withQuery } from '../shell/router.ts';
import { JobList } from './job-list.tsx';
import { JobPanel } from './job-panel.tsx';

/** The jobs of one document, and the selected job beside them. */
export function JobsTab({ documentId }: { documentId: string }) {
  const selectedId = route.value.query.get('job');
  return (
    <div class="jobs-page">
      <section aria-label="Jobs of this document">
        <JobList
          filter={{ documentId }}
          isRelevant={isAboutDocument(documentId)}
          selectedId={selectedId}
          hrefOf={(id) => withQuery({ job: id })}
          withDocument={false}
        />
      </section>
      {selectedId && (
        <aside class="card" aria-label="Selected job">
          <JobPanel key={selectedId} jobId={selectedId} />
        </aside>
      )}
    </div>
  );
}
