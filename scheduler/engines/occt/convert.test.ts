import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync, inflateSync } from 'node:zlib';
import { NodeIO } from '@gltf-transform/core';
import { validateBytes } from 'gltf-validator';
import { describe, expect, test } from 'vitest';
import { needs } from '../../../test/support/needs.ts';
import { convert } from './convert.ts';
import { meshArea } from './product/mesh.ts';
import type { Properties } from './product/properties.ts';
import { bracket, kernel, sheet, stepOf } from './test-models.ts';

async function converted(bytes: Buffer) {
  const lines: string[] = [];
  const steps: string[] = [];
  const report = {
    log: (line: string) => lines.push(line),
    progress: (percent: number, step: string) => steps.push(`${percent} ${step}`),
  };
  const artifacts = await convert(bytes, async () => kernel, 1e9, report);
  return { ...artifacts, lines, steps, properties: JSON.parse(artifacts.properties.toString()) as Properties };
}

describe('converting a part', { timeout: 120_000 }, () => {
  const conversion = stepOf(bracket()).then(converted);

  test('measures it correctly', async () => {
    const { properties } = await conversion;
    expect(properties).toMatchObject({
      units: 'mm',
      solids: 1,
      valid: true,
      definitions: 1,
      occurrences: 1,
      products: 1,
      warnings: [],
    });
    expect(properties.boundingBox.size).toEqual([80, 60, 50].map((size) => expect.closeTo(size, 5)));
  });

  test('reports its steps in order', async () => {
    const { steps, lines } = await conversion;
    expect(steps).toEqual(['2 kernel', '45 read', '60 meshed', '90 measured', '95 rendered']);
    expect(lines[0]).toMatch(/^checked: .*, unit MILLIMETRE, \d+ entities, 1 product$/);
  });

  test('writes a GLB without validation errors or warnings', async () => expectValid((await conversion).glb));

  test('records the chord error in the GLB', async () => {
    const document = await new NodeIO().readBinary((await conversion).glb);
    expect(document.getRoot().getAsset()).toMatchObject({
      extras: { chordErrorMm: expect.closeTo(Math.hypot(80, 60, 50) / 1500, 6) },
    });
  });

  test('renders a 512 × 512 PNG with the part on a transparent background', async () => {
    const { width, height, opaque, colours } = decodePng((await conversion).thumbnail);
    expect([width, height]).toEqual([512, 512]);
    expect(opaque).toBeGreaterThan(0.3);
    expect(opaque).toBeLessThan(0.9);
    expect(colours).toBeGreaterThan(100);
  });
});

test('returns the STEP file of a compressed one', { timeout: 120_000 }, async () => {
  const step = await stepOf(sheet());
  const { stp, properties } = await converted(gzipSync(step));
  expect(stp).toEqual(step);
  expect(properties.faces).toBe(1);
});

test('reports the area but no volume of a sheet and warns', { timeout: 120_000 }, async () => {
  const { properties } = await converted(await stepOf(sheet()));
  expect(properties).toMatchObject({ area: 600, volume: null, centreOfMass: null, solids: 0, faces: 1 });
  expect(properties.warnings.map(({ code }) => code)).toEqual(['no_solid']);
});

test('rejects an OFB file and logs its header', async () => {
  const lines: string[] = [];
  const file = Buffer.from('\x01\x02classcad\x02\x01\nVersion=3\nKernelInfo=SMLib\n\x01\x02hdend\x02\x01', 'latin1');
  const report = { log: (line: string) => lines.push(line), progress: () => undefined };
  await expect(convert(file, async () => kernel, 1e9, report)).rejects.toMatchObject({ code: 'needs_classcad' });
  expect(lines).toEqual(['OFB file: version 3, kernel SMLib, saved unknown, truncated']);
});

// Public exchange files of other CAD systems, not distributed for lack of a license; PDM_STEP_DIR is their folder.
const folder = resolve(process.env.PDM_STEP_DIR ?? '../shared/data/step');
const present = existsSync(join(folder, 'as1-oc-214.stp'));
const fromFile = (name: string) => readFile(join(folder, name)).then(converted);

const files = needs('STEP files', present);
describe.skipIf(files.isMissing)(
  files.title('converting exchange files of other systems'),
  { timeout: 120_000 },
  () => {
    test('reads AP214 with nested assemblies and shared parts', async () => {
      const { properties, glb, thumbnail } = await fromFile('as1-oc-214.stp');
      expect(properties).toMatchObject({
        units: 'mm',
        solids: 18,
        faces: 160,
        definitions: 5,
        occurrences: 18,
        products: 9,
        valid: true,
        warnings: [],
      });
      expect(properties.volume).toBeCloseTo(764518.03, 1);
      expect(properties.area).toBeCloseTo(141079.33, 1);
      expect(properties.boundingBox).toEqual({
        min: [-10, 0, -4],
        max: [190, 150, 80],
        size: [200, 150, 84],
        uncertainty: 0.000001,
      });
      expect(properties.source).toEqual({
        format: 'STEP',
        schema: 'AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }',
        unit: 'MILLIMETRE',
        name: 'as1',
        entities: 6425,
      });
      expect(asText(properties.structure)).toEqual([
        '1 as1',
        '  1 rod-assembly',
        '    2 nut',
        '    1 rod',
        '  2 l-bracket-assembly',
        '    3 nut-bolt-assembly',
        '      1 bolt',
        '      1 nut',
        '    1 l-bracket',
        '  1 plate',
      ]);
      await expectValid(glb);
      expect(decodePng(thumbnail).opaque).toBeGreaterThan(0.3);
    });

    test('compares volumes and areas with those that the file states', async () => {
      const { properties } = await fromFile('as1-oc-214.stp');
      expect(properties.check).toContainEqual({
        of: 'plate',
        quantity: 'volume',
        file: expect.closeTo(530574.966551, 6),
        kernel: expect.closeTo(530575.22, 1),
        deviation: expect.closeTo(0, 5),
      });
      expect(properties.check.filter(({ quantity, deviation }) => quantity === 'volume' && deviation > 1e-4)).toEqual(
        [],
      );
      const centroids = properties.check.filter(({ quantity }) => quantity === 'centroid');
      expect(centroids.map(({ of }) => of)).toEqual(expect.arrayContaining(['plate', 'bolt', 'as1']));
      expect(centroids.filter(({ deviation }) => deviation > 1e-3)).toEqual([]);
    });

    test('gives the same measures for AP203 edition 2 of the same assembly from another system', async () => {
      const { properties } = await fromFile('as1-tu-203.stp');
      expect(properties).toMatchObject({ solids: 18, faces: 160, definitions: 5, occurrences: 18 });
      expect(properties.boundingBox.size).toEqual([200, 150, 84].map((size) => expect.closeTo(size, 4)));
      expect(properties.volume).toBeCloseTo(764518.03, 1);
    });

    test.each(['mm', 'm', 'in'])('converts a cube of one meter from %s to mm', async (unit) => {
      const { properties } = await fromFile(`cube-${unit}.step`);
      expect(properties.boundingBox.size).toEqual([1000, 1000, 1000].map((size) => expect.closeTo(size, 4)));
      expect(properties.volume).toBeCloseTo(1e9, 0);
      expect(properties.area).toBeCloseTo(6e6, 1);
      expect(properties.centreOfMass).toEqual([500, 500, 500].map((at) => expect.closeTo(at, 4)));
      expect(asText(properties.structure)).toEqual(['1 Part', '  1 Cube']);
    });

    test('reads inches, comments in the header and a conical face', async () => {
      const { properties } = await fromFile('conical-surface.step');
      expect(properties.faces).toBe(5);
      expect(properties.boundingBox.size).toEqual([7, 27.032979, 27.032979].map((size) => expect.closeTo(size, 4)));
      expect(properties.volume).toBeCloseTo(2518.885389, 3);
    });

    test('meshes a closed face that the mesher leaves out', async () => {
      const { properties, glb } = await fromFile('conical-surface.step');
      expect(properties).toMatchObject({ unmeshed: [], warnings: [] });
      const [mesh] = (await new NodeIO().readBinary(glb)).getRoot().listMeshes();
      const positions = mesh!.listPrimitives()[0]!.getAttribute('POSITION')!.getArray()!;
      const indices = mesh!.listPrimitives()[0]!.getIndices()!.getArray()!;
      expect(meshArea({ positions: positions as Float32Array, indices: indices as Uint32Array })).toBeCloseTo(
        1719.6,
        -1,
      );
    });

    test('reads fillets on a single part', async () => {
      const { properties } = await fromFile('rounded-cube.step');
      expect(properties.faces).toBe(7);
      expect(properties.boundingBox.size).toEqual([10, 10, 10].map((size) => expect.closeTo(size, 4)));
      expect(properties.volume).toBeCloseTo(946.349541, 4);
    });
  },
);

async function expectValid(glb: Uint8Array): Promise<void> {
  const { issues } = await validateBytes(glb);
  expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
}

function asText(entry: Properties['structure'], indent = ''): string[] {
  return [
    `${indent}${entry.occurrences} ${entry.name}`,
    ...entry.children.flatMap((child) => asText(child, `${indent}  `)),
  ];
}

// Returns the size, the fraction of pixels that are not fully transparent, and the number of their distinct colours.
function decodePng(bytes: Buffer): { width: number; height: number; opaque: number; colours: number } {
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const data = inflateSync(bytes.subarray(bytes.indexOf('IDAT') + 4));
  const row = width * 4 + 1;
  const colours = new Set<number>();
  let opaque = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 1; x < row; x++) if (y) data[y * row + x] = (data[y * row + x] ?? 0) + (data[(y - 1) * row + x] ?? 0);
    for (let x = 1; x < row; x += 4) {
      if (!data[y * row + x + 3]) continue;
      opaque++;
      colours.add(data.readUInt32BE(y * row + x));
    }
  }
  return { width, height, opaque: opaque / (width * height), colours: colours.size };
}
