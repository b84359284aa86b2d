/** Row-major 4×4, translation in the last column. */
export type Matrix = readonly number[];
export type Vector = readonly [number, number, number];

export const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Returns a · b, which applies b first. */
export function multiply(a: Matrix, b: Matrix): Matrix {
  return Array.from({ length: 16 }, (_, at) => {
    const row = at & 12;
    const column = at & 3;
    return (
      a[row]! * b[column]! + a[row + 1]! * b[column + 4]! + a[row + 2]! * b[column + 8]! + a[row + 3]! * b[column + 12]!
    );
  });
}

/** Returns the inverse of a rotation with translation. */
export function invertRigid(m: Matrix): Matrix {
  const rows = [0, 1, 2].map((i) => [m[i]!, m[i + 4]!, m[i + 8]!] as const);
  return [...rows.flatMap(([x, y, z]) => [x, y, z, -(x * m[3]! + y * m[7]! + z * m[11]!)]), 0, 0, 0, 1];
}

/** Applies a matrix to a point. */
export function transformPoint(m: Matrix, [x, y, z]: Vector): Vector {
  const row = (i: number) => m[i]! * x + m[i + 1]! * y + m[i + 2]! * z + m[i + 3]!;
  return [row(0), row(4), row(8)];
}

/** Returns the matrix without its translation. */
export function rotationOf(m: Matrix): Matrix {
  return m.map((value, at) => (at === 3 || at === 7 || at === 11 ? 0 : value));
}

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Scales a vector to unit length; a zero vector stays zero. */
export function normalize([x, y, z]: Vector): Vector {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}
