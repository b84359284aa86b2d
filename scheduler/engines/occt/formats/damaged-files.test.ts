import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine, EngineResult } from '../../engine.ts';
import { createListener } from '../../engine-contract.ts';
import { occtEngine } from '../engine.ts';
import { archive, fcstd, placement } from '../fcstd/test-documents.ts';
import { BOXES, iges, threeMf } from '../mesh/test-meshes.ts';
import { productTree, stepFile } from '../step/test-files.ts';
import { box, kernel, shapeOf, stepOf } from '../test-models.ts';
import { createPicker } from '../test-mutants.ts';

const count = Number(process.env.PDM_TEST_DAMAGED_FILES ?? 20);

let workDir: string;
let engine: Engine;
let jobs = 0;
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'damaged-files-'));
  engine = occtEngine({ slots: 2, workDir, lowMemory: true, timeoutSeconds: { convert: 60 }, log: () => {} });
});
afterAll(async () => {
  await engine.stop();
  await rm(workDir, { recursive: true, force: true });
});

async function convert(bytes: Buffer, fileName: string): Promise<EngineResult> {
  const folder = join(workDir, String(++jobs));
  await mkdir(folder);
  await writeFile(join(folder, 'source'), bytes);
  return engine.run({ type: 'convert', source: join(folder, 'source'), fileName }, createListener());
}

const pick = createPicker();
const EXTREMES = ['-1', '0', '1e300', '-1e-300', '4294967295', '99999999999999999999', 'NaN', ''];

/** Returns a damaged copy: bytes changed, cut off, removed or repeated, or numbers replaced. */
function damage(valid: Buffer): Buffer {
  const at = pick(valid.length);
  const end = Math.min(valid.length, at + 1 + pick(400));
  switch (pick(5)) {
    case 0: {
      const copy = Buffer.from(valid);
      for (let n = 1 + pick(20); n > 0; n--) copy[pick(copy.length)] = pick(256);
      return copy;
    }
    case 1:
      return valid.subarray(0, at);
    case 2:
      return Buffer.concat([valid.subarray(0, at), valid.subarray(end)]);
    case 3:
      return Buffer.concat([valid.subarray(0, end), valid.subarray(at)]);
    default: {
      const chosen = 1 + pick(50);
      let seen = 0;
      const replace = (old: string) => (++seen % chosen ? old : EXTREMES[pick(EXTREMES.length)]!);
      return Buffer.from(valid.toString('latin1').replace(/-?\d+(\.\d*)?/g, replace), 'latin1');
    }
  }
}

// The damage of a compressed file would only be found by the checksum: damages the model inside, too.
function damageInside(valid: Buffer): Buffer {
  if (valid.readUInt16BE(0) === 0x1f8b) return gzipSync(damage(gunzipSync(valid)));
  const files = Object.entries(unzipSync(valid)).map(([name, bytes]) => [name, damage(Buffer.from(bytes))] as const);
  return archive(Object.fromEntries(files));
}

async function originals(): Promise<[fileName: string, bytes: Buffer][]> {
  const wrapped = shapeOf(box());
  const brep = kernel.BRepToolsWrapper.Write(wrapped);
  const boxes = Object.entries(BOXES).map(([name, create]): [string, Buffer] => [name, create()]);
  const model = await convert(threeMf(), 'two.3mf');
  const glb = 'artifacts' in model ? model.artifacts.find(({ kind }) => kind === 'glb') : undefined;
  const step = await stepOf(box());
  return [
    ...boxes,
    ['two.3mf', threeMf()],
    ['two.glb', await readFile(glb?.file ?? '')],
    ['rectangle.igs', iges()],
    ['box.brep', Buffer.from(brep, 'latin1')],
    ['box.FCStd', fcstd([{ name: 'Box', type: 'Part::Box', properties: SHAPE }], { 'box.brp': brep })],
    ['box.stp', step],
    ['box.stpz', gzipSync(step)],
    ['set.step.zip', archive({ 'main.stp': MAIN, 'box.stp': step })],
  ];
}

// An assembly whose only part is in the file box.stp.
const MAIN = stepFile(
  `${productTree(2, [[0, 1]])}#600=DOCUMENT_FILE('box.stp','',$,$,'',$);#601=APPLIED_DOCUMENT_REFERENCE(#600,'',(#15));`,
);

const SHAPE = { Label: '<String value="Box"/>', Placement: placement(5), Shape: '<Part file="box.brp"/>' };

test(`converts ${count} damaged files of all formats or fails with a code, each within its time limit`, {
  timeout: 60_000 + count * 20_000,
}, async () => {
  const files = await originals();
  const damaged = Array.from({ length: count }, (_, i) => {
    const [fileName, bytes] = files[i % files.length]!;
    const isArchive = /\.(3mf|FCStd|stpz|zip)$/.test(fileName) && pick(3) > 0;
    return { fileName, bytes: isArchive ? damageInside(bytes) : damage(bytes) };
  });
  const results = await Promise.all(damaged.map(({ fileName, bytes }) => convert(bytes, fileName)));
  const codes = new Map<string, string>();
  results.forEach((result, i) => {
    if ('error' in result) codes.set(result.error.code, `${damaged[i]!.fileName}: ${result.error.message}`);
  });
  for (const code of ['internal', 'engine_crashed', 'unknown_job']) expect(codes.get(code)).toBeUndefined();
  expect(results.some((result) => 'artifacts' in result)).toBe(true);
  expect(codes.size).toBeGreaterThan(2);
});
