// A line through samples over time, as the path of an SVG.

export type Area = { width: number; height: number };

/**
 * The path of a line: `at` in seconds, oldest first, `values` beside them, `highest` at the top of the area. Where samples are more than
 * `gapSeconds` apart the line breaks: nothing is known of the time between.
 */
export function linePath(
  at: readonly number[],
  values: readonly number[],
  highest: number,
  { width, height }: Area,
  gapSeconds: number,
): string {
  const first = at[0] ?? 0;
  const span = Math.max(1, (at.at(-1) ?? 0) - first);
  return at
    .map((second, place) => {
      const x = ((second - first) / span) * width;
      const y = height - ((values[place] ?? 0) / Math.max(1, highest)) * height;
      const broken = place === 0 || second - (at[place - 1] ?? 0) > gapSeconds;
      return `${broken ? 'M' : 'L'}${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
    })
    .join('');
}

/** The next round figure (1, 2 or 5 times a power of ten) that is at least `value`. */
export function roundUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}
