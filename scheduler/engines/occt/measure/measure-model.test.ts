import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { NodeIO } from '@gltf-transform/core';
import { describe, expect, test } from 'vitest';
import type { MeasureData, MeasuredFace } from '../../../../subgraphs/core/domain/measure/measure-data.ts';
import type { Point } from '../../../../subgraphs/core/domain/measure/vector.ts';
import { needs } from '../../../../test/support/needs.ts';
import { convert } from '../convert.ts';
import { createArtifacts, evaluateProduct } from '../derived-artifacts.ts';
import { IDENTITY, type Matrix } from '../product/matrix.ts';
import type { Definition, Part } from '../product/product.ts';
import { bracket, kernel, pin } from '../test-models.ts';
import { deviationFrom } from './fit-surface.ts';

const silent = { log: () => {}, progress: () => {} };

async function derived(root: Definition) {
  const { glb, measure } = await createArtifacts(evaluateProduct(kernel, root, [], null, silent));
  return { glb, data: JSON.parse(String(measure)) as MeasureData };
}

const partOf = (name: string, model: unknown): Part => ({
  name,
  shape: (model as { wrapped: Part['shape'] }).wrapped,
  uses: null,
});

/** The corners of the triangles of a face in the GLB. */
async function cornersIn(glb: Uint8Array, mesh: number, { triangles }: MeasuredFace): Promise<Point[]> {
  const [primitive, first, count] = triangles!;
  const source = (await new NodeIO().readBinary(glb)).getRoot().listMeshes()[mesh]!.listPrimitives()[primitive]!;
  const positions = source.getAttribute('POSITION')!;
  const indices = source
    .getIndices()!
    .getArray()!
    .subarray(first * 3, (first + count) * 3);
  return [...indices].map((vertex) => positions.getElement(vertex, []) as unknown as Point);
}

describe('measuring data of a model', { timeout: 120_000 }, () => {
  test('points to the triangles of each face in the GLB, also when faces have colours', async () => {
    const part = partOf('Bracket', bracket());
    part.colour = [200, 0, 0];
    part.faceColours = Array.from({ length: 40 }, (_, face) => (face % 3 === 0 ? ([0, 0, 200] as const) : null));
    const { glb, data } = await derived(part);
    const [{ faces, mesh }] = data.parts as [MeasureData['parts'][number]];
    expect(mesh).toBe(0);
    expect(new Set(faces.map(({ triangles }) => triangles![0]))).toEqual(new Set([0, 1]));
    let checked = 0;
    for (const face of faces) {
      if (face.kind === 'freeform') continue;
      for (const corner of await cornersIn(glb, 0, face))
        expect(Math.abs(deviationFrom(face, corner))).toBeLessThan(1e-4);
      checked++;
    }
    expect(checked).toBe(faces.length);
  });

  test('describes each part once, with its placements', async () => {
    const shared = partOf('Pin', pin());
    const move: Matrix = [1, 0, 0, 25, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const root: Definition = {
      name: 'Pair',
      shape: null,
      uses: [IDENTITY, move].map((transform, i) => ({ definition: shared, name: `Pin ${i}`, transform })),
    };
    const { data } = await derived(root);
    expect(data).toMatchObject({ units: 'mm', chordError: expect.any(Number) });
    expect(data.parts.map(({ name, mesh, faces, edges }) => [name, mesh, faces.length, edges.length])).toEqual([
      ['Pin', 0, 3, 3],
    ]);
    expect(data.placements).toEqual([
      { part: 0, matrix: IDENTITY.slice(0, 12) },
      { part: 0, matrix: move.slice(0, 12) },
    ]);
    const [{ faces }] = data.parts as [MeasureData['parts'][number]];
    expect(faces.find(({ kind }) => kind === 'cylinder')).toMatchObject({
      accuracy: 'exact',
      radius: 5,
      at: [0, 0, 20],
      area: expect.closeTo(2 * Math.PI * 5 * 40, 9),
      areaError: 0,
    });
  });
});

const file = join(resolve(process.env.PDM_STEP_DIR ?? '../shared/data/step'), 'as1-oc-214.stp');
const files = needs('STEP files', existsSync(file));
describe.skipIf(files.isMissing)(files.title('measuring data of other systems'), { timeout: 120_000 }, () => {
  test('has every hole of an assembly whose cylinders are splines', async () => {
    const { measure } = await convert(await readFile(file), async () => kernel, 1e9, silent);
    const { parts, placements } = JSON.parse(String(measure)) as MeasureData;
    const holes = parts.flatMap(({ name, faces }) =>
      faces.flatMap((face) => (face.kind === 'cylinder' && face.inner ? [{ name, ...face }] : [])),
    );
    expect(placements).toHaveLength(18);
    expect(holes.every(({ accuracy, residual }) => accuracy === 'fitted' && residual! < 1e-6)).toBe(true);
    expect([...new Set(holes.map(({ name, radius }) => `${name} ${(2 * radius).toFixed(6)}`))].sort()).toEqual([
      'l-bracket 10.000000',
      'nut 10.000000',
      'plate 10.000000',
    ]);
  });
});
