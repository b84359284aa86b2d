import type { BRepAdaptor_Curve, TopoDS_Edge } from 'replicad-opencascadejs';
import type { Accuracy, CurveGeometry } from '../../../../subgraphs/core/domain/measure/measure-data.ts';
import { cross, distanceBetween, minus, type Point, unit } from '../../../../subgraphs/core/domain/measure/vector.ts';
import type { Kernel } from '../kernel.ts';
import {
  type Arc,
  arcCurve,
  type Curve,
  type CurvePoints,
  curvePoints,
  fitCurve,
  kernelCurve,
  lengthOf,
  lineCurve,
  pointsOn,
} from './curve.ts';
import { takePoint } from './kernel-values.ts';

/** The curve of an edge, with its ends and its length. */
export type EdgeCurve = {
  geometry: CurveGeometry;
  accuracy: Accuracy;
  residual?: number;
  curve: CurvePoints;
  from: Point;
  to: Point;
  length: number;
  lengthError: number;
};

/** Returns the curve of an edge in its own direction: as the kernel has it, or as recognized from points of a spline. */
export function edgeCurve(kernel: Kernel, edge: TopoDS_Edge): EdgeCurve {
  using adaptor = new kernel.BRepAdaptor_Curve(edge);
  const { curve, ...value } = elementary(adaptor) ?? spline(adaptor);
  return { ...value, curve: curvePoints(curve) };
}

type OpenCurve = Omit<EdgeCurve, 'curve'> & { curve: Curve };

function elementary(adaptor: BRepAdaptor_Curve): OpenCurve | null {
  const [first, last] = [adaptor.FirstParameter(), adaptor.LastParameter()];
  const pointAt = (parameter: number) => takePoint(adaptor.EvalD0(parameter));
  switch (adaptor.GetType()) {
    case 'GeomAbs_Line': {
      const [from, to] = [pointAt(first), pointAt(last)];
      const common = { accuracy: 'exact', from, to, length: distanceBetween(from, to), lengthError: 0 } as const;
      return { ...common, geometry: { kind: 'line' }, curve: lineCurve(from, to) };
    }
    case 'GeomAbs_Circle': {
      using circle = adaptor.Circle();
      const at = takePoint(circle.Location());
      const [right, up] = [minus(pointAt(0), at), minus(pointAt(Math.PI / 2), at)];
      const curve = arcCurve(at, right, up, first, last);
      const [radius, sweep] = [circle.Radius(), last - first];
      const geometry = circleOf({ at, direction: unit(cross(right, up)), radius, sweep });
      return { geometry, accuracy: 'exact', curve, ...endsOf(curve), length: radius * sweep, lengthError: 0 };
    }
    case 'GeomAbs_Ellipse': {
      using ellipse = adaptor.Ellipse();
      const at = takePoint(ellipse.Location());
      const [right, up] = [minus(pointAt(0), at), minus(pointAt(Math.PI / 2), at)];
      const curve = arcCurve(at, right, up, first, last);
      const direction = unit(cross(right, up));
      const [radius, minorRadius] = [ellipse.MajorRadius(), ellipse.MinorRadius()];
      const geometry = { kind: 'ellipse', at, direction, radius, minorRadius } as const;
      return { geometry, accuracy: 'exact', curve, ...endsOf(curve), length: lengthOf(curve).length, lengthError: 0 };
    }
    default:
      return null;
  }
}

const FIT_STEPS = 24;
// Many systems approximate circles by splines to this fraction of their size.
const MAX_DEVIATION = 1e-5;
const POINT_STEPS = 12;

// The length is that of the spline, also where another shape fits.
function spline(adaptor: BRepAdaptor_Curve): OpenCurve {
  const curve = kernelCurve(adaptor);
  const points = pointsOn(curve, FIT_STEPS);
  const size = Math.max(...points.map((point) => distanceBetween(point, points[0]!)));
  const { length: value, error } = lengthOf(curve);
  const common = { curve, ...endsOf(curve), length: value, lengthError: error };
  const fitted = fitCurve(points, size * MAX_DEVIATION);
  if (!fitted)
    return { ...common, geometry: { kind: 'freeform', points: pointsOn(curve, POINT_STEPS) }, accuracy: 'mesh' };
  const { arc, residual } = fitted;
  return { ...common, geometry: arc ? circleOf(arc) : { kind: 'line' }, accuracy: 'fitted', residual };
}

const circleOf = ({ at, direction, radius, sweep }: Arc): CurveGeometry => ({
  kind: 'circle',
  at,
  direction,
  radius,
  sweep: (sweep * 180) / Math.PI,
});

function endsOf(curve: Curve): { from: Point; to: Point } {
  return { from: curve.evaluate(curve.breaks[0]!).at, to: curve.evaluate(curve.breaks.at(-1)!).at };
}
