// What a part of the page shows: asked once, kept while it is looked at elsewhere, asked again when an event concerns it.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { TypedDocumentString } from '../generated/operations.ts';
import { execute } from './api-client.ts';
import { type EventFilter, streamReady, onEvent } from './live-events.ts';

export type QueryResult<Data> = {
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
export function useQuery<Data, Variables>(
  operation: TypedDocumentString<Data, Variables>,
  variables: Variables | null,
  concerns?: EventFilter,
): QueryResult<Data> {
  const key = variables === null ? null : `${operation.toString()}${JSON.stringify(variables)}`;
  const [state, setState] = useState<{ key: string | null; error: Error | null; loading: boolean }>({
    key,
    error: null,
    loading: key !== null,
  });
  const about = useRef(concerns);
  about.current = concerns;
  const look = useRef(() => {});
  const reload = useCallback(() => look.current(), []);

  useEffect(() => {
    if (key === null || variables === null) return;
    const gone = new AbortController();
    let asking = false;
    let again = false;
    // never two at once, and none is broken off for the next: where answers take longer than the pauses between events, none would ever arrive
    const read = async () => {
      again = asking;
      if (asking) return;
      asking = true;
      setState((before) => ({ key, error: before.key === key ? before.error : null, loading: true }));
      const error = await execute(operation, variables, { signal: gone.signal }).then(
        (data) => {
          keep(key, data);
          return null;
        },
        (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
      );
      asking = false;
      if (gone.signal.aborted) return;
      setState({ key, error, loading: false });
      if (again) void read();
    };
    look.current = () => void read();
    let soon: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvent(
      (event) => about.current?.(event) ?? false,
      () => {
        soon ??= setTimeout(() => {
          soon = undefined;
          void read();
        }, SOON_MS);
      },
    );
    void streamReady().then(() => {
      if (!gone.signal.aborted) void read();
    });
    return () => {
      gone.abort();
      stop();
      clearTimeout(soon);
      look.current = () => {};
    };
  }, [key]);

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

/** Asks again every so many milliseconds as long as something moves that is told to the service but is no event, like the progress of a job. */
export function usePolling(moves: boolean, { reload }: Pick<QueryResult<unknown>, 'reload'>, everyMs: number): void {
  useEffect(() => {
    if (!moves) return;
    const clock = setInterval(reload, everyMs);
    return () => clearInterval(clock);
  }, [moves, reload, everyMs]);
}

/** Forgets every answer: somebody else may sign in. */
export function clearQueryCache(): void {
  answers.clear();
}
