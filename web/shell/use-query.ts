// GraphQL queries for components: cached across views and refreshed by live events.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { TypedDocumentString } from '../generated/operations.ts';
import { asError } from '../ui/errors.ts';
import { execute } from './api-client.ts';
import { type EventFilter, onEvent, streamReady } from './live-events.ts';

export type QueryResult<Data> = {
  /** The latest response for the operation and variables; stale data stays until the new response arrives. */
  data: Data | undefined;
  error: Error | null;
  loading: boolean;
  reload: () => void;
};

const MAX_CACHED = 200;
const cache = new Map<string, unknown>();

const DEBOUNCE_MS = 150; // events come in bursts (a run creates ten documents)

/**
 * Executes a query, and again when its variables change or an event passes `filter`. Skips the query while `variables`
 * is null.
 */
export function useQuery<Data, Variables>(
  operation: TypedDocumentString<Data, Variables>,
  variables: Variables | null,
  filter?: EventFilter,
): QueryResult<Data> {
  const key = variables === null ? null : `${operation.toString()}${JSON.stringify(variables)}`;
  const [state, setState] = useState<{ key: string | null; error: Error | null; loading: boolean }>({
    key,
    error: null,
    loading: key !== null,
  });
  const latestFilter = useRef(filter);
  latestFilter.current = filter;
  const load = useRef(() => {});
  const reload = useCallback(() => load.current(), []);

  useEffect(() => {
    if (key === null || variables === null) return;
    const abort = new AbortController();
    let isLoading = false;
    let loadAgain = false;
    // One request at a time, never aborted for the next one: with responses slower than the pauses between events, none
    // would ever arrive.
    const read = async () => {
      loadAgain = isLoading;
      if (isLoading) return;
      isLoading = true;
      setState((before) => ({ key, error: before.key === key ? before.error : null, loading: true }));
      const error = await execute(operation, variables, { signal: abort.signal }).then(
        (data) => {
          addToCache(key, data);
          return null;
        },
        (reason: unknown) => asError(reason),
      );
      isLoading = false;
      if (abort.signal.aborted) return;
      setState({ key, error, loading: false });
      if (loadAgain) void read();
    };
    load.current = () => void read();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = onEvent(
      (event) => latestFilter.current?.(event) ?? false,
      () => {
        timer ??= setTimeout(() => {
          timer = undefined;
          void read();
        }, DEBOUNCE_MS);
      },
    );
    void streamReady().then(() => {
      if (!abort.signal.aborted) void read();
    });
    return () => {
      abort.abort();
      unsubscribe();
      clearTimeout(timer);
      load.current = () => {};
    };
  }, [key]);

  const isCurrent = state.key === key;
  return {
    data: key === null ? undefined : (cache.get(key) as Data | undefined),
    error: isCurrent ? state.error : null,
    loading: isCurrent ? state.loading : key !== null,
    reload,
  };
}

function addToCache(key: string, data: unknown): void {
  cache.delete(key);
  cache.set(key, data);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
}

/** Reloads a query at an interval while `active`, for changes that emit no event, such as the progress of a job. */
export function usePolling(
  active: boolean,
  { reload }: Pick<QueryResult<unknown>, 'reload'>,
  intervalMs: number,
): void {
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(reload, intervalMs);
    return () => clearInterval(timer);
  }, [active, reload, intervalMs]);
}

/** Clears the query cache, e.g. when another user signs in. */
export function clearQueryCache(): void {
  cache.clear();
}
