// Nearly every operation is done long before its time is up, and a timer for each costs more than all else its limit needs: long limits share one clock.
type Deadline = { due: number; act: () => void };

const TICK_MS = 200;
const SHARED_FROM_MS = 5_000;

const shared = new Set<Deadline>();
let clock: NodeJS.Timeout | undefined;

/** Acts when so many milliseconds have passed, a long time up to 0.2 s late, unless the returned function is called before. */
export function atTheLatest(milliseconds: number, act: () => void): () => void {
  if (milliseconds < SHARED_FROM_MS) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  }
  const deadline = { due: performance.now() + milliseconds, act };
  shared.add(deadline);
  clock ??= setInterval(tick, TICK_MS).unref();
  return () => void shared.delete(deadline);
}

function tick(): void {
  const now = performance.now();
  for (const deadline of shared) {
    if (deadline.due > now) continue;
    shared.delete(deadline);
    deadline.act();
  }
  if (shared.size) return;
  clearInterval(clock);
  clock = undefined;
}
