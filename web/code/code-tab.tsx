// The generator of a code document.
import { CodeOfVersionDocument, GetRunDocument } from '../generated/operations.ts';
import { isAboutDocument } from '../shell/live-events.ts';
import { route, withQuery } from '../shell/router.ts';
import { canWrite } from '../shell/session.ts';
import { useQuery } from '../shell/use-query.ts';
import { EmptyState, ErrorMessage, Loading, QueryView } from '../ui/status.tsx';
import { RepositoryCard } from './repository-card.tsx';
import { RunForm } from './run-form.tsx';
import { RunList } from './run-list.tsx';
import { type Manifest, useManifest } from './use-manifest.ts';

/** The repository, the parameter form and the runs of a generator. */
export function CodeTab({ documentId, versionId }: { documentId: string; versionId: string }) {
  const result = useQuery(CodeOfVersionDocument, { id: versionId }, isAboutDocument(documentId));
  const file = result.data?.version?.artifact ?? null;
  const { manifest, error } = useManifest(file);
  const runId = route.value.query.get('run');
  const earlierRun = useQuery(GetRunDocument, runId ? { id: runId } : null);
  return (
    <QueryView query={result}>
      {({ version }) =>
        version ? (
          <div class="code-tab">
            <div class="stack">
              <RepositoryCard version={version} onChanged={result.reload} />
              {error && <ErrorMessage error={error} />}
              {version.code?.commit && manifest && (
                <section class="card" aria-label="Run the generator">
                  <Description manifest={manifest} />
                  {runId && (
                    <p class="quiet">
                      Parameters of an earlier run. <a href={withQuery({ run: null })}>Use the defaults</a>
                    </p>
                  )}
                  {runId && !earlierRun.data && !earlierRun.error ? (
                    <Loading />
                  ) : (
                    <RunForm
                      key={`${file?.sha256} ${runId}`}
                      versionId={versionId}
                      schema={manifest.params}
                      initialParams={earlierRun.data?.run?.params}
                      permission={{ allowed: canWrite(), message: 'Viewers cannot run generators.' }}
                      onRequested={result.reload}
                    />
                  )}
                </section>
              )}
              {version.code && !version.code.commit && (
                <EmptyState>Synchronize the code to see its parameters and run it.</EmptyState>
              )}
            </div>
            <RunList key={versionId} documentId={documentId} versionId={versionId} />
          </div>
        ) : (
          <EmptyState>Draft or version not found.</EmptyState>
        )
      }
    </QueryView>
  );
}

function Description({ manifest: { name, version, description, makes } }: { manifest: Manifest }) {
  return (
    <>
      <h2>
        {name} <span class="quiet">{version}</span>
      </h2>
      {description && <p>{description}</p>}
      {makes.length > 0 && (
        <p class="quiet">Creates {makes.map(({ kind, name: created }) => `${created} (${kind})`).join(', ')}.</p>
      )}
    </>
  );
}
