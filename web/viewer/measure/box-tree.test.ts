import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildBoxTree, type Ray, type RayWidth, visitAlongRay } from './box-tree.ts';

const coordinate = fc.integer({ min: -50, max: 50 });
const point = fc.tuple(coordinate, coordinate, coordinate);
const boxes = fc
  .array(fc.tuple(point, fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9))), { maxLength: 80 })
  .map((all) =>
    Float32Array.from(all.flatMap(([at, size]) => [...at, ...at.map((low, axis) => low + (size[axis] ?? 0))])),
  );
const direction = point.filter((along) => along.some((step) => step !== 0));

function built(of: Float32Array) {
  const making = buildBoxTree(of);
  for (let step = making.next(); ; step = making.next()) if (step.done) return step.value;
}

function found(of: Float32Array, ray: Ray, width?: RayWidth): number[] {
  const things: number[] = [];
  visitAlongRay(built(of), ray, (thing) => things.push(thing), width);
  return things.sort((a, b) => a - b);
}

/** Whether a ray passes a box within `width`. Samples the ray, so it can miss a box but never reports a wrong one. */
function passes(of: Float32Array, thing: number, { from, along }: Ray, width: number): boolean {
  for (let t = 0; t <= 1; t += 1 / 256) {
    const off = [0, 1, 2].map((axis) => {
      const at = (from[axis] ?? 0) + (along[axis] ?? 0) * t;
      return Math.max(0, (of[thing * 6 + axis] ?? 0) - at, at - (of[thing * 6 + 3 + axis] ?? 0));
    });
    if (Math.hypot(...off) <= width) return true;
  }
  return false;
}

describe('box tree', () => {
  it('finds every box along a ray of any width', () => {
    fc.assert(
      fc.property(boxes, point, direction, fc.nat(8), (of, from, along, width) => {
        const ray = { from, along, reach: 1.001 };
        const met = found(of, ray, { start: width, growth: 0 });
        const sure = Array.from({ length: of.length / 6 }, (_, thing) => thing).filter((thing) =>
          passes(of, thing, ray, width),
        );
        expect(met).toEqual(expect.arrayContaining(sure));
        expect(new Set(met).size).toBe(met.length);
      }),
    );
  });

  it('skips most boxes off the ray and beyond its reach', () => {
    const row = Array.from({ length: 1000 }, (_, at) => at).flatMap((at) => [at * 2, 0, 0, at * 2 + 1, 1, 1]);
    expect(found(Float32Array.from(row), { from: [0.5, 0.5, -9], along: [0, 0, 1], reach: 100 }).length).toBeLessThan(
      8,
    );
    expect(found(Float32Array.from(row), { from: [-9, 0.5, 0.5], along: [1, 0, 0], reach: 29 }).length).toBeLessThan(
      24,
    );
    expect(found(Float32Array.from(row), { from: [-9, 9, 0.5], along: [1, 0, 0], reach: 1e9 })).toEqual([]);
  });

  it('visits nothing behind the nearest item after the reach is shortened', () => {
    const row = Float32Array.from(Array.from({ length: 500 }, (_, at) => [at * 2, 0, 0, at * 2 + 1, 1, 1]).flat());
    const ray: Ray = { from: [-1, 0.5, 0.5], along: [1, 0, 0], reach: 1e9 };
    const visited: number[] = [];
    visitAlongRay(built(row), ray, (thing) => {
      visited.push(thing);
      ray.reach = Math.min(ray.reach, thing * 2 + 1);
    });
    expect(visited).toContain(0);
    expect(visited.length).toBeLessThan(8);
  });

  it('accepts identical boxes and an empty list', () => {
    expect(
      found(Float32Array.from(Array.from({ length: 50 }, () => [1, 1, 1, 1, 1, 1]).flat()), {
        from: [1, 1, 0],
        along: [0, 0, 1],
        reach: 9,
      }),
    ).toHaveLength(50);
    expect(found(new Float32Array(), { from: [0, 0, 0], along: [1, 0, 0], reach: 9 })).toEqual([]);
  });

  it('widens with the distance along a growing ray', () => {
    const of = Float32Array.from([10, 3, 0, 11, 4, 1]);
    const ray = { from: [0, 0, 0.5], along: [1, 0, 0], reach: 100 } as const;
    expect(found(of, { ...ray }, { start: 0, growth: 0.2 })).toEqual([]);
    expect(found(of, { ...ray }, { start: 0, growth: 0.4 })).toEqual([0]);
  });
});
