import { NodeIO } from '@gltf-transform/core';
import { validateBytes } from 'gltf-validator';
import { expect, test } from 'vitest';
import type { Shape } from '../kernel.ts';
import { IDENTITY } from './matrix.ts';
import type { Mesh } from './mesh.ts';
import { surfacesOf, tintParts } from './palette.ts';
import type { Assembly, Part } from './product.ts';
import { writeGlb } from './write-glb.ts';

const part = (name: string): Part => ({ name, shape: {} as Shape, uses: null });
const triangle: Mesh = {
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1),
  indices: Uint32Array.of(0, 1, 2),
  lines: new Float32Array(),
  faces: Uint32Array.of(0, 3),
  unmeshed: 0,
};
const none: Mesh = {
  ...triangle,
  positions: new Float32Array(),
  indices: new Uint32Array(),
  faces: Uint32Array.of(0, 0),
};

test('leaves out products without triangles', async () => {
  const plate = part('plate');
  const ghost = part('ghost');
  const use = (definition: Part | Assembly) => ({ definition, name: definition.name, transform: IDENTITY });
  const empty: Assembly = { name: 'empty', shape: null, uses: [use(ghost)] };
  const root: Assembly = { name: 'root', shape: null, uses: [use(plate), use(empty), use(ghost)] };
  const meshes = new Map([
    [plate, triangle],
    [ghost, none],
  ]);
  const tints = tintParts(meshes);
  const surfaces = new Map([...meshes].map(([each, mesh]) => [each, surfacesOf(each, mesh, tints.get(each)!)]));
  const glb = await writeGlb({ root, meshes, surfaces, tints, tolerance: 0.1 });
  const nodes = (await new NodeIO().readBinary(glb)).getRoot().listNodes();
  expect(nodes.map((node) => node.getName()).sort()).toEqual(['mm, Z up', 'plate', 'root']);
  expect((await validateBytes(glb)).issues).toMatchObject({ numErrors: 0, numWarnings: 0, numInfos: 0 });
});
