// Placements of instances: rotations and translations, their angles, and the transform in asm.json.
import { IDENTITY_ROWS, type Rows } from '../../subgraphs/core/domain/measure/entity.ts';
import { cross, dot, minus, type Point, plus, scale, unit } from '../../subgraphs/core/domain/measure/vector.ts';

/** A rotation and translation in mm: three rows of four numbers, with the translation in the last column. */
export type Placement = Rows;
/** Rotations about the fixed axes X, then Y, then Z of the assembly, in degrees. */
export type Angles = readonly [x: number, y: number, z: number];

/**
 * Reads the transform of an instance: a 4×4 matrix (nested or flat), [origin, xDir, yDir] or [x, y, z], or its JSON.
 * Returns null for an expression, which only the service computes.
 */
export function readTransform(transform: unknown): Placement | null {
  const value = typeof transform === 'string' ? parseNumbers(transform) : transform;
  if (value === undefined || value === null) return IDENTITY_ROWS;
  if (!Array.isArray(value)) return null;
  const flat: unknown[] = value.flat();
  if (!flat.every((each): each is number => typeof each === 'number')) return null;
  const [x = 0, y = 0, z = 0] = flat;
  if (flat.length === 16) return flat.slice(0, 12);
  if (flat.length === 3) return withPosition(IDENTITY_ROWS, [x, y, z]);
  if (flat.length !== 9) return null;
  return fromAxes([x, y, z], pointAt(flat, 3), pointAt(flat, 6));
}

/** Writes a placement as [x, y, z], or as a 4×4 matrix if it rotates. Rounds to what the numbers can hold. */
export function formatTransform(placement: Placement): string {
  const rounded = placement.map((value, at) => (at % 4 === 3 ? roundTo(value, 1e9) : roundTo(value, 1e15)));
  const rows = [rounded.slice(0, 4), rounded.slice(4, 8), rounded.slice(8, 12)];
  const isRotated = rounded.some((value, at) => at % 4 !== 3 && value !== IDENTITY_ROWS[at]);
  return JSON.stringify(isRotated ? [...rows, [0, 0, 0, 1]] : rows.map((row) => row[3]));
}

export const positionIn = (placement: Placement): Point => [
  placement[3] as number,
  placement[7] as number,
  placement[11] as number,
];

/** Returns the placement at another position, with the same rotation. */
export const withPosition = (placement: Placement, position: Point): Placement =>
  placement.map((value, at) => (at % 4 === 3 ? (position[(at - 3) / 4] as number) : value));

/** Returns the angles of a rotation, Y from -90 to 90. At ±90, where X and Z turn about the same axis, Z is 0. */
export function anglesIn(placement: Placement): Angles {
  const at = (row: number, column: number) => placement[row * 4 + column] as number;
  const cosine = Math.hypot(at(0, 0), at(1, 0));
  const y = degrees(Math.atan2(-at(2, 0), cosine));
  if (cosine < 1e-9) return [degrees(Math.atan2(-at(1, 2), at(1, 1))), y, 0];
  return [degrees(Math.atan2(at(2, 1), at(2, 2))), y, degrees(Math.atan2(at(1, 0), at(0, 0)))];
}

/** Returns the placement with other angles, at the same position. */
export function withAngles(placement: Placement, [x, y, z]: Angles): Placement {
  const turned = multiply(
    rotationAbout([0, 0, 1], z),
    multiply(rotationAbout([0, 1, 0], y), rotationAbout([1, 0, 0], x)),
  );
  return withPosition(turned, positionIn(placement));
}

/** Returns the rotation about an axis through a point, by an angle in degrees. Quarter turns are exact. */
export function rotationAbout(axis: Point, angle: number, through: Point = [0, 0, 0]): Placement {
  const quarters = angle / 90;
  const exact = Number.isInteger(quarters) ? ((quarters % 4) + 4) % 4 : null;
  const cosine = exact === null ? Math.cos((angle * Math.PI) / 180) : ([1, 0, -1, 0][exact] as number);
  const sine = exact === null ? Math.sin((angle * Math.PI) / 180) : ([0, 1, 0, -1][exact] as number);
  return turning(unit(axis), cosine, sine, through);
}

/** Returns the smallest rotation about a point that turns a direction into another. */
export function rotationBetween(from: Point, to: Point, through: Point): Placement {
  const [start, end] = [unit(from), unit(to)];
  const normal = cross(start, end);
  const sine = Math.hypot(...normal);
  const cosine = dot(start, end);
  if (sine > 1e-12) return turning(scale(normal, 1 / sine), cosine, sine, through);
  // parallel, or opposite: then half a turn about any perpendicular axis
  return cosine > 0 ? IDENTITY_ROWS : turning(perpendicularTo(start), -1, 0, through);
}

/** Returns the placement that applies `inner`, then `outer`. */
export function multiply(outer: Placement, inner: Placement): Placement {
  return Array.from({ length: 12 }, (_, at) => {
    const [row, column] = [Math.floor(at / 4) * 4, at % 4];
    const sum = [0, 1, 2].reduce(
      (each, middle) => each + (outer[row + middle] as number) * (inner[middle * 4 + column] as number),
      0,
    );
    return column === 3 ? sum + (outer[row + 3] as number) : sum;
  });
}

/** Returns the placement moved by a vector. */
export const moveBy = (placement: Placement, by: Point): Placement =>
  withPosition(placement, plus(positionIn(placement), by));

function turning(axis: Point, cosine: number, sine: number, through: Point): Placement {
  const [x, y, z] = axis;
  const rest = 1 - cosine;
  const rows: readonly Point[] = [
    [x * x * rest + cosine, x * y * rest - z * sine, x * z * rest + y * sine],
    [x * y * rest + z * sine, y * y * rest + cosine, y * z * rest - x * sine],
    [x * z * rest - y * sine, y * z * rest + x * sine, z * z * rest + cosine],
  ];
  return rows.flatMap((row, at) => [...row, (through[at] as number) - dot(row, through)]);
}

function fromAxes(origin: Point, xDir: Point, yDir: Point): Placement | null {
  const x = unit(xDir);
  const y = unit(minus(yDir, scale(x, dot(x, yDir))));
  const z = cross(x, y);
  if (Math.hypot(...z) < 0.5) return null; // no axes
  return [0, 1, 2].flatMap((row) => [x[row], y[row], z[row], origin[row]] as number[]);
}

/** Returns a unit vector perpendicular to a unit vector. */
export function perpendicularTo([x, y, z]: Point): Point {
  return Math.abs(x) < 0.6 ? unit(cross([x, y, z], [1, 0, 0])) : unit(cross([x, y, z], [0, 1, 0]));
}

const pointAt = (flat: readonly number[], at: number): Point => [
  flat[at] as number,
  flat[at + 1] as number,
  flat[at + 2] as number,
];
const degrees = (radians: number): number => roundTo((radians * 180) / Math.PI, 1e9);
/** Rounds to a fraction; `+ 0` turns -0 into 0. */
const roundTo = (value: number, perUnit: number): number => {
  const rounded = Math.round(value * perUnit) / perUnit + 0;
  return Number.isFinite(rounded) ? rounded : value;
};

/** Parses a transform of plain numbers; null for an empty one, false for an expression. */
function parseNumbers(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return false;
  }
}
