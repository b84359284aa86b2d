import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine, EngineResult } from '../engine.ts';
import { listener } from '../engine-contract.ts';
import { occtEngine } from './engine.ts';
import { bracket, stepOf } from './test-models.ts';
import { mutants } from './test-mutants.ts';

// Short by default; PDM_FUZZ=240 is the long form, about two minutes.
const count = Number(process.env.PDM_FUZZ ?? 12);

let workDir: string;
let engine: Engine;
let jobs = 0;
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'occt-fuzz-'));
  engine = occtEngine({ slots: 2, workDir, lowMemory: true, timeoutSeconds: { convert: 20 }, log: () => {} });
});
afterAll(async () => {
  await engine.stop();
  await rm(workDir, { recursive: true, force: true });
});

async function convert(bytes: Buffer): Promise<EngineResult> {
  const folder = join(workDir, String(++jobs));
  await mkdir(folder);
  await writeFile(join(folder, 'source'), bytes);
  return engine.run({ type: 'convert', source: join(folder, 'source') }, listener());
}

const good = await stepOf(bracket());

// A few kinds of damage make the kernel loop for ever: the clock ends those jobs.
test(`${count} damaged files are converted or refused with a code, each within its time`, {
  timeout: 60_000 + count * 20_000,
}, async () => {
  const results = await Promise.all([...mutants(good, count)].map(convert));
  const codes = new Set(results.map((result) => ('error' in result ? result.error.code : 'converted')));
  expect(codes.size).toBeGreaterThan(3);
  for (const fault of ['internal', 'engine_crashed', 'unknown_job']) expect(codes).not.toContain(fault);
});

test('a trap inside the kernel fails its job for good, the process lives and the next job works', {
  timeout: 120_000,
}, async () => {
  const trapping = [...mutants(good, TRAPPING + 1)][TRAPPING]!;
  expect(await convert(trapping)).toMatchObject({
    error: {
      code: 'kernel_crash',
      message: expect.stringContaining('the geometry kernel stopped on this input'),
      final: true,
    },
  });
  expect(await convert(good)).toHaveProperty('artifacts');
  expect(engine.state().slots.map(({ restarts }) => restarts)).toEqual([0, 0]);
});

// The first mutant of the bracket that gets through all checks and traps the kernel.
const TRAPPING = 70;
