import { CodeOfVersionDocument, OneRunDocument } from '../generated/operations.ts';
import { address, withQuery } from '../shell/addresses.ts';
import { ofDocument } from '../shell/live.ts';
import { mayWrite } from '../shell/session.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Answer, Nothing, Problem, Waiting } from '../ui/state.tsx';
import { CodeLocation } from './code-location.tsx';
import { RunForm } from './run-form.tsx';
import { RunList } from './run-list.tsx';
import { type Manifest, useManifest } from './use-manifest.ts';

/** The generator of a code document: where it lives, what it takes, and its runs. */
export function CodeTab({ documentId, versionId }: { documentId: string; versionId: string }) {
  const asked = useAsk(CodeOfVersionDocument, { id: versionId }, ofDocument(documentId));
  const file = asked.data?.version?.artifact ?? null;
  const { manifest, error } = useManifest(file);
  const from = address.value.query.get('run');
  const earlier = useAsk(OneRunDocument, from ? { id: from } : null);
  return (
    <Answer of={asked}>
      {({ version }) =>
        version ? (
          <div class="code-tab">
            <div class="stack">
              <CodeLocation version={version} onChanged={asked.reload} />
              {error && <Problem error={error} />}
              {version.code?.commit && manifest && (
                <section class="card" aria-label="Run it">
                  <About manifest={manifest} />
                  {from && (
                    <p class="quiet">
                      With the parameters of an earlier run. <a href={withQuery({ run: null })}>Use the defaults</a>
                    </p>
                  )}
                  {from && !earlier.data && !earlier.error ? (
                    <Waiting />
                  ) : (
                    <RunForm
                      key={`${file?.sha256} ${from}`}
                      versionId={versionId}
                      schema={manifest.params}
                      given={earlier.data?.run?.params}
                      may={{ allowed: mayWrite(), message: 'Viewers cannot run generators.' }}
                      onAsked={asked.reload}
                    />
                  )}
                </section>
              )}
              {version.code && !version.code.commit && (
                <Nothing>Synchronise it: then its parameters are shown here, and it can be run.</Nothing>
              )}
            </div>
            <RunList key={versionId} documentId={documentId} versionId={versionId} />
          </div>
        ) : (
          <Nothing>There is no such draft or version any more.</Nothing>
        )
      }
    </Answer>
  );
}

function About({ manifest: { name, version, description, makes } }: { manifest: Manifest }) {
  return (
    <>
      <h2>
        {name} <span class="quiet">{version}</span>
      </h2>
      {description && <p>{description}</p>}
      {makes.length > 0 && (
        <p class="quiet">Makes {makes.map(({ kind, name: made }) => `${made} (${kind})`).join(', ')}.</p>
      )}
    </>
  );
}
