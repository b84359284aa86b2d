// SVG paths of line charts.

export type Area = { width: number; height: number };

/**
 * Returns the path of a line through samples: `at` are their times in seconds, oldest first; `highest` is the value at
 * the top of the area. The line breaks between samples more than `gapSeconds` apart.
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
    .map((second, index) => {
      const x = ((second - first) / span) * width;
      const y = height - ((values[index] ?? 0) / Math.max(1, highest)) * height;
      const startsLine = index === 0 || second - (at[index - 1] ?? 0) > gapSeconds;
      return `${startsLine ? 'M' : 'L'}${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
    })
    .join('');
}

/** Rounds up to 1, 2 or 5 times a power of ten, and then to a multiple of `multiple`. */
export function roundUp(value: number, multiple = 1): number {
  const power = value <= 1 ? 1 : 10 ** Math.floor(Math.log10(value));
  const rounded = ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
  return Math.ceil(rounded / multiple) * multiple;
}
