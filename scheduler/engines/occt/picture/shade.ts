import { normalised, type Vector } from '../matrix.ts';
import { type Colour, toLinear } from '../palette.ts';
import type { Openness } from './ambient-occlusion.ts';
import { type Canvas, LINE, unpackNormal } from './canvas.ts';

/** RGBA, four bytes per pixel, not premultiplied. */
export type Picture = { width: number; height: number; data: Uint8ClampedArray };

/**
 * Lights a canvas and averages `factor` × `factor` samples to a pixel; the background stays transparent. Light is added up linearly and turned into
 * sRGB at the end. Inside an item one sample stands for its pixel; where lines or items meet, all of them count: that is what smooths the edges.
 */
export function shade(canvas: Canvas, factor: number, sky: Openness, tintOf: Colour[]): Picture {
  const { owner, normal, size: stride } = canvas;
  const size = stride / factor;
  const data = new Uint8ClampedArray(size * size * 4);
  const tints = Float32Array.from([[0, 0, 0], ...tintOf].flat(), toLinear);
  const middle = factor >> 1;
  for (let y = 0, at = 0; y < size; y++) {
    for (let x = 0, first = y * factor * stride; x < size; x++, at++, first += factor) {
      const whole = isUniform(owner, first, factor, stride);
      if (whole && owner[first] === 0) continue;
      const open = sky.open[Math.floor(y / sky.cell) * sky.size + Math.floor(x / sky.cell)]!;
      let red = 0;
      let green = 0;
      let blue = 0;
      let hits = 0;
      for (let row = whole ? middle : 0; row < factor; row += whole ? factor : 1) {
        for (let column = whole ? middle : 0; column < factor; column += whole ? factor : 1) {
          const sample = first + row * stride + column;
          const item = owner[sample]!;
          if (item === 0) continue;
          hits++;
          if (item === LINE) {
            red += INK[0];
            green += INK[1];
            blue += INK[2];
            continue;
          }
          const packed = normal[sample]!;
          const nx = unpackNormal(packed, 0);
          const ny = unpackNormal(packed, 10);
          const nz = unpackNormal(packed, 20);
          const turn = (nz < 0 ? -1 : 1) / Math.sqrt(nx * nx + ny * ny + nz * nz);
          const light = diffuse(nx * turn, ny * turn, nz * turn, open);
          const gloss = shine(nx * turn, ny * turn, nz * turn) * open;
          red += tints[item * 3]! * light + gloss;
          green += tints[item * 3 + 1]! * light + gloss;
          blue += tints[item * 3 + 2]! * light + gloss;
        }
      }
      data[at * 4] = toSrgb(red / hits);
      data[at * 4 + 1] = toSrgb(green / hits);
      data[at * 4 + 2] = toSrgb(blue / hits);
      data[at * 4 + 3] = whole ? 255 : Math.round((255 * hits) / (factor * factor));
    }
  }
  return { width: size, height: size, data };
}

const INK = [toLinear(34), toLinear(40), toLinear(50)] as const;

// In the camera's space: x to the right, y up, z towards the eye. The main light comes from above left, so that top, front and
// right of a block differ clearly; a weak one comes from the right.
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

// Half of the main light reaches round the body: without a hard limit between light and shade, round faces stay readable.
function diffuse(x: number, y: number, z: number, open: number): number {
  const main = 0.5 + 0.5 * (x * MAIN[0] + y * MAIN[1] + z * MAIN[2]);
  const side = Math.max(0, x * SIDE[0] + y * SIDE[1] + z * SIDE[2]);
  return (0.2 + 0.07 * y) * open + (1.02 * main * main + 0.1 * side) * (0.35 + 0.65 * open);
}

function shine(x: number, y: number, z: number): number {
  const to8 = Math.max(0, x * HALF[0] + y * HALF[1] + z * HALF[2]) ** 8;
  return 0.1 * to8 * to8 * to8;
}

const STEPS = 4096;
const SRGB = Uint8Array.from({ length: STEPS + 1 }, (_, i) => {
  const light = i / STEPS;
  return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
});
const toSrgb = (light: number) => SRGB[Math.min(STEPS, Math.round(light * STEPS))]!;
