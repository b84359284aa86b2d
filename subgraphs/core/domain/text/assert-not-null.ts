// Rejects null for fields that cannot be cleared.

import { refuse } from '../errors.ts';

/**
 * Throws `validation_failed` if any of the fields is null. Omitted fields keep their value; these fields cannot be
 * cleared.
 */
export function assertNotNull(fields: Readonly<Record<string, unknown>>): void {
  const message = 'must not be null';
  const names = Object.keys(fields).filter((name) => fields[name] === null);
  if (names.length)
    refuse('validation_failed', `${names.map((name) => `${name} ${message}`).join('; ')}.`, {
      errors: names.map((name) => ({ path: `/${name}`, message })),
    });
}
