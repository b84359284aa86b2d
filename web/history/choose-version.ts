// What is typed to find a version: its number, or the label of its revision.

/** The number in "12" or "v12"; null in anything else. */
export function numberIn(text: string): number | null {
  const digits = /^v?(\d{1,9})$/i.exec(text.trim())?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The revisions whose labels begin with a text, in whatever case, the one with just that label first. */
export function labelled<Revision extends { label: string }>(revisions: readonly Revision[], text: string): Revision[] {
  const wanted = text.trim().toLowerCase();
  const found = revisions.filter(({ label }) => label.toLowerCase().startsWith(wanted));
  return found.sort((a, b) => Number(b.label.toLowerCase() === wanted) - Number(a.label.toLowerCase() === wanted));
}
