import { createPublicKey } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifierOf } from '../../core/domain/audit/signed-note.ts';
import { type Verification, verifyLog } from '../../core/domain/audit/verify-log.ts';
import { storedLog } from '../../core/store/audit/audit-log.ts';
import type { Services } from '../../core/work.ts';

type Finished = Verification & { startedAt: Date; finishedAt: Date };
/** A verification that has ended, or what is known of one that has not. */
export type AuditVerification = Finished | { verdict: 'running'; startedAt: Date; errors: []; warnings: [] };

const DEFAULT_WAIT_SECONDS = 5;
const MAX_WAIT_SECONDS = 50;

/**
 * Verifies the audit log from its first record, one verification at a time. Whoever asks waits for at most `waitSeconds` (usually 5);
 * asked again, it goes on waiting for the same one, and a result that nobody has seen is told first.
 */
export function createAuditVerifier(
  services: Services,
): (input: { waitSeconds?: number | null }) => Promise<AuditVerification> {
  const { mongo, clock, log, sealing } = services;
  let running: { startedAt: Date; result: Promise<Finished> } | null = null;
  let seen = true;

  const start = () => {
    const startedAt = clock();
    const verifiers = (origin: string) => [verifierOf(origin, createPublicKey(sealing.key))];
    const result = verifyLog(storedLog({ db: mongo.db }), { verifiers }).then((verification) => {
      const { verdict, records, errors } = verification;
      log.info({ verdict, records, errors: errors.slice(0, 5) }, 'the audit log was verified');
      return { ...verification, startedAt, finishedAt: clock() };
    });
    result.catch((error: unknown) => log.warn({ err: error }, 'the audit log could not be verified'));
    seen = false;
    return { startedAt, result };
  };

  return async ({ waitSeconds }) => {
    const asked = running && !seen ? running : start();
    running = asked;
    const seconds = Math.min(Math.max(waitSeconds ?? DEFAULT_WAIT_SECONDS, 0), MAX_WAIT_SECONDS);
    const over = new AbortController();
    try {
      const finished = await Promise.race([
        asked.result,
        sleep(seconds * 1000, null, { signal: over.signal }).catch(() => null),
      ]);
      if (!finished) return { verdict: 'running', startedAt: asked.startedAt, errors: [], warnings: [] };
      if (running === asked) seen = true;
      return finished;
    } catch (error) {
      if (running === asked) running = null;
      throw error;
    } finally {
      over.abort();
    }
  };
}
