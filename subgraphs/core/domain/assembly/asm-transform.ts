import { type ExpressionValue, evaluateExpression } from './asm-expression.ts';

/** A placement in mm: row-major 4×4, the translation in the last column. */
export type Transform = readonly number[];

/** Why a transform cannot be used: it cannot be read, or it would scale, shear or mirror. */
export type TransformFault = { code: 'expression' | 'placement'; message: string };

/**
 * Reads the transform of an instance: an expression, or the value itself, that gives a 4×4 matrix, its 16 numbers, [origin, xDir, yDir], or [x, y,
 * z]. Absent means at the origin. Only a rotation plus a translation is taken (to 1e-6).
 */
export function readTransform(transform: unknown, ident: string): { matrix: Transform } | { fault: TransformFault } {
  if (transform === undefined || transform === null || transform === '') return { matrix: AT_ORIGIN };
  const given = typeof transform === 'string' ? evaluateExpression(transform) : { value: transform };
  if ('fault' in given) return { fault: { code: 'expression', message: given.fault } };
  const matrix = matrixOf(given.value);
  if (!matrix)
    return {
      fault: {
        code: 'expression',
        message: 'transform is neither a 4x4 matrix nor [origin, xDir, yDir] nor [x, y, z]',
      },
    };
  if (!isRigid(matrix)) return { fault: { code: 'placement', message: `instance ${ident}: ${NOT_RIGID}` } };
  return { matrix };
}

/** Whether a matrix only turns and shifts. */
export function isRigid(m: Transform): boolean {
  const rows = [m.slice(0, 3), m.slice(4, 7), m.slice(8, 11)];
  const orthonormal = rows.every((a, i) => rows.every((b, j) => near(dot(a, b), i === j ? 1 : 0)));
  const [x, y, z] = rows as [number[], number[], number[]];
  const lastRow = m[12] === 0 && m[13] === 0 && m[14] === 0 && m[15] === 1;
  return orthonormal && near(dot(cross(x, y), z), 1) && lastRow;
}

const AT_ORIGIN: Transform = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const NOT_RIGID = 'the placement is not a rotation plus a translation (scale, shear and mirror cannot be placed)';
const TOLERANCE = 1e-6;

function matrixOf(value: unknown): Transform | null {
  if (!Array.isArray(value)) return null;
  const list: ExpressionValue[] = value;
  if (list.length === 4 && list.every((row) => numbers(row, 4))) return list.flat() as number[];
  if (numbers(list, 16)) return list;
  if (numbers(list, 3)) return [1, 0, 0, list[0]!, 0, 1, 0, list[1]!, 0, 0, 1, list[2]!, 0, 0, 0, 1];
  if (list.length !== 3 || !list.every((row) => numbers(row, 3))) return null;
  const [origin, xDir, yDir] = list as [number[], number[], number[]];
  return fromAxes(origin, xDir, yDir);
}

// yDir is squared up against xDir. Directions that are zero or parallel come out as no rotation and are refused as such.
function fromAxes(origin: number[], xDir: number[], yDir: number[]): Transform {
  const x = unit(xDir);
  const along = dot(x, yDir);
  const y = unit(yDir.map((value, i) => value - along * x[i]!));
  const z = cross(x, y);
  return [...[0, 1, 2].flatMap((i) => [x[i]!, y[i]!, z[i]!, origin[i]!]), 0, 0, 0, 1];
}

function numbers(value: unknown, length: number): value is number[] {
  return Array.isArray(value) && value.length === length && value.every(Number.isFinite);
}

const near = (a: number, b: number) => Math.abs(a - b) < TOLERANCE;

const dot = (a: readonly number[], b: readonly number[]) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;

const cross = (a: readonly number[], b: readonly number[]) => [
  a[1]! * b[2]! - a[2]! * b[1]!,
  a[2]! * b[0]! - a[0]! * b[2]!,
  a[0]! * b[1]! - a[1]! * b[0]!,
];

function unit(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  return length < 1e-9 ? [0, 0, 0] : vector.map((value) => value / length);
}
