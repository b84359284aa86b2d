import type { Canvas } from './canvas.ts';

/**
 * How open each pixel is to the sky, 0 to 1: corners, gaps and holes are darker, which shows how parts lie on each other. Looks at the depth on three rings
 * around the pixel; `factor` samples of the canvas make one pixel, `radius` is in pixels.
 */
export function openness(canvas: Canvas, factor: number, radius: number): Float32Array {
  const size = canvas.size / factor;
  const { depth, normal } = shrink(canvas, factor, size);
  const open = new Float32Array(size * size).fill(1);
  const offsets = rings(radius);
  const reach = radius * factor;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const at = y * size + x;
      const z = depth[at]!;
      if (z === Number.NEGATIVE_INFINITY) continue;
      const facing = Math.max(normal[at * 3 + 2]!, 0.15);
      const slopeX = -normal[at * 3]! / facing;
      const slopeY = normal[at * 3 + 1]! / facing;
      let covered = 0;
      for (const { dx, dy, distance } of offsets) {
        const sx = x + dx;
        const sy = y + dy;
        if (sx < 0 || sy < 0 || sx >= size || sy >= size) continue;
        const other = depth[sy * size + sx]!;
        if (other === Number.NEGATIVE_INFINITY) continue;
        // How far the neighbour stands above the tangent plane; what is far in front hides nothing.
        const above = other - z - (slopeX * dx + slopeY * dy) * factor;
        const elevation = above / (distance * factor);
        if (elevation > 0.12) covered += Math.min(elevation, 1.2) / (1 + (above / reach) ** 2);
      }
      open[at] = Math.max(0, 1 - (1.15 * covered) / offsets.length);
    }
  }
  return blur(open, depth, size);
}

type Offset = { dx: number; dy: number; distance: number };

function rings(radius: number): Offset[] {
  return [0.25, 0.55, 1].flatMap((share, ring) =>
    Array.from({ length: 8 }, (_, i) => {
      const angle = ((i + ring / 3) * Math.PI) / 4;
      const dx = Math.round(Math.cos(angle) * share * radius);
      const dy = Math.round(Math.sin(angle) * share * radius);
      return { dx, dy, distance: Math.hypot(dx, dy) || 1 };
    }),
  );
}

// The sample in the middle of each pixel, with a normal of unit length.
function shrink(canvas: Canvas, factor: number, size: number): { depth: Float32Array; normal: Float32Array } {
  const depth = new Float32Array(size * size);
  const normal = new Float32Array(size * size * 3);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const from = (y * factor + (factor >> 1)) * canvas.size + x * factor + (factor >> 1);
      const at = y * size + x;
      depth[at] = canvas.depth[from]!;
      const [nx, ny, nz] = [canvas.normal[from * 3]!, canvas.normal[from * 3 + 1]!, canvas.normal[from * 3 + 2]!];
      const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
      normal[at * 3] = (nz < 0 ? -nx : nx) / length;
      normal[at * 3 + 1] = (nz < 0 ? -ny : ny) / length;
      normal[at * 3 + 2] = Math.abs(nz) / length;
    }
  }
  return { depth, normal };
}

// Averages over 5 × 5 pixels, first along rows, then along columns, without the background.
function blur(open: Float32Array, depth: Float32Array, size: number): Float32Array {
  const pass = (source: Float32Array, stride: number) => {
    const out = new Float32Array(source.length).fill(1);
    for (let at = 2 * stride; at < source.length - 2 * stride; at++) {
      if (depth[at] === Number.NEGATIVE_INFINITY) continue;
      let sum = 0;
      let weight = 0;
      for (let i = -2; i <= 2; i++) {
        const o = at + i * stride;
        if (depth[o] === Number.NEGATIVE_INFINITY) continue;
        sum += source[o]!;
        weight++;
      }
      out[at] = sum / weight;
    }
    return out;
  };
  return pass(pass(open, 1), size);
}
