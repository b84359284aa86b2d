import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needs } from '../../../test/support/needs.ts';
import { exportStep } from './assemble.ts';
import { startKernel } from './kernel.ts';
import type { Properties } from './product/properties.ts';
import { type SplitDocument, splitStep } from './split-step.ts';
import { box, kernel, module, stepOf } from './test-models.ts';

const silent = { log: () => {}, progress: () => {} };
const fileOf = ({ files }: SplitDocument, kind: string): Buffer =>
  Buffer.from(files.find((file) => file.kind === kind)?.bytes ?? []);
const rootOf = (documents: readonly SplitDocument[]) => documents.find(({ key }) => key === 'root')!;

/** Exports the split documents as one STEP file. */
async function reassemble(documents: readonly SplitDocument[]): Promise<Buffer> {
  const byKey = new Map(documents.map((document) => [`generated:${document.key}`, document]));
  const read = (location: string) =>
    fileOf(byKey.get(location)!, byKey.get(location)!.kind === 'model' ? 'stp' : 'asm-json');
  const input = { asmJson: fileOf(rootOf(documents), 'asm-json'), name: 'reassembled', maxBytes: 1e9, read };
  return exportStep(await startKernel(module), input, '2026-01-01T00:00:00Z', silent);
}

test('splits a single part into an assembly of that part', { timeout: 120_000 }, async () => {
  const source = await stepOf(box());
  const documents = await splitStep(source, async () => kernel, 1e9, silent);
  expect(documents.map(({ key, kind, files }) => [key, kind, files.map((file) => file.kind)])).toEqual([
    ['root', 'assembly', ['asm-json', 'glb', 'properties', 'thumbnail', 'measure']],
    ['part-1', 'model', ['stp', 'glb', 'properties', 'thumbnail', 'measure']],
  ]);
  expect((await secondReader(await reassemble(documents))).volume).toBeCloseTo(6000, 6);
  // Another kernel must write equal bytes, because parts are identified by their content.
  const repeated = await splitStep(source, () => startKernel(module), 1e9, silent);
  expect(fileOf(repeated[1]!, 'stp')).toEqual(fileOf(documents[1]!, 'stp'));
});

// Public exchange files of other CAD systems, not distributed for lack of a license; PDM_STEP_DIR is their folder.
const file = join(resolve(process.env.PDM_STEP_DIR ?? '../shared/data/step'), 'as1-oc-214.stp');
const present = existsSync(file);

const files = needs('STEP files', present);
describe.skipIf(files.isMissing)(files.title('splitting an assembly of another system'), { timeout: 120_000 }, () => {
  const bytes = present ? readFileSync(file) : Buffer.alloc(0);
  const split = present ? splitStep(bytes, () => startKernel(module), 1e9, silent) : Promise.resolve([]);

  test('gives each distinct part and assembly once', async () => {
    const documents = await split;
    expect(
      documents
        .filter(({ kind }) => kind === 'model')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['bolt', 'l-bracket', 'nut', 'plate', 'rod']);
    expect(
      documents
        .filter(({ kind }) => kind === 'assembly')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['as1', 'l-bracket-assembly', 'nut-bolt-assembly', 'rod-assembly']);
    const whole = JSON.parse(fileOf(rootOf(documents), 'properties').toString()) as Properties;
    expect([whole.solids, whole.definitions, whole.occurrences]).toEqual([18, 5, 18]);
  });

  test('preserves volume and bounding box when reassembled', async () => {
    const [before, after] = [await secondReader(bytes), await secondReader(await reassemble(await split))];
    expect([after.meshes, after.volume / before.volume]).toEqual([18, expect.closeTo(1, 6)]);
    after.box.forEach((value, i) => {
      expect(value).toBeCloseTo(before.box[i] ?? 0, 4);
    });
  });
});

// An independent build of OCCT; returns measures of its meshes in mm.
async function secondReader(stp: Buffer): Promise<{ meshes: number; volume: number; box: number[] }> {
  const reader = await createRequire(import.meta.url)('occt-import-js')();
  const { meshes } = reader.ReadStepFile(new Uint8Array(stp), { linearUnit: 'millimeter' }) as {
    meshes: { attributes: { position: { array: number[] } }; index: { array: number[] } }[];
  };
  let volume = 0;
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const { attributes, index } of meshes) {
    const at = (i: number) =>
      attributes.position.array.slice(3 * (index.array[i] ?? 0), 3 * (index.array[i] ?? 0) + 3) as [
        number,
        number,
        number,
      ];
    for (let i = 0; i < index.array.length; i += 3) {
      const [a, b, c] = [at(i), at(i + 1), at(i + 2)];
      volume +=
        (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) /
        6;
      for (const point of [a, b, c])
        for (const axis of [0, 1, 2]) {
          box[axis] = Math.min(box[axis]!, point[axis]!);
          box[axis + 3] = Math.max(box[axis + 3]!, point[axis]!);
        }
    }
  }
  return { meshes: meshes.length, volume, box };
}
