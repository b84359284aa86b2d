// What is typed to find a version: its number, the label of its revision, or words of its name or comment.

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

/** The versions whose names or comments hold all words of a text, in whatever case; one letter alone means a revision. */
export function named<Version extends { name: string; comment?: string | null }>(
  versions: readonly Version[],
  text: string,
): Version[] {
  if (/^[a-z]$/i.test(text.trim())) return [];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return versions.filter(({ name, comment }) => {
    const said = `${name} ${comment ?? ''}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}
