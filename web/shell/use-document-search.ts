import { useEffect, useState } from 'preact/hooks';
import { FindSomeDocumentsDocument, type FindSomeDocumentsQuery } from '../generated/operations.ts';
import { showError } from '../ui/toasts.tsx';
import { execute } from './api-client.ts';

export type FoundDocument = FindSomeDocumentsQuery['documents']['items'][number];
type Found = { query: string; documents: readonly FoundDocument[] };

const SOON_MS = 150;
const NOTHING: Found = { query: '', documents: [] };

/** The first documents that a text finds as one types it, an exact number first, and the text `of` which they are: those of the text before stay until the answer is there. */
export function useDocumentSearch(text: string): Found {
  const [found, setFound] = useState<Found>(NOTHING);
  const q = text.trim();
  useEffect(() => {
    if (q === '') {
      setFound(NOTHING);
      return;
    }
    const gone = new AbortController();
    const look = async () => {
      const { documents } = await execute(FindSomeDocumentsDocument, { q }, { signal: gone.signal });
      setFound({ query: q, documents: documents.items });
    };
    const soon = setTimeout(
      () => look().catch((error: unknown) => !gone.signal.aborted && showError(error)),
      SOON_MS,
    );
    return () => {
      clearTimeout(soon);
      gone.abort();
    };
  }, [q]);
  return found;
}
