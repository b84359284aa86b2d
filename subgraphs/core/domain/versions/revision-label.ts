// Labels of releases in three numbering schemes.

/** The numbering scheme: letters without I, O, Q, S, X and Z (ASME Y14.35), numbers, or all letters. */
export type RevisionScheme = 'asme' | 'numeric' | 'alpha26';

const LETTERS = { asme: 'ABCDEFGHJKLMNPRTUVWY', alpha26: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' } as const;

/** Returns the label of the n-th release of a document, counted from 1: A … Y, AA, AB … YY, AAA, or 1, 2, 3. */
export function revisionLabel(scheme: RevisionScheme, ordinal: number): string {
  if (scheme === 'numeric') return String(ordinal);
  const letters = LETTERS[scheme];
  let label = '';
  for (let rest = ordinal; rest > 0; rest = Math.floor((rest - 1) / letters.length))
    label = letters.charAt((rest - 1) % letters.length) + label;
  return label;
}

/**
 * Returns the ordinal and label of the next release after `last`, the highest ordinal ever assigned. Skips labels that
 * are in `assigned`: under another scheme, or by a release that was taken back, the label may have been used already.
 */
export function nextRevision(
  scheme: RevisionScheme,
  last: number,
  assigned: ReadonlySet<string>,
): { ordinal: number; label: string } {
  for (let ordinal = last + 1; ; ordinal++) {
    const label = revisionLabel(scheme, ordinal);
    if (!assigned.has(label)) return { ordinal, label };
  }
}
