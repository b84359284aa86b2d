// Verifies the audit log, and the store against it, on request.
import { setTimeout as sleep } from 'node:timers/promises';
import { createVerifier } from '../../core/domain/audit/signed-note.ts';
import { type StoreVerification, verifyStore } from '../../core/proof/verify-store.ts';
import type { Services } from '../../core/work.ts';

type Finished = StoreVerification & { startedAt: Date; finishedAt: Date };
/** A finished or running verification. */
export type AuditVerification =
  | Finished
  | { verdict: 'running'; startedAt: Date; errors: []; warnings: []; compared: number };

const DEFAULT_WAIT_SECONDS = 5;
const MAX_WAIT_SECONDS = 50;

/**
 * Creates a function that verifies the audit log from its first record and compares the store with it, one verification at a time. A call waits at
 * most `waitSeconds` (default 5, maximum 50) and returns a verification that still runs as `running`. The next call
 * waits for the same one; a new one starts after a result was returned.
 */
export function createAuditVerifier(
  services: Services,
): (input: { waitSeconds?: number | null }) => Promise<AuditVerification> {
  const { mongo, clock, log, sealing } = services;
  let running: { startedAt: Date; result: Promise<Finished>; progress: { compared: number } } | null = null;
  let returned = true;

  const start = () => {
    const startedAt = clock();
    const progress = { compared: 0 };
    const key = sealing.publicKey();
    const verifiers = (origin: string) => (key ? [createVerifier(origin, key)] : []);
    const result = verifyStore(
      { db: mongo.db },
      { verifiers },
      {
        now: startedAt,
        onProgress: ({ compared }) => {
          progress.compared = compared;
        },
      },
    ).then((verification) => {
      const { verdict, records, compared, errors } = verification;
      log.info({ verdict, records, compared, errors: errors.slice(0, 5) }, 'verified the audit log');
      return { ...verification, startedAt, finishedAt: clock() };
    });
    result.catch((error: unknown) => log.warn({ err: error }, 'could not verify the audit log'));
    returned = false;
    return { startedAt, result, progress };
  };

  return async ({ waitSeconds }) => {
    const current = running && !returned ? running : start();
    running = current;
    const seconds = Math.min(Math.max(waitSeconds ?? DEFAULT_WAIT_SECONDS, 0), MAX_WAIT_SECONDS);
    const finishedWaiting = new AbortController();
    try {
      const finished = await Promise.race([
        current.result,
        sleep(seconds * 1000, null, { signal: finishedWaiting.signal }).catch(() => null),
      ]);
      if (!finished)
        return {
          verdict: 'running',
          startedAt: current.startedAt,
          errors: [],
          warnings: [],
          compared: current.progress.compared,
        };
      if (running === current) returned = true;
      return finished;
    } catch (error) {
      if (running === current) running = null;
      throw error;
    } finally {
      finishedWaiting.abort();
    }
  };
}
