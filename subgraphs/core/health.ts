// The health of what the API depends on.
import type { Services } from './work.ts';

export type Health = { parts: Record<'database' | 'fileStore', Part> & { checkpoints?: Part; storage?: Part } };

/**
 * `late`: requests are served, but an administrator should look into it. `full`: writes get `storage_full`, reads and
 * deletes succeed.
 */
type Part = { status: 'ok' | 'unavailable' | 'late' | 'full'; detail?: string };

const TIMEOUT_MS = 2_000;
const TIMEOUT_MESSAGE = 'no response within 2 s';

/** Returns the health of each part. A part that does not respond within 2 seconds is unavailable. */
export async function health(services: Services): Promise<Health> {
  const { db } = services.mongo;
  const [database, fileStore] = await Promise.all([
    probe(() => db.command({ ping: 1 }, { timeoutMS: TIMEOUT_MS })),
    probe(() => db.collection('files.files').findOne({}, { projection: { _id: 1 }, timeoutMS: TIMEOUT_MS })),
  ]);
  return { parts: { database, fileStore, ...storage(services), ...checkpoints(services) } };
}

const storage = ({ isStoreFull }: Services): { storage?: Part } =>
  isStoreFull() ? { storage: { status: 'full', detail: 'less than 64 MiB are free' } } : {};

// The reason is only logged, because health is public.
function checkpoints({ sealing: { checkpointSender } }: Services): { checkpoints?: Part } {
  if (!checkpointSender) return {};
  const failure = checkpointSender.failure();
  if (!failure) return { checkpoints: { status: 'ok' } };
  return { checkpoints: { status: 'late', detail: `no checkpoint sent since ${failure.since.toISOString()}` } };
}

async function probe(request: () => Promise<unknown>): Promise<Part> {
  try {
    await Promise.race([
      request(),
      new Promise((_resolve, reject) => setTimeout(() => reject(new Error(TIMEOUT_MESSAGE)), TIMEOUT_MS).unref()),
    ]);
    return { status: 'ok' };
  } catch (error) {
    const isTimeout = error instanceof Error && error.message === TIMEOUT_MESSAGE;
    return { status: 'unavailable', detail: isTimeout ? TIMEOUT_MESSAGE : 'not reachable' };
  }
}
