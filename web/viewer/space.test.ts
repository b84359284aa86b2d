import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DIRECTIONS, millimetres, sizeOf, sizeText, toMillimetres, VIEWS, viewOfKey } from './space.ts';
import { boxIn } from './use-exact-box.ts';

describe('the space of parts', () => {
  it('is that of the file in mm with Z up: what is up in the file is Z, what is towards the eye is -Y', () => {
    expect(toMillimetres([0, 0, -0.08], [0.12, 0.1, 0])).toEqual({ min: [0, 0, 0], max: [120, 80, 100] });
    expect(toMillimetres([-0.001, 0.002, 0.003], [0.004, 0.005, 0.006])).toEqual({ min: [-1, -6, 2], max: [4, -3, 5] });
  });

  it('turns no length into noise of the sixth digit', () => {
    expect(toMillimetres([0, 0, -0.08000000000000003], [0.1, 0.1, 0]).min[1]).toBe(0);
    expect(sizeOf(toMillimetres([0, 0, -0.08000000000000003], [0.1, 0.1, 0]))).toEqual([100, 80, 100]);
  });

  it('any box keeps its lengths', () => {
    const corner = fc.tuple(
      fc.integer({ min: -5000, max: 5000 }),
      fc.integer({ min: -5000, max: 5000 }),
      fc.integer({ min: -5000, max: 5000 }),
    );
    fc.assert(
      fc.property(corner, fc.tuple(fc.nat(999), fc.nat(999), fc.nat(999)), ([x, y, z], [dx, dy, dz]) => {
        const [sizeX, sizeY, sizeZ] = sizeOf(
          toMillimetres([x / 1000, y / 1000, z / 1000], [(x + dx) / 1000, (y + dy) / 1000, (z + dz) / 1000]),
        );
        expect(sizeX).toBeCloseTo(dx, 5);
        expect(sizeY).toBeCloseTo(dz, 5);
        expect(sizeZ).toBeCloseTo(dy, 5);
      }),
    );
  });

  it('is told with as many digits as a file of single precision holds', () => {
    expect(millimetres(120)).toBe('120');
    expect(millimetres(12.3456789)).toBe('12.346');
    expect(millimetres(1234.56789)).toBe('1,234.57');
    expect(millimetres(123456.789)).toBe('123,457');
    expect(millimetres(0)).toBe('0');
    expect(millimetres(-0.00001)).toBe('0');
    expect(sizeText({ min: [0, 0, 0], max: [120, 80, 0.5] })).toBe('120 × 80 × 0.5 mm');
  });

  it('has standard views with a key each, and axes at right angles', () => {
    const keys = Object.values(VIEWS).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(viewOfKey('2')).toBe('top');
    expect(viewOfKey('x')).toBeUndefined();
    const { x, y, z } = DIRECTIONS;
    for (const [a, b] of [
      [x, y],
      [y, z],
      [x, z],
    ] as const)
      expect(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]).toBe(0);
    // seen from the front, Y goes away from who looks
    expect(y[0] * VIEWS.front.from[0] + y[1] * VIEWS.front.from[1] + y[2] * VIEWS.front.from[2]).toBe(-1);
  });

  it('takes the exact box from the engine’s file, and nothing from a file that has none', () => {
    expect(boxIn({ units: 'mm', boundingBox: { min: [0, 0, 0], max: [1, 2, 3] } })).toEqual({
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
      expect(boxIn(wrong)).toBeNull();
    }
  });
});
