// Deadlines of operations. Nearly all operations end long before their deadline, and a timer for each would be their
// largest cost, so long deadlines share one timer.
type Deadline = { due: number; onDeadline: () => void };

const TICK_MS = 200;
const SHARED_FROM_MS = 5_000;

const sharedDeadlines = new Set<Deadline>();
let timer: NodeJS.Timeout | undefined;

/**
 * Calls `onDeadline` after `milliseconds`, for deadlines of 5 s and more up to 0.2 s late. Returns a function that
 * cancels it.
 */
export function scheduleDeadline(milliseconds: number, onDeadline: () => void): () => void {
  if (milliseconds < SHARED_FROM_MS) {
    const ownTimer = setTimeout(onDeadline, milliseconds);
    return () => clearTimeout(ownTimer);
  }
  const deadline = { due: performance.now() + milliseconds, onDeadline };
  sharedDeadlines.add(deadline);
  timer ??= setInterval(tick, TICK_MS).unref();
  return () => void sharedDeadlines.delete(deadline);
}

function tick(): void {
  const now = performance.now();
  for (const deadline of sharedDeadlines) {
    if (deadline.due > now) continue;
    sharedDeadlines.delete(deadline);
    deadline.onDeadline();
  }
  if (sharedDeadlines.size) return;
  clearInterval(timer);
  timer = undefined;
}
