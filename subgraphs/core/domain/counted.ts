/** A number of things in words: "1 file", "2 files", "no files"; `many` where more of them are not called so with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? `1 ${one}` : `${count || 'no'} ${many}`;
}
