import { expect, test } from 'vitest';
import type { MeasureData } from '../../subgraphs/core/domain/measure/measure-data.ts';
import { partValues, unmeshedFaces } from './part-values.ts';

const face = (area: number) => ({ area }) as MeasureData['parts'][number]['faces'][number];
const measure: MeasureData = {
  units: 'mm',
  chordError: 0.1,
  parts: [
    { name: 'bolt', mesh: 0, faces: [face(100), face(20)], edges: [] },
    { name: 'plate', mesh: 1, faces: [face(1000)], edges: [] },
  ],
  placements: [],
};
const sources = {
  properties: null,
  measure: null,
  meshes: [0, 0],
  triangles: { volume: 1500, area: 239 },
  toModel: (point: readonly [number, number, number]) => [point[0] + 1, point[1], point[2]] as const,
};

test('returns the values of the triangles, marked as approximate', () => {
  expect(partValues(sources)).toEqual([
    { name: 'Volume', value: '1.5 cm³', approximate: true },
    { name: 'Area', value: '2.39 cm²', approximate: true },
  ]);
});

test('adds up the areas of the exact faces of all placements', () => {
  expect(partValues({ ...sources, measure })[1]).toEqual({ name: 'Area', value: '2.4 cm²' });
  expect(partValues({ ...sources, measure, meshes: [0, 7] })[1]).toMatchObject({ approximate: true });
});

test('returns the values of the engine with mass and material, and the center in the model', () => {
  const properties = {
    units: 'mm',
    volume: 1498.5,
    area: 240,
    centreOfMass: [0, 5, 0.25],
    massUnits: 'kg',
    mass: 0.0118,
    occurrencesWithoutMass: 0,
    materials: [{ name: 'Steel' }, { name: 'Steel' }],
  };
  expect(partValues({ ...sources, properties })).toEqual([
    { name: 'Volume', value: '1.4985 cm³' },
    { name: 'Area', value: '2.4 cm²' },
    { name: 'Center', value: '1, 5, 0.25 mm' },
    { name: 'Mass', value: '11.8 g' },
    { name: 'Material', value: 'Steel' },
  ]);
  const incomplete = { ...properties, occurrencesWithoutMass: 1 };
  expect(partValues({ ...sources, properties: incomplete }).map(({ name }) => name)).not.toContain('Mass');
});

test('counts the faces without triangles by part', () => {
  const unmeshed = [
    { part: 'Lid', faces: 2 },
    { part: 'Housing', faces: 1 },
  ];
  expect(unmeshedFaces({ unmeshed })).toEqual({ count: 3, parts: 'Lid (2), Housing (1)' });
  expect([unmeshedFaces({ unmeshed: [] }), unmeshedFaces({}), unmeshedFaces(undefined)]).toEqual([null, null, null]);
});
