import { useEffect, useState } from 'preact/hooks';
import { restRequest } from '../shell/api-client.ts';
import { asError } from '../ui/errors.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorMessage, Loading } from '../ui/status.tsx';
import { engineWarnings, formatProperties, type Property } from './model-properties.ts';

/** The properties of a model that an engine computed. */
export function PropertiesPanel({ artifactId, stale }: { artifactId: string; stale: boolean }) {
  const { content, error, retry } = useJsonFile(artifactId);
  const properties = content === undefined ? [] : formatProperties(content);
  const details = properties.filter(({ detail }) => detail);
  return (
    <section class="card" aria-label="Properties">
      <h2>Properties {stale && <span class="mark warn">out of date</span>}</h2>
      {error && <ErrorMessage error={error} onRetry={retry} />}
      {content === undefined && !error && <Loading />}
      {content !== undefined && (
        <>
          <Facts properties={properties.filter(({ detail }) => !detail)} />
          {details.length > 0 && (
            <details>
              <summary>Details</summary>
              <Facts properties={details} />
            </details>
          )}
          {engineWarnings(content).map((warning) => (
            <p key={warning} class="warning">
              <Icon name="warning" /> {warning}
            </p>
          ))}
        </>
      )}
    </section>
  );
}

function Facts({ properties }: { properties: readonly Property[] }) {
  return (
    <dl class="facts">
      {properties.map(({ name, value }) => (
        <div key={name} class="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

// artifacts are immutable, so the cache needs no invalidation
const cache = new Map<string, unknown>();

function useJsonFile(artifactId: string): { content: unknown; error: Error | null; retry: () => void } {
  const [error, setError] = useState<Error | null>(null);
  const [reloadCount, setReloadCount] = useState(0);
  useEffect(() => {
    if (cache.has(artifactId)) return;
    const abort = new AbortController();
    restRequest(`/artifacts/${artifactId}/file`, { signal: abort.signal })
      .then((response) => response.json())
      .then((content: unknown) => {
        if (cache.size > 50) cache.clear();
        cache.set(artifactId, content);
        setReloadCount((before) => before + 1);
      })
      .catch((reason: unknown) => !abort.signal.aborted && setError(asError(reason)));
    return () => abort.abort();
  }, [artifactId, reloadCount]);
  const retry = () => {
    setError(null);
    setReloadCount((before) => before + 1);
  };
  return { content: cache.get(artifactId), error, retry };
}
