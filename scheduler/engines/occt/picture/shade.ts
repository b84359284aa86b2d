import { normalised, type Vector } from '../matrix.ts';
import { type Colour, toLinear } from '../palette.ts';
import { type Canvas, LINE, unpackNormal } from './canvas.ts';

/** RGBA, four bytes per pixel, not premultiplied. */
export type Picture = { width: number; height: number; data: Uint8ClampedArray };

/**
 * Lights a canvas and averages `factor` × `factor` samples to a pixel; the background stays transparent. Light is added up linearly and turned into sRGB at
 * the end. Inside an item one sample stands for its pixel; where lines or items meet, all of them count: that is what smooths the edges.
 */
export function shade(canvas: Canvas, factor: number, open: Float32Array, tintOf: Colour[]): Picture {
  const { owner, normal } = canvas;
  const size = canvas.size / factor;
  const data = new Uint8ClampedArray(size * size * 4);
  const tints = Float32Array.from([[0, 0, 0], ...tintOf].flat(), toLinear);
  const sum = new Float32Array(4);
  const add = (at: number, sky: number, weight: number) => {
    const item = owner[at]!;
    if (item === 0) return;
    sum[3]! += weight;
    if (item === LINE) for (let i = 0; i < 3; i++) sum[i]! += weight * INK[i]!;
    else addLight(sum, tints, item * 3, normal[at]!, sky, weight);
  };
  for (let at = 0; at < open.length; at++) {
    const first = Math.floor(at / size) * factor * canvas.size + (at % size) * factor;
    sum.fill(0);
    if (isUniform(owner, first, factor, canvas.size)) {
      if (owner[first] === 0) continue;
      add(first + (factor >> 1) * (canvas.size + 1), open[at]!, factor * factor);
    } else {
      for (let row = 0; row < factor; row++) {
        for (let column = 0; column < factor; column++) add(first + row * canvas.size + column, open[at]!, 1);
      }
    }
    for (let i = 0; i < 3; i++) data[at * 4 + i] = toSrgb(sum[i]! / sum[3]!);
    data[at * 4 + 3] = Math.round((255 * sum[3]!) / (factor * factor));
  }
  return { width: size, height: size, data };
}

const INK = [34, 40, 50].map(toLinear);

// In the camera's space: x to the right, y up, z towards the eye. The main light comes from above left, so that top, front and right of a block differ
// clearly; a weak one comes from the right.
const MAIN: Vector = normalised([-0.62, 0.66, 0.5]);
const SIDE: Vector = normalised([0.85, 0.05, 0.45]);
const HALF: Vector = normalised([MAIN[0], MAIN[1], MAIN[2] + 1]);

function isUniform(owner: Uint32Array, first: number, factor: number, stride: number): boolean {
  const item = owner[first];
  for (let row = 0, at = first; row < factor; row++, at += stride) {
    for (let column = 0; column < factor; column++) if (owner[at + column] !== item) return false;
  }
  return true;
}

function addLight(sum: Float32Array, tints: Float32Array, tint: number, packed: number, sky: number, weight: number): void {
  const nx = unpackNormal(packed, 0);
  const ny = unpackNormal(packed, 10);
  const nz = unpackNormal(packed, 20);
  const turn = (nz < 0 ? -1 : 1) / Math.sqrt(nx * nx + ny * ny + nz * nz);
  const x = nx * turn;
  const y = ny * turn;
  const z = nz * turn;
  // Half of the main light reaches round the body: without a hard limit between light and shade, round faces stay readable.
  const main = 0.5 + 0.5 * (x * MAIN[0] + y * MAIN[1] + z * MAIN[2]);
  const side = Math.max(0, x * SIDE[0] + y * SIDE[1] + z * SIDE[2]);
  const shine = Math.max(0, x * HALF[0] + y * HALF[1] + z * HALF[2]) ** 24;
  const light = weight * ((0.2 + 0.07 * y) * sky + (1.02 * main * main + 0.1 * side) * (0.35 + 0.65 * sky));
  const gloss = weight * 0.1 * shine * sky;
  for (let i = 0; i < 3; i++) sum[i]! += tints[tint + i]! * light + gloss;
}

const STEPS = 4096;
const SRGB = Uint8Array.from({ length: STEPS + 1 }, (_, i) => {
  const light = i / STEPS;
  return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
});
const toSrgb = (light: number) => SRGB[Math.min(STEPS, Math.round(light * STEPS))]!;
