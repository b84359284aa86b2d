/** One of many to choose from: its label is what is read, its hint is found as well. */
export type Choice = { id: string; label: string; hint?: string };

/** Those choices that have all words of a text in their label or hint, in whatever case; first those whose label begins with it, else in their order. An empty text fits all. */
export function fitting(choices: readonly Choice[], text: string): readonly Choice[] {
  const whole = text.trim().toLowerCase();
  const words = whole.split(/\s+/).filter(Boolean);
  if (words.length === 0) return choices;
  const found = choices.filter(({ label, hint = '' }) => {
    const all = `${label} ${hint}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const begins = ({ label }: Choice) => label.toLowerCase().startsWith(whole);
  return [...found.filter(begins), ...found.filter((choice) => !begins(choice))];
}
