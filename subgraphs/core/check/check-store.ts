import type { Scope } from '../store/query/scope.ts';
import { checkAuditLog } from './audit-log.ts';
import { checkBytes } from './bytes.ts';
import { checkDocuments } from './documents.ts';
import { checkFolders } from './folders.ts';
import type { Check, CheckOptions, Violation } from './invariant.ts';
import { checkNumbers } from './numbers.ts';
import { checkOrphans } from './orphans.ts';
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
];

/** Every broken invariant of a store at rest, one after the other, batch by batch: memory does not grow with the store. */
export async function* checkStore(scope: Scope, options: CheckOptions): AsyncGenerator<Violation> {
  for (const check of CHECKS) yield* check(scope, options);
}
