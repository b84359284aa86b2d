import { expect, test } from 'vitest';
import type { SurfaceGeometry } from '../../../../subgraphs/core/domain/measure/measure-data.ts';
import { cross, dot, type Point, plus, scale, unit } from '../../../../subgraphs/core/domain/measure/vector.ts';
import { fitSurface, type SurfaceSample } from './fit-surface.ts';

const AXIS = unit([1, 2, -2]);
const RIGHT = unit(cross(AXIS, [0, 0, 1]));
const CENTER: Point = [100, -40, 7];

/** The point at an angle around the axis, a distance from it and a height along it; the normal is given likewise. */
function sampleAt(
  angle: number,
  [distance, height]: [number, number],
  [outward, along]: [number, number],
): SurfaceSample {
  const radial = plus(scale(RIGHT, Math.cos(angle)), cross(AXIS, RIGHT), Math.sin(angle));
  return {
    at: plus(plus(CENTER, radial, distance), AXIS, height),
    normal: unit(plus(scale(radial, outward), AXIS, along)),
  };
}

function samples(profile: (v: number) => [[number, number], [number, number]], from = 0.2, to = 1.4): SurfaceSample[] {
  return [0, 1, 2, 3, 4].flatMap((i) =>
    [0, 1, 2, 3, 4].map((j) => sampleAt(from + ((to - from) * i) / 4, ...profile(j / 4))),
  );
}

const SLOPE = Math.PI / 9;
const surfaces: [string, SurfaceSample[], object][] = [
  [
    'plane',
    samples((v) => [
      [3 + v, 2],
      [0, 1],
    ]),
    { kind: 'plane' },
  ],
  [
    'cylinder',
    samples((v) => [
      [12.5, 4 * v],
      [1, 0],
    ]),
    { kind: 'cylinder', radius: 12.5 },
  ],
  [
    'cone',
    samples((v) => [
      [5 + 10 * v * Math.tan(SLOPE), 10 * v],
      [Math.cos(SLOPE), -Math.sin(SLOPE)],
    ]),
    { kind: 'cone', angle: 20 },
  ],
  [
    'sphere',
    samples((v) => [
      [8 * Math.cos(v), 8 * Math.sin(v)],
      [Math.cos(v), Math.sin(v)],
    ]),
    { kind: 'sphere', radius: 8, at: CENTER },
  ],
  [
    'torus',
    samples((v) => [
      [20 + 3 * Math.cos(2 * v), 3 * Math.sin(2 * v)],
      [Math.cos(2 * v), Math.sin(2 * v)],
    ]),
    { kind: 'torus', radius: 20, minorRadius: 3, at: CENTER },
  ],
];

test.each(surfaces)('recognizes a %s', (_kind, points, expected) => {
  const fitted = fitSurface(points);
  const geometry = fitted?.geometry as Exclude<SurfaceGeometry, { kind: 'freeform' }>;
  expect(round(geometry)).toMatchObject(round(expected));
  expect(fitted?.residual).toBeLessThan(1e-6);
  if ('direction' in geometry) expect(Math.abs(dot(geometry.direction, AXIS))).toBeCloseTo(1, 9);
  const away = plus(geometry.at, CENTER, -1);
  if (geometry.kind === 'cylinder' || geometry.kind === 'cone')
    expect(Math.hypot(...cross(away, AXIS))).toBeCloseTo(0, 6);
});

test('does not recognize a surface that bends in two directions by different radii', () => {
  const saddle = samples((v) => [[20 + v * v, 3 * v], unit([1, -(2 / 3) * v, 0]).slice(0, 2) as [number, number]]);
  expect(fitSurface(saddle)).toBeNull();
});

test('does not determine a radius from an almost flat piece', () => {
  expect(
    fitSurface(
      samples(
        (v) => [
          [1000, 4 * v],
          [1, 0],
        ],
        0,
        0.02,
      ),
    )?.geometry.kind,
  ).not.toBe('cylinder');
});

const round = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (_key, each) => (typeof each === 'number' ? Number(each.toFixed(6)) + 0 : each)));
