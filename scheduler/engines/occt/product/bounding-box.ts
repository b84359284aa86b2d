import { fail } from '../job-failure.ts';
import { type Kernel, type Shape, withKernelErrors } from '../kernel.ts';
import { facesOf } from './faces.ts';
import { type Matrix, rotationOf, transformPoint, type Vector } from './matrix.ts';
import type { Mesh } from './mesh.ts';
import type { Part, Placement } from './product.ts';

export type Box = { min: Vector; max: Vector };

/** The bounding box of a model in mm. `uncertainty`: by how much a side may be farther out. */
export type BoundingBox = Box & { size: Vector; uncertainty: number };

type Sides = { min: [number, number, number]; max: [number, number, number] };

const AXES = [0, 1, 2] as const;
const MAX_COORDINATE = 1e9;
// What the kernel computes for planes, cylinders and the like.
const EXACT = 1e-6;

/** Returns the size of a box that contains all parts and may be larger than necessary. Throws JobFailure `unbounded`. */
export function roughSize(kernel: Kernel, placed: Placement[]): Vector {
  const sides = emptySides();
  for (const { part, matrix } of placed)
    include(
      sides,
      kernelBox(kernel, part.shape, matrix, (shape, box) => kernel.BRepBndLib.Add(shape, box, false)),
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

// `meshed` has the sides for which only triangles are known; other sides are those of `exact`.
function partBox(
  kernel: Kernel,
  shape: Shape,
  mesh: Mesh,
  rotation: Matrix,
  chordError: number,
): { exact: Box; meshed: Box } {
  const faceBoxes = boxesOfFaces(mesh, rotation);
  const whole = emptySides();
  for (const box of faceBoxes) if (box) include(whole, box);
  const exact = emptySides();
  const meshed = emptySides();
  let index = 0;
  for (const face of facesOf(kernel, shape)) {
    const triangles = faceBoxes[index++];
    if (!triangles || isAtSide(triangles, whole, chordError)) {
      const computed = kernelBox(kernel, face, rotation, (turned, box) =>
        kernel.BRepBndLib.AddOptimal(turned, box, false, false),
      );
      for (const i of AXES) {
        const low = !triangles || triangles.min[i] - computed.min[i] <= chordError ? exact : meshed;
        low.min[i] = Math.min(low.min[i], low === exact ? computed.min[i] : triangles!.min[i]);
        const high = !triangles || computed.max[i] - triangles.max[i] <= chordError ? exact : meshed;
        high.max[i] = Math.max(high.max[i], high === exact ? computed.max[i] : triangles!.max[i]);
      }
    }
    face.delete();
  }
  return { exact, meshed };
}

function isAtSide(face: Box, whole: Box, chordError: number): boolean {
  return AXES.some((i) => face.min[i] - chordError <= whole.min[i] || face.max[i] + chordError >= whole.max[i]);
}

// Null for faces without triangles.
function boxesOfFaces({ positions, indices, faces }: Mesh, rotation: Matrix): (Box | null)[] {
  const boxes: (Box | null)[] = [];
  for (let at = 0; at < faces.length; at += 2) {
    const start = faces[at]!;
    const end = start + faces[at + 1]!;
    const sides = emptySides();
    for (let i = start; i < end; i++) {
      const vertex = indices[i]! * 3;
      const point = transformPoint(rotation, [positions[vertex]!, positions[vertex + 1]!, positions[vertex + 2]!]);
      include(sides, { min: point, max: point });
    }
    boxes.push(end > start ? sides : null);
  }
  return boxes;
}

type KernelBox = InstanceType<Kernel['Bnd_Box']>;

function kernelBox(kernel: Kernel, shape: Shape, matrix: Matrix, add: (shape: Shape, box: KernelBox) => void): Box {
  return withKernelErrors(kernel, 'measuring', () => {
    using move = new kernel.gp_Trsf();
    move.SetValues(...(matrix.slice(0, 12) as Parameters<typeof move.SetValues>));
    using location = new kernel.TopLoc_Location(move);
    using moved = shape.Moved(location, false);
    using box = new kernel.Bnd_Box();
    box.SetGap(0);
    add(moved, box);
    const min: Vector = [box.GetXMin(), box.GetYMin(), box.GetZMin()];
    const max: Vector = [box.GetXMax(), box.GetYMax(), box.GetZMax()];
    if (![...min, ...max].every((x) => Math.abs(x) < MAX_COORDINATE))
      fail('unbounded', 'the shape has no finite extent');
    return { min, max };
  });
}

const emptySides = (): Sides => ({
  min: [Infinity, Infinity, Infinity],
  max: [-Infinity, -Infinity, -Infinity],
});

function include(sides: Sides, { min, max }: Box): void {
  for (const i of AXES) {
    if (min[i] < sides.min[i]) sides.min[i] = min[i];
    if (max[i] > sides.max[i]) sides.max[i] = max[i];
  }
}

const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const move = ({ min, max }: Box, offset: Vector): Box => ({ min: add(min, offset), max: add(max, offset) });
const sizeOf = ({ min, max }: Box): Vector => [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
const lower = (a: Box, b: Box): Vector => AXES.map((i) => Math.min(a.min[i], b.min[i])) as unknown as Vector;
const upper = (a: Box, b: Box): Vector => AXES.map((i) => Math.max(a.max[i], b.max[i])) as unknown as Vector;
