import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBoundingBox } from './part-values.ts';
import { boxInMm, DIRECTIONS, formatMm, formatSize, sizeOf, VIEWS, viewForKey } from './space.ts';

describe('design space', () => {
  it('is in mm with Z up: glTF up becomes Z, towards the viewer becomes -Y', () => {
    expect(boxInMm([0, 0, -0.08], [0.12, 0.1, 0])).toEqual({ min: [0, 0, 0], max: [120, 80, 100] });
    expect(boxInMm([-0.001, 0.002, 0.003], [0.004, 0.005, 0.006])).toEqual({ min: [-1, -6, 2], max: [4, -3, 5] });
  });

  it('rounds away floating-point noise', () => {
    expect(boxInMm([0, 0, -0.08000000000000003], [0.1, 0.1, 0]).min[1]).toBe(0);
    expect(sizeOf(boxInMm([0, 0, -0.08000000000000003], [0.1, 0.1, 0]))).toEqual([100, 80, 100]);
  });

  it('keeps the size of any box', () => {
    const corner = fc.tuple(
      fc.integer({ min: -5000, max: 5000 }),
      fc.integer({ min: -5000, max: 5000 }),
      fc.integer({ min: -5000, max: 5000 }),
    );
    fc.assert(
      fc.property(corner, fc.tuple(fc.nat(999), fc.nat(999), fc.nat(999)), ([x, y, z], [dx, dy, dz]) => {
        const [sizeX, sizeY, sizeZ] = sizeOf(
          boxInMm([x / 1000, y / 1000, z / 1000], [(x + dx) / 1000, (y + dy) / 1000, (z + dz) / 1000]),
        );
        expect(sizeX).toBeCloseTo(dx, 5);
        expect(sizeY).toBeCloseTo(dz, 5);
        expect(sizeZ).toBeCloseTo(dy, 5);
      }),
    );
  });

  it('formats lengths with the digits of single precision', () => {
    expect(formatMm(120)).toBe('120');
    expect(formatMm(12.3456789)).toBe('12.346');
    expect(formatMm(1234.56789)).toBe('1,234.57');
    expect(formatMm(123456.789)).toBe('123,457');
    expect(formatMm(0)).toBe('0');
    expect(formatMm(-0.00001)).toBe('0');
    expect(formatSize({ min: [0, 0, 0], max: [120, 80, 0.5] })).toBe('120 × 80 × 0.5 mm');
  });

  it('has unique view shortcuts and orthogonal axes', () => {
    const keys = Object.values(VIEWS).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(viewForKey('2')).toBe('top');
    expect(viewForKey('x')).toBeUndefined();
    const { x, y, z } = DIRECTIONS;
    for (const [a, b] of [
      [x, y],
      [y, z],
      [x, z],
    ] as const)
      expect(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]).toBe(0);
    // seen from the front, Y points away from the viewer
    expect(y[0] * VIEWS.front.from[0] + y[1] * VIEWS.front.from[1] + y[2] * VIEWS.front.from[2]).toBe(-1);
  });

  it('reads the exact box from a properties file, or null if it has none', () => {
    expect(parseBoundingBox({ units: 'mm', boundingBox: { min: [0, 0, 0], max: [1, 2, 3] } })).toEqual({
      min: [0, 0, 0],
      max: [1, 2, 3],
    });
    for (const wrong of [
      null,
      'x',
      {},
      { units: 'inch', boundingBox: { min: [0, 0, 0], max: [1, 2, 3] } },
      { units: 'mm', boundingBox: { min: [0], max: [1] } },
    ]) {
      expect(parseBoundingBox(wrong)).toBeNull();
    }
  });
});
