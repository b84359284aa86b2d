// Parses the placements of instances.

import { type ExpressionValue, evaluateExpression } from './asm-expression.ts';

/** A placement as a row-major 4×4 matrix in mm, with the translation in the last column. */
export type Transform = readonly number[];

/** `expression`: the transform cannot be parsed. `placement`: it scales, shears or mirrors. */
export type TransformError = { code: 'expression' | 'placement'; message: string };

/**
 * Parses the transform of an instance: a value or an expression of a 4×4 matrix, its 16 numbers, [origin, xDir, yDir]
 * or [x, y, z]. If absent, it is the origin. Only a rotation and translation is accepted (tolerance 1e-6).
 */
export function parseTransform(transform: unknown, ident: string): { matrix: Transform } | { error: TransformError } {
  if (transform === undefined || transform === null || transform === '') return { matrix: IDENTITY };
  const evaluated = typeof transform === 'string' ? evaluateExpression(transform) : { value: transform };
  if ('error' in evaluated) return { error: { code: 'expression', message: evaluated.error } };
  const matrix = matrixOf(evaluated.value);
  if (!matrix)
    return {
      error: {
        code: 'expression',
        message: 'the transform must be a 4x4 matrix, [origin, xDir, yDir] or [x, y, z]',
      },
    };
  if (!isRigid(matrix)) return { error: { code: 'placement', message: `instance ${ident}: ${NOT_RIGID}` } };
  return { matrix };
}

/** Returns whether a matrix is a rotation and translation. */
export function isRigid(m: Transform): boolean {
  const rows = [m.slice(0, 3), m.slice(4, 7), m.slice(8, 11)];
  const orthonormal = rows.every((a, i) => rows.every((b, j) => isNear(dot(a, b), i === j ? 1 : 0)));
  const [x, y, z] = rows as [number[], number[], number[]];
  const lastRow = m[12] === 0 && m[13] === 0 && m[14] === 0 && m[15] === 1;
  return orthonormal && isNear(dot(cross(x, y), z), 1) && lastRow;
}

const IDENTITY: Transform = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const NOT_RIGID = 'the placement is not a rotation and translation; scaling, shearing and mirroring are not supported';
const TOLERANCE = 1e-6;

function matrixOf(value: unknown): Transform | null {
  if (!Array.isArray(value)) return null;
  const list: ExpressionValue[] = value;
  if (list.length === 4 && list.every((row) => isNumberList(row, 4))) return list.flat() as number[];
  if (isNumberList(list, 16)) return list;
  if (isNumberList(list, 3)) return [1, 0, 0, list[0]!, 0, 1, 0, list[1]!, 0, 0, 1, list[2]!, 0, 0, 0, 1];
  if (list.length !== 3 || !list.every((row) => isNumberList(row, 3))) return null;
  const [origin, xDir, yDir] = list as [number[], number[], number[]];
  return fromAxes(origin, xDir, yDir);
}

// Orthogonalizes yDir against xDir. Zero or parallel directions give a matrix that is not a rotation and is rejected
// later.
function fromAxes(origin: number[], xDir: number[], yDir: number[]): Transform {
  const x = unitVector(xDir);
  const along = dot(x, yDir);
  const y = unitVector(yDir.map((value, i) => value - along * x[i]!));
  const z = cross(x, y);
  return [...[0, 1, 2].flatMap((i) => [x[i]!, y[i]!, z[i]!, origin[i]!]), 0, 0, 0, 1];
}

function isNumberList(value: unknown, length: number): value is number[] {
  return Array.isArray(value) && value.length === length && value.every(Number.isFinite);
}

const isNear = (a: number, b: number) => Math.abs(a - b) < TOLERANCE;

const dot = (a: readonly number[], b: readonly number[]) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;

const cross = (a: readonly number[], b: readonly number[]) => [
  a[1]! * b[2]! - a[2]! * b[1]!,
  a[2]! * b[0]! - a[0]! * b[2]!,
  a[0]! * b[1]! - a[1]! * b[0]!,
];

function unitVector(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  return length < 1e-9 ? [0, 0, 0] : vector.map((value) => value / length);
}
