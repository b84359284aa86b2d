import type { EngineListener } from '../engine.ts';

/** A step during which the kernel reports nothing: its name, the percentage at its end, and its expected duration. */
type SilentStep = { name: string; to: number; seconds: number; secondsPerMb: number };

const READING: SilentStep = { name: 'reading', to: 45, seconds: 2, secondsPerMb: 0.7 };
const MESHING: SilentStep = { name: 'meshing', to: 60, seconds: 1, secondsPerMb: 0.4 };
const MEASURING: SilentStep = { name: 'measuring', to: 90, seconds: 1, secondsPerMb: 1.2 };
const RENDERING: SilentStep = { name: 'rendering', to: 95, seconds: 1, secondsPerMb: 0.1 };
const WRITING: SilentStep = { name: 'writing', to: 99, seconds: 1, secondsPerMb: 0.1 };

/** What the engine does after it has reported a step. */
const NEXT: Record<string, SilentStep> = {
  kernel: READING,
  read: MESHING,
  meshing: MESHING,
  meshed: MEASURING,
  measuring: MEASURING,
  measured: RENDERING,
  rendered: WRITING,
};

const TICK_MS = 3_000;
/** The share of a step that is shown as done when its expected duration is over; the rest is approached ever slower. */
const EXPECTED_SHARE = 0.8;
const MEGABYTE = 1e6;

/**
 * Returns a listener that also reports progress every three seconds while a step is silent: an estimate from the size of
 * the file, marked as such. The percentage never decreases. `stop` ends the estimates.
 */
export function estimatedProgress(
  listener: EngineListener,
  bytes: number,
  now: () => number = performance.now.bind(performance),
): { listener: EngineListener; stop(): void } {
  let highest = 0;
  let step: SilentStep | undefined;
  let from = 0;
  let since = now();
  const timer = setInterval(() => {
    const elapsed = (now() - since) / 1000;
    if (!step || elapsed < TICK_MS / 1000) return;
    const expected = step.seconds + (step.secondsPerMb * bytes) / MEGABYTE;
    const estimate = from + Math.max(0, step.to - from) * shareDone(elapsed / expected);
    highest = Math.max(highest, Number(estimate.toFixed(2)));
    listener.progress(highest, `${step.name} (estimate)`);
  }, TICK_MS).unref();
  return {
    listener: {
      ...listener,
      progress: (percent, name) => {
        highest = Math.max(highest, percent);
        step = NEXT[name];
        from = highest;
        since = now();
        listener.progress(highest, name);
      },
    },
    stop: () => clearInterval(timer),
  };
}

// `ratio`: the elapsed share of the expected time.
function shareDone(ratio: number): number {
  if (ratio <= 1) return EXPECTED_SHARE * ratio;
  return EXPECTED_SHARE + ((1 - EXPECTED_SHARE) * (ratio - 1)) / ratio;
}
