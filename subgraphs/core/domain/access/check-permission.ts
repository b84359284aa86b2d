// Evaluates a rule that throws as a permission.

import { DomainError, type ErrorCode } from '../errors.ts';

/** Whether an action is allowed now; if not, the error that it would fail with. */
export type Permission =
  | { allowed: true; code: null; message: null }
  | { allowed: false; code: ErrorCode; message: string };

const ALLOWED: Permission = { allowed: true, code: null, message: null };

/** Runs a rule and returns its DomainError as a permission. Rethrows other errors. */
export async function checkPermission(rule: () => unknown): Promise<Permission> {
  try {
    await rule();
    return ALLOWED;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { allowed: false, code: error.code, message: error.message };
  }
}
