// Positions the length labels of measured lines.

/** A position on the canvas in CSS pixels, right and down. */
export type ScreenPoint = readonly [x: number, y: number];
type LabelledLine = { from: ScreenPoint; to: ScreenPoint; text: string };

const CHARACTER_WIDTH = 8.5; // average character width of the bold 13 px font
const LABEL_HEIGHT = 18;

/**
 * Returns the center of each label: the middle of the visible part of its line, moved to stay within the canvas and
 * not to cover later labels; null if the line is not visible.
 */
export function placeLabels(lines: readonly LabelledLine[], size: ScreenPoint): (ScreenPoint | null)[] {
  const taken: { position: ScreenPoint; width: number }[] = [];
  const labels = lines.toReversed().map(({ from, to, text }) => {
    const visible = clipToCanvas(from, to, size);
    if (!visible) return null;
    const width = text.length * CHARACTER_WIDTH;
    const x = clampCenter((visible[0][0] + visible[1][0]) / 2, width / 2, size[0]);
    const y = clampCenter((visible[0][1] + visible[1][1]) / 2, LABEL_HEIGHT / 2, size[1]);
    const isFree = (at: number) =>
      at === clampCenter(at, LABEL_HEIGHT / 2, size[1]) &&
      taken.every(
        ({ position, width: otherWidth }) =>
          Math.abs(position[1] - at) >= LABEL_HEIGHT || Math.abs(position[0] - x) >= (width + otherWidth) / 2,
      );
    // alternately below and above; each label blocks at most two positions
    const positions = Array.from(
      { length: 4 * taken.length + 1 },
      (_, step) => y + LABEL_HEIGHT * Math.ceil(step / 2) * (step % 2 ? 1 : -1),
    );
    const label = [x, positions.find(isFree) ?? y] as const;
    taken.push({ position: label, width });
    return label;
  });
  return labels.reverse();
}

const clampCenter = (at: number, half: number, length: number): number => Math.max(half, Math.min(length - half, at));

/** Clips a line to the canvas (Liang–Barsky); null if it is outside. */
function clipToCanvas(from: ScreenPoint, to: ScreenPoint, size: ScreenPoint): [ScreenPoint, ScreenPoint] | null {
  let [enters, leaves] = [0, 1];
  for (const axis of [0, 1] as const) {
    const length = to[axis] - from[axis];
    if (length === 0 && (from[axis] < 0 || from[axis] > size[axis])) return null;
    if (length === 0) continue;
    const [one, other] = [-from[axis] / length, (size[axis] - from[axis]) / length];
    enters = Math.max(enters, Math.min(one, other));
    leaves = Math.min(leaves, Math.max(one, other));
  }
  const pointAt = (fraction: number): ScreenPoint => [
    from[0] + (to[0] - from[0]) * fraction,
    from[1] + (to[1] - from[1]) * fraction,
  ];
  return enters <= leaves ? [pointAt(enters), pointAt(leaves)] : null;
}
