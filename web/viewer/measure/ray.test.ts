import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceBetween, length, plus } from '../../../subgraphs/core/domain/measure/vector.ts';
import type { Point } from '../space.ts';
import { clipRay, intersectEdge, intersectTriangle, nearestPointOnEdge } from './ray.ts';

const coordinate = fc.integer({ min: -50, max: 50 });
const point: fc.Arbitrary<Point> = fc.tuple(coordinate, coordinate, coordinate);
const corners: [Point, Point, Point] = [
  [0, 0, 0],
  [10, 0, 0],
  [0, 10, 0],
];

describe('ray', () => {
  it('hits a triangle from outside and from inside the body', () => {
    expect(intersectTriangle({ from: [2, 3, 8], along: [0, 0, -2], reach: 9 }, ...corners)).toEqual({
      t: 4,
      inside: false,
    });
    expect(intersectTriangle({ from: [2, 3, -8], along: [0, 0, 2], reach: 9 }, ...corners)).toEqual({
      t: 4,
      inside: true,
    });
  });

  it('misses triangles beyond its reach, behind its start, beside it, and parallel to it', () => {
    expect(intersectTriangle({ from: [2, 3, 8], along: [0, 0, -2], reach: 3.9 }, ...corners)).toBeNull();
    expect(intersectTriangle({ from: [2, 3, -1], along: [0, 0, -2], reach: 9 }, ...corners)).toBeNull();
    expect(intersectTriangle({ from: [6, 6, 8], along: [0, 0, -2], reach: 9 }, ...corners)).toBeNull();
    expect(intersectTriangle({ from: [-9, 3, 0], along: [1, 0, 0], reach: 99 }, ...corners)).toBeNull();
  });

  it('hits every triangle that contains a point on it', () => {
    const part = fc.integer({ min: 0, max: 16 });
    fc.assert(
      fc.property(
        point,
        fc.tuple(part, part).filter(([u, v]) => u + v <= 16),
        (from, [u, v]) => {
          fc.pre(from[2] !== 0);
          const goal: Point = [(u / 16) * 10, (v / 16) * 10, 0];
          const met = intersectTriangle(
            { from, along: [goal[0] - from[0], goal[1] - from[1], -from[2]], reach: 2 },
            ...corners,
          );
          expect(met?.t).toBeCloseTo(1, 9);
        },
      ),
    );
  });

  it('has no point of an edge nearer than the returned one', () => {
    fc.assert(
      fc.property(
        point,
        point.filter((along) => length(along) > 0),
        point,
        point,
        fc.integer({ min: 0, max: 20 }),
        (from, along, start, end, step) => {
          const far = (point: Point) => {
            const t =
              along.reduce((sum, each, axis) => sum + each * ((point[axis] ?? 0) - (from[axis] ?? 0)), 0) /
              length(along) ** 2;
            return distanceBetween(point, plus(from, along, t));
          };
          const other = plus(start, [end[0] - start[0], end[1] - start[1], end[2] - start[2]], step / 20);
          expect(far(nearestPointOnEdge({ from, along, reach: 1 }, start, end))).toBeLessThanOrEqual(far(other) + 1e-4);
        },
      ),
    );
  });

  it('is clipped at its start or end by a section plane', () => {
    const above = (point: Point) => point[2];
    const down = { from: [0, 0, 4], along: [0, 0, -1], reach: 10 } as const;
    expect(clipRay({ ...down }, [above])).toEqual({ ray: { ...down, reach: 4 }, startsAtCut: false });
    expect(clipRay({ ...down }, [(point) => -above(point)])).toEqual({
      ray: { from: [0, 0, 0], along: [0, 0, -1], reach: 6 },
      startsAtCut: true,
    });
    expect(clipRay({ ...down, reach: 3 }, [above])).toEqual({ ray: { ...down, reach: 3 }, startsAtCut: false });
    expect(clipRay({ ...down, reach: 3 }, [(point) => -above(point)])).toBeNull();
  });

  it('is clipped by every section plane', () => {
    const down = { from: [0, 0, 4], along: [0, 0, -1], reach: 10 } as const;
    const [below, above] = [(point: Point) => 3 - point[2], (point: Point) => point[2] - 1];
    const kept = { ray: { from: [0, 0, 3], along: [0, 0, -1], reach: 2 }, startsAtCut: true };
    expect(clipRay({ ...down }, [below, above])).toEqual(kept);
    expect(clipRay({ ...down }, [above, below])).toEqual(kept);
    expect(clipRay({ ...down }, [below, (point) => point[2] - 5])).toBeNull();
  });

  it('finds where a section plane cuts an edge, and null if both ends are on one side', () => {
    const above = (point: Point) => point[2] - 3;
    expect(intersectEdge([0, 0, 0], [0, 8, 12], above)).toEqual([0, 2, 3]);
    expect(intersectEdge([0, 8, 12], [0, 0, 0], above)).toEqual([0, 2, 3]);
    expect(intersectEdge([0, 0, 4], [0, 8, 12], above)).toBeNull();
    expect(intersectEdge([0, 0, 3], [0, 8, 3], above)).toBeNull();
  });
});
