import type { Part } from './product.ts';
import type { Mesh } from './tessellate.ts';

/** A colour as three sRGB values of 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/**
 * Tints for the parts of a product: their own colour, else the largest surface first in neutral steel: muted, so that they tell parts apart without
 * pretending to be the colours of the CAD system, which are not read from STEP. Pictures and GLB files agree.
 */
export function tintParts(meshes: Map<Part, Mesh>): Map<Part, Colour> {
  const plain = [...meshes]
    .filter(([{ colour }]) => !colour)
    .map(([part, mesh]) => ({ part, surface: surfaceOf(mesh) }));
  const ranks = new Map(plain.sort((a, b) => b.surface - a.surface).map(({ part }, rank) => [part, rank]));
  return new Map(
    [...meshes.keys()].map((part) => [part, part.colour ?? TINTS[(ranks.get(part) ?? 0) % TINTS.length]!]),
  );
}

/** One sRGB value of 0 to 255 as linear light of 0 to 1. */
export function toLinear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

const TINTS: Colour[] = [
  [184, 193, 204],
  [150, 171, 196],
  [214, 196, 160],
  [164, 192, 178],
  [204, 174, 156],
  [196, 190, 208],
  [138, 152, 172],
  [196, 196, 176],
];

function surfaceOf({ positions: p, indices }: Mesh): number {
  let surface = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const a = indices[t]! * 3;
    const b = indices[t + 1]! * 3;
    const c = indices[t + 2]! * 3;
    const ux = p[b]! - p[a]!;
    const uy = p[b + 1]! - p[a + 1]!;
    const uz = p[b + 2]! - p[a + 2]!;
    const vx = p[c]! - p[a]!;
    const vy = p[c + 1]! - p[a + 1]!;
    const vz = p[c + 2]! - p[a + 2]!;
    surface += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
  }
  return surface;
}
