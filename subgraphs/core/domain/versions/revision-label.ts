/** How releases are called: letters without I O Q S X Z (ASME Y14.35), numbers, or all letters. */
export type RevisionScheme = 'asme' | 'numeric' | 'alpha26';

const LETTERS = { asme: 'ABCDEFGHJKLMNPRTUVWY', alpha26: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' } as const;

/** The label of the n-th release of a document, n from 1: A … Y, AA, AB … YY, AAA, or 1, 2, 3. */
export function revisionLabel(scheme: RevisionScheme, ordinal: number): string {
  if (scheme === 'numeric') return String(ordinal);
  const letters = LETTERS[scheme];
  let label = '';
  for (let rest = ordinal; rest > 0; rest = Math.floor((rest - 1) / letters.length))
    label = letters.charAt((rest - 1) % letters.length) + label;
  return label;
}

/**
 * The ordinal and label of the next release after the highest ordinal ever given. A label that was handed out before, under another
 * scheme perhaps or to a release since taken back, is passed over.
 */
export function nextRevision(
  scheme: RevisionScheme,
  last: number,
  handedOut: ReadonlySet<string>,
): { ordinal: number; label: string } {
  for (let ordinal = last + 1; ; ordinal++) {
    const label = revisionLabel(scheme, ordinal);
    if (!handedOut.has(label)) return { ordinal, label };
  }
}
