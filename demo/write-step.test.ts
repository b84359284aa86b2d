// Models parts of the demo and reads the STEP files back. With PDM_TEST_DEMO_PARTS=all, in the fault tests, all parts.
import { importSTEP, iterTopo, measureVolume, type Shape3D } from 'replicad';
import { beforeAll, describe, expect, test } from 'vitest';
import { componentsOf, type Part } from './machine/component.ts';
import { conveyor } from './machine/conveyor.ts';
import { driveDrum } from './machine/drums.ts';
import { startKernel, writeStep } from './write-step.ts';

const all = process.env.PDM_TEST_DEMO_PARTS === 'all';
const parts = componentsOf(all ? conveyor : driveDrum).filter(
  (component): component is Part => component.kind === 'model',
);

beforeAll(startKernel);

describe.each(parts)('$name', (part) => {
  test('is one solid in a STEP file with its name, material and density', async () => {
    for (const state of [part.shape, ...(part.former ? [part.former.shape] : [])]) {
      const shape = state();
      const bytes = await writeStep(part, shape);
      const text = new TextDecoder().decode(bytes);
      for (const expected of [
        `PRODUCT('${part.name}'`,
        `'${part.material.name}'`,
        `POSITIVE_RATIO_MEASURE(${part.material.density}.)`,
      ])
        expect(text).toContain(expected);
      const read = (await importSTEP(new Blob([bytes as BlobPart]))) as Shape3D;
      expect([...iterTopo(read.wrapped, 'solid')]).toHaveLength(1);
      expect(measureVolume(read)).toBeGreaterThan(0);
      expect(measureVolume(read) / measureVolume(shape)).toBeCloseTo(1, 6);
    }
  });
});

test('writes the same bytes for the same part', async () => {
  const part = parts[0]!;
  const [first, second] = [await writeStep(part, part.shape()), await writeStep(part, part.shape())];
  expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
});
