import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cross,
  degreesBetween,
  dot,
  length,
  minus,
  plus,
  unit,
} from '../../../subgraphs/core/domain/measure/vector.ts';
import type { Point } from '../space.ts';
import { type FaceVertex, surfaceOf, verticesOfFace } from './surface.ts';

const coordinate = fc.integer({ min: -500, max: 500 });
const point: fc.Arbitrary<Point> = fc.tuple(coordinate, coordinate, coordinate);
const direction: fc.Arbitrary<Point> = point.filter((each) => length(each) > 10).map(unit);

/** Rounds to single precision, as stored in a file. */
const single = (point: Point): Point => [Math.fround(point[0]), Math.fround(point[1]), Math.fround(point[2])];
const rounded = (face: FaceVertex[]): FaceVertex[] =>
  face.map(({ at, normal }) => ({ at: single(at), normal: single(normal) }));
const sidesOf = (axis: Point): [Point, Point] => {
  const side = unit(cross(axis, Math.abs(axis[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
  return [side, cross(axis, side)];
};

/** Two rings of vertices around an axis. `grow` makes a cone, `flat` an ellipse, `inside` a hole. */
function ring(
  middle: Point,
  axis: Point,
  radius: number,
  { arc = 360, steps = 24, grow = 0, flat = 1, inside = false } = {},
): FaceVertex[] {
  const [right, up] = sidesOf(axis);
  return Array.from({ length: steps + 1 }, (_, step) => ((step / steps) * arc * Math.PI) / 180).flatMap((angle) => {
    const outwards = unit(plus(plus([0, 0, 0], right, Math.cos(angle)), up, Math.sin(angle) / flat));
    const normal = unit(plus(outwards, axis, -grow));
    return [0, 1].map((end) => {
      const far = radius * (1 + end * grow);
      const at = plus(
        plus(plus(middle, axis, end * radius), right, Math.cos(angle) * far),
        up,
        Math.sin(angle) * far * flat,
      );
      return { at, normal: inside ? ([-normal[0], -normal[1], -normal[2]] as Point) : normal };
    });
  });
}

describe('surfaceOf', () => {
  it('returns the plane of coplanar vertices', () => {
    fc.assert(
      fc.property(point, direction, fc.integer({ min: 1, max: 500 }), (middle, normal, size) => {
        const [right, up] = sidesOf(normal);
        const corners = [0, 1, 2].map((turn) =>
          plus(plus(middle, right, Math.cos(turn * 2) * size), up, Math.sin(turn * 2) * size),
        );
        const found = surfaceOf(rounded(corners.map((at) => ({ at, normal }))));
        expect(found?.kind).toBe('plane');
        if (found?.kind !== 'plane') return;
        expect(degreesBetween(found.normal, normal)).toBeLessThan(0.001);
        expect(Math.abs(dot(minus(found.at, middle), normal))).toBeLessThan(0.001);
      }),
    );
  });

  it('returns the cylinder of a shaft or hole, full or partial', () => {
    fc.assert(
      fc.property(
        point,
        direction,
        fc.integer({ min: 1, max: 400 }),
        fc.boolean(),
        fc.integer({ min: 60, max: 360 }),
        (middle, axis, radius, inside, arc) => {
          const found = surfaceOf(rounded(ring(middle, axis, radius, { inside, arc })));
          expect(found?.kind).toBe('cylinder');
          if (found?.kind !== 'cylinder') return;
          expect(Math.abs(found.radius / radius - 1)).toBeLessThan(1e-3);
          expect(degreesBetween(found.axis, axis)).toBeLessThan(0.01);
          expect(length(cross(minus(found.at, middle), axis))).toBeLessThan(0.001 * (radius + 1));
        },
      ),
    );
  });

  it('returns null for other surfaces', () => {
    const [middle, axis]: [Point, Point] = [
      [10, 20, 30],
      [0, 0, 1],
    ];
    expect(surfaceOf(ring(middle, axis, 10, { grow: 0.02 }))).toBeNull();
    expect(surfaceOf(ring(middle, axis, 10, { flat: 0.99 }))).toBeNull();
    const sphere = ring(middle, axis, 10).map(({ at }) => ({ at, normal: unit(minus(at, middle)) }));
    expect(surfaceOf(sphere)).toBeNull();
  });

  it('returns null if there are too few vertices or no normals', () => {
    const [middle, axis]: [Point, Point] = [
      [0, 0, 0],
      [0, 0, 1],
    ];
    expect(surfaceOf(ring(middle, axis, 10, { arc: 30, steps: 2 }))).toBeNull();
    expect(surfaceOf(ring(middle, axis, 10).map(({ at }) => ({ at, normal: [0, 0, 0] })))).toBeNull();
    expect(surfaceOf([])).toBeNull();
  });

  it('returns null if a vertex is off the plane or its normal is tilted', () => {
    const flat = (at: Point): FaceVertex => ({ at, normal: [0, 0, 1] });
    const square = [flat([0, 0, 0]), flat([10, 0, 0]), flat([10, 10, 0])];
    expect(surfaceOf(square)?.kind).toBe('plane');
    expect(surfaceOf([...square, flat([0, 10, 0.01])])).toBeNull();
    expect(surfaceOf([...square, { at: [0, 10, 0], normal: unit([0, 0.01, 1]) }])).toBeNull();
  });
});

it('returns the vertices that triangles connect to a face', () => {
  const indices = [0, 1, 2, 1, 2, 3, 4, 5, 6, 7, 3, 0];
  expect(verticesOfFace(indices, 8, 0)).toEqual([0, 1, 2, 3, 7]);
  expect(verticesOfFace(indices, 8, 2)).toEqual([4, 5, 6]);
});
