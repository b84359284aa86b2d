import type { Colour } from '../product/palette.ts';

/** Returns a colour that FreeCAD packs as RGBA in one number. */
export function unpackColour(packed: number): Colour {
  return [(packed >>> 24) & 255, (packed >>> 16) & 255, (packed >>> 8) & 255];
}

/** Reads a ColorList: the number of colours and the packed colours. Damaged lists are empty. */
export function readColours(bytes: Uint8Array | undefined): Colour[] {
  if (!bytes || bytes.length < 4) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = view.getUint32(0, true);
  if (bytes.length < 4 + 4 * count) return [];
  return Array.from({ length: count }, (_, i) => unpackColour(view.getUint32(4 + 4 * i, true)));
}

/**
 * Reads the diffuse colours of a MaterialList of FreeCAD 1.0: a negative version, the number of materials, and for each
 * the packed ambient, diffuse, specular and emissive colours, the shininess and the transparency.
 */
export function readMaterialColours(bytes: Uint8Array | undefined): Colour[] {
  if (!bytes || bytes.length < 8) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = view.getInt32(0, true) < 0 ? 4 : 0;
  const count = view.getUint32(start, true);
  if (bytes.length < start + 4 + 24 * count) return [];
  return Array.from({ length: count }, (_, i) => unpackColour(view.getUint32(start + 8 + 24 * i, true)));
}
