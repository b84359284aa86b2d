// Purchased parts by their standard and size. Threads are cylinders of the nominal diameter.
import { makeCylinder } from 'replicad';
import type { Material, Part, Use } from './component.ts';
import { MATERIALS } from './materials.ts';
import { type Facing, type Point, put, shift } from './placement.ts';
import { block, hexagon, join, plate, remove, ring, rod, shaft, slot, turned } from './shapes.ts';

type Size = 5 | 6 | 8 | 10 | 12 | 16;

const purchased = new Map<string, Part>();

/** Returns the part of this name, and creates it at its first use. */
function purchase(name: string, description: string, material: Material, folder: string, shape: Part['shape']): Part {
  const known = purchased.get(name);
  if (known) return known;
  const part: Part = { kind: 'model', name, description, folder, material, shape };
  purchased.set(name, part);
  return part;
}

const FASTENERS = 'Fasteners';
const PURCHASED = 'Bearings and seals';

/** Head diameter, head height and width of the socket. */
const SOCKET_HEADS: Partial<Record<Size, readonly [number, number, number]>> = {
  5: [8.5, 5, 4],
  6: [10, 6, 5],
  8: [13, 8, 6],
  10: [16, 10, 8],
};
/** Width across flats, head height and nut height. */
const HEXAGONS: Partial<Record<Size, readonly [number, number, number]>> = {
  8: [13, 5.3, 6.8],
  10: [16, 6.4, 8.4],
  12: [18, 7.5, 10.8],
  16: [24, 10, 14.8],
};
/** Inner and outer diameter, and thickness. */
const WASHERS: Partial<Record<Size, readonly [number, number, number]>> = {
  6: [6.4, 12, 1.6],
  8: [8.4, 16, 1.6],
  10: [10.5, 20, 2],
  12: [13, 24, 2.5],
  16: [17, 30, 3],
};

function sizeOf<T>(table: Partial<Record<Size, T>>, size: Size): T {
  const row = table[size];
  if (!row) throw new Error(`The table has no size M${size}.`);
  return row;
}

/** A screw along -z; the contact face of its head is at z = 0. */
export function socketScrew(size: Size, length: number): Part {
  const [diameter, height, socket] = sizeOf(SOCKET_HEADS, size);
  return purchase(
    `Socket head screw ISO 4762 M${size}x${length}`,
    'Property class 8.8, zinc plated',
    MATERIALS.zincPlatedSteel,
    FASTENERS,
    () => {
      const c = size / 10;
      const [r, h] = [size / 2, diameter / 2];
      const outline = [
        [0, -length],
        [r - c, -length],
        [r, c - length],
        [r, 0],
        [h, 0],
        [h, height - c],
        [h - c, height],
        [0, height],
      ] as const;
      return remove(turned(outline), plate(hexagon(socket), size / 2, [], height - size / 2));
    },
  );
}

/** A hexagon head screw along -z; the contact face of its head is at z = 0. */
export function hexagonScrew(size: Size, length: number): Part {
  const [width, height] = sizeOf(HEXAGONS, size);
  return purchase(
    `Hexagon head screw ISO 4017 M${size}x${length}`,
    'Property class 8.8, zinc plated',
    MATERIALS.zincPlatedSteel,
    FASTENERS,
    () => join(plate(hexagon(width), height), shaft([[size, length + 1]], -length, size / 10)),
  );
}

/** A nut along +z; its contact face is at z = 0. */
export function nut(size: Size): Part {
  const [width, , height] = sizeOf(HEXAGONS, size);
  return purchase(`Hexagon nut ISO 4032 M${size}`, 'Class 8, zinc plated', MATERIALS.zincPlatedSteel, FASTENERS, () =>
    remove(plate(hexagon(width), height), rod(size, height + 2, -1)),
  );
}

/** A washer along +z; its contact face is at z = 0. */
export function washer(size: Size): Part {
  const [inner, outer, thickness] = sizeOf(WASHERS, size);
  return purchase(`Washer ISO 7089 ${size}`, '200 HV, zinc plated', MATERIALS.zincPlatedSteel, FASTENERS, () =>
    ring(inner, outer, thickness),
  );
}

/** Screws with washers at points of a face, and, with a `grip`, washers and nuts at that distance behind the face. */
export function screwed(screw: Part, size: Size, points: readonly Point[], facing: Facing, grip?: number): Use[] {
  const thickness = sizeOf(WASHERS, size)[2];
  const opposite = `${facing.startsWith('+') ? '-' : '+'}${facing[1]}` as Facing;
  const uses = (component: Part, distance: number, direction: Facing): Use => ({
    component,
    placements: points.map((point) => put(...shift(point, facing, distance), direction)),
  });
  const front = [uses(screw, thickness, facing), uses(washer(size), 0, facing)];
  if (grip === undefined) return front;
  return [...front, uses(washer(size), -grip, opposite), uses(nut(size), -grip - thickness, opposite)];
}

/** A sealed ball bearing from z = 0 to its width. */
export function ballBearing(code: string, bore: number, outer: number, width: number): Part {
  return purchase(
    `Deep groove ball bearing ${code}-2RS`,
    `${bore} x ${outer} x ${width} mm, sealed on both sides`,
    MATERIALS.bearingSteel,
    PURCHASED,
    () => {
      const [inside, outside, seal, c] = [bore / 2, outer / 2, 0.8, 0.6];
      const wall = (outside - inside) * 0.27;
      return turned([
        [inside, c],
        [inside + c, 0],
        [inside + wall, 0],
        [inside + wall, seal],
        [outside - wall, seal],
        [outside - wall, 0],
        [outside - c, 0],
        [outside, c],
        [outside, width - c],
        [outside - c, width],
        [outside - wall, width],
        [outside - wall, width - seal],
        [inside + wall, width - seal],
        [inside + wall, width],
        [inside + c, width],
        [inside, width - c],
      ]);
    },
  );
}

/** A parallel key along z, from z = 0 to its length; its bottom is at y = 0. */
export function key(width: number, height: number, length: number): Part {
  return purchase(
    `Parallel key DIN 6885 A ${width}x${height}x${length}`,
    'Keyway in the shaft to P9',
    MATERIALS.heatTreatedSteel,
    FASTENERS,
    () =>
      plate(slot(length, width), height)
        .rotate(90, [0, 0, 0], [0, 1, 0])
        .rotate(90, [0, 0, 0], [0, 0, 1])
        .translate(0, 0, length / 2),
  );
}

/** A circlip for a shaft, from z = 0 to its thickness. */
export function circlip(diameter: number, thickness: number): Part {
  return purchase(`Circlip DIN 471 ${diameter}x${thickness}`, 'Phosphated', MATERIALS.springSteel, FASTENERS, () => {
    const [inner, outer] = [diameter * 0.93, diameter * 1.22];
    return remove(
      ring(inner, outer, thickness),
      block(outer * 0.22, outer, thickness + 2, -1).translate(0, outer / 2 + inner * 0.2, 0),
    );
  });
}

/** A radial shaft seal from z = 0 to its width. */
export function shaftSeal(inner: number, outer: number, width: number): Part {
  return purchase(
    `Radial shaft seal DIN 3760 A ${inner}x${outer}x${width}`,
    'Lip lubricated with gear oil before mounting',
    MATERIALS.rubber,
    PURCHASED,
    () => {
      const [i, o] = [inner / 2, outer / 2];
      return turned([
        [o - 2.5, 0],
        [o, 0],
        [o, width],
        [i + 1, width],
        [i, width - 2],
        [i + 1, width - 4],
        [i + 1.5, width - 1.5],
        [o - 2.5, width - 1.5],
      ]);
    },
  );
}

/** An eye bolt along +z; its contact face is at z = 0. */
export const eyeBolt = purchase(
  'Eye bolt DIN 580 M8',
  'C15E, 1.4 kN along its axis',
  MATERIALS.zincPlatedSteel,
  FASTENERS,
  () => {
    const eye = ring(20, 36, 8, -4).rotate(90, [0, 0, 0], [1, 0, 0]).translate(0, 0, 22);
    return join(shaft([[8, 14]], -13), rod(20, 6), eye);
  },
);

/** A screw plug along +z with a hexagon socket; its contact face is at z = 0. */
export const screwPlug = purchase('Screw plug DIN 908 G1/4', 'With a sealing ring', MATERIALS.brass, FASTENERS, () =>
  remove(join(rod(13, 12, -12), rod(18, 4)), plate(hexagon(6), 8, [], -4)),
);

/** A grease nipple along +z; its contact face is at z = 0. */
export const greaseNipple = purchase('Grease nipple DIN 71412 A M6', 'Straight', MATERIALS.brass, FASTENERS, () =>
  join(
    shaft([[6, 6]], -5.5, 0.5),
    plate(hexagon(7), 4),
    turned([
      [0, 4],
      [2, 4],
      [3.2, 9],
      [2, 11],
      [0, 11],
    ]),
  ),
);

/** A set screw along -z from z = 0. */
export function setScrew(size: Size, length: number): Part {
  return purchase(`Set screw ISO 4027 M${size}x${length}`, '45H, cone point', MATERIALS.springSteel, FASTENERS, () =>
    makeCylinder(size / 2, length, [0, 0, -length], [0, 0, 1]).cut(plate(hexagon(size / 2), 3, [], -3)),
  );
}
