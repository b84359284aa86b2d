/** A number of things in words: "1 file", "2 files", "no files"; `many` where more of them are not called so with an s. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? `1 ${one}` : `${count || 'no'} ${many}`;
}

/** What a sentence that tells the first of some faults says of the others. */
export function mentionMoreErrors({ length }: readonly unknown[]): string {
  return length > 1 ? ` There ${length === 2 ? 'is' : 'are'} ${pluralize(length - 1, 'more fault')}.` : '';
}
