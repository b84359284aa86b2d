import type { IncomingMessage } from 'node:http';

const EVERY_MS = 5_000;
const LEAST_BYTES = 5 * 1024;

type Watched = { request: IncomingMessage; seen: number; ticks: number };
type Clock = { watched: Set<Watched>; timer: NodeJS.Timeout };

// Bodies that are watched alike share a clock: most are there before it ticks, and a timer for each costs more than to read them.
const clocks = new Map<number, Clock>();
const TICKS = 10;

/** Ends the connection of a body that brings less than 1 KiB/s over 5 s while the service is waiting for it. */
export function cutOffWhenSlow(request: IncomingMessage, everyMs = EVERY_MS): void {
  const clock = clocks.get(everyMs) ?? started(everyMs);
  const own = { request, seen: request.socket.bytesRead, ticks: 0 };
  clock.watched.add(own);
  const leave = () => {
    if (!clock.watched.delete(own) || clock.watched.size) return;
    clearInterval(clock.timer);
    clocks.delete(everyMs);
  };
  request.once('end', leave).once('close', leave);
}

function started(everyMs: number): Clock {
  const watched = new Set<Watched>();
  const clock = { watched, timer: setInterval(() => tick(watched), everyMs / TICKS).unref() };
  clocks.set(everyMs, clock);
  return clock;
}

function tick(watched: ReadonlySet<Watched>): void {
  for (const one of watched) {
    if (++one.ticks < TICKS) continue;
    const { request, seen } = one;
    one.ticks = 0;
    one.seen = request.socket.bytesRead;
    const waiting = request.readableFlowing === true && !request.complete;
    if (waiting && one.seen - seen < LEAST_BYTES) request.destroy(new Error('The body came too slowly'));
  }
}
