import { BACKGROUND_DEPTH, type FrameBuffer, unpackNormal } from './frame-buffer.ts';

/** Ambient visibility of the surface (0 hidden, 1 open) for square cells of `cell` pixels; `size` cells per row. */
export type VisibilityMap = { visibility: Float32Array; size: number; cell: number };

/**
 * Computes screen-space ambient occlusion, which darkens corners, gaps and holes, from the depth on two rings around a
 * cell. `factor` samples make one pixel; `radius` is in pixels and at most the image margin.
 */
export function ambientVisibility(buffer: FrameBuffer, factor: number, radius: number): VisibilityMap {
  return visibilityPerCell(buffer, factor * CELL, radius / CELL);
}
// Ambient light varies slowly: cells of two by two pixels look the same as pixels at a quarter of the cost.
const CELL = 2;

function visibilityPerCell(buffer: FrameBuffer, factor: number, radius: number): VisibilityMap {
  const size = buffer.size / factor;
  const depth = new Float32Array(size * size);
  const middles = middleSamples(buffer.size, factor);
  for (let at = 0; at < depth.length; at++) depth[at] = buffer.depth[middles[at]!]! / factor;
  const visibility = new Float32Array(size * size).fill(1);
  const { dx, dy, distance } = createRings(radius);
  const fade = 1 / (radius * radius);
  const border = Math.ceil(radius);
  for (let y = border; y < size - border; y++) {
    for (let at = y * size + border, end = at + size - 2 * border; at < end; at++) {
      const z = depth[at]!;
      if (z === BACKGROUND_DEPTH) continue;
      const packed = buffer.normal[middles[at]!]!;
      const facing = unpackNormal(packed, 20);
      // Limited, because the slope of a surface seen edge-on would be infinite.
      const limitedFacing = Math.max(Math.abs(facing), 0.15) * (facing < 0 ? -1 : 1);
      const slopeX = -unpackNormal(packed, 0) / limitedFacing;
      const slopeY = unpackNormal(packed, 10) / limitedFacing;
      let covered = 0;
      for (let i = 0; i < RING_SAMPLES; i++) {
        // Height of the neighbor above the tangent plane; distant neighbors occlude little, the background nothing.
        const above = depth[at + dy[i]! * size + dx[i]!]! - z - slopeX * dx[i]! - slopeY * dy[i]!;
        const elevation = above / distance[i]!;
        if (elevation > MIN_ELEVATION) covered += Math.min(elevation, 1.2) / (1 + above * above * fade);
      }
      visibility[at] = Math.max(0, 1 - (STRENGTH * covered) / RING_SAMPLES);
    }
  }
  return { visibility: smooth(smooth(visibility, depth, 1), depth, size), size, cell: CELL };
}

const RING_SAMPLES = 16;
const MIN_ELEVATION = 0.1;
const STRENGTH = 1.3;

function createRings(radius: number): { dx: Int32Array; dy: Int32Array; distance: Float32Array } {
  const angles = Array.from({ length: RING_SAMPLES }, (_, i) => (2 * Math.PI * (i + 0.5)) / RING_SAMPLES);
  const reach = (i: number) => (i % 2 ? 1 : 0.4) * radius;
  const dx = Int32Array.from(angles, (angle, i) => Math.round(Math.cos(angle) * reach(i)));
  const dy = Int32Array.from(angles, (angle, i) => Math.round(Math.sin(angle) * reach(i)));
  return { dx, dy, distance: Float32Array.from(dx, (x, i) => Math.hypot(x, dy[i]!)) };
}

// Returns the index of the middle sample of each cell.
function middleSamples(canvasSize: number, factor: number): Uint32Array {
  const size = canvasSize / factor;
  const middles = new Uint32Array(size * size);
  const middle = (factor >> 1) * (canvasSize + 1);
  for (let y = 0, at = 0; y < size; y++)
    for (let x = 0; x < size; x++, at++) middles[at] = y * factor * canvasSize + x * factor + middle;
  return middles;
}

// Averages over five cells in one direction, ignoring the background.
function smooth(source: Float32Array, depth: Float32Array, stride: number): Float32Array {
  const out = new Float32Array(source.length).fill(1);
  for (let at = 2 * stride; at < source.length - 2 * stride; at++) {
    if (depth[at] === BACKGROUND_DEPTH) continue;
    let sum = 0;
    let weight = 0;
    for (let o = at - 2 * stride; o <= at + 2 * stride; o += stride) {
      if (depth[o] === BACKGROUND_DEPTH) continue;
      sum += source[o]!;
      weight++;
    }
    out[at] = sum / weight;
  }
  return out;
}
