// What happens meanwhile: the event stream of the service, one for the page. Whoever shows something says which events concern it.
import { signal } from '@preact/signals';
import { subscribeToStream } from './event-stream.ts';

/** An event as docs/events.md describes it; of its data what the page uses. */
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

/** False while the stream is away: what is shown may then be old. */
export const connected = signal(true);

type Listener = { concerns: EventFilter; told: (event: LiveEvent | null) => void };
const listeners = new Set<Listener>();
let stop: (() => void) | null = null;
let missed = false;

const LATE_MS = 300;
let heard: PromiseWithResolvers<void> | null = null;
let begun = false;

/**
 * Is there when what happens from now on will be told, so that what is asked then cannot grow old unnoticed. A stream that takes longer is not waited
 * for: who listens is told once it is there.
 */
export async function streamReady(): Promise<void> {
  if (begun) return;
  if (!heard) {
    heard = Promise.withResolvers<void>();
    setTimeout(() => {
      if (begun) return;
      missed = true;
      begin();
    }, LATE_MS);
  }
  await heard.promise;
}

function begin(): void {
  begun = true;
  heard?.resolve();
}

/** Calls `told` for events that concern it, and with null when the stream was away, so that anything may have happened. Returns how to stop. */
export function onEvent(concerns: EventFilter, told: (event: LiveEvent | null) => void): () => void {
  const listener = { concerns, told };
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Follows the stream for as long as the page is in sight: a browser has six connections to a service for all its windows, and those that nobody looks at
 * must not hold them. Answers how to stop.
 */
export function connectEvents(): () => void {
  const look = () => (document.hidden ? close() : open());
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    close();
  };
}

function close(): void {
  stop?.();
  stop = null;
  missed = true;
}

function open(): void {
  stop ??= subscribeToStream('/events/stream', {
    onMessage: (data) => {
      const event: LiveEvent = JSON.parse(data);
      for (const { concerns, told } of [...listeners]) if (concerns(event)) told(event);
    },
    onOpen: () => {
      connected.value = true;
      if (missed) for (const { told } of [...listeners]) told(null);
      missed = false;
      begin();
    },
    onDisconnect: () => {
      connected.value = false;
      missed = true;
      begin();
    },
  });
}

export const isAboutDocument =
  (documentId: string): EventFilter =>
  ({ subject, data }) =>
    subject === documentId || data.documentId === documentId;
