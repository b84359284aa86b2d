// The documents of a list, a page at a time as one scrolls; when something happens to a document, what is held is read again.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import {
  FindDocumentsDocument,
  type FindDocumentsQuery,
  type FindDocumentsQueryVariables,
} from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { type LiveEvent, onLive } from '../shell/live.ts';

export type Found = FindDocumentsQuery['documents']['items'][number];
type Held = { key: string; rows: readonly Found[]; nextCursor: string | null; total: number | null };
export type Finding = {
  /** Tells one list from another: changes when the rows become those of another question. */
  list: string;
  /** Undefined until the first page is there; a former answer stays visible meanwhile. */
  rows: readonly Found[] | undefined;
  total: number | null;
  error: Error | null;
  loading: boolean;
  more: () => void;
  reload: () => void;
};

const SOON_MS = 300;
const LISTS_KEPT = 8;
const MOST_READ_AGAIN = 400; // rows; of a longer list the rest is read when one scrolls there again

// jobs change nothing in a list; the pictures they make are uploads
const concerns = ({ type, data }: LiveEvent): boolean => data.documentId !== null && !type.startsWith('job.');

// whoever comes back from a document finds the list as it was, and sees it made new
const lists = new Map<string, Held>();

function keep(held: Held): Held {
  lists.delete(held.key);
  lists.set(held.key, held);
  const [oldest] = lists.keys();
  if (lists.size > LISTS_KEPT && oldest !== undefined) lists.delete(oldest);
  return held;
}

/** Asks for the documents of a list. */
export function useFound(variables: FindDocumentsQueryVariables): Finding {
  const key = JSON.stringify(variables);
  const [held, setHeld] = useState<Held | null>(() => lists.get(key) ?? null);
  const [error, setError] = useState<Error | null>(null);
  const [loading, setLoading] = useState(true);
  const [turn, setTurn] = useState(0);
  const now = useRef(held);
  now.current = held;
  const busy = useRef(false);
  const reload = useCallback(() => setTurn((before) => before + 1), []);

  useEffect(() => {
    const gone = new AbortController();
    setLoading(true);
    const known = lists.get(key);
    if (known && now.current?.key !== key) setHeld(known);
    const before = Math.min(known?.rows.length ?? 0, MOST_READ_AGAIN);
    readUpTo(key, variables, before, gone.signal)
      .then((answer) => {
        if (gone.signal.aborted) return;
        setHeld(keep(answer));
        setError(null);
      })
      .catch((problem: unknown) => !gone.signal.aborted && setError(asError(problem)))
      .finally(() => !gone.signal.aborted && setLoading(false));
    return () => gone.abort();
  }, [key, turn]);

  useEffect(() => {
    let soon: ReturnType<typeof setTimeout> | undefined;
    const stop = onLive(concerns, () => {
      clearTimeout(soon);
      soon = setTimeout(reload, SOON_MS);
    });
    return () => {
      stop();
      clearTimeout(soon);
    };
  }, [reload]);

  const more = useCallback(
    function next(): void {
      const { current } = now;
      if (busy.current || !current?.nextCursor || current.key !== key) return;
      busy.current = true;
      ask(FindDocumentsDocument, { ...variables, cursor: current.nextCursor })
        .then(({ documents }) =>
          // the list may have been read again meanwhile: then this page does not follow it
          setHeld((before) =>
            before === current
              ? keep({ ...before, rows: [...before.rows, ...documents.items], nextCursor: documents.nextCursor })
              : before,
          ),
        )
        .catch((problem: unknown) => setError(asError(problem)))
        .finally(() => {
          busy.current = false;
          // read again meanwhile: the page was dropped, and whoever is at the end has asked already
          if (now.current !== current && (now.current?.rows.length ?? 0) <= current.rows.length) next();
        });
    },
    [key],
  );

  return {
    list: held?.key ?? '',
    rows: held?.rows,
    total: held?.total ?? null,
    error,
    loading: loading || held?.key !== key,
    more,
    reload,
  };
}

async function readUpTo(
  key: string,
  variables: FindDocumentsQueryVariables,
  rows: number,
  signal: AbortSignal,
): Promise<Held> {
  const { documents: first } = await ask(FindDocumentsDocument, { ...variables, total: true }, { signal });
  const held = { key, rows: [...first.items], nextCursor: first.nextCursor, total: first.total };
  while (held.nextCursor && held.rows.length < rows) {
    const { documents: next } = await ask(FindDocumentsDocument, { ...variables, cursor: held.nextCursor }, { signal });
    held.rows.push(...next.items);
    held.nextCursor = next.nextCursor;
  }
  return held;
}

const asError = (problem: unknown): Error => (problem instanceof Error ? problem : new Error(String(problem)));
