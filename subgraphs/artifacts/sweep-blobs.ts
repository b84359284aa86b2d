// Deletes unreferenced file contents periodically.
import { sleep } from '../core/platform/sleep.ts';
import { abandonedUploads, discardUpload, retireBlob, unreferencedBlobs } from '../core/store/files/blobs.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { Services } from '../core/work.ts';

/** How many unreferenced contents and abandoned uploads a sweep deleted. */
export type SweepResult = { blobs: number; uploads: number };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DEFAULTS = { everyMs: HOUR_MS, firstMs: MINUTE_MS, blobAgeMs: HOUR_MS, uploadAgeMs: 24 * HOUR_MS };

/**
 * Every hour, deletes blobs older than an hour that no artifact references, and uploads older than a day, left by
 * processes that ended before they attached or discarded them. A blob attached during the sweep is kept.
 */
export function startBlobSweep(
  services: Services,
  times: Partial<typeof DEFAULTS> = {},
): { stop(): Promise<void>; runOnce(): Promise<SweepResult> } {
  const { everyMs, firstMs, ...ages } = { ...DEFAULTS, ...times };
  const stopping = new AbortController();
  const runOnce = () => sweep(services, ages, stopping.signal);
  const running = (async () => {
    for (let pauseMs = firstMs; ; pauseMs = everyMs) {
      await sleep(pauseMs, stopping.signal);
      if (stopping.signal.aborted) return;
      await runOnce().catch((error: unknown) =>
        services.log.warn({ err: error }, 'sweep of unreferenced files failed; it will run again'),
      );
    }
  })();
  return {
    runOnce,
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

async function sweep(
  { mongo, clock, log }: Services,
  ages: { blobAgeMs: number; uploadAgeMs: number },
  signal: AbortSignal,
): Promise<SweepResult> {
  const scope: Scope = { db: mongo.db };
  const now = clock();
  const before = (age: number) => new Date(now.getTime() - age);
  const result: SweepResult = { blobs: 0, uploads: 0 };
  for await (const blob of unreferencedBlobs(scope, before(ages.blobAgeMs))) {
    if (signal.aborted) return result;
    if (await retireBlob(scope, blob, now)) result.blobs += 1;
  }
  for await (const fileId of abandonedUploads(scope, before(ages.uploadAgeMs))) {
    if (signal.aborted) return result;
    if (await discardUpload(scope, fileId)) result.uploads += 1;
  }
  if (result.blobs || result.uploads) log.info(result, 'deleted unreferenced files');
  return result;
}
