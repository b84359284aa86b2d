// The paged document list: loads more pages while scrolling and reloads after events.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import {
  FindDocumentsDocument,
  type FindDocumentsQuery,
  type FindDocumentsQueryVariables,
} from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { type LiveEvent, onEvent } from '../shell/live-events.ts';
import { asError } from '../ui/errors.ts';

export type ListedDocument = FindDocumentsQuery['documents']['items'][number];
type LoadedList = { key: string; rows: readonly ListedDocument[]; nextCursor: string | null; total: number | null };
export type DocumentListState = {
  /** Identifies the query that `rows` belong to. */
  listKey: string;
  /** Undefined until the first page is loaded; the rows of the previous query stay visible meanwhile. */
  rows: readonly ListedDocument[] | undefined;
  total: number | null;
  error: Error | null;
  loading: boolean;
  /** The rows belong to the previous query. */
  stale: boolean;
  loadMore: () => void;
  reload: () => void;
};

const DEBOUNCE_MS = 300;
const MAX_CACHED_LISTS = 8;
const MAX_RELOADED_ROWS = 400; // the rest of a longer list is loaded when the user scrolls there again

// job events do not change the list; the thumbnails that jobs create emit upload events
const isRelevant = ({ type, data }: LiveEvent): boolean => data.documentId !== null && !type.startsWith('job.');

// A list that the user returns to is shown from the cache while it reloads.
const cache = new Map<string, LoadedList>();

function addToCache(list: LoadedList): LoadedList {
  cache.delete(list.key);
  cache.set(list.key, list);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED_LISTS && oldest !== undefined) cache.delete(oldest);
  return list;
}

export function useDocumentList(variables: FindDocumentsQueryVariables): DocumentListState {
  const key = JSON.stringify(variables);
  const [list, setList] = useState<LoadedList | null>(() => cache.get(key) ?? null);
  const [error, setError] = useState<Error | null>(null);
  const [loading, setLoading] = useState(true);
  const [reloadCount, setReloadCount] = useState(0);
  const latest = useRef(list);
  latest.current = list;
  const isLoadingMore = useRef(false);
  const reload = useCallback(() => setReloadCount((before) => before + 1), []);

  useEffect(() => {
    const abort = new AbortController();
    setLoading(true);
    const cached = cache.get(key);
    if (cached && latest.current?.key !== key) setList(cached);
    const rowCount = Math.min(cached?.rows.length ?? 0, MAX_RELOADED_ROWS);
    loadRows(key, variables, rowCount, abort.signal)
      .then((loaded) => {
        if (abort.signal.aborted) return;
        setList(addToCache(loaded));
        setError(null);
      })
      .catch((reason: unknown) => !abort.signal.aborted && setError(asError(reason)))
      .finally(() => !abort.signal.aborted && setLoading(false));
    return () => abort.abort();
  }, [key, reloadCount]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = onEvent(isRelevant, () => {
      clearTimeout(timer);
      timer = setTimeout(reload, DEBOUNCE_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [reload]);

  const loadMore = useCallback(
    function loadNext(): void {
      const { current } = latest;
      if (isLoadingMore.current || !current?.nextCursor || current.key !== key) return;
      isLoadingMore.current = true;
      execute(FindDocumentsDocument, { ...variables, cursor: current.nextCursor })
        .then(({ documents }) =>
          // if the list was reloaded meanwhile, the page no longer belongs to it
          setList((before) =>
            before === current
              ? addToCache({ ...before, rows: [...before.rows, ...documents.items], nextCursor: documents.nextCursor })
              : before,
          ),
        )
        .catch((reason: unknown) => setError(asError(reason)))
        .finally(() => {
          isLoadingMore.current = false;
          // the page was dropped after a reload: load it for the new list, since the end of the list is already visible
          if (latest.current !== current && (latest.current?.rows.length ?? 0) <= current.rows.length) loadNext();
        });
    },
    [key],
  );

  return {
    listKey: list?.key ?? '',
    rows: list?.rows,
    total: list?.total ?? null,
    error,
    loading: loading || list?.key !== key,
    stale: list !== null && list.key !== key,
    loadMore,
    reload,
  };
}

async function loadRows(
  key: string,
  variables: FindDocumentsQueryVariables,
  rowCount: number,
  signal: AbortSignal,
): Promise<LoadedList> {
  const { documents: first } = await execute(FindDocumentsDocument, { ...variables, total: true }, { signal });
  const list = { key, rows: [...first.items], nextCursor: first.nextCursor, total: first.total };
  while (list.nextCursor && list.rows.length < rowCount) {
    const { documents: next } = await execute(
      FindDocumentsDocument,
      { ...variables, cursor: list.nextCursor },
      { signal },
    );
    list.rows.push(...next.items);
    list.nextCursor = next.nextCursor;
  }
  return list;
}
