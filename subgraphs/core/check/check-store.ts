import type { Scope } from '../store/query/scope.ts';
import { checkAuditLog } from './audit-log.ts';
import { checkBytes } from './bytes.ts';
import { checkDocuments } from './documents.ts';
import { checkFolders } from './folders.ts';
import type { Check, CheckOptions, Violation } from './invariant.ts';
import { checkNumbers } from './numbers.ts';
import { checkOrphans } from './orphans.ts';
import { checkRecordedValues } from './recorded-values.ts';
import { checkReferences } from './references.ts';
import { checkSecrets } from './secrets.ts';

const CHECKS: readonly Check[] = [
  checkDocuments,
  checkOrphans,
  checkNumbers,
  checkFolders,
  checkBytes,
  checkAuditLog,
  checkSecrets,
  checkReferences,
  checkRecordedValues,
];

/**
 * Yields every violation in a store without concurrent writes. Reads in batches, so that memory does not grow with it.
 */
export async function* checkStore(scope: Scope, options: CheckOptions): AsyncGenerator<Violation> {
  for (const check of CHECKS) yield* check(scope, options);
}
