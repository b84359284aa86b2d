// Chooses the id of a request.
import { randomUUID } from 'node:crypto';

const ACCEPTED = /^[A-Za-z0-9._-]{1,100}$/;

/**
 * Returns the X-Request-Id of the client if it is valid (1 to 100 letters, digits, dots, dashes, underscores), else a
 * new id.
 */
export function requestIdFromHeader(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTED.test(header) ? header : randomUUID();
}
