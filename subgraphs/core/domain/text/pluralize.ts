// Counts in messages.

/**
 * Returns a count with its noun: "1 file", "2 files", "no files". `plural` is the plural form unless it only adds an s.
 */
export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return count === 1 ? `1 ${singular}` : `${count || 'no'} ${plural}`;
}

/** Returns the sentence to append to a message that reports only the first of several errors. */
export function mentionMoreErrors({ length }: readonly unknown[]): string {
  return length > 1 ? ` There ${length === 2 ? 'is' : 'are'} ${pluralize(length - 1, 'more error')}.` : '';
}
