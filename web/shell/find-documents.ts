import { useEffect, useState } from 'preact/hooks';
import { FindSomeDocumentsDocument, type FindSomeDocumentsQuery } from '../generated/operations.ts';
import { noteProblem } from '../ui/notes.tsx';
import { ask } from './ask.ts';

export type FoundDocument = FindSomeDocumentsQuery['documents']['items'][number];
type Found = { of: string; documents: readonly FoundDocument[] };

const SOON_MS = 150;
const NOTHING: Found = { of: '', documents: [] };

/** The first documents that a text finds as one types it, an exact number first, and the text `of` which they are: those of the text before stay until the answer is there. */
export function useFoundDocuments(text: string): Found {
  const [found, setFound] = useState<Found>(NOTHING);
  const q = text.trim();
  useEffect(() => {
    if (q === '') {
      setFound(NOTHING);
      return;
    }
    const gone = new AbortController();
    const look = async () => {
      const { documents } = await ask(FindSomeDocumentsDocument, { q }, { signal: gone.signal });
      setFound({ of: q, documents: documents.items });
    };
    const soon = setTimeout(
      () => look().catch((error: unknown) => !gone.signal.aborted && noteProblem(error)),
      SOON_MS,
    );
    return () => {
      clearTimeout(soon);
      gone.abort();
    };
  }, [q]);
  return found;
}
