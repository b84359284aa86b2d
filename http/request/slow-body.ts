// Closes the connections of clients that send a body too slowly.
import type { IncomingMessage } from 'node:http';

const WINDOW_MS = 5_000;
const MIN_BYTES = 5 * 1024;

type Watched = { request: IncomingMessage; bytesRead: number; ticks: number };
type SharedTimer = { watched: Set<Watched>; timer: NodeJS.Timeout };

// All bodies with the same window share a timer: most arrive before it fires, and a timer each costs more than reading
// them.
const timers = new Map<number, SharedTimer>();
const TICKS = 10;

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
  const watched = new Set<Watched>();
  const shared = { watched, timer: setInterval(() => tick(watched), windowMs / TICKS).unref() };
  timers.set(windowMs, shared);
  return shared;
}

function tick(watched: ReadonlySet<Watched>): void {
  for (const entry of watched) {
    if (++entry.ticks < TICKS) continue;
    const { request, bytesRead } = entry;
    entry.ticks = 0;
    entry.bytesRead = request.socket.bytesRead;
    const isWaiting = request.readableFlowing === true && !request.complete;
    if (isWaiting && entry.bytesRead - bytesRead < MIN_BYTES) request.destroy(new Error('The body arrived too slowly'));
  }
}
