import type { BRepAdaptor_Surface, TopoDS_Face } from 'replicad-opencascadejs';
import type { Accuracy, SurfaceGeometry } from '../../../../subgraphs/core/domain/measure/measure-data.ts';
import {
  cross,
  distanceBetween,
  dot,
  length,
  minus,
  type Point,
  plus,
  scale,
  unit,
} from '../../../../subgraphs/core/domain/measure/vector.ts';
import type { Kernel } from '../kernel.ts';
import { fitSurface, type SurfaceSample } from './fit-surface.ts';
import { takePoint } from './kernel-values.ts';

/** The surface of a face and how it was determined. */
export type FaceSurface = { geometry: SurfaceGeometry; accuracy: Accuracy; residual?: number };

/** Returns the surface of a face: as the kernel has it, or as recognized from points of a spline surface. */
export function surfaceOfFace(kernel: Kernel, face: TopoDS_Face): FaceSurface {
  using surface = new kernel.BRepAdaptor_Surface(face, false);
  const exact = elementary(surface);
  if (exact) return { geometry: exact, accuracy: 'exact' };
  const { UMin, UMax, VMin, VMax } = kernel.BRepTools.UVBounds(face);
  const fitted = fitSurface(samplesOf(surface, [UMin, UMax], [VMin, VMax]));
  return fitted
    ? { geometry: fitted.geometry, accuracy: 'fitted', residual: fitted.residual }
    : { geometry: { kind: 'freeform' }, accuracy: 'mesh' };
}

// The kernel's cones and tori cannot be read: they follow from points of their parametrization.
function elementary(surface: BRepAdaptor_Surface): SurfaceGeometry | null {
  const pointAt = (u: number, v: number) => takePoint(surface.EvalD0(u, v));
  switch (surface.GetType()) {
    case 'GeomAbs_Plane': {
      using plane = surface.Plane();
      return { kind: 'plane', ...axisOf(plane.Axis()) };
    }
    case 'GeomAbs_Cylinder': {
      using cylinder = surface.Cylinder();
      return { kind: 'cylinder', ...axisOf(cylinder.Axis()), radius: cylinder.Radius() };
    }
    case 'GeomAbs_Sphere': {
      using sphere = surface.Sphere();
      return { kind: 'sphere', at: takePoint(sphere.Location()), radius: sphere.Radius() };
    }
    case 'GeomAbs_Torus': {
      const [outer, opposite] = [pointAt(0, 0), pointAt(Math.PI, 0)];
      const at = middleOf(outer, opposite);
      const minorRadius = distanceBetween(outer, pointAt(0, Math.PI)) / 2;
      const radius = distanceBetween(outer, opposite) / 2 - minorRadius;
      const top = plus(at, unit(minus(outer, at)), radius);
      return { kind: 'torus', at, direction: unit(minus(pointAt(0, Math.PI / 2), top)), radius, minorRadius };
    }
    case 'GeomAbs_Cone':
      return coneThrough(pointAt);
    default:
      return null;
  }
}

// A generator is a line with the parameter as its length; two opposite ones meet in the apex.
function coneThrough(pointAt: (u: number, v: number) => Point): SurfaceGeometry {
  const [start, opposite] = [pointAt(0, 0), pointAt(Math.PI, 0)];
  const at = middleOf(start, opposite);
  const slope = minus(pointAt(0, 1), start);
  const otherSlope = minus(pointAt(Math.PI, 1), opposite);
  const rise = scale(plus(slope, otherSlope), 0.5);
  const spread = scale(minus(slope, otherSlope), 0.5);
  const radius = distanceBetween(start, opposite) / 2;
  const grows = dot(spread, minus(start, at)) >= 0 ? 1 : -1;
  const angle = (Math.atan2(length(spread), length(rise)) * 180) / Math.PI;
  return { kind: 'cone', at, direction: scale(unit(rise), grows), radius, angle };
}

const STEPS = 5;

// Points between the bounds of the face; the surface may be degenerate at the bounds.
function samplesOf(
  surface: BRepAdaptor_Surface,
  [uMin, uMax]: readonly [number, number],
  [vMin, vMax]: readonly [number, number],
): SurfaceSample[] {
  const samples: SurfaceSample[] = [];
  for (let i = 0; i < STEPS; i++)
    for (let j = 0; j < STEPS; j++) {
      const u = uMin + ((i + 0.5) / STEPS) * (uMax - uMin);
      const v = vMin + ((j + 0.5) / STEPS) * (vMax - vMin);
      const { Point, D1U, D1V } = surface.EvalD1(u, v);
      const normal = cross(takePoint(D1U), takePoint(D1V));
      samples.push({ at: takePoint(Point), normal: unit(normal) });
    }
  return samples.filter(({ normal }) => length(normal) > 0.5);
}

type KernelAxis = {
  Location(): Parameters<typeof takePoint>[0];
  Direction(): Parameters<typeof takePoint>[0];
  delete(): void;
};

function axisOf(axis: KernelAxis): { at: Point; direction: Point } {
  const found = { at: takePoint(axis.Location()), direction: takePoint(axis.Direction()) };
  axis.delete();
  return found;
}

const middleOf = (a: Point, b: Point): Point => scale(plus(a, b), 0.5);
