import type { Reporter } from './reporter.ts';

const INTERVAL_MS = 2000;

/** Returns a function that reports the share of parts that are done, between two percentages, every two seconds. */
export function pacedProgress(
  report: Reporter,
  { from, to, step, total }: { from: number; to: number; step: string; total: number },
  now: () => number = performance.now.bind(performance),
): () => void {
  let done = 0;
  let last = now();
  return () => {
    done++;
    if (done >= total || now() - last < INTERVAL_MS) return;
    last = now();
    report.progress(from + Math.floor(((to - from) * done) / total), step);
  };
}
