import { normalised, type Vector } from '../matrix.ts';
import { type Colour, toLinear } from '../palette.ts';
import type { Canvas } from './canvas.ts';

/** RGBA, four bytes per pixel, not premultiplied. */
export type Picture = { width: number; height: number; data: Uint8ClampedArray };

/**
 * Lights the samples of a canvas and averages `factor` × `factor` of them to a pixel; the background stays transparent. Light is added up linearly and
 * turned into sRGB at the end.
 */
export function shade(canvas: Canvas, factor: number, open: Float32Array, tintOf: Colour[]): Picture {
  const size = canvas.size / factor;
  const data = new Uint8ClampedArray(size * size * 4);
  const tints = tintOf.map((tint) => tint.map(toLinear) as [number, number, number]);
  const samples = factor * factor;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const at = y * size + x;
      let red = 0;
      let green = 0;
      let blue = 0;
      let hits = 0;
      for (let j = 0; j < factor; j++) {
        const row = (y * factor + j) * canvas.size + x * factor;
        for (let o = row; o < row + factor; o++) {
          if (canvas.line[o]) {
            red += LINE[0];
            green += LINE[1];
            blue += LINE[2];
            hits++;
          } else if (canvas.depth[o] !== Number.NEGATIVE_INFINITY) {
            const n = o * 3;
            const light = lightOf(canvas.normal[n]!, canvas.normal[n + 1]!, canvas.normal[n + 2]!, open[at]!);
            const tint = tints[canvas.owner[o]!]!;
            red += tint[0] * light + gloss;
            green += tint[1] * light + gloss;
            blue += tint[2] * light + gloss;
            hits++;
          }
        }
      }
      if (!hits) continue;
      data[at * 4] = toSrgb(red / hits);
      data[at * 4 + 1] = toSrgb(green / hits);
      data[at * 4 + 2] = toSrgb(blue / hits);
      data[at * 4 + 3] = Math.round((255 * hits) / samples);
    }
  }
  return { width: size, height: size, data };
}

const LINE = ([30, 36, 46] as const).map(toLinear) as [number, number, number];

// In the camera's space: x to the right, y up, z towards the eye. The main light comes from above left, a weak one from the right.
const MAIN: Vector = normalised([-0.5, 0.78, 0.55]);
const SIDE: Vector = normalised([0.85, 0.05, 0.45]);
const HALF: Vector = normalised([MAIN[0], MAIN[1], MAIN[2] + 1]);

// Set by lightOf beside its result: two numbers per sample without an object per sample.
let gloss = 0;

function lightOf(nx: number, ny: number, nz: number, open: number): number {
  const turn = (nz < 0 ? -1 : 1) / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1);
  const x = nx * turn;
  const y = ny * turn;
  const z = nz * turn;
  const main = Math.max(0, x * MAIN[0] + y * MAIN[1] + z * MAIN[2]);
  const side = Math.max(0, x * SIDE[0] + y * SIDE[1] + z * SIDE[2]);
  const shine = Math.max(0, x * HALF[0] + y * HALF[1] + z * HALF[2]);
  const shine8 = shine ** 8;
  gloss = 0.1 * shine8 * shine8 * shine8 * open;
  return (0.3 + 0.12 * y) * open + (0.82 * main + 0.2 * side) * (0.35 + 0.65 * open);
}

const STEPS = 4096;
const SRGB = Uint8Array.from({ length: STEPS + 1 }, (_, i) => {
  const light = i / STEPS;
  return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
});
const toSrgb = (light: number) => SRGB[Math.min(STEPS, Math.round(light * STEPS))]!;
