import { NodeIO } from '@gltf-transform/core';
import * as cad from 'replicad';
import { describe, expect, test } from 'vitest';
import { cadFiles, readCadFile } from '../../../test/support/cad-files.ts';
import { convert } from './convert.ts';
import { startKernel } from './kernel.ts';
import type { Properties } from './product/properties.ts';
import { box, bracket, type Model, module, pin, sheet, stepOf } from './test-models.ts';

const silent = { log: () => {}, progress: () => {} };

async function converted(bytes: Buffer) {
  const { glb, properties } = await convert(bytes, () => startKernel(module), 1e9, silent);
  return { glb, properties: JSON.parse(String(properties)) as Properties };
}

/** The box of the positions of a GLB with one placed mesh, in mm. */
async function meshBox(glb: Uint8Array): Promise<{ min: number[]; max: number[]; chordError: number }> {
  const root = (await new NodeIO().readBinary(glb)).getRoot();
  const positions = root.listMeshes()[0]!.listPrimitives()[0]!.getAttribute('POSITION')!;
  const { chordErrorMm } = root.getAsset().extras as { chordErrorMm: number };
  return { min: positions.getMin([]), max: positions.getMax([]), chordError: chordErrorMm };
}

describe('measurements', { timeout: 120_000 }, () => {
  test('have an uncertainty, which is small for planes and cylinders', async () => {
    const { properties } = await converted(await stepOf(pin()));
    const { volume, area, uncertainty, boundingBox } = properties;
    expect(volume).toBeCloseTo(Math.PI * 25 * 40, 3);
    expect(Math.abs(volume! - Math.PI * 25 * 40)).toBeLessThanOrEqual(uncertainty.volume! + 1e-5);
    expect(uncertainty.volume! / volume!).toBeLessThan(1e-4);
    expect(uncertainty.area / area).toBeLessThan(1e-4);
    expect(boundingBox.uncertainty).toBe(1e-6);
  });

  test('report open faces beside solids, which have no volume', async () => {
    const lid = sheet() as cad.Face;
    const both = cad.makeCompound([box() as cad.Solid, lid.translate(10, 15, 40)]) as Model;
    const { properties } = await converted(await stepOf(both));
    expect(properties).toMatchObject({ solids: 1, faces: 7, centreOfMass: [10, 15, 5] });
    expect(properties.volume).toBeCloseTo(6000, 6);
    expect(properties.area).toBeCloseTo(2200 + 600, 6);
    expect(properties.uncertainty.volume).toBeLessThan(1e-6);
    expect(properties.warnings).toEqual([
      {
        code: 'open_faces',
        message: '1 face belongs to no solid; the area includes it, volume and center of mass do not',
      },
    ]);
  });

  test('have a box that contains the triangles and exceeds them by the chord error at most', async () => {
    const { glb, properties } = await converted(await stepOf(bracket()));
    const { min, max, chordError } = await meshBox(glb);
    for (const i of [0, 1, 2] as const) {
      const [low, high] = [min[i]! - properties.boundingBox.min[i], properties.boundingBox.max[i] - max[i]!];
      for (const distance of [low, high]) {
        expect(distance).toBeGreaterThan(-1e-5);
        expect(distance).toBeLessThanOrEqual(chordError);
      }
    }
  });
});

describe.skipIf(cadFiles.isMissing)(cadFiles.title('measurements of other systems'), { timeout: 120_000 }, () => {
  test('have the box of a spline surface whose poles are far outside', async () => {
    const { properties } = await converted(readCadFile('step/splinecage.stp'));
    expect(properties.boundingBox.size[2]).toBeCloseTo(1.42, 1);
  });

  test('have the box of an assembly in inches with a part in mm', async () => {
    const { properties } = await converted(readCadFile('step/mixed-item1.stp'));
    expect(properties.boundingBox.min[0]).toBeCloseTo(-100, 4);
  });

  test('belong to a tree in which an assembly has geometry of its own', async () => {
    const { properties } = await converted(readCadFile('step/Voron-0__Fly_Gemini_V2_Din_Mount_2pc.step'));
    expect(properties).toMatchObject({ solids: 12, faces: 1140, occurrences: 11, products: 8 });
    // Two faces of its screws have no area and need no triangles.
    expect(properties.warnings).toEqual([]);
    expect(properties.structure.children.map(({ name, occurrences }) => [name, occurrences])).toEqual([
      ['PCB DIN Clip', 1],
      ['Fly_Gemini_V2_Hardware', 1],
      ['Fly_Gemini_V2_Bracket', 1],
      ['(Unsaved)', 1],
    ]);
  });

  test('come with a warning where faces have gaps', async () => {
    const { properties } = await converted(readCadFile('step/Ultimaker2__1158-B2P-A.step'));
    expect(properties.warnings.map(({ code }) => code)).toContain('uncertain_measurements');
    expect(properties.uncertainty.volume! / properties.volume!).toBeGreaterThan(1e-4);
    expect(properties.uncertainty.volume! / properties.volume!).toBeLessThan(1e-3);
  });

  test('are those of the solids where a part has open faces, too', async () => {
    const { properties } = await converted(readCadFile('step/Original-Prusa-MINI__MINI-filament-spur.stp'));
    expect(properties.uncertainty.centreOfMass).toBeLessThan(0.01);
    expect(properties.warnings.map(({ code }) => code)).toContain('open_faces');
  });

  test('come with a warning where the integrations disagree', async () => {
    const { properties } = await converted(readCadFile('step/Ultimaker2__1272-Z1P-A.STEP'));
    expect(properties.warnings.map(({ code }) => code)).toEqual(['uncertain_measurements']);
    expect(properties.uncertainty.volume! / properties.volume!).toBeGreaterThan(1e-4);
  });
});
