import { coverRow, type FrameBuffer, LINE } from './frame-buffer.ts';

/**
 * Draws outlines where an item is in front of the background or a clearly more distant surface: silhouettes of round
 * faces are not mesh edges. `width` is in samples, `gap` the minimum depth difference.
 */
export function drawOutline(buffer: FrameBuffer, width: number, gap: number): void {
  const { size, depth, itemIds } = buffer;
  const reach = Math.max(1, Math.round(width / 2));
  const draw = (at: number, inwards: number) => {
    for (let i = 0; i < reach; i++) {
      const o = at + i * inwards;
      if (o < 0 || o >= itemIds.length) continue;
      itemIds[o] = LINE;
      coverRow(buffer, Math.floor(o / size), o % size, o % size);
    }
  };
  // Copied, because drawing covers more samples.
  const [first, last] = [buffer.first.slice(), buffer.last.slice()];
  for (let y = 1; y < size - 2; y++) {
    const from = Math.max(1, Math.min(first[y]!, first[y + 1]!) - 1);
    const to = Math.min(size - 3, Math.max(last[y]!, last[y + 1]!));
    for (let at = y * size + from, end = y * size + to; at <= end; at++) {
      const z = depth[at]!;
      const right = z - depth[at + 1]!;
      const below = z - depth[at + size]!;
      // The depth difference must exceed the one that the slope of the nearer surface causes.
      if (right > gap && right > gap + 2 * (depth[at - 1]! - z)) draw(at, -1);
      else if (right < -gap && -right > gap + 2 * (depth[at + 2]! - depth[at + 1]!)) draw(at + 1, 1);
      if (below > gap && below > gap + 2 * (depth[at - size]! - z)) draw(at, -size);
      else if (below < -gap && -below > gap + 2 * (depth[at + 2 * size]! - depth[at + size]!)) draw(at + size, size);
    }
  }
}
