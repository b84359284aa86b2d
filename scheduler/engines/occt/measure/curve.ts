// The curves of edges, evaluated without the kernel where possible: a call of the kernel costs as much as 100 points here.
import type { BRepAdaptor_Curve } from 'replicad-opencascadejs';
import {
  cross,
  dot,
  length,
  minus,
  type Point,
  plus,
  scale,
  unit,
} from '../../../../subgraphs/core/domain/measure/vector.ts';
import { takePoint } from './kernel-values.ts';

/** A point of a curve and the derivative there. */
export type CurvePoint = { at: Point; derivative: Point };

/**
 * `breaks`: the parameters from the start to the end between which the curve is smooth. `nodes`: points with the weights
 * with which they represent the whole curve in an integral.
 */
export type Curve = {
  breaks: readonly number[];
  evaluate(parameter: number): CurvePoint;
  nodes: readonly (CurvePoint & { weight: number })[];
};

/** What remains of a curve without the edge of the kernel: its nodes, and the points at its breaks. */
export type CurvePoints = Pick<Curve, 'nodes'> & { corners: readonly Point[] };

export function curvePoints({ breaks, nodes, evaluate }: Curve): CurvePoints {
  return { nodes, corners: breaks.map((parameter) => evaluate(parameter).at) };
}

/** The line between two points. */
export function lineCurve(from: Point, to: Point): Curve {
  const derivative = minus(to, from);
  return withNodes([0, 1], (t) => ({ at: plus(from, derivative, t), derivative }));
}

/** `center` + cos t · `right` + sin t · `up` over a range of t in rad: a circle or an ellipse. */
export function arcCurve(center: Point, right: Point, up: Point, from: number, to: number): Curve {
  const pieces = Math.max(1, Math.ceil(Math.abs(to - from) / MAX_PIECE));
  const breaks = Array.from({ length: pieces + 1 }, (_, i) => from + ((to - from) * i) / pieces);
  return withNodes(breaks, (t) => {
    const [x, y] = [Math.cos(t), Math.sin(t)];
    return { at: plus(plus(center, right, x), up, y), derivative: plus(scale(up, x), right, -y) };
  });
}

const MAX_PIECE = Math.PI / 6;

/** Any other curve, which can be evaluated while the adaptor exists. Splines are evaluated by de Boor's algorithm. */
export function kernelCurve(adaptor: BRepAdaptor_Curve): Curve {
  const [from, to] = [adaptor.FirstParameter(), adaptor.LastParameter()];
  const spline = adaptor.GetType() === 'GeomAbs_BSplineCurve' ? readSpline(adaptor) : null;
  const inner = spline ? [...new Set(spline.knots)].filter((knot) => knot > from && knot < to) : [];
  const knots = [from, ...inner, to];
  // Divided, because a piece of a rational spline may be half a circle.
  const parts = Math.ceil(MIN_PIECES / (knots.length - 1));
  const breaks = knots.flatMap((knot, i) =>
    i ? Array.from({ length: parts }, (_, at) => knots[i - 1]! + ((knot - knots[i - 1]!) * (at + 1)) / parts) : [knot],
  );
  return withNodes(breaks, spline ? (t) => evaluateSpline(spline, t) : (t) => evaluateByKernel(adaptor, t));
}

const MIN_PIECES = 4;

function evaluateByKernel(adaptor: BRepAdaptor_Curve, t: number): CurvePoint {
  const { Point, D1 } = adaptor.EvalD1(t);
  return { at: takePoint(Point), derivative: takePoint(D1) };
}

/**
 * `poles` have four coordinates, multiplied by their weight; `knots` are repeated by their multiplicity. `work` has space
 * for the poles of a span.
 */
type Spline = { degree: number; knots: Float64Array; poles: Float64Array; work: Float64Array };

function readSpline(adaptor: BRepAdaptor_Curve): Spline | null {
  using curve = adaptor.BSpline();
  if (curve.IsPeriodic()) return null;
  using sequence = curve.KnotSequence();
  const isRational = curve.IsRational();
  const [degree, first, count] = [curve.Degree(), sequence.Lower(), curve.NbPoles()];
  const poles = new Float64Array(count * 4);
  for (let i = 0; i < count; i++) {
    const weight = isRational ? curve.Weight(i + 1) : 1;
    poles.set([...scale(takePoint(curve.Pole(i + 1)), weight), weight], i * 4);
  }
  const knots = Float64Array.from({ length: sequence.Size() }, (_, i) => sequence.Value(first + i));
  return { degree, knots, poles, work: new Float64Array((degree + 1) * 4) };
}

function evaluateSpline({ degree, knots, poles, work: d }: Spline, t: number): CurvePoint {
  let [span, end] = [degree, poles.length / 4];
  while (end - span > 1) {
    const middle = (span + end) >> 1;
    if (knots[middle]! <= t) span = middle;
    else end = middle;
  }
  d.set(poles.subarray((span - degree) * 4, (span + 1) * 4));
  const last = degree * 4;
  let [dx, dy, dz, dw] = [0, 0, 0, 0];
  for (let level = 1; level <= degree; level++) {
    for (let i = degree; i >= level; i--) {
      const low = knots[span - degree + i]!;
      const width = knots[span + 1 + i - level]! - low;
      const share = width ? (t - low) / width : 0;
      if (level === degree) {
        const rate = width ? degree / width : 0;
        dx = (d[last]! - d[last - 4]!) * rate;
        dy = (d[last + 1]! - d[last - 3]!) * rate;
        dz = (d[last + 2]! - d[last - 2]!) * rate;
        dw = (d[last + 3]! - d[last - 1]!) * rate;
      }
      for (let at = i * 4; at < i * 4 + 4; at++) d[at] = (1 - share) * d[at - 4]! + share * d[at]!;
    }
  }
  const w = d[last + 3]!;
  const at: Point = [d[last]! / w, d[last + 1]! / w, d[last + 2]! / w];
  return { at, derivative: scale(plus([dx, dy, dz], at, -dw), 1 / w) };
}

// Gauss–Legendre with eight points in each piece.
const NODES = [0.1834346424956498, 0.525532409916329, 0.7966664774136267, 0.9602898564975363];
const WEIGHTS = [0.362683783378362, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763];

function withNodes(breaks: readonly number[], evaluate: Curve['evaluate']): Curve {
  return { breaks, evaluate, nodes: nodesOf(breaks, evaluate) };
}

function nodesOf(breaks: readonly number[], evaluate: Curve['evaluate']): Curve['nodes'] {
  const nodes: (CurvePoint & { weight: number })[] = [];
  for (let i = 1; i < breaks.length; i++) {
    const [middle, half] = [(breaks[i]! + breaks[i - 1]!) / 2, (breaks[i]! - breaks[i - 1]!) / 2];
    for (const [at, node] of NODES.entries())
      for (const t of [middle - half * node, middle + half * node]) {
        const { at: point, derivative } = evaluate(t);
        nodes.push({ at: point, derivative, weight: half * WEIGHTS[at]! });
      }
  }
  return nodes;
}

/** Integrates over a curve. */
export function integrateAlong({ nodes }: Pick<Curve, 'nodes'>, value: (point: CurvePoint) => number): number {
  return nodes.reduce((sum, node) => sum + node.weight * value(node), 0);
}

/** Returns the length of a curve, and by how much it may be wrong: the difference to an integral with longer pieces. */
export function lengthOf(curve: Curve): { length: number; error: number } {
  const speed = ({ derivative }: CurvePoint) => length(derivative);
  const { breaks, evaluate } = curve;
  const longer = breaks.filter((_, i) => i % 2 === 0 || i === breaks.length - 1);
  const fine = integrateAlong(curve, speed);
  return { length: fine, error: Math.abs(fine - integrateAlong({ nodes: nodesOf(longer, evaluate) }, speed)) };
}

/** Returns points of a curve in equal steps of the parameter, including both ends. */
export function pointsOn(curve: Curve, steps: number): Point[] {
  const [from, to] = [curve.breaks[0]!, curve.breaks.at(-1)!];
  return Array.from({ length: steps + 1 }, (_, i) => curve.evaluate(from + ((to - from) * i) / steps).at);
}

/** The circle through points of a curve. */
export type Arc = { at: Point; direction: Point; radius: number; sweep: number };

/** Returns the line or circle that fits all points of a curve, with the maximum deviation; null if neither does. */
export function fitCurve(points: readonly Point[], tolerance: number): { arc: Arc | null; residual: number } | null {
  const [from, to] = [points[0]!, points.at(-1)!];
  const along = unit(minus(to, from));
  const bend = Math.max(...points.map((point) => length(cross(minus(point, from), along))));
  if (length(minus(to, from)) > tolerance && bend <= tolerance) return { arc: null, residual: bend };
  const [middle, third] = [points[points.length >> 1]!, points[Math.floor(points.length / 4)]!];
  const last = length(minus(to, from)) > tolerance ? to : points[Math.floor((3 * points.length) / 4)]!;
  const circle = circleThrough(from, length(minus(to, from)) > tolerance ? middle : third, last);
  if (!circle) return null;
  const { at, direction, radius } = circle;
  let sweep = 0;
  let residual = 0;
  for (const [i, point] of points.entries()) {
    const arm = minus(point, at);
    residual = Math.max(residual, Math.hypot(length(arm) - radius, dot(arm, direction)));
    const before = minus(points[Math.max(0, i - 1)]!, at);
    sweep += Math.atan2(dot(cross(before, arm), direction), dot(before, arm));
  }
  return residual <= tolerance ? { arc: { at, direction, radius, sweep }, residual } : null;
}

function circleThrough(a: Point, b: Point, c: Point): Omit<Arc, 'sweep'> | null {
  const [u, v] = [minus(b, a), minus(c, a)];
  const normal = cross(u, v);
  const square = dot(normal, normal);
  if (square <= 1e-24 * dot(u, u) * dot(v, v)) return null;
  const toCenter = scale(plus(scale(cross(v, normal), dot(u, u)), cross(normal, u), dot(v, v)), 1 / (2 * square));
  return { at: plus(a, toCenter), direction: unit(normal), radius: length(toCenter) };
}
