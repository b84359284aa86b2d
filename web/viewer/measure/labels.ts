// Where the lengths stand that are written at lines of the picture.

/** A place of the picture, in CSS pixels to the right and down. */
export type Spot = readonly [x: number, y: number];
type Labelled = { from: Spot; to: Spot; text: string };

const LETTER = 8.5; // of the labels' 13 pixels, bold
const TALL = 18;

/** The middle of each label: that of what is seen of its line, moved so that it lies within the picture and covers none of those after it; null for a line that is not in the picture. */
export function labelSpots(lines: readonly Labelled[], size: Spot): (Spot | null)[] {
  const taken: { spot: Spot; wide: number }[] = [];
  const spots = lines.toReversed().map(({ from, to, text }) => {
    const seen = seenOf(from, to, size);
    if (!seen) return null;
    const wide = text.length * LETTER;
    const x = within((seen[0][0] + seen[1][0]) / 2, wide / 2, size[0]);
    const y = within((seen[0][1] + seen[1][1]) / 2, TALL / 2, size[1]);
    const free = (at: number) =>
      at === within(at, TALL / 2, size[1]) &&
      taken.every(
        ({ spot, wide: other }) => Math.abs(spot[1] - at) >= TALL || Math.abs(spot[0] - x) >= (wide + other) / 2,
      );
    const steps = Array.from(
      { length: 4 * taken.length + 1 },
      (_, step) => y + TALL * Math.ceil(step / 2) * (step % 2 ? 1 : -1),
    ); // each label is in the way of two
    const spot = [x, steps.find(free) ?? y] as const;
    taken.push({ spot, wide });
    return spot;
  });
  return spots.reverse();
}

const within = (at: number, half: number, length: number): number => Math.max(half, Math.min(length - half, at));

/** The part of a line that lies in the picture (Liang and Barsky). */
function seenOf(from: Spot, to: Spot, size: Spot): [Spot, Spot] | null {
  let [enters, leaves] = [0, 1];
  for (const axis of [0, 1] as const) {
    const way = to[axis] - from[axis];
    if (way === 0 && (from[axis] < 0 || from[axis] > size[axis])) return null;
    if (way === 0) continue;
    const [one, other] = [-from[axis] / way, (size[axis] - from[axis]) / way];
    enters = Math.max(enters, Math.min(one, other));
    leaves = Math.min(leaves, Math.max(one, other));
  }
  const at = (part: number): Spot => [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
  return enters <= leaves ? [at(enters), at(leaves)] : null;
}
