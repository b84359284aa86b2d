import { randomUUID } from 'node:crypto';

const ACCEPTED = /^[A-Za-z0-9._-]{1,100}$/;

/** The id a client gave in X-Request-Id if it is one (1 to 100 letters, digits, dots, dashes, underscores), else a fresh one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTED.test(header) ? header : randomUUID();
}
