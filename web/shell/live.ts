// What happens meanwhile: the event stream of the service, one for the page. Whoever shows something says which events concern it.
import { signal } from '@preact/signals';

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
  };
};
export type Concerns = (event: LiveEvent) => boolean;

/** False while the stream is away: what is shown may then be old. */
export const connected = signal(true);

type Listener = { concerns: Concerns; told: (event: LiveEvent | null) => void };
const listeners = new Set<Listener>();
let source: EventSource | null = null;

/** Calls `told` for events that concern it, and with null when the stream was away, so that anything may have happened. Returns how to stop. */
export function onLive(concerns: Concerns, told: (event: LiveEvent | null) => void): () => void {
  const listener = { concerns, told };
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the stream; the browser comes back by itself after a break, with the place it had. */
export function followEvents(): void {
  if (source && source.readyState !== EventSource.CLOSED) return;
  source = new EventSource('/api/v1/events/stream');
  source.onmessage = ({ data }) => {
    const event: LiveEvent = JSON.parse(data);
    for (const { concerns, told } of [...listeners]) if (concerns(event)) told(event);
  };
  source.onopen = () => {
    const wasAway = !connected.value;
    connected.value = true;
    if (wasAway) for (const { told } of [...listeners]) told(null);
  };
  source.onerror = () => {
    connected.value = false;
    // refused for good (the service answered, but not with a stream): asked again after a while
    if (source?.readyState === EventSource.CLOSED) setTimeout(followEvents, 5_000);
  };
}

export const ofDocument =
  (documentId: string): Concerns =>
  ({ subject, data }) =>
    subject === documentId || data.documentId === documentId;
