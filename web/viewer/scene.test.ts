import { expect, test } from 'vitest';
import { type ProductNode, productRows } from './product.ts';
import { partPaths, sceneOf, stateOf } from './scene.ts';
import { INITIAL_VIEW } from './view-state.ts';

const node = (name: string, ...children: ProductNode[]): ProductNode => ({ name, triangles: 1, bodies: 1, children });
const ROWS = productRows(node('Gate', node('a/b', node('nut'), node('nut')), node('ß'), node('a/b', node('nut'))));
const CAMERA = { position: [1, 2, 3], target: [0, 0, 0.5], height: 40 } as const;

test('names parts by unique paths', () => {
  expect(partPaths(ROWS)).toEqual(['', 'a%2Fb', 'a%2Fb/nut', 'a%2Fb/nut#2', '%C3%9F', 'a%2Fb#2', 'a%2Fb#2/nut']);
});

test('restores the state from its scene, also with other rows', () => {
  const cuts = [{ axis: 'x', at: 5, flipped: true }] as const;
  const state = { ...INITIAL_VIEW, hidden: new Set([5, 3]), transparent: new Set([4]), cuts, explode: 0.5 };
  const scene = sceneOf(state, CAMERA, ROWS);
  expect(scene.hidden).toEqual(['a%2Fb/nut#2', 'a%2Fb#2']);
  const expected = { transparent: new Set([4]), cuts, explode: 0.5, parallel: true, camera: CAMERA };
  expect(stateOf(scene, ROWS)).toEqual({ ...expected, hidden: new Set([3, 5]) });
  const fewer = productRows(node('Gate', node('ß')));
  expect(stateOf(scene, fewer)).toEqual({ ...expected, hidden: new Set(), transparent: new Set([1]) });
});

test('restores a perspective camera', () => {
  const scene = sceneOf(INITIAL_VIEW, { ...CAMERA, height: null }, ROWS);
  expect(stateOf(scene, ROWS)).toMatchObject({ parallel: false, camera: { height: null }, explode: null });
});
