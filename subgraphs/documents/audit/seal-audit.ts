import { randomUUID } from 'node:crypto';
import { signNote } from '../../core/domain/audit/signed-note.ts';
import { appendCheckpoint } from '../../core/platform/checkpoint-file.ts';
import { waited } from '../../core/platform/waited.ts';
import {
  auditTree,
  checkpointedSize,
  keepCheckpoint,
  recordsWait,
  releaseSealer,
  SEALED_AT_ONCE,
  sealPending,
} from '../../core/store/audit/audit-seals.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { Services } from '../../core/work.ts';

const USUAL = { everyMs: 1_000, gapMs: 250, checkpointMs: 1_000, leaseMs: 5_000 };

/**
 * Gives audit records their places in the log: at a commit, at the latest after a second, four times a second at
 * most. Of several processes one seals, as long as it does not pause for 5 seconds. A checkpoint is kept at most once a second, in
 * the store, in the file outside and at the address outside. What is left open by a process that is killed the next one finds.
 */
export function startSealing(
  services: Services,
  times: Partial<typeof USUAL> = {},
): { stop(): Promise<void>; runOnce(): Promise<number> } {
  const { everyMs, gapMs, checkpointMs, leaseMs } = { ...USUAL, ...times };
  const { dispatch, clock, log, sealing } = services;
  const scope: Scope = { db: services.mongo.db };
  const stopping = new AbortController();
  const id = randomUUID();
  const sign = (text: string, name: string) => signNote(text, name, sealing.key);
  const outside = outsideFile(services);
  let begun = false;
  let uncovered = true;
  let checkpointAt = Number.NEGATIVE_INFINITY;

  const runOnce = async () => {
    if (!begun) await auditTree(scope);
    begun = true;
    let count = 0;
    // what comes meanwhile waits for the next time: else the sealer would not rest while somebody writes, and seal one record after the other
    for (let moved = SEALED_AT_ONCE; moved >= SEALED_AT_ONCE && (await recordsWait(scope)); count += moved)
      moved = await sealPending(scope, { id, now: clock(), leaseMs, sign });
    uncovered ||= count > 0;
    if (count) dispatch.ring('sealed');
    return count;
  };
  const cover = async () => {
    const { size, note, sealer } = await auditTree(scope);
    if (!note || (sealer !== null && sealer !== id)) return;
    if (size > (await checkpointedSize(scope))) await keepCheckpoint(scope, { size, note, at: clock() });
    sealing.post?.offer(size, note);
    uncovered = !(await outside(size, note));
    checkpointAt = performance.now();
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      // Before the work, so that no ring during it is missed.
      const bell = dispatch.heard(['audit'], everyMs, stopping.signal);
      try {
        await runOnce();
        if (uncovered && performance.now() - checkpointAt >= checkpointMs) await cover();
      } catch (error) {
        log.warn({ err: error }, 'audit records could not be sealed; it is tried again');
      }
      await waited(gapMs, stopping.signal);
      await bell;
    }
    await runOnce();
    await cover();
    await releaseSealer(scope, id);
    await sealing.post?.close();
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
function outsideFile({ sealing: { checkpointFile }, log }: Services): (size: number, note: string) => Promise<boolean> {
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
