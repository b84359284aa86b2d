import { BEHIND_ALL, type Canvas, unpackNormal } from './canvas.ts';

/** How open the surface is to the sky, 0 to 1, for square cells of `cell` pixels; `size` cells make a row. */
export type Openness = { open: Float32Array; size: number; cell: number };

/**
 * Finds corners, gaps and holes, which are darker: that shows how parts lie on each other. Looks at the depth on two rings around each cell. `factor`
 * samples of the canvas make one pixel, `radius` is in pixels; the picture's margin must be at least as wide.
 */
export function openness(canvas: Canvas, factor: number, radius: number): Openness {
  return inCells(canvas, factor * CELL, radius / CELL);
}

// The light of the sky changes slowly: cells of two by two pixels show as much as pixels, at a quarter of the cost.
const CELL = 2;

function inCells(canvas: Canvas, factor: number, radius: number): Openness {
  const size = canvas.size / factor;
  const depth = new Float32Array(size * size);
  const middles = middleSamples(canvas.size, factor);
  for (let at = 0; at < depth.length; at++) depth[at] = canvas.depth[middles[at]!]! / factor;
  const open = new Float32Array(size * size).fill(1);
  const { dx, dy, distance } = rings(radius);
  const fade = 1 / (radius * radius);
  const border = Math.ceil(radius);
  for (let y = border; y < size - border; y++) {
    for (let at = y * size + border, end = at + size - 2 * border; at < end; at++) {
      const z = depth[at]!;
      if (z === BEHIND_ALL) continue;
      const packed = canvas.normal[middles[at]!]!;
      const facing = unpackNormal(packed, 20);
      const steep = Math.max(Math.abs(facing), 0.15) * (facing < 0 ? -1 : 1);
      const slopeX = -unpackNormal(packed, 0) / steep;
      const slopeY = unpackNormal(packed, 10) / steep;
      let covered = 0;
      for (let i = 0; i < RINGS_LENGTH; i++) {
        // How far the neighbour stands above the tangent plane; what is far in front hides little, the background nothing.
        const above = depth[at + dy[i]! * size + dx[i]!]! - z - slopeX * dx[i]! - slopeY * dy[i]!;
        const elevation = above / distance[i]!;
        if (elevation > LEAST_ELEVATION) covered += Math.min(elevation, 1.2) / (1 + above * above * fade);
      }
      open[at] = Math.max(0, 1 - (STRENGTH * covered) / RINGS_LENGTH);
    }
  }
  return { open: smooth(smooth(open, depth, 1), depth, size), size, cell: CELL };
}

const RINGS_LENGTH = 16;
const LEAST_ELEVATION = 0.1;
const STRENGTH = 1.3;

function rings(radius: number): { dx: Int32Array; dy: Int32Array; distance: Float32Array } {
  const angles = Array.from({ length: RINGS_LENGTH }, (_, i) => (2 * Math.PI * (i + 0.5)) / RINGS_LENGTH);
  const reach = (i: number) => (i % 2 ? 1 : 0.4) * radius;
  const dx = Int32Array.from(angles, (angle, i) => Math.round(Math.cos(angle) * reach(i)));
  const dy = Int32Array.from(angles, (angle, i) => Math.round(Math.sin(angle) * reach(i)));
  return { dx, dy, distance: Float32Array.from(dx, (x, i) => Math.hypot(x, dy[i]!)) };
}

// The index of the sample in the middle of each cell.
function middleSamples(canvasSize: number, factor: number): Uint32Array {
  const size = canvasSize / factor;
  const middles = new Uint32Array(size * size);
  const middle = (factor >> 1) * (canvasSize + 1);
  for (let y = 0, at = 0; y < size; y++)
    for (let x = 0; x < size; x++, at++) middles[at] = y * factor * canvasSize + x * factor + middle;
  return middles;
}

// Averages over five cells in one direction, without the background.
function smooth(source: Float32Array, depth: Float32Array, stride: number): Float32Array {
  const out = new Float32Array(source.length).fill(1);
  for (let at = 2 * stride; at < source.length - 2 * stride; at++) {
    if (depth[at] === BEHIND_ALL) continue;
    let sum = 0;
    let weight = 0;
    for (let o = at - 2 * stride; o <= at + 2 * stride; o += stride) {
      if (depth[o] === BEHIND_ALL) continue;
      sum += source[o]!;
      weight++;
    }
    out[at] = sum / weight;
  }
  return out;
}
