import { NodeIO } from '@gltf-transform/core';
import { validateBytes } from 'gltf-validator';
import { describe, expect, test } from 'vitest';
import { independentStepReader } from '../../../test/support/independent-step-reader.ts';
import { takeApart } from '../../../test/support/take-apart.ts';
import { exportStep } from './assemble.ts';
import { convert } from './convert.ts';
import { startKernel } from './kernel.ts';
import { facesOf } from './product/faces.ts';
import { loadProduct } from './product/load-product.ts';
import { type Colour, linearOf } from './product/palette.ts';
import { type Part, placements } from './product/product.ts';
import { checkStep } from './read-step.ts';
import { splitStep } from './split-step.ts';
import { box, kernel, module, pin, stepOf } from './test-models.ts';
import { writeStep } from './write-step.ts';

const silent = { log: () => {}, progress: () => {} };
const RED: Colour = [255, 0, 0];
const TEAL: Colour = [12, 128, 127.5];

/** The colours of all placed faces, in the order of the file. */
async function faceColoursOf(stp: Buffer): Promise<(Colour | null)[]> {
  using shapes = new DisposableStack();
  const own = await startKernel(module);
  const { root } = loadProduct(own, checkStep(stp, 1e9), shapes);
  return placements(root).flatMap(({ part }) => {
    const count = [...facesOf(own, part.shape)].length;
    return Array.from({ length: count }, (_, face) => part.faceColours?.[face] ?? part.colour ?? null);
  });
}

/** Splits a file, exports the documents as one assembly and returns the STEP file. */
async function roundTrip(stp: Buffer): Promise<Buffer> {
  const documents = await splitStep(stp, () => startKernel(module), 1e9, silent);
  const files = new Map(documents.map(({ key, files: [main] }) => [`generated:${key}`, Buffer.from(main!.bytes)]));
  const read = (location: string) => files.get(location)!;
  const input = { asmJson: read('generated:root'), name: 'assembled', maxBytes: 1e9, read };
  return exportStep(await startKernel(module), input, '2026-01-01T00:00:00Z', silent);
}

/** A box with one teal face on a red pin. */
async function colouredParts(): Promise<Buffer> {
  using shapes = new DisposableStack();
  const partOf = async (name: string, model: Parameters<typeof stepOf>[0]): Promise<Part> => {
    const { root } = loadProduct(kernel, checkStep(await stepOf(model), 1e9), shapes);
    return { name, shape: root.shape!, uses: null };
  };
  const block = { ...(await partOf('block', box())), faceColours: [null, null, TEAL, null, null, RED] };
  const rod = { ...(await partOf('rod', pin())), colour: RED };
  const at = (x: number) => [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const uses = [
    { definition: block, name: 'block', transform: at(0) },
    { definition: rod, name: 'rod', transform: at(50) },
    { definition: rod, name: 'rod 2', transform: at(90) },
  ];
  return writeStep(kernel, { name: 'both', shape: null, uses }, '2026-01-01T00:00:00Z');
}

describe('colours of a file', { timeout: 120_000 }, () => {
  const file = colouredParts();
  const pinColours = [RED, RED, RED];
  const expected = [null, null, TEAL, null, null, RED, ...pinColours, ...pinColours];
  const rounded = (colours: (Colour | null)[]) =>
    colours.map((colour) => colour?.map((value = 1) => Math.round(value)) ?? null);

  test('belong to faces and parts', async () => {
    expect(rounded(await faceColoursOf(await file))).toEqual(rounded(expected));
  });

  test('survive splitting and export', async () => {
    expect(rounded(await faceColoursOf(await roundTrip(await file)))).toEqual(rounded(expected));
  });

  test('may be transparent, in the GLB and after splitting and export', async () => {
    using shapes = new DisposableStack();
    const shapeFrom = async (model: Parameters<typeof stepOf>[0]) =>
      loadProduct(kernel, checkStep(await stepOf(model), 1e9), shapes).root.shape!;
    const glass: Colour = [0, 128, 255, 0.3];
    const faceColours = [null, null, glass, null, null, RED];
    const block: Part = { name: 'block', shape: await shapeFrom(box()), uses: null, faceColours };
    const rod: Part = { name: 'rod', shape: await shapeFrom(pin()), uses: null, colour: glass };
    const transform = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const uses = [block, rod].map((definition) => ({ definition, name: definition.name, transform }));
    const stp = writeStep(kernel, { name: 'glass', shape: null, uses }, '2026-01-01T00:00:00Z');
    const rounded = (colours: (Colour | null)[]) =>
      colours.map((each) => each?.map((value = 1) => Math.round(10 * value) / 10) ?? null);
    const expected = rounded([...faceColours, glass, glass, glass]);
    expect(rounded(await faceColoursOf(stp))).toEqual(expected);
    expect(rounded(await faceColoursOf(await roundTrip(stp)))).toEqual(expected);

    const { glb, properties } = await convert(stp, () => startKernel(module), 1e9, silent);
    expect((await validateBytes(glb)).issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    const materials = (await new NodeIO().readBinary(glb)).getRoot().listMaterials();
    const blended = materials.filter((material) => material.getAlphaMode() === 'BLEND');
    expect(blended.map((material) => material.getBaseColorFactor()[3])).toEqual([expect.closeTo(0.3, 5)]);
    expect(JSON.parse(String(properties)).warnings).toEqual([]);
  });

  test('are found in the exported file by another reader', async () => {
    const { faceColours, errors } = await independentStepReader(takeApart(await roundTrip(await file)));
    // In linear light; each part is counted once.
    expect(faceColours).toEqual({ none: 4, '1,55,55': 1, '255,0,0': 1 + pinColours.length });
    expect(errors).toEqual([]);
  });

  test('are the materials of the GLB, with the tint of each coloured part beside them', async () => {
    const { glb } = await convert(await file, () => startKernel(module), 1e9, silent);
    expect((await validateBytes(glb)).issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    const meshes = (await new NodeIO().readBinary(glb)).getRoot().listMeshes();
    const materials = meshes.map((mesh) =>
      mesh.listPrimitives().map((primitive) => primitive.getMaterial()!.getBaseColorFactor().slice(0, 3)),
    );
    const linear = (colour: Colour) => linearOf(colour).map((value) => expect.closeTo(value, 4));
    expect(materials[0]).toHaveLength(3);
    expect(materials[0]!.slice(1)).toEqual([linear(TEAL), linear(RED)]);
    expect(materials[1]).toEqual([linear(RED)]);
    expect(meshes.map((mesh) => mesh.getExtras())).toEqual(
      meshes.map(() => ({ tint: [expect.any(Number), expect.any(Number), expect.any(Number)] })),
    );
  });
});
