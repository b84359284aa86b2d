import { randomUUID } from 'node:crypto';
import { signNote } from '../../core/domain/audit/signed-note.ts';
import { appendCheckpoint } from '../../core/platform/checkpoint-file.ts';
import { sleep } from '../../core/platform/sleep.ts';
import {
  ensureAuditTree,
  newestCheckpointSize,
  insertCheckpoint,
  hasPendingRecords,
  releaseSealer,
  MAX_SEALED_TRANSACTIONS,
  sealPending,
} from '../../core/store/audit/audit-seals.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { Services } from '../../core/work.ts';

const DEFAULTS = { everyMs: 1_000, gapMs: 250, checkpointMs: 1_000, leaseMs: 5_000 };

/**
 * Gives audit records their places in the log: at a commit, at the latest after a second, four times a second at
 * most. Of several processes one seals, as long as it does not pause for 5 seconds. A checkpoint is kept at most once a second, in
 * the store, in the file outside and at the address outside. What is left open by a process that is killed the next one finds.
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
  const sign = (text: string, name: string) => signNote(text, name, sealing.key);
  const appendToFile = createFileAppender(services);
  let initialized = false;
  let checkpointDue = true;
  let checkpointAt = Number.NEGATIVE_INFINITY;

  const runOnce = async () => {
    if (!initialized) await ensureAuditTree(scope);
    initialized = true;
    let count = 0;
    // what comes meanwhile waits for the next time: else the sealer would not rest while somebody writes, and seal one record after the other
    for (
      let moved = MAX_SEALED_TRANSACTIONS;
      moved >= MAX_SEALED_TRANSACTIONS && (await hasPendingRecords(scope));
      count += moved
    )
      moved = await sealPending(scope, { id, now: clock(), leaseMs, sign });
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
      // Before the work, so that no ring during it is missed.
      const bell = dispatch.waitFor(['audit'], everyMs, stopping.signal);
      try {
        await runOnce();
        if (checkpointDue && performance.now() - checkpointAt >= checkpointMs) await writeCheckpoint();
      } catch (error) {
        log.warn({ err: error }, 'audit records could not be sealed; it is tried again');
      }
      await sleep(gapMs, stopping.signal);
      await bell;
    }
    await runOnce();
    await writeCheckpoint();
    await releaseSealer(scope, id);
    await sealing.checkpointSender?.close();
  })().catch((error: unknown) => log.warn({ err: error }, 'the last audit records are sealed at the next start'));
  return {
    runOnce,
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

/**
 * Appends to the file outside what it may not have yet, and says whether it has it then: at the first call the newest checkpoint once
 * more, for the last append may have been lost.
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
      log.error(
        { err: error, file: checkpointFile },
        'the checkpoint could not be appended to its file outside; it is tried again',
      );
      return false;
    }
  };
}
