import { coverRow, type FrameBuffer, LINE } from './frame-buffer.ts';

/** Draws visible line parts. `points`: pairs in screen space, `width` is in samples, `bias` lifts lines off a face. */
export function drawLines(buffer: FrameBuffer, points: Float32Array, width: number, bias: number): void {
  for (let i = 0; i + 5 < points.length; i += 6) {
    const dx = points[i + 3]! - points[i]!;
    const dy = points[i + 4]! - points[i + 1]!;
    if (Math.abs(dx) >= Math.abs(dy)) drawAlong(buffer, points, i, 0, width, bias);
    else drawAlong(buffer, points, i, 1, width, bias);
  }
}

// Steps along the major screen axis and marks a bar across it, so that the line has the same width at every slope.
function drawAlong(
  buffer: FrameBuffer,
  points: Float32Array,
  i: number,
  axis: 0 | 1,
  width: number,
  bias: number,
): void {
  const { size, depth, itemIds } = buffer;
  const flip = points[i + 3 + axis]! < points[i + axis]!;
  const from = flip ? i + 3 : i;
  const to = flip ? i : i + 3;
  const start = points[from + axis]!;
  const across = points[from + 1 - axis]!;
  const length = points[to + axis]! - start;
  const slope = length > 0 ? (points[to + 1 - axis]! - across) / length : 0;
  const rise = length > 0 ? (points[to + 2]! - points[from + 2]!) / length : 0;
  const half = (width / 2) * Math.sqrt(1 + slope * slope);
  // samples are at the centers of unit squares, hence 0.5
  const first = Math.max(0, Math.ceil(start - width / 4 - 0.5));
  const last = Math.min(size - 1, Math.floor(start + length + width / 4 - 0.5));
  const [step, stride] = axis === 0 ? [1, size] : [size, 1];
  for (let s = first; s <= last; s++) {
    const along = Math.min(Math.max(s + 0.5 - start, 0), length);
    const z = points[from + 2]! + rise * along + bias;
    const middle = across + slope * along;
    const low = Math.max(0, Math.ceil(middle - half - 0.5));
    const high = Math.min(size - 1, Math.floor(middle + half - 0.5));
    for (let at = s * step + low * stride, end = s * step + high * stride; at <= end; at += stride)
      if (z >= depth[at]!) itemIds[at] = LINE;
    if (axis === 1) coverRow(buffer, s, low, high);
    else for (let row = low; row <= high; row++) coverRow(buffer, row, s, s);
  }
}
