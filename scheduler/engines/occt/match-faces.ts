import { type Kernel, type Shape, withKernelErrors } from './kernel.ts';
import { facesOf, hashOf } from './product/faces.ts';

/**
 * Returns for each face of a repaired shape the index of the original one: a repair of orientations changes the order
 * of faces. Faces that the repair replaced are matched by their centers. Both shapes have the same number of faces.
 */
export function matchFaces(kernel: Kernel, original: Shape, repaired: Shape): number[] {
  return withKernelErrors(kernel, 'repair', () => {
    using disposables = new DisposableStack();
    const before = [...facesOf(kernel, original)].map((face, index) => ({ index, face: disposables.use(face) }));
    const after = [...facesOf(kernel, repaired)].map((face) => disposables.use(face));
    const left = Map.groupBy(before, ({ face }) => hashOf(kernel, face));
    const kept = after.map((face) => {
      const candidates = left.get(hashOf(kernel, face)) ?? [];
      const at = candidates.findIndex((candidate) => candidate.face.IsSame(face));
      return at < 0 ? null : candidates.splice(at, 1)[0]!.index;
    });
    const replaced = [...left.values()].flat().map(({ index, face }) => ({ index, centre: centreOf(kernel, face) }));
    return kept.map((index, i) => {
      if (index !== null) return index;
      const centre = centreOf(kernel, after[i]!);
      const distances = replaced.map((each) => Math.hypot(...AXES.map((axis) => each.centre[axis] - centre[axis])));
      return replaced.splice(distances.indexOf(Math.min(...distances)), 1)[0]!.index;
    });
  });
}

const AXES = [0, 1, 2] as const;

function centreOf(kernel: Kernel, face: Shape): [number, number, number] {
  using surface = new kernel.GProp_GProps();
  kernel.BRepGProp.SurfaceProperties(face, surface, false, false);
  using centre = surface.CentreOfMass();
  return [centre.X(), centre.Y(), centre.Z()];
}
