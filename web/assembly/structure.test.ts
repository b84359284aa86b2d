import { expect, test } from 'vitest';
import {
  addComponent,
  addressParts,
  componentsOf,
  EMPTY_STRUCTURE,
  moveInstance,
  parseStructure,
  placeInLine,
  positionOf,
  removeComponent,
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
    instances: [{ ident: 'a-1', template: 'a' }],
  });
  expect(() => parseStructure([])).toThrow('no templates');
});

test.each([
  [undefined, [0, 0, 0]],
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
  ['[0,0,cos(a_r(30))*10]', null],
])('reads the position of the transform %j', (transform, position) => {
  expect(positionOf({ ident: 'i', template: 't', transform })).toEqual(position);
});

test('moves an instance and keeps its rotation', () => {
  const structure = {
    templates: [{ ident: 't' }],
    instances: [
      { ident: 'turned', template: 't', transform: '[[0,-1,0,250],[1,0,0,0],[0,0,1,-20],[0,0,0,1]]' },
      { ident: 'plain', template: 't' },
    ],
  };
  const all = moveInstance(moveInstance(structure, 'turned', [1, 2, 3]), 'plain', [4, 5, 6]);
  expect(all.instances.map(({ transform }) => transform)).toEqual([
    '[[0,-1,0,1],[1,0,0,2],[0,0,1,3],[0,0,0,1]]',
    '[4,5,6]',
  ]);
});

test('places instances in a line from the first one', () => {
  const three = setQuantity(addComponent(EMPTY_STRUCTURE, BOLT), 'PRT-1', 3);
  const line = placeInLine(moveInstance(three, 'PRT-1_1', [5, 0, 0]), 'PRT-1', [0, 20, 0]);
  expect(line.instances.map(positionOf)).toEqual([
    [5, 0, 0],
    [5, 20, 0],
    [5, 40, 0],
  ]);
});

test('splits addresses', () => {
  expect(addressParts('pdm://documents/PRT-1')).toEqual({ document: 'PRT-1', suffix: '' });
  expect(addressParts('pdm://documents/doc_1@B')).toEqual({ document: 'doc_1', suffix: '@B' });
});
