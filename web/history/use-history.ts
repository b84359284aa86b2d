// Reads the history of a document where it is looked at, a little around what is seen, and keeps up with what happens meanwhile.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { HistoryOneDocument, HistoryPageDocument, type HistoryPageQuery } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { type LiveEvent, listening, ofDocument, onLive } from '../shell/live.ts';
import { type History, nextWindow, type Wanted, withNode, withPage } from './graph-model.ts';

const PAGE = 450; // as many as one operation may ask for
const AHEAD = 150; // rows below and above those in sight that are fetched before they are scrolled to
const FIRST = { first: 0, last: 50 };
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
  let inSight = FIRST;
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

  /** Puts a window into a history, told when it is there; null when the document is gone. Without a window it is the top. */
  const withWindow = async (history: History | null, wanted: Wanted | { limit: number }): Promise<History | null> => {
    const { document } = await ask(HistoryPageDocument, { id: documentId, ...wanted });
    if (!document) {
      change({ gone: true });
      return null;
    }
    const read = withPage(history, document.versionGraph);
    change({ document });
    return read;
  };
  const readOn = () =>
    next(async () => {
      let before: Wanted | { limit: number } | null = null;
      while (!ended && !told.gone && !told.error) {
        const wanted = told.history ? nextWindow(told.history, inSight, { ahead: AHEAD, most: PAGE }) : { limit: PAGE };
        if (!wanted || JSON.stringify(wanted) === JSON.stringify(before)) return; // an answer without what was asked for would be asked for for ever
        before = wanted;
        const history = await withWindow(told.history, wanted);
        if (history) change({ history });
      }
    });

  const readTop = async () => {
    if (!told.history) return;
    const history = await withWindow(told.history, { limit: Math.min(PAGE, told.history.lanes.length + 40) });
    if (history) change({ history, error: null });
  };

  const readAgain = async (ids: ReadonlySet<string>) => {
    for (const { version } of await Promise.all([...ids].map((id) => ask(HistoryOneDocument, { id }))))
      if (version && told.history) change({ history: withNode(told.history, version) });
  };

  // everything may have changed: what is in sight is read anew before it takes the place of what is shown, and the rest when it is looked at
  const renew = () => {
    void next(async () => {
      let history = await withWindow(null, { limit: PAGE });
      const wanted = history && nextWindow(history, inSight, { ahead: 0, most: PAGE });
      if (wanted) history = await withWindow(history, wanted);
      if (history) change({ history, error: null });
    });
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
        void readOn();
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
    seen: (first: number, last: number) => {
      inSight = { first, last };
      if (!told.history || nextWindow(told.history, inSight, { ahead: AHEAD, most: 1 })) void readOn();
    },
    start: () => {
      ended = false;
      void next(listening);
      void readOn();
      const stop = follow();
      return () => {
        ended = true;
        stop();
      };
    },
  };
}
