import { expect, test } from 'vitest';
import { compareEntities } from './compare-entities.ts';
import { type Entity, edgeEntity, entityAt, faceEntity, IDENTITY_ROWS, pointEntity } from './entity.ts';
import type { MeasureData, MeasuredEdge, MeasuredFace } from './measure-data.ts';
import { parseMeasureData } from './parse-measure-data.ts';
import type { Point } from './vector.ts';

const CHORD_ERROR = 0.05;
const common = { accuracy: 'exact', area: 1, areaError: 0, triangles: null } as const;
const plane = (at: Point, direction: Point): MeasuredFace => ({ ...common, kind: 'plane', at, direction });
const hole = (at: Point, direction: Point, radius: number): MeasuredFace => ({
  ...common,
  kind: 'cylinder',
  inner: true,
  at,
  direction,
  radius,
});
const freeform: MeasuredFace = { ...common, kind: 'freeform', accuracy: 'mesh', areaError: 0.1 };
const circle = (at: Point, direction: Point, radius: number): MeasuredEdge => ({
  kind: 'circle',
  accuracy: 'fitted',
  residual: 0.00002,
  at,
  direction,
  radius,
  sweep: 360,
  from: [at[0] + radius, at[1], at[2]],
  to: [at[0] + radius, at[1], at[2]],
  length: 2 * Math.PI * radius,
  lengthError: 0,
  faces: [0],
});
const face = (each: MeasuredFace): Entity => faceEntity(each, CHORD_ERROR, IDENTITY_ROWS);
const edge = (each: MeasuredEdge): Entity => edgeEntity(each, CHORD_ERROR, IDENTITY_ROWS);
const between = (one: Entity, other: Entity) =>
  compareEntities(one, other).map(({ quantity, value, accuracy, error }) => [
    quantity,
    Number(value.toFixed(9)),
    accuracy,
    error,
  ]);

test('measures parallel planes by their distance and others by their angle', () => {
  const floor = face(plane([0, 0, 0], [0, 0, -1]));
  expect(between(floor, face(plane([7, 8, 12.5], [0, 0, 1])))).toEqual([['distance', 12.5, 'exact', 0]]);
  const slope = Math.PI / 6;
  expect(between(floor, face(plane([0, 0, 0], [Math.sin(slope), 0, Math.cos(slope)])))).toEqual([
    ['angle', 30, 'exact', 0],
  ]);
});

test('states the error of a distance between planes that are parallel except for rounding', () => {
  const tilted = face(plane([100, 0, 5], [1e-6, 0, 1]));
  const [value] = compareEntities(face(plane([0, 0, 0], [0, 0, 1])), tilted);
  expect(value).toMatchObject({ quantity: 'distance', value: 5, accuracy: 'fitted' });
  expect(value?.error).toBeCloseTo(1e-4, 5);
});

test('measures axes by their distance, and their angle if they are not parallel', () => {
  const one = face(hole([10, 0, 0], [0, 0, 1], 4));
  expect(between(one, face(hole([40, 40, 99], [0, 0, -1], 2)))).toEqual([['distance', 50, 'exact', 0]]);
  expect(between(one, face(hole([0, 7, 5], [1, 0, 0], 2)))).toEqual([
    ['distance', 7, 'exact', 0],
    ['angle', 90, 'exact', 0],
  ]);
});

test('measures axes and planes by their distance or angle, and circles by their center', () => {
  const floor = face(plane([0, 0, 2], [0, 0, 1]));
  expect(between(floor, face(hole([0, 5, 10], [1, 0, 0], 1)))).toEqual([['distance', 8, 'exact', 0]]);
  expect(between(face(hole([0, 5, 10], [0, 0, 1], 1)), floor)).toEqual([['angle', 90, 'exact', 0]]);
  const rim = edge(circle([0, 5, 10], [0, 0, 1], 3));
  expect(between(floor, rim)).toEqual([
    ['distance', 8, 'fitted', 0.00002],
    ['angle', 90, 'fitted', null],
  ]);
  expect(between(rim, edge(circle([3, 9, 22], [0, 0, 1], 1)))).toEqual([
    ['distance', 5, 'fitted', 0.00004],
    ['centerDistance', 13, 'fitted', 0.00004],
  ]);
});

test('measures from points, and nothing from freeform faces', () => {
  const point = pointEntity([1, 2, 3], 'mesh', CHORD_ERROR);
  expect(between(point, pointEntity([4, 6, 3], 'exact', 0))).toEqual([
    ['distance', 5, 'mesh', CHORD_ERROR],
    ['dx', 3, 'mesh', CHORD_ERROR],
    ['dy', 4, 'mesh', CHORD_ERROR],
    ['dz', 0, 'mesh', CHORD_ERROR],
  ]);
  expect(between(point, face(plane([0, 0, 0], [0, 0, 1])))).toEqual([['distance', 3, 'mesh', CHORD_ERROR]]);
  expect(between(face(hole([1, 6, 0], [0, 0, 1], 1)), point)).toEqual([['distance', 4, 'mesh', CHORD_ERROR]]);
  expect(between(face(freeform), point)).toEqual([]);
});

test('lists what a face or edge measures by itself', () => {
  const values = ({ values }: Entity) =>
    values.map(({ quantity, value, unit, accuracy }) => `${quantity} ${Number(value.toFixed(3))} ${unit} ${accuracy}`);
  expect(values(face(hole([0, 0, 0], [0, 0, 1], 4)))).toEqual([
    'diameter 8 mm exact',
    'radius 4 mm exact',
    'area 1 mm² exact',
  ]);
  expect(values(face(freeform))).toEqual(['area 1 mm² fitted']);
  expect(values(edge(circle([0, 0, 0], [0, 0, 1], 2)))).toEqual([
    'diameter 4 mm fitted',
    'radius 2 mm fitted',
    'sweep 360 ° fitted',
    'length 12.566 mm exact',
  ]);
});

const data: MeasureData = {
  units: 'mm',
  chordError: CHORD_ERROR,
  parts: [{ name: 'Pin', mesh: 0, faces: [hole([1, 0, 0], [0, 0, 1], 4)], edges: [circle([1, 0, 0], [0, 0, 1], 4)] }],
  placements: [
    { part: 0, matrix: IDENTITY_ROWS },
    { part: 0, matrix: [0, -1, 0, 10, 1, 0, 0, 20, 0, 0, 1, 30] },
  ],
};

test('finds entities by their address, in the coordinates of the model', () => {
  expect(entityAt(data, '1/face/0')).toMatchObject({
    part: 'Pin',
    kind: 'cylinder',
    figure: { at: [10, 21, 30], direction: [0, 0, 1] },
  });
  expect(entityAt(data, '1/edge/0/center')).toMatchObject({
    kind: 'point',
    accuracy: 'fitted',
    figure: { at: [10, 21, 30] },
  });
  expect(entityAt(data, '0/edge/0/start')).toMatchObject({ accuracy: 'exact', figure: { at: [5, 0, 0] } });
  for (const wrong of [
    '',
    '2/face/0',
    '0/face/1',
    '0/edge/1',
    '0/face/0/center',
    '0/edge/0/middle',
    '-1/face/0',
    '0/face/0 ',
  ])
    expect(entityAt(data, wrong), wrong).toBeNull();
});

test('accepts measuring data and says where other data is not valid', () => {
  const parse = (change: (copy: MeasureData) => unknown) => {
    const copy = structuredClone(data);
    change(copy);
    return () => parseMeasureData(copy);
  };
  expect(parse(() => null)()).toEqual(data);
  const invalid = (path: string) => expect.objectContaining({ path });
  expect(parse((copy) => Object.assign(copy, { units: 'inch' }))).toThrow(invalid('/units'));
  expect(parse((copy) => Object.assign(copy.parts[0]!.faces[0]!, { radius: 'x' }))).toThrow(
    invalid('/parts/0/faces/0/radius'),
  );
  expect(parse((copy) => Object.assign(copy.parts[0]!.edges[0]!, { kind: 'toString' }))).toThrow(
    invalid('/parts/0/edges/0/kind'),
  );
  expect(parse((copy) => Object.assign(copy.placements[1]!, { part: 7 }))).toThrow(invalid('/placements/1/part'));
  expect(() => parseMeasureData([])).toThrow(invalid(''));
});
