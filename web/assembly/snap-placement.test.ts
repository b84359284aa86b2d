import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Figure, transform } from '../../subgraphs/core/domain/measure/entity.ts';
import { cross, dot, minus, type Point, unit } from '../../subgraphs/core/domain/measure/vector.ts';
import { formatTransform, IDENTITY, type Placement, withAngles, withPosition } from './placement.ts';
import { snapPlacement } from './snap-placement.ts';

const plane = (at: Point, direction: Point): Figure => ({ kind: 'plane', at, direction });
const axis = (at: Point, direction: Point): Figure => ({ kind: 'axis', at, direction });
const ring = (at: Point, direction: Point): Figure => ({ kind: 'ring', at, direction });

test.each<[string, Placement, Figure, Figure, boolean, string]>([
  [
    'a bottom on a top',
    withPosition(IDENTITY, [7, 8, 50]),
    plane([7, 8, 50], [0, 0, -1]),
    plane([0, 0, 20], [0, 0, 1]),
    false,
    '[7,8,20]',
  ],
  [
    'a top against a top',
    IDENTITY,
    plane([5, 5, 10], [0, 0, 1]),
    plane([0, 0, 20], [0, 0, 1]),
    false,
    '[[-1,0,0,10],[0,1,0,0],[0,0,-1,30],[0,0,0,1]]',
  ],
  ['a top flush with a top', IDENTITY, plane([5, 5, 10], [0, 0, 1]), plane([0, 0, 20], [0, 0, 1]), true, '[0,0,10]'],
  [
    'a side on a top',
    IDENTITY,
    plane([10, 0, 0], [1, 0, 0]),
    plane([0, 0, 20], [0, 0, 1]),
    false,
    '[[0,0,1,10],[0,1,0,0],[-1,0,0,30],[0,0,0,1]]',
  ],
  ['a bolt in a hole', IDENTITY, axis([0, 0, 5], [0, 0, 1]), axis([30, 40, 99], [0, 0, 1]), false, '[30,40,0]'],
  [
    'a bolt in a hole of the opposite direction',
    IDENTITY,
    axis([0, 0, 5], [0, 0, 1]),
    axis([30, 40, 99], [0, 0, -1]),
    false,
    '[30,40,0]',
  ],
  [
    'a bolt turned over',
    IDENTITY,
    axis([0, 0, 5], [0, 0, 1]),
    axis([30, 40, 99], [0, 0, 1]),
    true,
    '[[-1,0,0,30],[0,1,0,40],[0,0,-1,10],[0,0,0,1]]',
  ],
  ['a circle on a circle', IDENTITY, ring([0, 0, 5], [0, 0, 1]), ring([30, 40, 99], [0, 0, 1]), false, '[30,40,94]'],
])('places %s', (_, placement, moved, target, flip, expected) => {
  const snapped = snapPlacement(placement, moved, target, flip);
  expect(snapped && formatTransform(snapped)).toBe(expected);
});

test('refuses a plane on an axis, and points', () => {
  expect(snapPlacement(IDENTITY, plane([0, 0, 0], [0, 0, 1]), axis([0, 0, 0], [0, 0, 1]))).toBeNull();
  expect(snapPlacement(IDENTITY, { kind: 'point', at: [0, 0, 0] }, { kind: 'point', at: [1, 0, 0] })).toBeNull();
});

const number = fc.double({ min: -1000, max: 1000, noNaN: true });
const points = fc.tuple(number, number, number);
const directions = points.filter((point) => Math.hypot(...point) > 1).map(unit);
const placements = fc.tuple(points, points).map(([at, angles]) => withAngles(withPosition(IDENTITY, at), angles));
/** A figure of the component in its own coordinates, its placement, and the target. Includes parallel directions. */
const cases = fc
  .record({
    placement: placements,
    own: points,
    along: directions,
    at: points,
    to: directions,
    same: fc.constantFrom(0, 1, -1),
    flip: fc.boolean(),
  })
  .map(({ placement, own, along, at, to, same, flip }) => {
    const direction: Point =
      same === 0 ? to : (transform(placement, along, 0).map((each) => each * same) as unknown as Point);
    return { placement, own, along, at, direction, flip };
  });
const placed = (placement: Placement, at: Point, direction: Point) => ({
  at: transform(placement, at, 1),
  direction: transform(placement, direction, 0),
});

test('makes planes coplanar with opposite normals', () => {
  fc.assert(
    fc.property(cases, ({ placement, own, along, at, direction, flip }) => {
      const before = placed(placement, own, along);
      const snapped = snapPlacement(placement, plane(before.at, before.direction), plane(at, direction), flip);
      const after = placed(snapped ?? [], own, along);
      expect(dot(after.direction, direction)).toBeCloseTo(flip ? 1 : -1, 9);
      expect(dot(minus(after.at, at), direction)).toBeCloseTo(0, 6);
    }),
  );
});

test('makes axes collinear, and turns them over when flipped', () => {
  fc.assert(
    fc.property(
      cases,
      fc.constantFrom<'axis' | 'ring'>('axis', 'ring'),
      ({ placement, own, along, at, direction, flip }, kind) => {
        const before = placed(placement, own, along);
        const snap = (turn: boolean) =>
          placed(snapPlacement(placement, { kind, ...before }, { kind, at, direction }, turn) ?? [], own, along);
        const after = snap(flip);
        expect(Math.hypot(...cross(after.direction, direction))).toBeCloseTo(0, 9);
        expect(Math.hypot(...cross(minus(after.at, at), direction))).toBeCloseTo(0, 6);
        expect(dot(after.direction, snap(!flip).direction)).toBeCloseTo(-1, 9);
        if (!flip) expect(dot(after.direction, before.direction)).toBeGreaterThan(-1e-9);
        if (kind === 'ring') for (const each of minus(after.at, at)) expect(each).toBeCloseTo(0, 6);
      },
    ),
  );
});
