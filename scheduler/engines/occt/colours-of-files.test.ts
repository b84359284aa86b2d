import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cadFiles, cadFolder, readCadFile, readStepFile, stepFolder } from '../../../test/support/cad-files.ts';
import { centreOf, independentStepReader, type PlacedFace } from '../../../test/support/independent-step-reader.ts';
import { takeApart } from '../../../test/support/take-apart.ts';
import { exportStep } from './assemble.ts';
import { type Kernel, startKernel } from './kernel.ts';
import { loadProduct } from './product/load-product.ts';
import type { Matrix } from './product/matrix.ts';
import { type Colour, toLinear } from './product/palette.ts';
import { definitionsOf, type Part, placements } from './product/product.ts';
import { tessellate } from './product/tessellate.ts';
import { checkStep } from './read-step.ts';
import { splitStep } from './split-step.ts';
import { module } from './test-models.ts';

const silent = { log: () => {}, progress: () => {} };

const isStep = (name: string) => /\.(stp|step)$/i.test(name);
const listFiles = (folder: string) => (existsSync(folder) ? readdirSync(folder).filter(isStep) : []);
const isEveryFile = process.env.PDM_TEST_COLORED_FILES === 'all';
// A solid in one color, two solids, and a part of several shells and curves.
const FEW = ['Original-Prusa-MINI__MINI-x-end.stp', 'red_cube_blue_cylinder.step', 'splinecage.stp'];
const FILES = [
  ...listFiles(`${cadFolder}/step`).map((name) => ({ name, read: () => readCadFile(`step/${name}`) })),
  ...listFiles(stepFolder).map((name) => ({ name, read: () => readStepFile(name) })),
].filter(({ name, read }) => (isEveryFile || FEW.includes(name)) && read().includes('STYLED_ITEM'));

/** The faces of a file as this engine reads them: of each part in its own coordinates, and of all placed parts. */
async function ownFaces(stp: Buffer): Promise<{ apart: PlacedFace[]; placed: PlacedFace[] }> {
  using shapes = new DisposableStack();
  const kernel = await startKernel(module);
  const { root } = loadProduct(kernel, checkStep(stp, 1e9), shapes);
  const parts = [...definitionsOf(root)].filter((definition) => definition.shape !== null);
  const faces = new Map(parts.map((part) => [part, facesOfPart(kernel, part)]));
  return {
    apart: parts.flatMap((part) => faces.get(part)!),
    placed: placements(root).flatMap(({ part, matrix }) => faces.get(part)!.map((face) => move(face, matrix))),
  };
}

function facesOfPart(kernel: Kernel, { shape, colour, faceColours }: Part): PlacedFace[] {
  const { positions, indices, faces } = tessellate(kernel, shape, 0.05);
  return Array.from({ length: faces.length / 2 }, (_, face) => {
    const start = faces[2 * face]!;
    const centre = centreOf(positions, indices.subarray(start, start + faces[2 * face + 1]!));
    const own = faceColours?.[face] ?? colour;
    return { centre, colour: own ? linear(own) : null };
  });
}

const linear = ([red, green, blue]: Colour): PlacedFace['colour'] => [
  toLinear(red) * 255,
  toLinear(green) * 255,
  toLinear(blue) * 255,
];

function move({ centre: [x, y, z], colour }: PlacedFace, m: Matrix): PlacedFace {
  const at = (row: number) => m[row]! * x + m[row + 1]! * y + m[row + 2]! * z + m[row + 3]!;
  return { centre: [at(0), at(4), at(8)], colour };
}

// The other reader looks up the colour of a placed shape only as a whole: it finds that of a part which is one solid of one
// colour, not those of faces or of several solids. So it reads the parts of a file beside one another.
const otherFaces = (stp: Buffer) => independentStepReader(takeApart(stp));

/** Splits a file, exports the documents as one assembly and returns the STEP file. */
async function roundTrip(stp: Buffer): Promise<Buffer> {
  const documents = await splitStep(stp, () => startKernel(module), 1e9, silent);
  const files = new Map(documents.map(({ key, files: [main] }) => [`generated:${key}`, Buffer.from(main!.bytes)]));
  const read = (location: string) => files.get(location)!;
  const input = { asmJson: read('generated:root'), name: 'assembled', maxBytes: 1e9, read };
  return exportStep(await startKernel(module), input, '2026-01-01T00:00:00Z', silent);
}

const keyOf = ({ colour }: PlacedFace) => colour?.map(Math.round).join() ?? 'none';
const isSameColour = (a: PlacedFace, b: PlacedFace) =>
  a.colour && b.colour ? a.colour.every((value, i) => Math.abs(value - b.colour![i]!) < 1.5) : a.colour === b.colour;

/** The faces of another reading whose colour no face at the same place has. Coaxial faces may share a centre. */
function differences(faces: PlacedFace[], others: PlacedFace[]): string[] {
  const size = Math.max(...faces.flatMap(({ centre }) => centre.map(Math.abs)).filter(Number.isFinite));
  return others.flatMap((other) => {
    // A reader lists faces that it cannot triangulate, which have no place.
    if (!other.centre.every(Number.isFinite)) return [];
    const distances = faces.map(({ centre }) => Math.hypot(...centre.map((value, i) => value - other.centre[i]!)));
    const nearest = distances.reduce((least, distance) => (distance < least ? distance : least), Infinity);
    const near = faces.filter((_, i) => distances[i]! <= nearest + 1e-3 * size);
    if (nearest < 0.02 * size && near.some((face) => isSameColour(face, other))) return [];
    const place = other.centre.map((value) => value.toFixed(2)).join();
    return [`${place} is ${keyOf(other)}, not ${near.map(keyOf).join(' or ')}`];
  });
}

const histogram = (faces: PlacedFace[]) =>
  Object.fromEntries([...Map.groupBy(faces, keyOf)].map(([key, group]) => [key, group.length] as const).sort());

describe.skipIf(cadFiles.isMissing)(cadFiles.title('colours of files of other systems'), { timeout: 600_000 }, () => {
  test('are compared for files of several systems', () =>
    expect(FILES.length).toBeGreaterThanOrEqual(isEveryFile ? 19 : FEW.length));

  test.each(FILES)('are those of another reader, and survive splitting and export: $name', async ({ read }) => {
    const own = await ownFaces(read());
    const other = await otherFaces(read());
    expect(differences(own.apart, other.faces).slice(0, 5)).toEqual([]);
    expect(other.faceColours).toEqual(histogram(own.apart));

    const exported = await roundTrip(read());
    const again = await otherFaces(exported);
    expect(again.errors).toEqual([]);
    expect(differences(own.apart, again.faces).slice(0, 5)).toEqual([]);
    expect(again.faceColours).toEqual(histogram(own.apart));

    const { placed } = await ownFaces(exported);
    expect(differences(own.placed, placed).slice(0, 5)).toEqual([]);
    expect(histogram(placed)).toEqual(histogram(own.placed));
  });
});
