import { DomainError, type ErrorCode } from '../errors.ts';

/** Whether something may be done now; if not, with which code and in which words it would be refused. */
export type Permission =
  | { allowed: true; code: null; message: null }
  | { allowed: false; code: ErrorCode; message: string };

const ALLOWED: Permission = { allowed: true, code: null, message: null };

/** Asks a rule instead of obeying it: what it would refuse is the answer. Anything else that goes wrong stays an error. */
export async function checkPermission(rule: () => unknown): Promise<Permission> {
  try {
    await rule();
    return ALLOWED;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { allowed: false, code: error.code, message: error.message };
  }
}
