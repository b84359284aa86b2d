import type { Canvas } from './canvas.ts';

/**
 * Marks outlines: where something stands in front of the background or of something clearly behind it. Round faces have no edge there, so a cylinder
 * without this has no sides. `gap` is the least step in depth.
 */
export function drawOutline({ size, depth, line }: Canvas, width: number, gap: number): void {
  const reach = Math.max(1, Math.round(width / 2));
  for (let y = 1; y < size - 1; y++) {
    for (let at = y * size + 1, end = at + size - 2; at < end; at++) {
      const z = depth[at]!;
      if (z === Number.NEGATIVE_INFINITY) continue;
      // A step is more than what the slope on the other side explains.
      if (isStep(z, depth[at + 1]!, depth[at - 1]!, gap)) mark(line, at, -1, reach, 1);
      else if (isStep(z, depth[at - 1]!, depth[at + 1]!, gap)) mark(line, at, 1, reach, 1);
      if (isStep(z, depth[at + size]!, depth[at - size]!, gap)) mark(line, at, -size, reach, 1);
      else if (isStep(z, depth[at - size]!, depth[at + size]!, gap)) mark(line, at, size, reach, 1);
    }
  }
}

const isStep = (here: number, there: number, opposite: number, gap: number) =>
  here - there > gap && here - there > 2 * Math.abs(opposite - here) + gap;

function mark(line: Uint8Array, at: number, stride: number, reach: number, value: number): void {
  for (let i = 0, o = at; i < reach && o >= 0 && o < line.length; i++, o += stride) line[o] = value;
}
