import type { Part, Placement } from './product.ts';

/** A colour as three sRGB values of 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/**
 * Tints for the parts of a product, in the order in which they are placed: muted, so that they tell parts apart without pretending to be the colours of
 * the CAD system, which are not read from STEP. The first is a neutral steel; pictures and GLB files agree.
 */
export function tintParts(placed: Placement[]): Map<Part, Colour> {
  const tints = new Map<Part, Colour>();
  for (const { part } of placed) if (!tints.has(part)) tints.set(part, TINTS[tints.size % TINTS.length]!);
  return tints;
}

/** One sRGB value of 0 to 255 as linear light of 0 to 1. */
export function toLinear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

const TINTS: Colour[] = [
  [172, 183, 197],
  [205, 186, 152],
  [160, 190, 174],
  [142, 163, 196],
  [203, 166, 148],
  [210, 212, 216],
  [178, 168, 194],
  [186, 190, 154],
];
