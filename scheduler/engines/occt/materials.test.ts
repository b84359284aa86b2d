import { describe, expect, test } from 'vitest';
import { cadFiles, readCadFile } from '../../../test/support/cad-files.ts';
import { independentStepReader } from '../../../test/support/independent-step-reader.ts';
import { exportStep } from './assemble.ts';
import { convert } from './convert.ts';
import { startKernel } from './kernel.ts';
import { loadProduct } from './product/load-product.ts';
import type { Part } from './product/product.ts';
import type { Properties } from './product/properties.ts';
import { checkStep } from './read-step.ts';
import { splitStep } from './split-step.ts';
import { box, kernel, module, pin, stepOf } from './test-models.ts';
import { writeStep } from './write-step.ts';

const silent = { log: () => {}, progress: () => {} };
const STEEL = { name: 'Stål 1.0037', density: 7850 };
const PLASTIC = { name: 'ABS', density: 1060 };

async function propertiesOf(stp: Buffer): Promise<Properties> {
  const { properties } = await convert(stp, () => startKernel(module), 1e9, silent);
  return JSON.parse(properties.toString());
}

// A box of 6000 mm³ centred at x = 10, and two pins at x = 50 and x = 90.
async function parts(): Promise<Buffer> {
  using shapes = new DisposableStack();
  const partOf = async (name: string, model: Parameters<typeof stepOf>[0]): Promise<Part> => {
    const { root } = loadProduct(kernel, checkStep(await stepOf(model), 1e9), shapes);
    return { name, shape: root.shape!, uses: null };
  };
  const at = (x: number) => [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const block = { ...(await partOf('block', box())), material: STEEL, layers: ['Süd', '2'] };
  const rod = await partOf('rod', pin());
  const knob = { ...(await partOf('knob', pin())), material: PLASTIC, layers: ['2'] };
  const pair = {
    name: 'pair',
    shape: null,
    uses: [
      { definition: rod, name: 'rod', transform: at(50) },
      { definition: knob, name: 'knob', transform: at(90) },
    ],
  };
  const uses = [
    { definition: block, name: 'block', transform: at(0) },
    { definition: pair, name: 'pair', transform: at(0) },
  ];
  return writeStep(kernel, { name: 'both', shape: null, uses }, '2026-01-01T00:00:00Z');
}

describe('materials', { timeout: 120_000 }, () => {
  const written = parts();
  const block = 6000 * 7850e-9;
  const knob = Math.PI * 25 * 40 * 1060e-9;

  // Another reader skips values that it cannot parse and reports how many.
  test('are written in the syntax of the standard', async () => {
    using shapes = new DisposableStack();
    const { root } = loadProduct(kernel, checkStep(await stepOf(box()), 1e9), shapes);
    const densities = [1000, 0.5, 1e-7, 1.25e15, 7849.999999999999];
    for (const density of densities) {
      const stp = writeStep(
        kernel,
        { ...(root as Part), material: { name: "Ø 'x' \\", density } },
        '2026-01-01T00:00:00Z',
      );
      expect((await independentStepReader(stp)).errors).toEqual([]);
      const reals = stp.toString('latin1').match(/POSITIVE_RATIO_MEASURE\(([^)]*)\)/)!;
      expect(reals[1]).toMatch(/^[+-]?\d+\.\d*(E[+-]?\d+)?$/);
    }
    expect((await independentStepReader(await written)).errors).toEqual([]);
  });

  test('sums the mass of the parts with a known density and counts the others', async () => {
    expect(await propertiesOf(await written)).toMatchObject({
      mass: expect.closeTo(block + knob, 9),
      massCentre: [expect.closeTo((block * 10 + knob * 90) / (block + knob), 5), expect.anything(), expect.anything()],
      occurrencesWithoutMass: 1,
      materials: [
        { ...STEEL, occurrences: 1, mass: expect.closeTo(block, 9) },
        { ...PLASTIC, occurrences: 1, mass: expect.closeTo(knob, 9) },
      ],
    });
  });

  test('assumes no material', async () => {
    const { mass, massCentre, occurrencesWithoutMass, materials } = await propertiesOf(await stepOf(box()));
    expect({ mass, massCentre, occurrencesWithoutMass, materials }).toEqual({
      mass: null,
      massCentre: null,
      occurrencesWithoutMass: 1,
      materials: [],
    });
  });

  test('keeps materials and layers when a file is split and exported again', async () => {
    const documents = await splitStep(await written, () => startKernel(module), 1e9, silent);
    const files = new Map(documents.map(({ key, files: [main] }) => [`generated:${key}`, Buffer.from(main!.bytes)]));
    const read = (location: string) => files.get(location)!;
    const input = { asmJson: read('generated:root'), name: 'again', maxBytes: 1e9, read };
    const stp = exportStep(await startKernel(module), input, '2026-01-01T00:00:00Z', silent);
    const { mass, materials, structure } = await propertiesOf(stp);
    expect(mass).toBeCloseTo(block + knob, 9);
    expect(materials).toHaveLength(2);
    const [first, pair] = structure.children;
    expect([first, ...(pair?.children ?? [])].map((entry) => entry?.layers)).toEqual([['Süd', '2'], undefined, ['2']]);
  });
});

test.skipIf(cadFiles.isMissing)(cadFiles.title('reads the layers of other systems'), () => {
  const { products } = checkStep(readCadFile('step/mixed-plain.stp'), 1e9).structure;
  expect([...products.values()].flatMap(({ layers }) => layers)).toContain('256');
});

// Density in kg/m³ and, by Inventor, in g/cm³ with the exponent 3.
test.skipIf(cadFiles.isMissing)(cadFiles.title('reads the materials of other systems'), { timeout: 120_000 }, () => {
  const materialsIn = (name: string) =>
    [...checkStep(readCadFile(`step/${name}`), 1e9).structure.products.values()].flatMap(
      ({ material }) => material ?? [],
    );
  expect(materialsIn('Voron-0__Fly_Gemini_V2_Din_Mount_2pc.step')).toEqual(
    expect.arrayContaining([
      { name: 'ABS Plastic', density: 1060 },
      { name: 'Steel', density: 7850 },
    ]),
  );
  expect(materialsIn('Original-Prusa-MINI__MINI-x-end.stp')).toEqual([
    { name: 'Všeobecné', density: expect.closeTo(1000, 6) },
  ]);
});
