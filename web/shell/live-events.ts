// The event stream of the service, one per browser tab. Each view subscribes to the events that concern it.
import { signal } from '@preact/signals';
import { subscribeToStream } from './event-stream.ts';

/** An event of docs/events.md, reduced to the fields that the web app uses. */
export type LiveEvent = {
  type: string;
  subject: string | null;
  data: {
    documentId: string | null;
    versionId: string | null;
    workspaceId: string | null;
    revisionId: string | null;
    folderId: string | null;
    jobId: string | null;
    by: { id: string; name: string };
    summary: string;
    changes: Record<string, { from: unknown; to: unknown }>;
  };
};
export type EventFilter = (event: LiveEvent) => boolean;

/** False while the stream is disconnected: the displayed data may be stale. */
export const connected = signal(true);

type Listener = { filter: EventFilter; handler: (event: LiveEvent | null) => void };
const listeners = new Set<Listener>();
let unsubscribe: (() => void) | null = null;
let missedEvents = false;

const MAX_WAIT_MS = 300;
let ready: PromiseWithResolvers<void> | null = null;
let isReady = false;

/**
 * Resolves when the stream is open, so that data queried afterwards cannot become stale unnoticed. Resolves after
 * 300 ms in any case; listeners are then notified of missed events once the stream opens.
 */
export async function streamReady(): Promise<void> {
  if (isReady) return;
  if (!ready) {
    ready = Promise.withResolvers<void>();
    setTimeout(() => {
      if (isReady) return;
      missedEvents = true;
      markReady();
    }, MAX_WAIT_MS);
  }
  await ready.promise;
}

function markReady(): void {
  isReady = true;
  ready?.resolve();
}

/**
 * Calls `handler` for each event that passes the filter, and with null after a disconnect, when any number of events
 * may have been missed. Returns a function that unsubscribes.
 */
export function onEvent(filter: EventFilter, handler: (event: LiveEvent | null) => void): () => void {
  const listener = { filter, handler };
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Connects the stream while the page is visible: browsers allow six HTTP/1.1 connections per host for all tabs, so
 * hidden tabs must not hold one. Returns a function that disconnects.
 */
export function connectEvents(): () => void {
  const update = () => (document.hidden ? disconnect() : connect());
  update();
  document.addEventListener('visibilitychange', update);
  return () => {
    document.removeEventListener('visibilitychange', update);
    disconnect();
  };
}

function disconnect(): void {
  unsubscribe?.();
  unsubscribe = null;
  missedEvents = true;
}

function connect(): void {
  unsubscribe ??= subscribeToStream('/events/stream', {
    onMessage: (data) => {
      const event: LiveEvent = JSON.parse(data);
      for (const { filter, handler } of [...listeners]) if (filter(event)) handler(event);
    },
    onOpen: () => {
      connected.value = true;
      if (missedEvents) for (const { handler } of [...listeners]) handler(null);
      missedEvents = false;
      markReady();
    },
    onDisconnect: () => {
      connected.value = false;
      missedEvents = true;
      markReady();
    },
  });
}

export const isAboutDocument =
  (documentId: string): EventFilter =>
  ({ subject, data }) =>
    subject === documentId || data.documentId === documentId;
