import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IDENTITY_ROWS, transform } from '../../subgraphs/core/domain/measure/entity.ts';
import { cross, dot, minus, type Point, scale, unit } from '../../subgraphs/core/domain/measure/vector.ts';
import { formatTransform, type Placement, withAngles, withPosition } from './placement.ts';
import { canSnap, type SnapFigure, snapPlacement } from './snap-placement.ts';

const plane = (at: Point, direction: Point): SnapFigure => ({ kind: 'plane', at, direction });
const axis = (at: Point, direction: Point): SnapFigure => ({ kind: 'axis', at, direction });
const ring = (at: Point, direction: Point): SnapFigure => ({ kind: 'ring', at, direction });

test.each<[string, Placement, SnapFigure, SnapFigure, boolean, string]>([
  [
    'a bottom on a top',
    withPosition(IDENTITY_ROWS, [7, 8, 50]),
    plane([7, 8, 50], [0, 0, -1]),
    plane([0, 0, 20], [0, 0, 1]),
    false,
    '[7,8,20]',
  ],
  [
    'a top against a top',
    IDENTITY_ROWS,
    plane([5, 5, 10], [0, 0, 1]),
    plane([0, 0, 20], [0, 0, 1]),
    false,
    '[[-1,0,0,10],[0,1,0,0],[0,0,-1,30],[0,0,0,1]]',
  ],
  [
    'a top flush with a top',
    IDENTITY_ROWS,
    plane([5, 5, 10], [0, 0, 1]),
    plane([0, 0, 20], [0, 0, 1]),
    true,
    '[0,0,10]',
  ],
  [
    'a side on a top',
    IDENTITY_ROWS,
    plane([10, 0, 0], [1, 0, 0]),
    plane([0, 0, 20], [0, 0, 1]),
    false,
    '[[0,0,1,10],[0,1,0,0],[-1,0,0,30],[0,0,0,1]]',
  ],
  ['a bolt in a hole', IDENTITY_ROWS, axis([0, 0, 5], [0, 0, 1]), axis([30, 40, 99], [0, 0, 1]), false, '[30,40,0]'],
  [
    'a bolt in a hole of the opposite direction',
    IDENTITY_ROWS,
    axis([0, 0, 5], [0, 0, 1]),
    axis([30, 40, 99], [0, 0, -1]),
    false,
    '[30,40,0]',
  ],
  [
    'a bolt turned over',
    IDENTITY_ROWS,
    axis([0, 0, 5], [0, 0, 1]),
    axis([30, 40, 99], [0, 0, 1]),
    true,
    '[[-1,0,0,30],[0,1,0,40],[0,0,-1,10],[0,0,0,1]]',
  ],
  [
    'a side on a vertical axis',
    IDENTITY_ROWS,
    plane([10, 0, 0], [1, 0, 0]),
    axis([30, 40, 99], [0, 0, 1]),
    false,
    '[20,0,0]',
  ],
  [
    'a top on a vertical axis',
    IDENTITY_ROWS,
    plane([0, 0, 10], [0, 0, 1]),
    axis([30, 40, 99], [0, 0, 1]),
    false,
    '[[1,0,0,0],[0,0,1,30],[0,-1,0,10],[0,0,0,1]]',
  ],
  ['a pin on a table', IDENTITY_ROWS, axis([0, 0, 5], [1, 0, 0]), plane([9, 9, 20], [0, 0, 1]), false, '[0,0,15]'],
  [
    'a pin on a table, turned over',
    IDENTITY_ROWS,
    axis([0, 0, 5], [1, 0, 0]),
    plane([9, 9, 20], [0, 0, 1]),
    true,
    '[[1,0,0,0],[0,-1,0,0],[0,0,-1,25],[0,0,0,1]]',
  ],
  [
    'a circle on a circle',
    IDENTITY_ROWS,
    ring([0, 0, 5], [0, 0, 1]),
    ring([30, 40, 99], [0, 0, 1]),
    false,
    '[30,40,94]',
  ],
])('places %s', (_, placement, moved, target, flip, expected) => {
  const snapped = snapPlacement(placement, moved, target, flip);
  expect(formatTransform(snapped)).toBe(expected);
});

test('refuses points and freeform shapes', () => {
  expect([{ kind: 'point', at: [0, 0, 0] } as const, null, axis([0, 0, 0], [0, 0, 1])].map(canSnap)).toEqual([
    false,
    false,
    true,
  ]);
});

const number = fc.double({ min: -1000, max: 1000, noNaN: true });
const points = fc.tuple(number, number, number);
const directions = points.filter((point) => Math.hypot(...point) > 1).map(unit);
const placements = fc.tuple(points, points).map(([at, angles]) => withAngles(withPosition(IDENTITY_ROWS, at), angles));
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
    const direction: Point = same === 0 ? to : scale(transform(placement, along, 0), same);
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
      const after = placed(snapped, own, along);
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
          placed(snapPlacement(placement, { kind, ...before }, { kind, at, direction }, turn), own, along);
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

test('makes an axis lie in a plane, whichever of them moves', () => {
  fc.assert(
    fc.property(cases, fc.boolean(), ({ placement, own, along, at, direction, flip }, movesPlane) => {
      const before = placed(placement, own, along);
      const [moved, target] = movesPlane
        ? [plane(before.at, before.direction), axis(at, direction)]
        : [axis(before.at, before.direction), plane(at, direction)];
      const after = placed(snapPlacement(placement, moved, target, flip), own, along);
      expect(dot(after.direction, direction)).toBeCloseTo(0, 6);
      expect(dot(minus(after.at, at), movesPlane ? after.direction : direction)).toBeCloseTo(0, 5);
    }),
  );
});
