// Integrals of the kernel, with an explicit accuracy (adaptive) or without (plain). Either can be wrong without an error.
import { type Kernel, type Shape, withKernelErrors } from '../kernel.ts';
import { countSubshapes } from './count-subshapes.ts';
import type { Vector } from './matrix.ts';

/** Relative uncertainty from which a warning is reported. */
export const MAX_UNCERTAINTY = 1e-4;

// The relative accuracy of an adaptive integration. Plain ones are off by up to 2.4e-5 on cylinders.
const ACCURACY = 1e-7;

/**
 * The signed volume in mm³ and its center in mm, and by how much both may be wrong: `spread` and `shift` are the
 * differences of two integrations. `gaps` are those of plain integrations about two origins, if `spread` does not include
 * them: between closed faces, the origin does not matter.
 */
export type Body = {
  mass: number;
  centre: Vector;
  spread: number;
  shift: number;
  gaps: { spread: number; shift: number };
};

/** The area of a face in mm² and by how much it may be wrong. */
export type Area = { area: number; areaError: number };

/**
 * Integrates a volume adaptively, and plainly about a second origin. If both differ by more than the warning limit, or if
 * the shape `isFreeform`, a plain integration about the first origin shows whether the method or the origin matters. If
 * the method does, the result is the one that is closer to `meshed`, the volume between the triangles.
 */
export function integrateBody(kernel: Kernel, shape: Shape, meshed: number, isFreeform: boolean): Body {
  const accurate = integrateVolume(kernel, shape, ACCURACY);
  const moved = withMovedOrigin(kernel, shape, accurate.centre, (compound) => integrateVolume(kernel, compound));
  const difference = differenceOf(accurate, moved);
  if (!isFreeform && difference.spread <= MAX_UNCERTAINTY * Math.abs(accurate.mass))
    return { ...accurate, ...difference, gaps: { spread: 0, shift: 0 } };
  const plain = integrateVolume(kernel, shape);
  const best = isBetter(plain.mass, accurate.mass, meshed) ? plain : accurate;
  return { ...best, ...differenceOf(accurate, plain), gaps: differenceOf(moved, plain) };
}

type Integrated = Pick<Body, 'mass' | 'centre'>;

function integrateVolume(kernel: Kernel, shape: Shape, accuracy?: number): Integrated {
  return withProperties(kernel, (props) => {
    if (accuracy === undefined) kernel.BRepGProp.VolumeProperties(shape, props, false, false, false);
    else kernel.BRepGProp.VolumeProperties(shape, props, accuracy, false, false);
    using centre = props.CentreOfMass();
    return { mass: props.Mass(), centre: [centre.X(), centre.Y(), centre.Z()] };
  });
}

const differenceOf = (a: Integrated, b: Integrated) => ({
  spread: Math.abs(a.mass - b.mass),
  shift: Math.hypot(...AXES.map((i) => a.centre[i] - b.centre[i])),
});

// The kernel integrates about the mean of all vertices. A distant vertex moves it by the diagonal of the box.
function withMovedOrigin<T>(kernel: Kernel, shape: Shape, from: Vector, work: (compound: Shape) => T): T {
  return withKernelErrors(kernel, 'measuring', () => {
    using box = new kernel.Bnd_Box();
    kernel.BRepBndLib.Add(shape, box, true);
    const distance = Math.sqrt(box.SquareExtent() / 3) * (countSubshapes(kernel, shape, 'vertex') + 1);
    using point = new kernel.gp_Pnt(from[0] + distance, from[1] + distance, from[2] + distance);
    using maker = new kernel.BRepBuilderAPI_MakeVertex(point);
    using vertex = maker.Vertex();
    using builder = new kernel.TopoDS_Builder();
    using compound = new kernel.TopoDS_Compound();
    builder.MakeCompound(compound);
    builder.Add(compound, shape);
    builder.Add(compound, vertex);
    return work(compound);
  });
}

/** Integrates an area twice; `meshed` is the area of the triangles, which decides between them. */
export function integrateAreaTwice(kernel: Kernel, shape: Shape, meshed: number): Area {
  const integrate = () =>
    withProperties(kernel, (props) => {
      kernel.BRepGProp.SurfaceProperties(shape, props, ACCURACY, false);
      return props.Mass();
    });
  const [accurate, plain] = [integrate(), integrateArea(kernel, shape)];
  return { area: isBetter(plain, accurate, meshed) ? plain : accurate, areaError: Math.abs(accurate - plain) };
}

/** Returns the area of a shape in mm² by a plain integration. */
export function integrateArea(kernel: Kernel, shape: Shape): number {
  return withProperties(kernel, (props) => {
    kernel.BRepGProp.SurfaceProperties(shape, props, false, false);
    return props.Mass();
  });
}

function withProperties<T>(kernel: Kernel, integrate: (props: InstanceType<Kernel['GProp_GProps']>) => T): T {
  return withKernelErrors(kernel, 'measuring', () => {
    using props = new kernel.GProp_GProps();
    return integrate(props);
  });
}

const isBetter = (plain: number, accurate: number, meshed: number) =>
  Math.abs(accurate - plain) > MAX_UNCERTAINTY * Math.abs(accurate) &&
  Math.abs(plain - meshed) < Math.abs(accurate - meshed);

const AXES = [0, 1, 2] as const;
