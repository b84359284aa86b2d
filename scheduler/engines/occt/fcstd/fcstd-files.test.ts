import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { cadFiles, cadFolder, readCadFile } from '../../../../test/support/cad-files.ts';
import { convert } from '../convert.ts';
import { evaluateProduct } from '../derived-artifacts.ts';
import { JobFailure } from '../job-failure.ts';
import { startKernel } from '../kernel.ts';
import { module } from '../test-models.ts';
import { loadFcstd } from './load-fcstd.ts';
import { openFcstd } from './open-fcstd.ts';

type Expected = { file: string; volume: number; centre: [number, number, number] | null; faces: number };

// The reference has the values of other files with these names: the edges of this cube are 10 mm long, not 1000, and the
// length in this connecting rod is 60 mm, not 92.6.
const OTHER_FILE = new Set(['cube.FCStd', 'Asm4_Example1/Bielle.fcstd', 'Asm4_Example1/asm_Bielle.fcstd']);

/** The document with all others in its folder, as one archive if it links to some. */
function sourceOf(file: string): Buffer {
  const folder = posix.dirname(file);
  if (!posix.basename(file).startsWith('asm_')) return readCadFile(`fcstd/${file}`);
  const names = readdirSync(join(cadFolder, 'fcstd', folder), { recursive: true }) as string[];
  const documents = names.filter((name) => /\.fcstd$/i.test(name));
  return Buffer.from(
    zipSync(Object.fromEntries(documents.map((name) => [name, readFileSync(join(cadFolder, 'fcstd', folder, name))]))),
  );
}

async function measure(file: string) {
  using shapes = new DisposableStack();
  const kernel = await startKernel(module);
  const { root } = loadFcstd(kernel, openFcstd(sourceOf(file), 1e9), shapes);
  return evaluateProduct(kernel, root, [], null, { log: () => {}, progress: () => {} }).properties;
}

describe.skipIf(cadFiles.isMissing)(cadFiles.title('FreeCAD documents'), { timeout: 300_000 }, () => {
  const reference: Expected[] = cadFiles.isMissing
    ? []
    : JSON.parse(readCadFile('fcstd/reference-freecad-0.20.json').toString());

  // FreeCAD integrates once, so that some values are off by a little more; see docs/geometry.md.
  test('have the volume and the center of mass that FreeCAD computes', async () => {
    const comparable = reference.filter(({ file, centre }) => centre && !OTHER_FILE.has(file));
    const wrong: string[] = [];
    for (const { file, volume, centre } of comparable) {
      const found = await measure(file);
      const size = Math.cbrt(volume);
      const isRight =
        Math.abs((found.volume ?? 0) / volume - 1) <= 1e-4 &&
        Math.hypot(...centre!.map((at, i) => at - (found.centreOfMass?.[i] ?? Number.NaN))) <= 1e-3 * size;
      if (!isRight) wrong.push(file);
    }
    expect(comparable.length).toBeGreaterThanOrEqual(20);
    expect(wrong.length).toBeLessThanOrEqual(comparable.length * 0.05);
  });

  test('have the edge lengths in their parameters', async () => {
    expect((await measure('cube.FCStd')).volume).toBeCloseTo(1000, 6);
  });

  const REFUSED = ['empty', 'external_files'];

  test('are written as STEP files that can be converted', async () => {
    const wrong: string[] = [];
    for (const { file } of reference) {
      const convertFile = (bytes: Buffer, name: string) =>
        convert(bytes, () => startKernel(module), 1e9, { log: () => {}, progress: () => {} }, name);
      try {
        const { stp } = await convertFile(sourceOf(file), file);
        const { measure } = await convertFile(stp!, 'model.stp');
        if (!measure) wrong.push(`${file}: no measuring data`);
      } catch (error) {
        if (!(error instanceof JobFailure && REFUSED.includes(error.code))) wrong.push(`${file}: ${error}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('refuses a document in which everything is hidden', async () => {
    await expect(measure('Asm4_Example2/Crankshaft.FCStd')).rejects.toMatchObject({ code: 'empty' });
  });
});
