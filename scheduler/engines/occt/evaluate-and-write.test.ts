import { describe, expect, test } from 'vitest';
import { cadFiles, readCadFile } from '../../../test/support/cad-files.ts';
import { convert } from './convert.ts';
import { fcstd } from './fcstd/test-documents.ts';
import { JobFailure } from './job-failure.ts';
import { type Kernel, startKernel } from './kernel.ts';
import type { Properties } from './product/properties.ts';
import { splitStep } from './split-step.ts';
import { box, kernel, module, shapeOf, sheet, stepOf } from './test-models.ts';

const silent = { log: () => {}, progress: () => {} };

/** Starts kernels of which the first `failing` ones crash in their STEP writer. */
function kernels(failing: number): () => Promise<Kernel> {
  let started = 0;
  return async () => {
    const fresh = await startKernel(module);
    if (started++ >= failing) return fresh;
    const crash = () => {
      throw new WebAssembly.RuntimeError('unreachable');
    };
    return new Proxy(fresh, {
      get: (target, name) => (name === 'STEPCAFControl_Writer' ? crash() : Reflect.get(target, name)),
    });
  };
}

const brep = () => kernel.BRepToolsWrapper.Write(shapeOf(box()));
const sheetBrep = () => kernel.BRepToolsWrapper.Write(shapeOf(sheet()));
const document = () =>
  fcstd([{ name: 'Box', type: 'Part::Box', properties: { Shape: '<Part file="box.brp"/>' } }], { 'box.brp': brep() });

async function converted(bytes: Buffer, fileName: string, failing: number) {
  const { stp, isStep, glb, properties, thumbnail } = await convert(bytes, kernels(failing), 1e9, silent, fileName);
  expect([glb.length, thumbnail.length].every((length) => length > 100)).toBe(true);
  const { warnings, volume } = JSON.parse(properties.toString()) as Properties;
  expect({ volume, isStep }).toEqual({ volume: 6000, isStep: undefined });
  return { stp, warnings: warnings.filter(({ code }) => /step/.test(code)) };
}

describe('if the STEP writer of the kernel fails', { timeout: 120_000 }, () => {
  test.each([
    ['a BREP file', () => Buffer.from(brep()), 'box.brep'],
    ['a FreeCAD document', document, 'box.FCStd'],
  ])('%s is written with repaired shapes, or has everything but a STEP file', async (_, file, name) => {
    const repaired = await converted(file(), name, 1);
    expect(repaired.warnings).toEqual([
      { code: 'repaired_step', message: expect.stringContaining('differ by less than 0.0001 %') },
    ]);
    const again = await convert(repaired.stp!, () => startKernel(module), 1e9, silent);
    expect(JSON.parse(again.properties.toString())).toMatchObject({ volume: 6000, faces: 6, solids: 1 });
    const missing = await converted(file(), name, 2);
    expect(missing.stp).toBeUndefined();
    expect(missing.warnings).toEqual([{ code: 'no_step', message: expect.stringContaining('unreachable') }]);
  });

  test('a split file has repaired parts, or the failure names the part', async () => {
    const step = await stepOf(box());
    const documents = await splitStep(step, kernels(1), 1e9, silent);
    const part = documents.find(({ kind }) => kind === 'model')!;
    expect(part.files[0]).toMatchObject({ kind: 'stp' });
    const properties = JSON.parse(String(Buffer.from(part.files.find(({ kind }) => kind === 'properties')!.bytes)));
    expect(properties.warnings).toMatchObject([{ code: 'repaired_step' }]);
    const failure = await splitStep(step, kernels(2), 1e9, silent).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(JobFailure);
    expect(failure).toMatchObject({ code: 'kernel_crash', part: part.name });
  });
});

test('a part that cannot be repaired does not prevent that the others are', { timeout: 120_000 }, async () => {
  const object = (name: string) => ({ name, type: 'Part::Box', properties: { Shape: `<Part file="${name}.brp"/>` } });
  const both = fcstd([object('box'), object('sheet')], { 'box.brp': brep(), 'sheet.brp': sheetBrep() });
  const { stp, warnings } = await converted(both, 'both.FCStd', 1);
  expect(warnings).toMatchObject([{ code: 'repaired_step' }]);
  const again = await convert(stp!, () => startKernel(module), 1e9, silent);
  expect(JSON.parse(again.properties.toString())).toMatchObject({ faces: 7, solids: 1 });
  expect((await converted(both, 'both.FCStd', 2)).warnings).toEqual([
    { code: 'no_step', message: expect.stringMatching(/unreachable.*; these parts cannot be repaired: sheet$/) },
  ]);
});

test.skipIf(cadFiles.isMissing)(
  cadFiles.title('a document with an edge that has no curve is repaired'),
  { timeout: 120_000 },
  async () => {
    const source = readCadFile('fcstd/body_structure_biped_right_side.FCStd');
    const { stp, properties } = await convert(source, () => startKernel(module), 1e9, silent, 'body.FCStd');
    const { warnings, faces } = JSON.parse(properties.toString()) as Properties;
    expect(warnings.find(({ code }) => code === 'repaired_step')?.message).toMatch(/differ by up to 2(\.\d)? %/);
    const again = await convert(stp!, () => startKernel(module), 1e9, silent);
    expect(JSON.parse(again.properties.toString())).toMatchObject({ faces, solids: 1, unmeshed: [] });
  },
);
