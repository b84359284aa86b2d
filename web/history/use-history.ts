// Loads the visible part of a document's history and keeps it current with events.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { HistoryPageDocument, type HistoryPageQuery, HistoryVersionDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { isAboutDocument, type LiveEvent, onEvent, streamReady } from '../shell/live-events.ts';
import { asError } from '../ui/errors.ts';
import { type History, nextWindow, type WindowRequest, withNode, withPage } from './graph-model.ts';

const PAGE_SIZE = 450; // the maximum of the API
const AHEAD = 150; // rows loaded below and above the visible ones
const INITIAL_RANGE = { first: 0, last: 50 };
const DEBOUNCE_MS = 150;
const RELOADED_VERSIONS = 40; // the newest versions, which an event may have added
const MAX_SINGLE_NODES = 10; // more changed versions are loaded with their pages

export type HistoryDocument = Pick<NonNullable<HistoryPageQuery['document']>, 'id' | 'number' | 'kind' | 'run'>;
type State = { history: History | null; document: HistoryDocument | null; gone: boolean; error: Error | null };

/** Returns the loaded history, and `onVisibleRange`, which takes the visible rows. */
export function useHistory(documentId: string) {
  const [state, setState] = useState<State>(INITIAL_STATE);
  const loader = useMemo(() => createHistoryLoader(documentId, setState), [documentId]);
  useEffect(() => {
    setState(INITIAL_STATE);
    return loader.start();
  }, [loader]);
  return { ...state, onVisibleRange: loader.onVisibleRange, retry: loader.retry };
}

const INITIAL_STATE: State = { history: null, document: null, gone: false, error: null };

function createHistoryLoader(documentId: string, onChange: (state: State) => void) {
  let state = INITIAL_STATE;
  let visible = INITIAL_RANGE;
  let stopped = false;
  let queue: Promise<void> = Promise.resolve();
  const update = (changes: Partial<State>) => {
    state = { ...state, ...changes };
    if (!stopped) onChange(state);
  };
  // runs tasks one after the other, so that an older response never replaces a newer one
  const enqueue = (task: () => Promise<void>) => {
    queue = queue.then(async () => {
      if (stopped) return;
      try {
        await task();
      } catch (error) {
        update({ error: asError(error) });
      }
    });
    return queue;
  };

  /** Loads a page (default: the top) into a history; returns null if the document is gone. */
  const loadPage = async (
    history: History | null,
    request: WindowRequest | { limit: number },
  ): Promise<History | null> => {
    const { document } = await execute(HistoryPageDocument, { id: documentId, ...request });
    if (!document) {
      update({ gone: true });
      return null;
    }
    update({ document });
    return withPage(history, document.versionGraph);
  };
  const loadMissing = () =>
    enqueue(async () => {
      let previous = '';
      while (!stopped && !state.gone && !state.error) {
        const request = state.history
          ? nextWindow(state.history, visible, { ahead: AHEAD, max: PAGE_SIZE })
          : { limit: PAGE_SIZE };
        // a repeated request means that the page lacked the requested rows
        if (!request || JSON.stringify(request) === previous) return;
        previous = JSON.stringify(request);
        const history = await loadPage(state.history, request);
        if (history) update({ history });
      }
    });

  const reloadTop = async () => {
    if (!state.history) return;
    const history = await loadPage(state.history, {
      limit: Math.min(PAGE_SIZE, state.history.lanes.length + RELOADED_VERSIONS),
    });
    if (history) update({ history, error: null });
  };

  const reloadNodes = async (ids: ReadonlySet<string>) => {
    for (const { version } of await Promise.all([...ids].map((id) => execute(HistoryVersionDocument, { id }))))
      if (version && state.history) update({ history: withNode(state.history, version) });
  };

  // after missed events: loads the visible rows before it replaces the displayed history; the rest is loaded on demand
  const reloadAll = () => {
    void enqueue(async () => {
      let history = await loadPage(null, { limit: PAGE_SIZE });
      const request = history && nextWindow(history, visible, { ahead: 0, max: PAGE_SIZE });
      if (request) history = await loadPage(history, request);
      if (history) update({ history, error: null });
    });
    void loadMissing();
  };

  const retry = () => {
    void enqueue(async () => update({ error: null }));
    void loadMissing();
  };

  const subscribe = () => {
    const changedIds = new Set<string>();
    let missedEvents = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const catchUp = () => {
      if (missedEvents || changedIds.size > MAX_SINGLE_NODES) reloadAll();
      else {
        const ids = new Set(changedIds);
        void enqueue(async () => {
          await reloadTop();
          await reloadNodes(ids);
        });
        void loadMissing();
      }
      changedIds.clear();
      missedEvents = false;
    };
    const unsubscribe = onEvent(isAboutDocument(documentId), (event: LiveEvent | null) => {
      if (!event) missedEvents = true;
      else if (event.data.versionId) changedIds.add(event.data.versionId);
      clearTimeout(timer);
      timer = setTimeout(catchUp, DEBOUNCE_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  };

  return {
    retry,
    onVisibleRange: (first: number, last: number) => {
      visible = { first, last };
      if (!state.history || nextWindow(state.history, visible, { ahead: AHEAD, max: 1 })) void loadMissing();
    },
    start: () => {
      stopped = false;
      void enqueue(streamReady);
      void loadMissing();
      const unsubscribe = subscribe();
      return () => {
        stopped = true;
        unsubscribe();
      };
    },
  };
}
