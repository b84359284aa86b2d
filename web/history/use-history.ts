// Reads the history of a document as it is scrolled through, ahead of what is seen, and keeps up with what happens meanwhile.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { HistoryOneDocument, HistoryPageDocument, type HistoryPageQuery } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { type LiveEvent, ofDocument, onLive } from '../shell/live.ts';
import { type History, rowCount, rowsKnown, withNode, withPage } from './graph-model.ts';

const PAGE = 450; // as many as one operation may ask for
const AHEAD = 150; // rows below those in sight that are fetched before they are scrolled to
const SOON_MS = 150;
const MOST_SINGLE = 10; // more changed versions than this are read with their pages

export type DocumentOfHistory = Pick<NonNullable<HistoryPageQuery['document']>, 'id' | 'number' | 'kind' | 'run'>;
type Told = { history: History | null; document: DocumentOfHistory | null; gone: boolean; error: Error | null };

/** The history as far as it is known; `seen` says which rows are in sight. */
export function useHistory(documentId: string) {
  const [told, setTold] = useState<Told>(NOTHING);
  const reader = useMemo(() => historyReader(documentId, setTold), [documentId]);
  useEffect(() => {
    setTold(NOTHING);
    return reader.start();
  }, [reader]);
  return { ...told, seen: reader.seen, retry: reader.goOn };
}

const NOTHING: Told = { history: null, document: null, gone: false, error: null };

function historyReader(documentId: string, tell: (told: Told) => void) {
  let told = NOTHING;
  let wanted = 0;
  let ended = false;
  let turn: Promise<void> = Promise.resolve();
  const change = (changes: Partial<Told>) => {
    told = { ...told, ...changes };
    if (!ended) tell(told);
  };
  // one thing after the other, so that an older answer never covers a newer one
  const next = (deed: () => Promise<void>) => {
    turn = turn.then(async () => {
      if (ended) return;
      try {
        await deed();
      } catch (error) {
        change({ error: error instanceof Error ? error : new Error(String(error)) });
      }
    });
    return turn;
  };

  const page = async (cursor: string | null, limit: number) => {
    const { document } = await ask(HistoryPageDocument, { id: documentId, cursor, limit });
    if (!document) change({ gone: true });
    return document;
  };
  const readOn = () =>
    next(async () => {
      while (!ended && !told.gone && !told.error) {
        const { history } = told;
        if (history && (history.cursor === null || rowsKnown(history) >= Math.min(wanted + AHEAD, rowCount(history)))) return;
        const document = await page(history?.cursor ?? null, PAGE);
        if (document) change({ document, history: withPage(history, document.versionGraph) });
      }
    });

  const readTop = async () => {
    const known = told.history;
    if (!known) return;
    const limit = Math.min(PAGE, known.lanes.length + 40);
    let history = known;
    let cursor: string | null = null;
    do {
      const document = await page(cursor, limit);
      if (!document) return;
      history = withPage(history, document.versionGraph, cursor === null);
      change({ document, history, error: null });
      cursor = document.versionGraph.nextCursor;
      const lowest = document.versionGraph.nodes.at(-1)?.version.n ?? Number.POSITIVE_INFINITY;
      if (lowest <= known.lastVersion) return;
    } while (cursor !== null && !ended);
  };

  const readAgain = async (ids: ReadonlySet<string>) => {
    for (const { version } of await Promise.all([...ids].map((id) => ask(HistoryOneDocument, { id }))))
      if (version && told.history) change({ history: withNode(told.history, version) });
  };

  const renew = () => {
    void next(async () => change({ history: null, error: null }));
    void readOn();
  };

  const goOn = () => {
    void next(async () => change({ error: null }));
    void readOn();
  };

  const follow = () => {
    const changed = new Set<string>();
    let all = false;
    let soon: ReturnType<typeof setTimeout> | undefined;
    const catchUp = () => {
      if (all || changed.size > MOST_SINGLE) renew();
      else {
        const ids = new Set(changed);
        void next(async () => {
          await readTop();
          await readAgain(ids);
        });
      }
      changed.clear();
      all = false;
    };
    const stop = onLive(ofDocument(documentId), (event: LiveEvent | null) => {
      if (!event) all = true;
      else if (event.data.versionId) changed.add(event.data.versionId);
      clearTimeout(soon);
      soon = setTimeout(catchUp, SOON_MS);
    });
    return () => {
      stop();
      clearTimeout(soon);
    };
  };

  return {
    goOn,
    seen: (last: number) => {
      wanted = last;
      if (!told.history || rowsKnown(told.history) < Math.min(last + AHEAD, rowCount(told.history))) void readOn();
    },
    start: () => {
      ended = false;
      void readOn();
      const stop = follow();
      return () => {
        ended = true;
        stop();
      };
    },
  };
}
