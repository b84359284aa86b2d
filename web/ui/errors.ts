// Values that were thrown: JavaScript can throw other values than errors.

/** Returns what was thrown as an error. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** Returns the message of what was thrown. */
export const messageOf = (thrown: unknown): string => asError(thrown).message;
