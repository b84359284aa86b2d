import { useEffect, useState } from 'preact/hooks';
import { rest } from '../shell/ask.ts';
import { Icon } from '../ui/icon.tsx';
import { Problem, Waiting } from '../ui/state.tsx';
import { measuresOf, warningsOf } from './measures.ts';

/** What the engine measured. */
export function PropertiesPanel({ artifactId, stale }: { artifactId: string; stale: boolean }) {
  const { content, error, again } = useJsonFile(artifactId);
  return (
    <section class="card" aria-label="Properties">
      <h2>Properties {stale && <span class="mark warn">of the file before</span>}</h2>
      {error && <Problem error={error} onRetry={again} />}
      {content === undefined && !error && <Waiting />}
      {content !== undefined && (
        <>
          <dl class="facts">
            {measuresOf(content).map(({ name, value }) => (
              <div key={name} class="fact">
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {warningsOf(content).map((warning) => (
            <p key={warning} class="warning">
              <Icon name="warning" /> {warning}
            </p>
          ))}
        </>
      )}
    </section>
  );
}

// a file never changes under its id
const kept = new Map<string, unknown>();

function useJsonFile(artifactId: string): { content: unknown; error: Error | null; again: () => void } {
  const [error, setError] = useState<Error | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (kept.has(artifactId)) return;
    const gone = new AbortController();
    rest(`/artifacts/${artifactId}/file`, { signal: gone.signal })
      .then((response) => response.json())
      .then((content: unknown) => {
        if (kept.size > 50) kept.clear();
        kept.set(artifactId, content);
        setTurn((before) => before + 1);
      })
      .catch(
        (problem: unknown) =>
          !gone.signal.aborted && setError(problem instanceof Error ? problem : new Error(String(problem))),
      );
    return () => gone.abort();
  }, [artifactId, turn]);
  const again = () => {
    setError(null);
    setTurn((before) => before + 1);
  };
  return { content: kept.get(artifactId), error, again };
}
