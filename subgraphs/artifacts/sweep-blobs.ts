import { waited } from '../core/platform/waited.ts';
import { abandonedUploads, discardUpload, retireBlob, unnamedBlobs } from '../core/store/files/blobs.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { Services } from '../core/work.ts';

/** What a sweep deleted: contents no artifact named any more, and uploads that were never attached. */
export type Swept = { blobs: number; uploads: number };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const USUAL = { everyMs: HOUR, firstMs: MINUTE, blobAgeMs: HOUR, uploadAgeMs: 24 * HOUR };

/**
 * Every hour deletes the bytes that nothing names: blobs older than an hour that no artifact holds, and uploads that began more than a
 * day ago and were neither attached nor refused (their process died). A blob that is attached meanwhile stays.
 */
export function startBlobSweep(
  services: Services,
  times: Partial<typeof USUAL> = {},
): { stop(): Promise<void>; runOnce(): Promise<Swept> } {
  const { everyMs, firstMs, ...ages } = { ...USUAL, ...times };
  const stopping = new AbortController();
  const runOnce = () => sweep(services, ages, stopping.signal);
  const running = (async () => {
    for (let pause = firstMs; ; pause = everyMs) {
      await waited(pause, stopping.signal);
      if (stopping.signal.aborted) return;
      await runOnce().catch((error: unknown) =>
        services.log.warn({ err: error }, 'the sweep of unused files failed; it runs again'),
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
): Promise<Swept> {
  const scope: Scope = { db: mongo.db };
  const now = clock();
  const before = (age: number) => new Date(now.getTime() - age);
  const swept: Swept = { blobs: 0, uploads: 0 };
  for await (const blob of unnamedBlobs(scope, before(ages.blobAgeMs))) {
    if (signal.aborted) return swept;
    if (await retireBlob(scope, blob, now)) swept.blobs += 1;
  }
  for await (const fileId of abandonedUploads(scope, before(ages.uploadAgeMs))) {
    if (signal.aborted) return swept;
    if (await discardUpload(scope, fileId)) swept.uploads += 1;
  }
  if (swept.blobs || swept.uploads) log.info(swept, 'unused files were deleted');
  return swept;
}
