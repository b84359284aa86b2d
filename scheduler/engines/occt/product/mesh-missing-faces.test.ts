import * as cad from 'replicad';
import { expect, test } from 'vitest';
import { cadFiles, readCadFile } from '../../../../test/support/cad-files.ts';
import { startKernel } from '../kernel.ts';
import { checkStep } from '../read-step.ts';
import { kernel, module, shapeOf } from '../test-models.ts';
import { loadProduct } from './load-product.ts';
import { meshMissingFaces } from './mesh-missing-faces.ts';
import { placements } from './product.ts';
import { chordError, tessellate } from './tessellate.ts';

// The mesher leaves out four of these faces.
test.skipIf(cadFiles.isMissing)(
  cadFiles.title('all 696 faces of a file are triangulated'),
  { timeout: 120_000 },
  async () => {
    using shapes = new DisposableStack();
    const kernel = await startKernel(module);
    const { root } = loadProduct(kernel, checkStep(readCadFile('step/SKR_3_Din_Mount.step'), 1e9), shapes);
    const meshes = placements(root).map(({ part }) => tessellate(kernel, part.shape, chordError([100, 100, 100])));
    const counts = meshes.flatMap(({ faces }) => [...faces].filter((_, i) => i % 2 === 1));
    expect(counts).toHaveLength(696);
    expect(counts.filter((count) => count === 0)).toEqual([]);
    expect(meshes.map(({ unmeshed }) => unmeshed)).toEqual(meshes.map(() => 0));
  },
);

test('a face keeps its hole, however small', () => {
  const plate = shapeOf(cad.makeBox([0, 0, 0], [100, 100, 5]).cut(cad.makeCylinder(5, 20, [50, 50, -5])));
  const mesh = tessellate(kernel, plate, 0.1);
  const counts = mesh.faces.filter((_, i) => i % 2 === 1);
  const without = mesh.faces.map((value, i) => (i % 2 === 1 ? 0 : value));
  const { faces, unmeshed } = meshMissingFaces(kernel, plate, { ...mesh, faces: without }, 0.1);
  const sides = [...counts].filter((count) => count === 6).length;
  expect(sides).toBe(4);
  expect([...faces].filter((count, i) => i % 2 === 1 && count === 6)).toHaveLength(sides);
  expect(unmeshed).toBe(0);
});
