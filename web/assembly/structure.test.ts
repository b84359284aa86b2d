import { expect, test } from 'vitest';
import { IDENTITY_ROWS } from '../../subgraphs/core/domain/measure/entity.ts';
import { positionIn, withPosition } from './placement.ts';
import {
  addComponent,
  addressParts,
  arrangeInstances,
  componentsOf,
  copyInstance,
  EMPTY_STRUCTURE,
  findNumbers,
  type Instance,
  moveComponent,
  parseStructure,
  placeInstance,
  placementOf,
  removeComponent,
  removeInstance,
  type Structure,
  setFindNumber,
  setLocation,
  setQuantity,
} from './structure.ts';

const BOLT = { name: 'PRT-1', kind: 'model', location: 'pdm://documents/PRT-1' };
const quantities = (structure: Parameters<typeof componentsOf>[0]) =>
  componentsOf(structure).map(({ ident, instances }) => [ident, instances.length]);

test('adds components with unique idents, changes quantities and removes them', () => {
  const twice = addComponent(addComponent(EMPTY_STRUCTURE, BOLT), BOLT);
  expect(quantities(twice)).toEqual([
    ['PRT-1', 1],
    ['PRT-1-2', 1],
  ]);
  const more = setQuantity(twice, 'PRT-1', 3);
  expect(new Set(more.instances.map(({ ident }) => ident)).size).toBe(4);
  expect(quantities(setQuantity(more, 'PRT-1', 2))).toEqual([
    ['PRT-1', 2],
    ['PRT-1-2', 1],
  ]);
  expect(quantities(removeComponent(more, 'PRT-1'))).toEqual([['PRT-1-2', 1]]);
});

test('keeps fields it does not know, and places templates without instances once', () => {
  const content = {
    units: 'mm',
    templates: [{ ident: 'a', userData: 1, reference: { location: 'pdm://documents/A' } }],
  };
  const pinned = setLocation(parseStructure(content), 'a', 'pdm://documents/A@v2');
  expect(pinned).toEqual({
    units: 'mm',
    templates: [{ ident: 'a', userData: 1, reference: { location: 'pdm://documents/A@v2' } }],
    instances: [{ ident: 'a', template: 'a' }],
  });
  expect(() => parseStructure([])).toThrow('no templates');
});

test('names templates without ident and their instances as the engine does', () => {
  const { templates, instances } = parseStructure({ templates: [{ ident: 'a' }, { assembly: { templates: [] } }] });
  expect(templates.map(({ ident }) => ident)).toEqual(['a', '1']);
  expect(instances).toEqual([
    { ident: 'a', template: 'a' },
    { ident: '1', template: '1' },
  ]);
});

test('copies an instance in a line and in a circle, and arranges all instances', () => {
  const one = placeInstance(addComponent(EMPTY_STRUCTURE, BOLT), 'PRT-1_1', withPosition(IDENTITY_ROWS, [5, 0, 0]));
  const positions = (structure: Structure) =>
    structure.instances.map((instance) => positionIn(placementOf(instance) ?? IDENTITY_ROWS));
  const line = copyInstance(one, 'PRT-1_1', { kind: 'line', step: [0, 20, 0] }, 2);
  expect(positions(line)).toEqual([
    [5, 0, 0],
    [5, 20, 0],
    [5, 40, 0],
  ]);
  const circle = copyInstance(one, 'PRT-1_1', { kind: 'circle', center: [0, 0, 9], axis: 'Z', angle: 90 }, 3);
  expect(positions(circle)).toEqual([
    [5, 0, 0],
    [0, 5, 0],
    [-5, 0, 0],
    [0, -5, 0],
  ]);
  expect(circle.instances[1]?.transform).toBe('[[0,-1,0,0],[1,0,0,5],[0,0,1,0],[0,0,0,1]]');
  expect(new Set(circle.instances.map(({ ident }) => ident)).size).toBe(4);
  expect(positions(arrangeInstances(line, 'PRT-1', { kind: 'line', step: [1, 0, 0] }))).toEqual([
    [5, 0, 0],
    [6, 0, 0],
    [7, 0, 0],
  ]);
  expect(removeInstance(line, 'PRT-1_2').instances.map(({ ident }) => ident)).toEqual(['PRT-1_1', 'PRT-1_3']);
});

test('keeps the transforms of instances that did not move', () => {
  const structure = {
    templates: [{ ident: 't' }],
    instances: [
      { ident: 'computed', template: 't', transform: '[0,0,cos(a_r(30))*10]' },
      { ident: 'plain', template: 't' },
    ],
  };
  expect(placementOf(structure.instances[0] as Instance)).toBeNull();
  expect(
    placeInstance(structure, 'plain', withPosition(IDENTITY_ROWS, [4, 5, 6])).instances.map(
      ({ transform }) => transform,
    ),
  ).toEqual(['[0,0,cos(a_r(30))*10]', '[4,5,6]']);
  // back to where it was: nothing to undo or save
  expect(placeInstance(structure, 'plain', IDENTITY_ROWS)).toBe(structure);
});

test('numbers components as the bill of materials does, and moves them', () => {
  const other = { ...BOLT, name: 'PRT-2', location: 'pdm://documents/PRT-2' };
  const three = [BOLT, other, BOLT].reduce(addComponent, EMPTY_STRUCTURE);
  expect([...findNumbers(three)]).toEqual([
    ['PRT-1', 1],
    ['PRT-2', 2],
    ['PRT-1-2', 1],
  ]);
  expect([...findNumbers(moveComponent(three, 'PRT-2', 0))]).toEqual([
    ['PRT-2', 1],
    ['PRT-1', 2],
    ['PRT-1-2', 2],
  ]);
  expect(moveComponent(three, 'PRT-2', 9).templates.map(({ ident }) => ident)).toEqual(['PRT-1', 'PRT-1-2', 'PRT-2']);
  expect(moveComponent(three, 'PRT-2', 1)).toBe(three);
});

test('splits addresses', () => {
  expect(addressParts('pdm://documents/PRT-1')).toEqual({ document: 'PRT-1', suffix: '' });
  expect(addressParts('pdm://documents/doc_1@B')).toEqual({ document: 'doc_1', suffix: '@B' });
});

test('gives a component and those with the same address a find number', () => {
  const parts = ['A', 'B', 'C', 'A'].map((name) => ({ name, kind: 'model', location: `pdm://documents/${name}` }));
  const four = parts.reduce(addComponent, EMPTY_STRUCTURE);
  const numbers = (ident: string, number: number) =>
    Object.fromEntries(findNumbers(setFindNumber(four, ident, number)));
  expect(numbers('A', 2)).toEqual({ B: 1, A: 2, 'A-2': 2, C: 3 });
  expect(numbers('A-2', 3)).toEqual({ B: 1, C: 2, A: 3, 'A-2': 3 });
  expect(numbers('C', 1)).toEqual({ C: 1, A: 2, B: 3, 'A-2': 2 });
  const inline = { ...four, templates: [{ ident: 'inline' }, ...four.templates] };
  expect(setFindNumber(inline, 'A', 1)).toBe(inline);
  expect(Object.fromEntries(findNumbers(setFindNumber(inline, 'B', 1)))).toMatchObject({ B: 1, A: 2 });
  expect(setFindNumber(inline, 'inline', 2)).toBe(inline);
});
