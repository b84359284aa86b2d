// What a part of the page shows: asked once, kept while it is looked at elsewhere, asked again when an event concerns it.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { TypedDocumentString } from '../generated/operations.ts';
import { ask } from './ask.ts';
import { type Concerns, onLive } from './live.ts';

export type Asked<Data> = {
  /** The newest answer; an older one of the same question is shown until it comes. */
  data: Data | undefined;
  error: Error | null;
  loading: boolean;
  reload: () => void;
};

const KEPT = 200;
const answers = new Map<string, unknown>();

// events come in swarms (a run makes ten documents); one question answers them all
const SOON_MS = 150;

/**
 * Asks an operation, and again when its variables change or an event `concerns` it. `variables` null asks nothing yet.
 */
export function useAsk<Data, Variables>(
  operation: TypedDocumentString<Data, Variables>,
  variables: Variables | null,
  concerns?: Concerns,
): Asked<Data> {
  const key = variables === null ? null : `${operation.toString()}${JSON.stringify(variables)}`;
  const [state, setState] = useState<{ key: string | null; error: Error | null; loading: boolean }>({ key, error: null, loading: key !== null });
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const about = useRef(concerns);
  about.current = concerns;

  useEffect(() => {
    if (key === null || variables === null) return;
    const gone = new AbortController();
    setState((before) => ({ key, error: before.key === key ? before.error : null, loading: true }));
    ask(operation, variables, { signal: gone.signal }).then(
      (data) => {
        keep(key, data);
        if (!gone.signal.aborted) setState({ key, error: null, loading: false });
      },
      (error: unknown) => {
        if (!gone.signal.aborted) setState({ key, error: error instanceof Error ? error : new Error(String(error)), loading: false });
      },
    );
    return () => gone.abort();
  }, [key, turn]);

  useEffect(() => {
    if (key === null) return;
    let soon: ReturnType<typeof setTimeout> | undefined;
    const stop = onLive(
      (event) => about.current?.(event) ?? false,
      () => {
        clearTimeout(soon);
        soon = setTimeout(reload, SOON_MS);
      },
    );
    return () => {
      stop();
      clearTimeout(soon);
    };
  }, [key, reload]);

  const current = state.key === key;
  return {
    data: key === null ? undefined : (answers.get(key) as Data | undefined),
    error: current ? state.error : null,
    loading: current ? state.loading : key !== null,
    reload,
  };
}

function keep(key: string, data: unknown): void {
  answers.delete(key);
  answers.set(key, data);
  const [oldest] = answers.keys();
  if (answers.size > KEPT && oldest !== undefined) answers.delete(oldest);
}

/** Forgets every answer: somebody else may sign in. */
export function forgetAnswers(): void {
  answers.clear();
}
