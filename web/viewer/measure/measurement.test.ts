import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Point } from '../space.ts';
import {
  alongText,
  distanceText,
  exactnessText,
  furtherText,
  measurementOf,
  measurementText,
  relationOf,
  type Taken,
} from './measurement.ts';
import type { Surface } from './surface.ts';
import { length, plus, unit } from './vector.ts';

const figure = fc.integer({ min: -900, max: 900 });
const place: fc.Arbitrary<Point> = fc.tuple(figure, figure, figure);
const taken = (at: Point, more: Partial<Taken> = {}): Taken => ({
  at,
  on: 'vertex',
  row: 0,
  part: '',
  surface: null,
  ...more,
});
const plane = (at: Point, normal: Point): Surface => ({ is: 'plane', at, normal: unit(normal) });
const cylinder = (at: Point, axis: Point, radius = 5): Surface => ({ is: 'cylinder', at, axis: unit(axis), radius });

describe('a measurement', () => {
  it('has the way from its first place to its second, which is as long as the distance', () => {
    fc.assert(
      fc.property(place, place, (from, to) => {
        const { along, distance } = measurementOf(taken(from), taken(to));
        expect(plus(from, along)).toEqual(to);
        expect(distance).toBeCloseTo(length(along), 9);
        expect(measurementOf(taken(to), taken(from)).distance).toBe(distance);
      }),
    );
  });

  it('tells how far parallel planes are apart, whichever way they look, and else their angle', () => {
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
        place,
        place.filter((each) => length(each) > 1),
        figure,
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

  it('tells how far parallel axes are apart, and nothing of axes that are not, or of a plane and an axis', () => {
    expect(relationOf(cylinder([0, 0, 0], [0, 0, 1]), cylinder([30, 40, 99], [0, 0, -1]))).toEqual({
      between: 'axes',
      apart: 50,
    });
    expect(relationOf(cylinder([0, 0, 0], [0, 0, 1]), cylinder([30, 40, 99], [0, 1, 1]))).toBeNull();
    expect(relationOf(cylinder([0, 0, 0], [0, 0, 1]), plane([0, 0, 0], [0, 0, 1]))).toBeNull();
    expect(relationOf(null, plane([0, 0, 0], [0, 0, 1]))).toBeNull();
  });

  it('is told in words, each diameter once', () => {
    const hole = (at: Point) => taken(at, { on: 'face', part: 'Plate', surface: cylinder([0, 0, 0], [0, 0, 1], 10) });
    const measured = measurementOf(hole([10, 0, 0]), hole([-10, 0, 12.5]));
    expect(distanceText(measured)).toBe('23.585 mm');
    expect(alongText(measured)).toBe('dx -20, dy 0, dz 12.5 mm');
    expect(furtherText(measured)).toEqual(['on one axis', 'diameter 20 mm']);
    expect(measurementText(measured)).toBe(
      '23.585 mm (dx -20, dy 0, dz 12.5 mm); on one axis; diameter 20 mm; from cylinder of Plate at x 10, y 0, z 0 mm, diameter 20 mm to cylinder of Plate at x -10, y 0, z 12.5 mm, diameter 20 mm',
    );
    const leaning = measurementOf(
      taken([0, 0, 0], { surface: plane([0, 0, 0], [0, 0, 1]) }),
      taken([1, 0, 0], { surface: plane([0, 0, 0], [0, 1, 2]) }),
    );
    expect(furtherText(leaning)).toEqual(['26.57° between the planes']);
    const besides = (apart: number) => furtherText({ ...leaning, relation: { between: 'planes', apart } });
    expect([besides(0), besides(12.5)]).toEqual([['in one plane'], ['parallel planes 12.5 mm apart']]);
  });

  it('says what it was measured on, and how near that is to the shape', () => {
    expect(exactnessText(0.1)).toContain('up to 0.1 mm beside it');
    expect(exactnessText(null)).toContain('how far is not known');
  });
});
