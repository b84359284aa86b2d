import { type Canvas, LINE } from './canvas.ts';

/**
 * Draws outlines: where something stands in front of the background or of something clearly behind it. Round faces have no edge there, so a cylinder
 * without this has no sides. `width` is in samples, `gap` the least step in depth.
 */
export function drawOutline({ size, depth, owner }: Canvas, width: number, gap: number): void {
  const reach = Math.max(1, Math.round(width / 2));
  const draw = (at: number, inwards: number) => {
    for (let i = 0; i < reach; i++) {
      const o = at + i * inwards;
      if (o >= 0 && o < owner.length) owner[o] = LINE;
    }
  };
  for (let y = 1; y < size - 2; y++) {
    for (let at = y * size + 1, end = at + size - 3; at < end; at++) {
      const z = depth[at]!;
      const right = z - depth[at + 1]!;
      const below = z - depth[at + size]!;
      // A step is more than what the slope on its near side explains.
      if (right > gap && right > gap + 2 * (depth[at - 1]! - z)) draw(at, -1);
      else if (right < -gap && -right > gap + 2 * (depth[at + 2]! - depth[at + 1]!)) draw(at + 1, 1);
      if (below > gap && below > gap + 2 * (depth[at - size]! - z)) draw(at, -size);
      else if (below < -gap && -below > gap + 2 * (depth[at + 2 * size]! - depth[at + size]!)) draw(at + size, size);
    }
  }
}
