import { type Mesh, meshArea } from './mesh.ts';
import type { Part } from './product.ts';

/** An sRGB colour, each value 0 to 255, and its opacity, less than 1, if it is transparent. */
export type Colour = readonly [red: number, green: number, blue: number, opacity?: number];

/**
 * Assigns each part a muted tint, by descending area, the largest in neutral steel. Tints distinguish parts without
 * imitating the colours of a CAD system.
 */
export function tintParts<P extends object>(meshes: ReadonlyMap<P, Mesh>): Map<P, Colour> {
  const areas = [...meshes].map(([part, mesh]) => ({ part, area: meshArea(mesh) }));
  return new Map(areas.sort((a, b) => b.area - a.area).map(({ part }, rank) => [part, TINTS[rank % TINTS.length]!]));
}

/** The triangles of a part that have one colour, as indices of its mesh; `faces` are the numbers of their faces. */
export type Surface = { colour: Colour; indices: Uint32Array; faces: number[] };

/** Divides the mesh of a part by colour. Faces without a colour of their own have that of the part, or its tint. */
export function surfacesOf(part: Part<object>, mesh: Mesh, tint: Colour): Surface[] {
  const base = part.colour ?? tint;
  if (!part.faceColours) {
    const faces = Array.from({ length: mesh.faces.length / 2 }, (_, face) => face);
    return mesh.indices.length ? [{ colour: base, indices: mesh.indices, faces }] : [];
  }
  const byColour = new Map<string, { colour: Colour; indices: number[]; faces: number[] }>();
  part.faceColours.forEach((own, face) => {
    const colour = own ?? base;
    const key = colour.join();
    const surface = byColour.get(key) ?? { colour, indices: [], faces: [] };
    byColour.set(key, surface);
    surface.faces.push(face);
    const start = mesh.faces[face * 2] ?? 0;
    const end = start + (mesh.faces[face * 2 + 1] ?? 0);
    for (let i = start; i < end; i++) surface.indices.push(mesh.indices[i]!);
  });
  return [...byColour.values()]
    .filter(({ indices }) => indices.length)
    .map(({ indices, ...surface }) => ({ ...surface, indices: Uint32Array.from(indices) }));
}

/** Returns surfaces in the colour of an instance, if it has one. */
export const paintedSurfaces = (surfaces: readonly Surface[], colour: Colour | undefined): Surface[] =>
  surfaces.map((surface) => (colour ? { ...surface, colour } : surface));

/** Returns a colour in linear light, each value 0 to 1, without its opacity. */
export const linearOf = ([red, green, blue]: Colour): [number, number, number] => [
  toLinear(red),
  toLinear(green),
  toLinear(blue),
];

/** Returns the opacity of a colour, 0 to 1. */
export const opacityOf = ([, , , opacity = 1]: Colour): number => opacity;

/** Returns a colour as `#rrggbb`, or `#rrggbbaa` if it is transparent. */
export function hexOf(colour: Colour): string {
  const [red, green, blue, opacity] = colour;
  const channels = [red, green, blue, ...(opacity === undefined ? [] : [255 * opacity])];
  return `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

/** Converts an sRGB value of 0 to 255 to linear light of 0 to 1. */
export function toLinear(value: number): number {
  const encoded = value / 255;
  return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
}

/** Converts linear light of 0 to 1 to an sRGB value of 0 to 255. */
export function toSrgb(linear: number): number {
  const light = Math.min(Math.max(linear, 0), 1);
  return Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055));
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
