import { useEffect, useState } from 'preact/hooks';
import { SearchDocumentsDocument, type SearchDocumentsQuery } from '../generated/operations.ts';
import { showError } from '../ui/toasts.tsx';
import { execute } from './api-client.ts';

export type FoundDocument = SearchDocumentsQuery['documents']['items'][number];
/** Search results and the query they belong to. */
type SearchResult = { query: string; documents: readonly FoundDocument[] };

const DEBOUNCE_MS = 150;
const NO_RESULT: SearchResult = { query: '', documents: [] };

/** Searches documents while the user types; an exact number comes first. Keeps the previous result while loading. */
export function useDocumentSearch(text: string): SearchResult {
  const [result, setResult] = useState<SearchResult>(NO_RESULT);
  const query = text.trim();
  useEffect(() => {
    if (query === '') {
      setResult(NO_RESULT);
      return;
    }
    const abort = new AbortController();
    const search = async () => {
      const { documents } = await execute(SearchDocumentsDocument, { q: query }, { signal: abort.signal });
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
