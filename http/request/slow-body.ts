// Closes the connections of clients that send a body too slowly.
import type { IncomingMessage } from 'node:http';

const WINDOW_MS = 5_000;
const MIN_BYTES = 5 * 1024;

type WatchedRequest = { request: IncomingMessage; bytesRead: number; ticks: number };
type SharedTimer = { watched: Set<WatchedRequest>; timer: NodeJS.Timeout };

// All bodies with the same window share a timer: most bodies arrive before it fires, and a timer for each would cost
// more than reading it.
const timers = new Map<number, SharedTimer>();
const TICKS_PER_WINDOW = 10;

/** Closes the connection of a body that arrives at less than 1 KiB/s over 5 s while the service is reading it. */
export function abortSlowBody(request: IncomingMessage, windowMs = WINDOW_MS): void {
  const shared = timers.get(windowMs) ?? startTimer(windowMs);
  const entry = { request, bytesRead: request.socket.bytesRead, ticks: 0 };
  shared.watched.add(entry);
  const unwatch = () => {
    if (!shared.watched.delete(entry) || shared.watched.size) return;
    clearInterval(shared.timer);
    timers.delete(windowMs);
  };
  request.once('end', unwatch).once('close', unwatch);
}

function startTimer(windowMs: number): SharedTimer {
  const watched = new Set<WatchedRequest>();
  const shared = { watched, timer: setInterval(() => checkRequests(watched), windowMs / TICKS_PER_WINDOW).unref() };
  timers.set(windowMs, shared);
  return shared;
}

function checkRequests(watched: ReadonlySet<WatchedRequest>): void {
  for (const entry of watched) {
    if (++entry.ticks < TICKS_PER_WINDOW) continue;
    const { request, bytesRead } = entry;
    entry.ticks = 0;
    entry.bytesRead = request.socket.bytesRead;
    const isWaiting = request.readableFlowing === true && !request.complete;
    if (isWaiting && entry.bytesRead - bytesRead < MIN_BYTES) request.destroy(new Error('The body arrived too slowly'));
  }
}
