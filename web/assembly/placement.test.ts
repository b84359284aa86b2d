import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTransform } from '../../subgraphs/core/domain/assembly/asm-transform.ts';
import { IDENTITY_ROWS, transform } from '../../subgraphs/core/domain/measure/entity.ts';
import type { Point } from '../../subgraphs/core/domain/measure/vector.ts';
import {
  anglesIn,
  formatTransform,
  multiply,
  type Placement,
  positionIn,
  readTransform,
  rotationAbout,
  rotationBetween,
  withAngles,
  withPosition,
} from './placement.ts';

const millimeters = fc.double({ min: -1e4, max: 1e4, noNaN: true });
const points = fc.tuple(millimeters, millimeters, millimeters);
const degrees = fc.oneof(
  fc.double({ min: -720, max: 720, noNaN: true }),
  fc.integer({ min: -8, max: 8 }).map((n) => n * 45),
);
const placements = fc
  .tuple(points, degrees, degrees, degrees)
  .map(([at, x, y, z]) => withAngles(withPosition(IDENTITY_ROWS, at), [x, y, z]));
const directions = points.filter((point) => Math.hypot(...point) > 1);

function expectNear(placement: Placement, other: Placement, tolerance = 1e-9): void {
  for (const [at, value] of placement.entries())
    expect(Math.abs(value - (other[at] as number))).toBeLessThan(tolerance);
}

test.each<[unknown, Point]>([
  [undefined, [0, 0, 0]],
  ['', [0, 0, 0]],
  ['[1,2,3]', [1, 2, 3]],
  [
    [1, 2, 3],
    [1, 2, 3],
  ],
  ['[[0,-1,0,250],[1,0,0,5],[0,0,1,-20],[0,0,0,1]]', [250, 5, -20]],
  [
    [
      [4, 5, 6],
      [1, 0, 0],
      [0, 1, 0],
    ],
    [4, 5, 6],
  ],
])('reads the position of the transform %j', (value, position) => {
  expect(positionIn(readTransform(value) ?? [])).toEqual(position);
});

test('reads axes that are not perpendicular as the service does, and no expressions', () => {
  const axes = [
    [1, 2, 3],
    [0, 2, 0],
    [-1, 1, 0],
  ];
  const parsed = parseTransform(axes, 'i');
  expect('matrix' in parsed && parsed.matrix.slice(0, 12)).toEqual(readTransform(axes));
  expect(anglesIn(readTransform(axes) ?? [])).toEqual([0, 0, 90]);
  expect(readTransform('[0,0,cos(a_r(30))*10]')).toBeNull();
  expect(
    readTransform([
      [0, 0, 0],
      [1, 0, 0],
      [2, 0, 0],
    ]),
  ).toBeNull();
});

test.each<[Point, Point]>([
  [
    [90, 0, 0],
    [0, 0, 1],
  ],
  [
    [0, 0, 90],
    [-1, 0, 0],
  ],
  [
    [90, 0, 90],
    [0, 0, 1],
  ],
  [
    [0, 90, 90],
    [-1, 0, 0],
  ],
])('turns Y by the angles %j', (angles, y) => {
  expect(transform(withAngles(IDENTITY_ROWS, angles), [0, 1, 0], 0).map((each) => each + 0)).toEqual(y);
});

test('writes quarter turns without rounding errors', () => {
  expect(formatTransform(withAngles(withPosition(IDENTITY_ROWS, [1, 2, 3]), [0, 0, 90]))).toBe(
    '[[0,-1,0,1],[1,0,0,2],[0,0,1,3],[0,0,0,1]]',
  );
  expect(formatTransform(withAngles(withPosition(IDENTITY_ROWS, [1, 2, 3]), [360, 0, -720]))).toBe('[1,2,3]');
});

test('writes every placement so that the service reads the same one', () => {
  fc.assert(
    fc.property(placements, (placement) => {
      const text = formatTransform(placement);
      const parsed = parseTransform(text, 'i');
      if ('error' in parsed) throw new Error(parsed.error.message);
      expectNear(parsed.matrix.slice(0, 12), placement);
      expectNear(readTransform(text) ?? [], placement);
    }),
  );
});

test('returns to the same rotation through its angles', () => {
  fc.assert(
    fc.property(placements, (placement) => {
      const angles = anglesIn(placement);
      expect(Math.abs(angles[1])).toBeLessThanOrEqual(90);
      expectNear(withAngles(placement, angles), placement, 1e-8);
    }),
  );
});

test('rotates about an axis through a point, which stays', () => {
  fc.assert(
    fc.property(directions, points, degrees, (axis, through, angle) => {
      const turned = rotationAbout(axis, angle, through);
      const stays = transform(turned, through, 1);
      for (const at of [0, 1, 2]) expect(Math.abs((stays[at] as number) - (through[at] as number))).toBeLessThan(1e-8);
      expectNear(multiply(rotationAbout(axis, -angle, through), turned), IDENTITY_ROWS, 1e-8);
    }),
  );
});

test('turns a direction into another, also into the opposite', () => {
  fc.assert(
    fc.property(directions, directions, fc.constantFrom(0, 1, -1), (from, other, factor) => {
      const to: Point = factor === 0 ? other : [from[0] * factor, from[1] * factor, from[2] * factor];
      const turned = transform(rotationBetween(from, to, [1, 2, 3]), from, 0);
      const length = Math.hypot(...to);
      for (const at of [0, 1, 2])
        expect(Math.abs((turned[at] as number) - (to[at] as number) / length)).toBeLessThan(1e-9);
    }),
  );
});
