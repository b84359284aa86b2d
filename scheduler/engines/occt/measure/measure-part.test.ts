import * as cad from 'replicad';
import { describe, expect, test, vi } from 'vitest';
import type { MeasuredEdge, MeasuredFace } from '../../../../subgraphs/core/domain/measure/measure-data.ts';
import { cross, dot, type Point, plus } from '../../../../subgraphs/core/domain/measure/vector.ts';
import type { Shape } from '../kernel.ts';
import { tessellate } from '../product/tessellate.ts';
import { kernel, shapeOf } from '../test-models.ts';
import { measurePart } from './measure-part.ts';

const CHORD_ERROR = 0.01;
/** Full length in the mode `faults`. */
const PARTS = Number(process.env.PDM_TEST_MEASURED_PARTS ?? 10);

type Solid = ReturnType<typeof cad.makeCylinder>;

function measured({ wrapped }: { wrapped: unknown }) {
  const shape = wrapped as Shape;
  return measurePart(kernel, shape, tessellate(kernel, shape, CHORD_ERROR), CHORD_ERROR);
}

type Kind = MeasuredFace['kind'];
type FaceOf<K extends Kind> = Extract<MeasuredFace, { kind: K }>;
const facesOfKind = <K extends Kind>(faces: readonly object[], kind: K) =>
  (faces as MeasuredFace[]).filter((face): face is FaceOf<K> => face.kind === kind);

describe('measuring data of generated parts', { timeout: 300_000 }, () => {
  const random = createRandom(20_261_124);
  const between = (low: number, high: number) => low + (high - low) * random();

  test.each(Array.from({ length: PARTS }, (_, index) => index))('has the known values of part %i', (index) => {
    // Placed anywhere, so that no value is exact by chance.
    const spin = between(0, 360);
    const axis: Point = [between(-1, 1), between(-1, 1), between(0.1, 1)];
    const shift: Point = [between(-200, 200), between(-200, 200), between(-200, 200)];
    const place = (solid: cad.AnyShape) => solid.rotate(spin, [0, 0, 0], [...axis]).translate([...shift]);
    const where = (point: Point) => plus(turn(point, axis, spin), shift);
    const direction = (vector: Point) => turn(vector, axis, spin);
    PARTS_WITH_KNOWN_VALUES[index % PARTS_WITH_KNOWN_VALUES.length]!({ between, place, where, direction });
  });
});

type Placing = {
  between: (low: number, high: number) => number;
  place: (solid: cad.AnyShape) => cad.AnyShape;
  where: (point: Point) => Point;
  direction: (vector: Point) => Point;
};

const PARTS_WITH_KNOWN_VALUES = [drilledPlate, turnedPart, dome, elbow, fillet];

function drilledPlate({ between, place, where, direction }: Placing): void {
  const [width, depth, height] = [between(40, 90), between(30, 60), between(3, 15)];
  const holes = [0.3, 0.7].map((share) => ({ x: width * share, y: depth * between(0.4, 0.6), radius: between(1, 5) }));
  const plate = holes.reduce<cad.Shape3D>(
    (body, { x, y, radius }) => body.cut(cad.makeCylinder(radius, height + 2, [x, y, -1], [0, 0, 1])),
    cad.makeBox([0, 0, 0], [width, depth, height]),
  );
  const { faces, edges } = measured(place(plate));
  const cylinders = facesOfKind(faces, 'cylinder').sort((a, b) => a.area - b.area);
  const expected = holes.sort((a, b) => a.radius - b.radius);
  expect(cylinders).toHaveLength(2);
  for (const [i, { x, y, radius }] of expected.entries()) {
    expectNear(cylinders[i]!.radius, radius);
    expect(cylinders[i]).toMatchObject({ accuracy: 'exact', inner: true, areaError: 0 });
    expectNear(cylinders[i]!.area, 2 * Math.PI * radius * height);
    expectOnAxis(where([x, y, 5]), cylinders[i]!);
    expectParallel(direction([0, 0, 1]), cylinders[i]!.direction);
  }
  const lost = expected.reduce((sum, { radius }) => sum + Math.PI * radius ** 2, 0);
  const planes = facesOfKind(faces, 'plane');
  const top = planes.find((plane) => dot(plane.direction, direction([0, 0, 1])) > 0.99)!;
  expectNear(top.area, width * depth - lost);
  expectNear(dot(plus(top.at, where([0, 0, height]), -1), top.direction), 0);
  const circles = edges.filter((edge) => edge.kind === 'circle') as Extract<MeasuredEdge, { kind: 'circle' }>[];
  expect(circles).toHaveLength(4);
  for (const circle of circles) expectNear(circle.length, 2 * Math.PI * circle.radius);
  const lengths = edges.filter(({ kind, faces }) => kind === 'line' && faces.length === 2).map((edge) => edge.length);
  for (const length of [width, depth, height]) expect(lengths.filter((each) => isNear(each, length))).toHaveLength(4);
}

function turnedPart({ between, place, where, direction }: Placing): void {
  const [bottom, top, height] = [between(10, 20), between(2, 8), between(5, 30)];
  const profile = cad.draw([0, 0]).lineTo([bottom, 0]).lineTo([top, height]).lineTo([0, height]).close();
  const { faces } = measured(place((profile.sketchOnPlane('XZ') as cad.Sketch).revolve()));
  const [cone] = facesOfKind(faces, 'cone');
  expect(cone).toMatchObject({ accuracy: 'exact', areaError: 0 });
  expectNear(cone!.area, Math.PI * (bottom + top) * Math.hypot(bottom - top, height));
  expectNear(cone!.angle, (Math.atan2(bottom - top, height) * 180) / Math.PI);
  expectOnAxis(where([0, 0, 3]), cone!);
  expect(dot(cone!.direction, direction([0, 0, 1]))).toBeCloseTo(-1, 9);
  const along = dot(plus(cone!.at, where([0, 0, 0]), -1), cone!.direction);
  expectNear(cone!.radius, bottom + (along * (bottom - top)) / height);
}

function dome({ between, place, where }: Placing): void {
  const radius = between(5, 40);
  const height = radius * between(0.2, 1.6);
  const ball = cad.makeSphere(radius);
  const box = cad.makeBox([-100, -100, radius - height], [100, 100, 200]);
  const { faces } = measured(place(ball.intersect(box)));
  const [sphere] = facesOfKind(faces, 'sphere');
  expect(sphere).toMatchObject({ accuracy: 'exact', areaError: 0 });
  expectNear(sphere!.radius, radius);
  expectNear(sphere!.area, 2 * Math.PI * radius * height);
  expectNear(Math.hypot(...plus(sphere!.at, where([0, 0, 0]), -1)), 0);
}

function elbow({ between, place, where }: Placing): void {
  const [bend, radius, angle] = [between(20, 60), between(2, 12), between(30, 330)];
  const circle = cad.drawCircle(radius).translate(bend, 0).sketchOnPlane('XZ') as cad.Sketch;
  const { faces } = measured(place(cad.revolution(circle.face(), [0, 0, 0], [0, 0, 1], angle)));
  // The circle consists of two arcs, so the tube has an outer and an inner face.
  const [torus, other] = facesOfKind(faces, 'torus');
  expect(torus).toMatchObject({ accuracy: 'exact', areaError: 0 });
  expectNear(torus!.radius, bend);
  expectNear(torus!.minorRadius, radius);
  expectNear(torus!.area + other!.area, ((angle * Math.PI) / 180) * bend * 2 * Math.PI * radius);
  expectNear(Math.hypot(...plus(torus!.at, where([0, 0, 0]), -1)), 0);
}

function fillet({ between, place, where }: Placing): void {
  const [outer, radius, height] = [between(10, 30), between(1, 4), between(10, 20)];
  const pin = cad.makeCylinder(outer, height, [0, 0, 0], [0, 0, 1]) as Solid;
  const { faces } = measured(place(pin.fillet(radius, (edge) => edge.inPlane('XY', height).ofCurveType('CIRCLE'))));
  const [torus] = facesOfKind(faces, 'torus');
  expectNear(torus!.radius, outer - radius);
  expectNear(torus!.minorRadius, radius);
  expectNear(torus!.area, 2 * Math.PI * radius * ((Math.PI / 2) * (outer - radius) + radius));
  expectNear(Math.hypot(...plus(torus!.at, where([0, 0, height - radius]), -1)), 0);
}

describe('the area of a spline face', () => {
  const profile = cad.draw([0, 0]).smoothSplineTo([30, 10]).smoothSplineTo([50, -5]).lineTo([50, -40]).lineTo([0, -40]);
  const plate = (profile.close().sketchOnPlane('XY') as cad.Sketch).extrude(12) as Solid;

  test('is integrated once if the volumes of two integrations agree', () => {
    using integrate = vi.spyOn(kernel.BRepGProp, 'SurfaceProperties');
    const { faces, body } = measured(plate);
    const freeform = facesOfKind(faces, 'freeform');
    expect(freeform.length).toBeGreaterThan(0);
    expect(integrate).toHaveBeenCalledTimes(freeform.length);
    using props = new kernel.GProp_GProps();
    kernel.BRepGProp.SurfaceProperties(shapeOf(plate), props, 1e-9, false);
    const area = faces.reduce((sum, face) => sum + face.area, 0);
    expect(Math.abs(area / props.Mass() - 1)).toBeLessThan(1e-6);
    expect(body!.spread).toBeLessThan(1e-6 * body!.mass);
  });

  test('is integrated twice without a volume, and the difference is its uncertainty', () => {
    const [sheet] = plate.faces.filter(({ geomType }) => geomType !== 'PLANE');
    using integrate = vi.spyOn(kernel.BRepGProp, 'SurfaceProperties');
    const { faces, body } = measured(sheet!);
    expect(body).toBeNull();
    expect(faces).toMatchObject([{ kind: 'freeform', accuracy: 'mesh' }]);
    expect(integrate).toHaveBeenCalledTimes(2);
    expect(faces[0]!.areaError).toBeLessThan(1e-5 * faces[0]!.area);
  });
});

test('a gap between faces is part of the uncertainty of the volume, although both integrations agree', () => {
  const block = cad.makeBox([0, 0, 0], [20, 30, 10]);
  const narrowLid = (cad.drawRectangle(19.9, 30).sketchOnPlane('XY', [10, 15, 10]) as cad.Sketch).face();
  const sides = block.faces.filter(({ center }) => center.z < 9.9);
  const closed = measured(block).body!;
  expect(closed.gaps.spread).toBeLessThan(1e-9);
  expect(closed.gaps.shift).toBeLessThan(1e-9);
  using open = solidOf([...sides, narrowLid]);
  const { mass, centre, spread, gaps } = measured({ wrapped: open }).body!;
  expect(spread).toBeLessThan(1e-9);
  expect(mass).not.toBeCloseTo(6000, 0);
  expect(gaps.spread).toBeGreaterThan(Math.abs(mass - 6000));
  expect(gaps.shift).toBeGreaterThan(Math.hypot(centre[0] - 10, centre[1] - 15, centre[2] - 5));
});

test('open faces beside a solid have an area, but no part in the volume', () => {
  const block = cad.makeBox([0, 0, 0], [20, 30, 10]);
  const lid = (cad.drawRectangle(20, 30).sketchOnPlane('XY', [10, 15, 40]) as cad.Sketch).face();
  const wave = cad.draw([0, 0]).smoothSplineTo([30, 10]).smoothSplineTo([50, -5]).close();
  const [sheet] = ((wave.sketchOnPlane('XY') as cad.Sketch).extrude(12) as Solid).faces;
  for (const isFirst of [true, false]) {
    const shapes = [lid.clone(), sheet!.clone()];
    const { faces, body, open } = measured(
      cad.makeCompound(isFirst ? [block.clone(), ...shapes] : [...shapes, block.clone()]),
    );
    expect([...open]).toEqual(isFirst ? [6, 7] : [0, 1]);
    expect(body!.mass).toBeCloseTo(6000, 9);
    expect(body!.centre).toEqual([10, 15, 5].map((value) => expect.closeTo(value, 9)));
    expect(Math.max(body!.spread, body!.gaps.spread, body!.gaps.shift)).toBeLessThan(1e-9);
    expect(faces[isFirst ? 6 : 0]!.area).toBeCloseTo(600, 9);
  }
});

test('recognizes a cylinder that is stored as a spline', () => {
  const { faces, edges } = measured({ wrapped: splineCylinder(7, 20) });
  const [face] = facesOfKind(faces, 'cylinder');
  expect(face).toMatchObject({ accuracy: 'fitted' });
  expect(face!.residual).toBeLessThan(1e-6);
  expectNear(face!.radius, 7);
  expectNear(face!.area, 7 * (Math.PI / 2) * 20);
  expectOnAxis([0, 0, 5], face!);
  expect(edges.map(({ kind, accuracy }) => `${kind} ${accuracy}`).sort()).toEqual([
    'circle fitted',
    'circle fitted',
    'line fitted',
    'line fitted',
  ]);
});

/** A quarter of a cylinder as a rational spline surface. */
function splineCylinder(radius: number, height: number): unknown {
  const poles = new kernel.NCollection_Array2_gp_Pnt(1, 3, 1, 2);
  const weights = new kernel.NCollection_Array2_double(1, 3, 1, 2);
  for (const [i, [x, y, weight]] of (
    [
      [1, 0, 1],
      [1, 1, Math.SQRT1_2],
      [0, 1, 1],
    ] as const
  ).entries())
    for (const j of [0, 1]) {
      poles.SetValue(i + 1, j + 1, new kernel.gp_Pnt(radius * x, radius * y, height * j));
      weights.SetValue(i + 1, j + 1, weight);
    }
  const knots = new kernel.NCollection_Array1_double(1, 2);
  const [round, straight] = [3, 2].map((count) => {
    const multiplicities = new kernel.NCollection_Array1_int(1, 2);
    multiplicities.Init(count);
    return multiplicities;
  });
  knots.SetValue(1, 0);
  knots.SetValue(2, 1);
  const surface = new kernel.Geom_BSplineSurface(poles, weights, knots, knots, round!, straight!, 2, 1);
  return new kernel.BRepBuilderAPI_MakeFace(surface, 1e-7).Face();
}

function solidOf(faces: readonly { wrapped: unknown }[]): Shape {
  using builder = new kernel.TopoDS_Builder();
  using shell = new kernel.TopoDS_Shell();
  builder.MakeShell(shell);
  for (const { wrapped } of faces) builder.Add(shell, wrapped as Shape);
  const solid = new kernel.TopoDS_Solid();
  builder.MakeSolid(solid);
  builder.Add(solid, shell);
  return solid;
}

const isNear = (value: number, expected: number) => Math.abs(value - expected) <= 1e-6;
function expectNear(value: number, expected: number): void {
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-6);
}
function expectParallel(a: Point, b: Point): void {
  expect(Math.hypot(...cross(a, b))).toBeLessThan(1e-9);
}
function expectOnAxis(point: Point, { at, direction }: { at: Point; direction: Point }): void {
  expectNear(Math.hypot(...cross(plus(point, at, -1), direction)), 0);
}

/** Rotates a vector around an axis (Rodrigues). */
function turn(vector: Point, axis: Point, degrees: number): Point {
  const size = Math.hypot(...axis);
  const k: Point = [axis[0] / size, axis[1] / size, axis[2] / size];
  const angle = (degrees * Math.PI) / 180;
  const side = cross(k, vector);
  const along = dot(k, vector) * (1 - Math.cos(angle));
  return [0, 1, 2].map((i) => vector[i]! * Math.cos(angle) + side[i]! * Math.sin(angle) + k[i]! * along) as never;
}

/** Returns random numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
