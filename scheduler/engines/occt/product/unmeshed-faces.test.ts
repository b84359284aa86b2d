import { expect, test } from 'vitest';
import type { Shape } from '../kernel.ts';
import type { Mesh } from './mesh.ts';
import type { Part } from './product.ts';
import { unmeshedFaces, unmeshedWarning } from './unmeshed-faces.ts';

const part = (name: string): Part => ({ name, shape: {} as Shape, uses: null });
const mesh = (unmeshed: number): Mesh => ({
  positions: new Float32Array(),
  normals: new Float32Array(),
  indices: new Uint32Array(),
  lines: new Float32Array(),
  faces: new Uint32Array(),
  unmeshed,
});

test('lists the faces without triangles of each part', () => {
  const meshes = new Map([
    [part('plate'), mesh(0)],
    [part('cone'), mesh(2)],
  ]);
  const found = unmeshedFaces(meshes);
  expect(found).toEqual([{ part: 'cone', faces: 2 }]);
  expect(unmeshedWarning(found)).toEqual([
    {
      code: 'unmeshed_faces',
      message:
        '2 faces cannot be triangulated and are missing in the 3D view and the thumbnail: cone (2); measurements include them',
    },
  ]);
});

test('returns no warning if all faces have triangles', () => {
  expect(unmeshedWarning(unmeshedFaces(new Map([[part('plate'), mesh(0)]])))).toEqual([]);
});
