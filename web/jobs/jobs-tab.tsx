import { address, withQuery } from '../shell/addresses.ts';
import { ofDocument } from '../shell/live.ts';
import { JobList } from './job-list.tsx';
import { JobPanel } from './job-panel.tsx';

/** The jobs of one document. */
export function JobsTab({ documentId }: { documentId: string }) {
  const chosen = address.value.query.get('job');
  return (
    <div class="jobs-page">
      <section aria-label="Jobs of this document">
        <JobList
          filter={{ documentId }}
          concerns={ofDocument(documentId)}
          chosen={chosen}
          hrefOf={(id) => withQuery({ job: id })}
          withDocument={false}
        />
      </section>
      {chosen && (
        <aside class="card" aria-label="The chosen job">
          <JobPanel key={chosen} jobId={chosen} />
        </aside>
      )}
    </div>
  );
}
