// Searches while the user types.
import { useEffect, useState } from 'preact/hooks';
import {
  SearchDocumentsDocument,
  type SearchDocumentsQuery,
  type TypedDocumentString,
} from '../generated/operations.ts';
import { showError } from '../ui/toasts.tsx';
import { execute } from './api-client.ts';

export type FoundDocument = SearchDocumentsQuery['documents']['items'][number];
/** Search results and the query they belong to. */
type SearchResult<Found> = { query: string; documents: readonly Found[] };
type SearchOperation<Found> = TypedDocumentString<{ documents: { items: readonly Found[] } }, { q: string }>;

const DEBOUNCE_MS = 150;
const NO_RESULT = { query: '', documents: [] };

/** Searches documents while the user types; an exact number comes first. Keeps the previous result while loading. */
export const useDocumentSearch = (text: string): SearchResult<FoundDocument> =>
  useSearch(SearchDocumentsDocument, text);

/** Searches documents as `useDocumentSearch`, with an operation that returns other fields of them. */
export function useSearch<Found>(operation: SearchOperation<Found>, text: string): SearchResult<Found> {
  const [result, setResult] = useState<SearchResult<Found>>(NO_RESULT);
  const query = text.trim();
  useEffect(() => {
    if (query === '') {
      setResult(NO_RESULT);
      return;
    }
    const abort = new AbortController();
    const search = async () => {
      const { documents } = await execute(operation, { q: query }, { signal: abort.signal });
      setResult({ query, documents: documents.items });
    };
    const timer = setTimeout(
      () => search().catch((error: unknown) => !abort.signal.aborted && showError(error)),
      DEBOUNCE_MS,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query]);
  return result;
}
