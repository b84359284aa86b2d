import { expect, test } from 'vitest';
import { IDENTITY_ROWS } from '../../../subgraphs/core/domain/measure/entity.ts';
import type { MeasuredPart } from '../../../subgraphs/core/domain/measure/measure-data.ts';
import { centersOf, exactEntity } from './exact-entity.ts';
import { createMeasurement, detailTexts, headlineText, type PickedPoint } from './measurement.ts';
import type { Feature } from './snap.ts';

const exact = { accuracy: 'exact', lengthError: 0, faces: [0, 1] } as const;
const PART: MeasuredPart = {
  name: 'Plate',
  mesh: 0,
  faces: [
    {
      ...{ kind: 'cylinder', accuracy: 'exact', inner: true, area: 10, areaError: 0, triangles: [0, 4, 8] },
      ...{ at: [10, 0, 0], direction: [0, 0, 1], radius: 4 },
    },
    {
      ...{ kind: 'plane', accuracy: 'exact', area: 100, areaError: 0, triangles: [0, 0, 4] },
      ...{ at: [0, 0, 5], direction: [0, 0, 1] },
    },
    { kind: 'freeform', accuracy: 'mesh', area: 7, areaError: 0.01, triangles: [1, 0, 5] },
  ],
  edges: [
    { ...exact, kind: 'line', from: [0, 0, 5], to: [0, 20, 5], length: 20 },
    {
      ...{ ...exact, kind: 'circle', at: [10, 0, 5], direction: [0, 0, 1], radius: 4, sweep: 360 },
      ...{ from: [14, 0, 5], to: [14, 0, 5], length: 25.132741 },
    },
  ],
};
const CHORD_ERROR = 0.05;
const at = (point: [number, number, number], feature: Feature, triangle: number | null = null, primitive = 0) =>
  exactEntity(PART, CHORD_ERROR, IDENTITY_ROWS, { at: point, feature, primitive, triangle });

test('finds the face of a triangle in its primitive', () => {
  expect(at([10, 4, 2], 'face', 11)).toMatchObject({ kind: 'cylinder', inner: true, accuracy: 'exact' });
  expect(at([1, 1, 5], 'face', 3)).toMatchObject({ kind: 'plane' });
  expect(at([1, 1, 5], 'face', 2, 1)).toMatchObject({
    kind: 'point',
    accuracy: 'mesh',
    error: CHORD_ERROR,
    values: [{ quantity: 'area', value: 7 }],
  });
});

test('finds the exact edge, end or middle near a point of the mesh', () => {
  expect(at([12.83, 2.8, 5], 'edge')).toMatchObject({ kind: 'circle', figure: { at: [10, 0, 5] } });
  expect(at([0.00003, 0, 5], 'vertex')).toMatchObject({ kind: 'point', accuracy: 'exact', figure: { at: [0, 0, 5] } });
  expect(at([0, 10.00002, 5], 'middle')).toMatchObject({ accuracy: 'exact', figure: { at: [0, 10, 5] } });
  expect(at([50, 50, 5], 'edge')).toMatchObject({ kind: 'point', accuracy: 'mesh' });
  expect(at([0, 10, 5], 'crossing')).toMatchObject({ kind: 'point', accuracy: 'mesh' });
});

test('offers the centers of circular edges', () => {
  expect(centersOf(PART)).toEqual([[10, 0, 5]]);
});

test('describes a measurement by its exact value and draws it between the nearest points', () => {
  const pick = (entity: PickedPoint['entity'], point: PickedPoint['at']): PickedPoint => ({
    ...{ at: point, feature: 'face', row: 0, part: '', surface: null },
    entity,
  });
  const hole = pick(at([10, 4, 2], 'face', 4), [10, 4, 2]);
  const measurement = createMeasurement(pick(at([0, 0, 5], 'vertex'), [0.00003, 0, 5]), hole);
  expect(headlineText(measurement)).toBe('10 mm (exact)');
  expect(measurement.line).toEqual([
    [0, 0, 5],
    [10, 0, 5],
  ]);
  expect(detailTexts(measurement)).toEqual([
    'hole, diameter 8 mm (exact), radius 4 mm (exact), area 10 mm² (exact), center (10, 0, 0), axis (0, 0, 1)',
    'between the picked points 11.18 mm',
  ]);
});
