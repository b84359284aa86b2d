import { fail } from '../job-failure.ts';
import { type Kernel, type Shape, withKernelErrors } from '../kernel.ts';
import { facesOf } from './faces.ts';
import { type Matrix, transformPoint, type Vector } from './matrix.ts';
import type { Mesh } from './mesh.ts';
import { roundSurfaceBox } from './round-surface-box.ts';

export type Box = { min: Vector; max: Vector };

/** A box that grows. */
export type Sides = { min: [number, number, number]; max: [number, number, number] };

export const AXES = [0, 1, 2] as const;
/** What the kernel computes for planes, cylinders and the like, in mm. */
export const EXACT = 1e-6;
const MAX_COORDINATE = 1e9;

/**
 * Returns the box of a part after a rotation. `meshed` has the sides for which only triangles are known; other sides are
 * those of `exact`. Only faces at the outside of the part are computed, those of splines last: the kernel takes
 * milliseconds for each, but the box of its poles often shows that it does not exceed the others.
 */
export function partBox(
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
  const includeFace = (computed: Box, triangles: Box | null | undefined) => {
    for (const i of AXES) {
      const low = !triangles || triangles.min[i] - computed.min[i] <= chordError ? exact : meshed;
      low.min[i] = Math.min(low.min[i], low === exact ? computed.min[i] : triangles!.min[i]);
      const high = !triangles || computed.max[i] - triangles.max[i] <= chordError ? exact : meshed;
      high.max[i] = Math.max(high.max[i], high === exact ? computed.max[i] : triangles!.max[i]);
    }
  };
  withMoved(kernel, shape, rotation, (turned) => {
    using kept = new DisposableStack();
    const splines: { face: Shape; triangles: Box | null | undefined }[] = [];
    let index = 0;
    for (const face of facesOf(kernel, turned)) {
      kept.use(face);
      const triangles = faceBoxes[index++];
      if (triangles && !isAtSide(triangles, whole, chordError)) continue;
      const computed = elementaryFaceBox(kernel, face);
      if (computed) includeFace(computed, triangles);
      else splines.push({ face, triangles });
    }
    for (const { face, triangles } of splines) {
      const outer = kernelBox(kernel, (box) => kernel.BRepBndLib.Add(face, box, false));
      if (triangles && !exceeds(outer, exact, triangles, whole, chordError)) continue;
      includeFace(optimalBox(kernel, face), triangles);
    }
  });
  return { exact, meshed };
}

// Null for surfaces whose box the kernel has to search for.
function elementaryFaceBox(kernel: Kernel, shape: Shape): Box | null {
  using face = kernel.TopoDS.Face(shape);
  using surface = new kernel.BRepAdaptor_Surface(face, true);
  const type = surface.GetType();
  if (type === 'GeomAbs_Sphere' || type === 'GeomAbs_Torus') return roundSurfaceBox(surface);
  return ELEMENTARY.has(type) ? optimalBox(kernel, face) : null;
}

const ELEMENTARY = new Set<unknown>(['GeomAbs_Plane', 'GeomAbs_Cylinder', 'GeomAbs_Cone']);

const optimalBox = (kernel: Kernel, face: Shape) =>
  kernelBox(kernel, (box) => kernel.BRepBndLib.AddOptimal(face, box, false, false));

// Whether a face, which is within `outer`, may exceed the known sides where its triangles are at a side of the part.
function exceeds(outer: Box, known: Box, triangles: Box, whole: Box, chordError: number): boolean {
  return AXES.some(
    (i) =>
      (triangles.min[i] - chordError <= whole.min[i] && outer.min[i] < known.min[i] - EXACT) ||
      (triangles.max[i] + chordError >= whole.max[i] && outer.max[i] > known.max[i] + EXACT),
  );
}

function isAtSide(face: Box, whole: Box, chordError: number): boolean {
  return AXES.some((i) => face.min[i] - chordError <= whole.min[i] || face.max[i] + chordError >= whole.max[i]);
}

/** Returns the boxes of the triangles of each face; null for faces without triangles. */
export function boxesOfFaces({ positions, indices, faces }: Mesh, rotation: Matrix): (Box | null)[] {
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

/** Calls `work` with a moved shape, which is freed afterwards. */
export function withMoved<T>(kernel: Kernel, shape: Shape, matrix: Matrix, work: (moved: Shape) => T): T {
  return withKernelErrors(kernel, 'measuring', () => {
    using move = new kernel.gp_Trsf();
    move.SetValues(...(matrix.slice(0, 12) as Parameters<typeof move.SetValues>));
    using location = new kernel.TopLoc_Location(move);
    using moved = shape.Moved(location, false);
    return work(moved);
  });
}

/** Returns the box to which `add` adds a shape. Throws JobFailure `unbounded`. */
export function kernelBox(kernel: Kernel, add: (box: KernelBox) => void): Box {
  using box = new kernel.Bnd_Box();
  box.SetGap(0);
  add(box);
  const min: Vector = [box.GetXMin(), box.GetYMin(), box.GetZMin()];
  const max: Vector = [box.GetXMax(), box.GetYMax(), box.GetZMax()];
  if (![...min, ...max].every((x) => Math.abs(x) < MAX_COORDINATE)) fail('unbounded', 'the shape has no finite extent');
  return { min, max };
}

export const emptySides = (): Sides => ({
  min: [Infinity, Infinity, Infinity],
  max: [-Infinity, -Infinity, -Infinity],
});

export function include(sides: Sides, { min, max }: Box): void {
  for (const i of AXES) {
    if (min[i] < sides.min[i]) sides.min[i] = min[i];
    if (max[i] > sides.max[i]) sides.max[i] = max[i];
  }
}
