import type { Kernel } from '../kernel.ts';
import { rotationOf, type Vector } from './matrix.ts';
import type { Mesh } from './mesh.ts';
import { AXES, type Box, boxesOfFaces, EXACT, emptySides, include, kernelBox, partBox, withMoved } from './part-box.ts';
import type { Part, Placement } from './product.ts';

/** The bounding box of a model in mm. `uncertainty`: by how much a side may be farther out. */
export type BoundingBox = Box & { size: Vector; uncertainty: number };

/** Returns the size of a box that contains all parts and may be larger than necessary. Throws JobFailure `unbounded`. */
export function roughSize(kernel: Kernel, placed: Placement[]): Vector {
  const sides = emptySides();
  for (const { part, matrix } of placed)
    withMoved(kernel, part.shape, matrix, (moved) =>
      include(
        sides,
        kernelBox(kernel, (box) => kernel.BRepBndLib.Add(moved, box, false)),
      ),
    );
  return sizeOf(sides);
}

/** Returns the size of the box of all triangles. */
export function meshedSize(placed: Placement[], meshes: Map<Part, Mesh>): Vector {
  const sides = emptySides();
  for (const { part, matrix } of placed)
    for (const box of boxesOfFaces(meshes.get(part)!, matrix)) if (box) include(sides, box);
  return sizeOf(sides);
}

/**
 * Returns the exact box of all placed parts. Only faces at the outside of a part are computed, once per rotation. The
 * kernel's box of a face with poles far outside can be much too large: where it exceeds the triangles by more than the
 * chord error, the triangles count.
 */
export function boundingBoxOf(
  kernel: Kernel,
  placed: Placement[],
  meshes: Map<Part, Mesh>,
  chordError: number,
): BoundingBox {
  const known = new Map<Part, Map<string, { exact: Box; meshed: Box }>>();
  const exact = emptySides();
  const meshed = emptySides();
  for (const { part, matrix } of placed) {
    const boxes = known.get(part) ?? new Map<string, { exact: Box; meshed: Box }>();
    known.set(part, boxes);
    const rotation = rotationOf(matrix);
    const key = rotation.map((value) => value.toFixed(9)).join();
    const box = boxes.get(key) ?? partBox(kernel, part.shape, meshes.get(part)!, rotation, chordError);
    boxes.set(key, box);
    const offset: Vector = [matrix[3]!, matrix[7]!, matrix[11]!];
    include(exact, move(box.exact, offset));
    include(meshed, move(box.meshed, offset));
  }
  // A side that comes from triangles only may be off by the chord error.
  const isExact = AXES.every((i) => exact.min[i] <= meshed.min[i] && exact.max[i] >= meshed.max[i]);
  const box = { min: lower(exact, meshed), max: upper(exact, meshed) };
  return { ...box, size: sizeOf(box), uncertainty: isExact ? EXACT : chordError };
}

const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const move = ({ min, max }: Box, offset: Vector): Box => ({ min: add(min, offset), max: add(max, offset) });
const sizeOf = ({ min, max }: Box): Vector => [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
const lower = (a: Box, b: Box): Vector => AXES.map((i) => Math.min(a.min[i], b.min[i])) as unknown as Vector;
const upper = (a: Box, b: Box): Vector => AXES.map((i) => Math.max(a.max[i], b.max[i])) as unknown as Vector;
