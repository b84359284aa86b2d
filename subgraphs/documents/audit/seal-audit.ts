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
import type { AuditTreeRecord } from '../../core/store/schema/collections.ts';
import type { Services } from '../../core/work.ts';

const DEFAULTS = { everyMs: 1_000, idleMs: 1_000, gapMs: 250, checkpointMs: 1_000, leaseMs: 5_000, othersMs: 60_000 };

/**
 * Starts to seal audit records: after each commit of this process, at most four times a second, and every second those
 * that other processes left. If several processes run it, the one with the lease of 5 seconds seals. Checkpoints are written at most once a second: to the
 * store, and to the configured file and URL. Records left unsealed by a killed process are sealed by the next one.
 * `idleMs` replaces the second once the lease has expired, unless another process was found to write in the last
 * `othersMs`.
 */
export function startSealing(
  services: Services,
  times: Partial<typeof DEFAULTS> = {},
): { stop(): Promise<void>; runOnce(): Promise<number> } {
  const { everyMs, idleMs, gapMs, checkpointMs, leaseMs, othersMs } = { ...DEFAULTS, ...times };
  const { dispatch, clock, log, sealing, mongo } = services;
  const scope: Scope = { db: mongo.db };
  const stopping = new AbortController();
  const id = randomUUID();
  const key = sealing.signingKey();
  const sign = (text: string, name: string) => signNote(text, name, key);
  const appendToFile = createFileAppender(services);
  let initialized = false;
  let tree: AuditTreeRecord | null = null;
  let checkpointDue = true;
  let checkpointAt = Number.NEGATIVE_INFINITY;
  let sealedAt = performance.now();
  // Whether a commit was announced that runOnce has not looked for yet.
  let isAnnounced = true;
  let foundUnannounced = false;
  let othersWroteAt = Number.NEGATIVE_INFINITY;
  const stopListening = dispatch.listen((topic) => {
    isAnnounced ||= topic === 'audit';
  });

  const isCheckpointDue = () => performance.now() - checkpointAt >= checkpointMs;
  const runOnce = async (wasAnnounced = true) => {
    if (!initialized) await ensureAuditTree(scope);
    initialized = true;
    foundUnannounced = !wasAnnounced && (await hasPendingRecords(scope));
    if (!wasAnnounced && !foundUnannounced) return 0;
    let total = 0;
    for (let records = MAX_SEALED_TRANSACTIONS; records >= MAX_SEALED_TRANSACTIONS; ) {
      const checkpoint = isCheckpointDue();
      const sealed = await sealPending(mongo, { id, now: clock(), leaseMs, tree, checkpoint, sign });
      records = sealed.count;
      total += records;
      tree = sealed.tree;
      // without new records, it did not store the checkpoint
      if (records && tree && checkpoint) await distributeCheckpoint(tree);
      else checkpointDue ||= records > 0;
    }
    // Each transaction has at least one record, so fewer records mean that the batch was not full. It stops then:
    // otherwise, under constant writes, it would seal single records without a pause.
    if (total) {
      sealedAt = performance.now();
      dispatch.notify('sealed');
    }
    return total;
  };
  const distributeCheckpoint = async ({ size, note }: AuditTreeRecord) => {
    if (note === null) return;
    sealing.checkpointSender?.send(size, note);
    checkpointDue = !(await appendToFile(size, note));
    checkpointAt = performance.now();
  };
  const writeCheckpoint = async () => {
    const newest = tree ?? (await ensureAuditTree(scope));
    const { size, note, sealer } = newest;
    if (!note || (sealer !== null && sealer !== id)) return;
    if (tree || size > (await newestCheckpointSize(scope))) await insertCheckpoint(scope, { size, note, at: clock() });
    await distributeCheckpoint(newest);
  };
  const pollMs = () => {
    const isLeaseOver = performance.now() - sealedAt > leaseMs;
    return isLeaseOver && performance.now() - othersWroteAt > othersMs ? idleMs : everyMs;
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      // Subscribe first, so that no notification during the work is missed.
      const notified = dispatch.waitFor(['audit'], checkpointDue ? checkpointMs : pollMs(), stopping.signal);
      const wasAnnounced = isAnnounced;
      isAnnounced = false;
      try {
        await runOnce(wasAnnounced);
        if (checkpointDue && isCheckpointDue()) await writeCheckpoint();
      } catch (error) {
        tree = null;
        log.warn({ err: error }, 'could not seal audit records; retrying');
      }
      await sleep(gapMs, stopping.signal);
      // a command of this process announces its records a moment after its commit
      if (foundUnannounced && !isAnnounced) othersWroteAt = performance.now();
      if (!isAnnounced) await notified;
    }
    stopListening();
    await runOnce();
    await writeCheckpoint();
    await releaseSealer(scope, id);
    await sealing.checkpointSender?.close();
  })().catch((error: unknown) =>
    log.warn({ err: error }, 'could not seal the last audit records; they will be sealed at the next start'),
  );
  return {
    runOnce: () => runOnce(),
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
