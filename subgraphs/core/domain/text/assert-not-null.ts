import { refuse } from '../errors.ts';

/** Refuses (`validation_failed`) those of these fields that are null: left out they stay as they are, but they cannot be cleared. */
export function assertNotNull(fields: Readonly<Record<string, unknown>>): void {
  const message = 'must not be null';
  const names = Object.keys(fields).filter((name) => fields[name] === null);
  if (names.length)
    refuse('validation_failed', `${names.map((name) => `${name} ${message}`).join('; ')}.`, {
      errors: names.map((name) => ({ path: `/${name}`, message })),
    });
}
