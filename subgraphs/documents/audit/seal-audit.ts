// Seals audit records and writes checkpoints in the background.
import { randomUUID } from 'node:crypto';
import { signNote } from '../../core/domain/audit/signed-note.ts';
import { appendCheckpoint } from '../../core/platform/checkpoint-file.ts';
import { sleep } from '../../core/platform/sleep.ts';
import {
  ensureAuditTree,
  hasPendingRecords,
  insertCheckpoint,
  MAX_SEALED_TRANSACTIONS,
  newestCheckpointSize,
  releaseSealer,
  sealPending,
} from '../../core/store/audit/audit-seals.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { Services } from '../../core/work.ts';

const DEFAULTS = { everyMs: 1_000, gapMs: 250, checkpointMs: 1_000, leaseMs: 5_000 };

/**
 * Starts to seal audit records: after each commit, at least every second and at most four times a second. If several
 * processes run it, the one with the lease of 5 seconds seals. Checkpoints are written at most once a second: to the
 * store, and to the configured file and URL. Records left unsealed by a killed process are sealed by the next one.
 */
export function startSealing(
  services: Services,
  times: Partial<typeof DEFAULTS> = {},
): { stop(): Promise<void>; runOnce(): Promise<number> } {
  const { everyMs, gapMs, checkpointMs, leaseMs } = { ...DEFAULTS, ...times };
  const { dispatch, clock, log, sealing } = services;
  const scope: Scope = { db: services.mongo.db };
  const stopping = new AbortController();
  const id = randomUUID();
  const key = sealing.signingKey();
  const sign = (text: string, name: string) => signNote(text, name, key);
  const appendToFile = createFileAppender(services);
  let initialized = false;
  let checkpointDue = true;
  let checkpointAt = Number.NEGATIVE_INFINITY;

  const runOnce = async () => {
    if (!initialized) await ensureAuditTree(scope);
    initialized = true;
    let count = 0;
    while (await hasPendingRecords(scope)) {
      const records = await sealPending(scope, { id, now: clock(), leaseMs, sign });
      count += records;
      // Each transaction has at least one record, so fewer records mean that the batch was not full. Stops then:
      // otherwise, under constant writes, it would seal single records without a pause.
      if (records < MAX_SEALED_TRANSACTIONS) break;
    }
    checkpointDue ||= count > 0;
    if (count) dispatch.notify('sealed');
    return count;
  };
  const writeCheckpoint = async () => {
    const { size, note, sealer } = await ensureAuditTree(scope);
    if (!note || (sealer !== null && sealer !== id)) return;
    if (size > (await newestCheckpointSize(scope))) await insertCheckpoint(scope, { size, note, at: clock() });
    sealing.checkpointSender?.send(size, note);
    checkpointDue = !(await appendToFile(size, note));
    checkpointAt = performance.now();
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      // Subscribe first, so that no notification during the work is missed.
      const notified = dispatch.waitFor(['audit'], everyMs, stopping.signal);
      try {
        await runOnce();
        if (checkpointDue && performance.now() - checkpointAt >= checkpointMs) await writeCheckpoint();
      } catch (error) {
        log.warn({ err: error }, 'could not seal audit records; retrying');
      }
      await sleep(gapMs, stopping.signal);
      await notified;
    }
    await runOnce();
    await writeCheckpoint();
    await releaseSealer(scope, id);
    await sealing.checkpointSender?.close();
  })().catch((error: unknown) =>
    log.warn({ err: error }, 'could not seal the last audit records; they will be sealed at the next start'),
  );
  return {
    runOnce,
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

/**
 * Creates a function that appends a checkpoint to the checkpoint file and resolves to whether the file contains it. The
 * first call appends the newest checkpoint even if the file may have it, because the last append may have been lost.
 */
function createFileAppender({
  sealing: { checkpointFile },
  log,
}: Services): (size: number, note: string) => Promise<boolean> {
  let written = 0;
  return async (size, note) => {
    if (!checkpointFile || size <= written) return true;
    try {
      await appendCheckpoint(checkpointFile, note);
      written = size;
      return true;
    } catch (error) {
      log.error({ err: error, file: checkpointFile }, 'could not append to the checkpoint file; retrying');
      return false;
    }
  };
}
