import { normalize, type Vector } from '../product/matrix.ts';
import { type Colour, linearOf, opacityOf, toLinear } from '../product/palette.ts';
import type { VisibilityMap } from './ambient-occlusion.ts';
import { type FrameBuffer, LINE, unpackNormal } from './frame-buffer.ts';

/** RGBA, four bytes per pixel, not premultiplied. */
export type RgbaImage = { width: number; height: number; data: Uint8ClampedArray };

/**
 * Shades the frame buffer and averages `factor` × `factor` samples per pixel in linear light. Pixels within an item use
 * a single sample; pixels at lines and item borders use all, for antialiasing. The background stays transparent, and
 * items have the opacity of their colour.
 */
export function shade(buffer: FrameBuffer, factor: number, ambient: VisibilityMap, colours: Colour[]): RgbaImage {
  const { itemIds, normal, size: stride } = buffer;
  const size = stride / factor;
  const data = new Uint8ClampedArray(size * size * 4);
  const tints = Float32Array.from([[0, 0, 0], ...colours.map(linearOf)].flat());
  const opacities = Float32Array.from([0, ...colours.map(opacityOf)]);
  const middle = factor >> 1;
  for (let y = 0; y < size; y++) {
    const from = Math.floor(Math.min(...buffer.first.subarray(y * factor, (y + 1) * factor)) / factor);
    const to = Math.floor(Math.max(...buffer.last.subarray(y * factor, (y + 1) * factor)) / factor);
    for (let x = from; x <= to; x++) {
      const at = y * size + x;
      const first = (y * stride + x) * factor;
      const uniform = isUniform(itemIds, first, factor, stride);
      if (uniform && itemIds[first] === 0) continue;
      const visibility =
        ambient.visibility[Math.floor(y / ambient.cell) * ambient.size + Math.floor(x / ambient.cell)]!;
      let red = 0;
      let green = 0;
      let blue = 0;
      let covered = 0;
      // of a uniform pixel only the middle sample, otherwise all
      const start = uniform ? middle : 0;
      const step = uniform ? factor : 1;
      for (let row = start; row < factor; row += step) {
        for (let column = start; column < factor; column += step) {
          const sample = first + row * stride + column;
          const item = itemIds[sample]!;
          if (item === 0) continue;
          if (item === LINE) {
            covered++;
            red += LINE_COLOUR[0];
            green += LINE_COLOUR[1];
            blue += LINE_COLOUR[2];
            continue;
          }
          const packed = normal[sample]!;
          const nx = unpackNormal(packed, 0);
          const ny = unpackNormal(packed, 10);
          const nz = unpackNormal(packed, 20);
          const scale = (nz < 0 ? -1 : 1) / Math.sqrt(nx * nx + ny * ny + nz * nz);
          const light = diffuse(nx * scale, ny * scale, nz * scale, visibility);
          const gloss = specular(nx * scale, ny * scale, nz * scale) * visibility;
          const opacity = opacities[item]!;
          covered += opacity;
          red += opacity * (tints[item * 3]! * light + gloss);
          green += opacity * (tints[item * 3 + 1]! * light + gloss);
          blue += opacity * (tints[item * 3 + 2]! * light + gloss);
        }
      }
      if (!covered) continue;
      data[at * 4] = toSrgb(red / covered);
      data[at * 4 + 1] = toSrgb(green / covered);
      data[at * 4 + 2] = toSrgb(blue / covered);
      data[at * 4 + 3] = Math.round(255 * covered * (uniform ? 1 : 1 / (factor * factor)));
    }
  }
  return { width: size, height: size, data };
}

const LINE_COLOUR = [toLinear(34), toLinear(40), toLinear(50)] as const;

// Camera space: x to the right, y up, z towards the eye. The key light from the upper left separates the top, front and
// right faces of a block; a weak fill light comes from the right.
const KEY_LIGHT: Vector = normalize([-0.62, 0.66, 0.5]);
const FILL_LIGHT: Vector = normalize([0.85, 0.05, 0.45]);
const HALF_VECTOR: Vector = normalize([KEY_LIGHT[0], KEY_LIGHT[1], KEY_LIGHT[2] + 1]);

function isUniform(itemIds: Uint32Array, first: number, factor: number, stride: number): boolean {
  const item = itemIds[first];
  for (let row = 0, at = first; row < factor; row++, at += stride) {
    for (let column = 0; column < factor; column++) if (itemIds[at + column] !== item) return false;
  }
  return true;
}

// Wrap lighting: the key light also reaches faces turned away, so that round faces have no hard shadow boundary.
function diffuse(x: number, y: number, z: number, visibility: number): number {
  const key = 0.5 + 0.5 * (x * KEY_LIGHT[0] + y * KEY_LIGHT[1] + z * KEY_LIGHT[2]);
  const fill = Math.max(0, x * FILL_LIGHT[0] + y * FILL_LIGHT[1] + z * FILL_LIGHT[2]);
  return (0.2 + 0.07 * y) * visibility + (1.02 * key * key + 0.1 * fill) * (0.35 + 0.65 * visibility);
}

// Blinn-Phong with exponent 24.
function specular(x: number, y: number, z: number): number {
  const to1 = Math.max(0, x * HALF_VECTOR[0] + y * HALF_VECTOR[1] + z * HALF_VECTOR[2]);
  const to2 = to1 * to1;
  const to4 = to2 * to2;
  const to8 = to4 * to4;
  return 0.1 * to8 * to8 * to8;
}

const STEPS = 4096;
const SRGB = Uint8Array.from({ length: STEPS + 1 }, (_, i) => {
  const light = i / STEPS;
  return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
});
const toSrgb = (light: number) => SRGB[Math.min(STEPS, Math.round(light * STEPS))]!;
