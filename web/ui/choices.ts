/** A selectable item. Matching looks at the label and the hint. */
export type Choice = { id: string; label: string; hint?: string };

/**
 * Returns the choices whose label or hint contains all words of `text`, ignoring case. Labels that start with `text`
 * come first; otherwise the order is kept. An empty text matches everything.
 */
export function matchChoices(choices: readonly Choice[], text: string): readonly Choice[] {
  const prefix = text.trim().toLowerCase();
  const words = prefix.split(/\s+/).filter(Boolean);
  if (words.length === 0) return choices;
  const found = choices.filter(({ label, hint = '' }) => {
    const searched = `${label} ${hint}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
  const hasPrefix = ({ label }: Choice) => label.toLowerCase().startsWith(prefix);
  return [...found.filter(hasPrefix), ...found.filter((choice) => !hasPrefix(choice))];
}
