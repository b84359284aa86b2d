// Searches versions by number, revision label, or words of the name or comment.

/** Parses "12" or "v12"; returns null for other texts. */
export function parseVersionNumber(text: string): number | null {
  const digits = /^v?(\d{1,9})$/i.exec(text.trim())?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Returns the revisions whose labels start with a text, ignoring case; an exact match comes first. */
export function matchRevisions<Revision extends { label: string }>(
  revisions: readonly Revision[],
  text: string,
): Revision[] {
  const prefix = text.trim().toLowerCase();
  const found = revisions.filter(({ label }) => label.toLowerCase().startsWith(prefix));
  return found.sort((a, b) => Number(b.label.toLowerCase() === prefix) - Number(a.label.toLowerCase() === prefix));
}

/**
 * Returns the versions whose name or comment contains all words of a text, ignoring case. Returns none for a single
 * letter, which means a revision.
 */
export function matchVersions<Version extends { name: string; comment?: string | null }>(
  versions: readonly Version[],
  text: string,
): Version[] {
  if (/^[a-z]$/i.test(text.trim())) return [];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return versions.filter(({ name, comment }) => {
    const searched = `${name} ${comment ?? ''}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
