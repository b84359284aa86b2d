import { describe, expect, test } from 'vitest';
import { cadFiles, readCadFile } from '../../../../test/support/cad-files.ts';
import { convert } from '../convert.ts';
import { startKernel } from '../kernel.ts';
import { checkStep } from '../read-step.ts';
import { box, kernel, module, shapeOf } from '../test-models.ts';
import { recognizeFormat } from './recognize-format.ts';

const silent = { log: () => {}, progress: () => {} };

const brep = () => kernel.BRepToolsWrapper.Write(shapeOf(box()));
const converted = (content: string | Buffer, maxBytes = 1e6) =>
  convert(
    typeof content === 'string' ? Buffer.from(content, 'latin1') : content,
    async () => kernel,
    maxBytes,
    { log: () => {}, progress: () => {} },
    'Block.brep',
  );

describe('a BREP file', { timeout: 120_000 }, () => {
  test('is measured exactly and written as STEP', async () => {
    const { properties, stp, isStep } = await converted(brep());
    expect(isStep).toBeUndefined();
    expect(JSON.parse(properties.toString())).toMatchObject({
      volume: 6000,
      solids: 1,
      faces: 6,
      source: { format: 'BREP', name: 'Block' },
      warnings: [{ code: 'no_unit' }],
    });
    const { structure } = checkStep(stp!, 1e6);
    expect([...structure.products.values()].map(({ name }) => name)).toEqual(['Block']);
  });

  test('is read in the binary format, too', async () => {
    using progress = new kernel.Message_ProgressRange();
    const wrapped = shapeOf(box());
    kernel.BinTools.Write(wrapped, '/box.bin', progress);
    const bytes = Buffer.from(kernel.FS.readFile('/box.bin'));
    expect(recognizeFormat(bytes, 'box.dat')).toBe('brep');
    expect(JSON.parse((await converted(bytes)).properties.toString())).toMatchObject({ volume: 6000, faces: 6 });
    await expect(converted(bytes.subarray(0, 200))).rejects.toMatchObject({
      code: expect.stringMatching(/^(unreadable|no_geometry|kernel|kernel_crash)$/),
    });
  });

  test.skipIf(cadFiles.isMissing)(
    cadFiles.title('of another system has the size of the same model as IGES'),
    async () => {
      const propertiesOf = async (name: string) =>
        JSON.parse(
          String(
            (await convert(readCadFile(`other/${name}`), () => startKernel(module), 1e8, silent, name)).properties,
          ),
        );
      const exact = await propertiesOf('hammer.brep');
      const mesh = await propertiesOf('hammer.iges');
      expect(exact).toMatchObject({ faces: 45, solids: 0, volume: null, unmeshed: [] });
      expect(mesh.warnings.map(({ code }: { code: string }) => code)).toEqual(['mesh_only', 'not_watertight']);
      for (const end of ['min', 'max'])
        for (const axis of [0, 1, 2])
          expect(Math.abs(mesh.boundingBox[end][axis] - exact.boundingBox[end][axis])).toBeLessThan(
            mesh.boundingBox.uncertainty,
          );
      expect(mesh.area / exact.area).toBeCloseTo(1, 2);
    },
  );

  test.each([
    ['above the limit', () => brep(), 100, 'too_large'],
    ['without shapes', () => brep().replace(/TShapes[\s\S]*/, 'TShapes 0\n'), 1e6, /^(unreadable|no_geometry|kernel)$/],
    ['that ends early', () => brep().slice(0, 600), 1e6, /^(unreadable|no_geometry|kernel|kernel_crash)$/],
  ])('%s is rejected', async (_, text, maxBytes, code) => {
    await expect(converted(text(), maxBytes)).rejects.toMatchObject({ code: expect.stringMatching(code) });
  });
});
