import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { length, plus, unit } from '../../../subgraphs/core/domain/measure/vector.ts';
import type { Point } from '../space.ts';
import {
  accuracyText,
  createMeasurement,
  deltaText,
  detailTexts,
  distanceText,
  measurementText,
  type PickedPoint,
  relationOf,
} from './measurement.ts';
import type { Surface } from './surface.ts';

const coordinate = fc.integer({ min: -900, max: 900 });
const point: fc.Arbitrary<Point> = fc.tuple(coordinate, coordinate, coordinate);
const picked = (at: Point, more: Partial<PickedPoint> = {}): PickedPoint => ({
  at,
  feature: 'vertex',
  row: 0,
  part: '',
  surface: null,
  ...more,
});
const plane = (at: Point, normal: Point): Surface => ({ kind: 'plane', at, normal: unit(normal) });
const cylinder = (at: Point, axis: Point, radius = 5): Surface => ({ kind: 'cylinder', at, axis: unit(axis), radius });

describe('measurement', () => {
  it('has a vector as long as the distance', () => {
    fc.assert(
      fc.property(point, point, (from, to) => {
        const { delta: along, distance } = createMeasurement(picked(from), picked(to));
        expect(plus(from, along)).toEqual(to);
        expect(distance).toBeCloseTo(length(along), 9);
        expect(createMeasurement(picked(to), picked(from)).distance).toBe(distance);
      }),
    );
  });

  it('has the distance of parallel planes in either orientation, and the angle of others', () => {
    expect(relationOf(plane([0, 0, 0], [0, 0, 1]), plane([7, 9, 40], [0, 0, -1]))).toEqual({
      between: 'planes',
      apart: 40,
    });
    expect(relationOf(plane([0, 0, 0], [0, 0, 1]), plane([7, 9, 40], [0, 1, 1]))).toEqual({
      between: 'planes',
      degrees: expect.closeTo(45, 9),
    });
    fc.assert(
      fc.property(
        point,
        point.filter((each) => length(each) > 1),
        coordinate,
        (at, normal, apart) => {
          const moved = plus(at, unit(normal), apart);
          expect(relationOf(plane(at, normal), plane(moved, normal))).toEqual({
            between: 'planes',
            apart: expect.closeTo(Math.abs(apart), 6),
          });
        },
      ),
    );
  });

  it('has the distance of parallel axes, and no relation for skew axes or a plane and an axis', () => {
    expect(relationOf(cylinder([0, 0, 0], [0, 0, 1]), cylinder([30, 40, 99], [0, 0, -1]))).toEqual({
      between: 'axes',
      apart: 50,
    });
    expect(relationOf(cylinder([0, 0, 0], [0, 0, 1]), cylinder([30, 40, 99], [0, 1, 1]))).toBeNull();
    expect(relationOf(cylinder([0, 0, 0], [0, 0, 1]), plane([0, 0, 0], [0, 0, 1]))).toBeNull();
    expect(relationOf(null, plane([0, 0, 0], [0, 0, 1]))).toBeNull();
  });

  it('is formatted with each diameter once', () => {
    const hole = (at: Point) =>
      picked(at, { feature: 'face', part: 'Plate', surface: cylinder([0, 0, 0], [0, 0, 1], 10) });
    const measured = createMeasurement(hole([10, 0, 0]), hole([-10, 0, 12.5]));
    expect(distanceText(measured)).toBe('23.585 mm');
    expect(deltaText(measured)).toBe('dx -20, dy 0, dz 12.5 mm');
    expect(detailTexts(measured)).toEqual(['coaxial', 'diameter 20 mm']);
    expect(measurementText(measured)).toBe(
      '23.585 mm (dx -20, dy 0, dz 12.5 mm); coaxial; diameter 20 mm; from cylinder of Plate at x 10, y 0, z 0 mm, diameter 20 mm to cylinder of Plate at x -10, y 0, z 12.5 mm, diameter 20 mm',
    );
    const leaning = createMeasurement(
      picked([0, 0, 0], { surface: plane([0, 0, 0], [0, 0, 1]) }),
      picked([1, 0, 0], { surface: plane([0, 0, 0], [0, 1, 2]) }),
    );
    expect(detailTexts(leaning)).toEqual(['26.57° between the planes']);
    const besides = (apart: number) => detailTexts({ ...leaning, relation: { between: 'planes', apart } });
    expect([besides(0), besides(12.5)]).toEqual([['coplanar'], ['parallel planes 12.5 mm apart']]);
  });

  it('states its accuracy', () => {
    expect(accuracyText(0.1)).toContain('by up to 0.1 mm');
    expect(accuracyText(null)).toContain('by an unknown amount');
  });
});
