import { expect, test } from 'vitest';
import type { Shape } from '../kernel.ts';
import { checkStated, type Stated } from './check-stated.ts';
import type { Vector } from './matrix.ts';
import type { ShapeMeasurements } from './measure-shape.ts';
import type { Part } from './product.ts';

const part = (name: string): Part => ({ name, shape: {} as Shape, uses: null });
const at = (x: number) => [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const [block, rod] = [part('block'), part('rod')];
const both = {
  name: 'both',
  shape: null,
  uses: [
    { definition: block, name: 'block', transform: at(0) },
    { definition: rod, name: 'rod', transform: at(100) },
    { definition: rod, name: 'rod', transform: at(200) },
  ],
};
const measured = (volume: number | null, x: number) =>
  ({ volume, area: 6, centreOfMass: volume === null ? null : [x, 1, 2] }) as ShapeMeasurements;
const MEASURED = new Map([
  [block, measured(1000, 5)],
  [rod, measured(500, 1)],
]);
const statedCentroid = (product: 1 | 2, value: Vector): Stated => ({
  product,
  definition: product === 1 ? block : both,
  quantity: 'centroid',
  value,
});

// (1000 · 5 + 500 · 101 + 500 · 201) / 2000 = 78
test.each([
  [1, [5, 1, 2], 0],
  [2, [78, 1, 2], 0],
  [1, [5.02, 1, 2], 0.002],
] as const)('compares the centroid of product %i, %o', (product, value, deviation) => {
  const { check, warnings } = checkStated([statedCentroid(product, value)], MEASURED);
  const kernel = product === 1 ? [5, 1, 2] : [78, 1, 2];
  expect(check).toEqual([
    {
      of: product === 1 ? 'block' : 'both',
      quantity: 'centroid',
      file: value,
      kernel,
      deviation: expect.closeTo(deviation, 9),
    },
  ]);
  const message = 'the centroid of block differs by 0.2 % of its size from the value in the file';
  expect(warnings).toEqual(deviation ? [{ code: 'differs_from_file', message }] : []);
});

test('does not compare the centroid of an assembly in which a volume is unknown', () => {
  const unknown = new Map(MEASURED).set(rod, measured(null, 0));
  expect(checkStated([statedCentroid(2, [78, 1, 2])], unknown)).toEqual({ check: [], warnings: [] });
});
