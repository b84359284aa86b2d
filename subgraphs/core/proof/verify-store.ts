// Verifies the audit log and compares every stored record with it.
import { differenceMessage } from '../domain/audit/compare-records.ts';
import { chainsSince } from '../domain/audit/verify-chains.ts';
import {
  type LogError,
  MAX_ERRORS,
  type Trust,
  type Verification,
  type VerificationScope,
  verdictOf,
  verifyLog,
} from '../domain/audit/verify-log.ts';
import { pluralize } from '../domain/text/pluralize.ts';
import { storedLog } from '../store/audit/audit-log.ts';
import type { Scope } from '../store/query/scope.ts';
import type { RecordDifference } from './compare-chain.ts';
import { compareStore, type Progress } from './compare-store.ts';

/** A verification of the log and the store; `compared`: the number of stored records that were compared with the log. */
export type StoreVerification = Verification & { compared: number };

type Options = {
  scope?: VerificationScope;
  now: Date;
  onProgress?: ((progress: Progress) => void) | undefined;
};

/**
 * Verifies the log, then replays it and compares the stored records with it: all, or those of the chains in the scope.
 * Records written meanwhile do not cause errors.
 */
export async function verifyStore(
  store: Scope,
  trust: Trust,
  { scope = {}, now, onProgress }: Options,
): Promise<StoreVerification> {
  const log = storedLog(store);
  const verification = await verifyLog(log, trust, scope);
  const errors: LogError[] = [];
  let count = 0;
  const report = (difference: RecordDifference) => {
    count += 1;
    if (errors.length < MAX_ERRORS) errors.push(differenceError(difference));
  };
  const chains = await chainsIn(scope, (since) => chainsSince(log, since));
  const { compared, unknownChains } = await compareStore(store, { now, chains, report, onProgress });
  const warnings = [...verification.warnings, ...(unknownChains ? [unknownChainsMessage(unknownChains)] : [])];
  const all = [...verification.errors, ...errors];
  return {
    ...verification,
    verdict: verdictOf(all, warnings),
    errors: all.slice(0, MAX_ERRORS),
    moreErrors: verification.moreErrors + count + verification.errors.length - Math.min(all.length, MAX_ERRORS),
    warnings,
    compared,
  };
}

/** Returns the error that reports a difference between the store and the log. */
export function differenceError({ collection, id, ...difference }: RecordDifference): LogError {
  return { id, message: differenceMessage(collection, id, difference), collection, ...difference };
}

async function chainsIn(
  { chain, since }: VerificationScope,
  chainsSince: (since: number) => Promise<Iterable<string>>,
): Promise<string[] | undefined> {
  if (chain !== undefined) return [chain];
  return since === undefined ? undefined : [...(await chainsSince(since))];
}

function unknownChainsMessage(count: number): string {
  return `An earlier version wrote ${pluralize(count, 'chain')} without what was stored, so their records were not compared. Start the service once: it records their state.`;
}
