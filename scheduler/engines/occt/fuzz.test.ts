import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine, EngineResult } from '../engine.ts';
import { createListener } from '../engine-contract.ts';
import { occtEngine } from './engine.ts';
import { bracket, stepOf } from './test-models.ts';
import { mutants } from './test-mutants.ts';

// Number of mutants; PDM_TEST_FUZZ_CASES=240 takes about two minutes.
const count = Number(process.env.PDM_TEST_FUZZ_CASES ?? 12);

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
  return engine.run({ type: 'convert', source: join(folder, 'source') }, createListener());
}

const valid = await stepOf(bracket());

// Some mutants make the kernel loop forever; the time limit ends those jobs.
test(`converts ${count} damaged files or fails with a code, each within its time limit`, {
  timeout: 60_000 + count * 20_000,
}, async () => {
  const results = await Promise.all([...mutants(valid, count)].map(convert));
  const codes = new Set(results.map((result) => ('error' in result ? result.error.code : 'converted')));
  expect(codes.size).toBeGreaterThan(3);
  for (const code of ['internal', 'engine_crashed', 'unknown_job']) expect(codes).not.toContain(code);
});

test('fails a job finally when the kernel traps, and the process runs the next job', {
  timeout: 120_000,
}, async () => {
  const trapping = [...mutants(valid, TRAPPING + 1)][TRAPPING]!;
  expect(await convert(trapping)).toMatchObject({
    error: {
      code: 'kernel_crash',
      message: expect.stringContaining('the geometry kernel crashed on this input'),
      final: true,
    },
  });
  expect(await convert(valid)).toHaveProperty('artifacts');
  expect(engine.state().slots.map(({ restarts }) => restarts)).toEqual([0, 0]);
});

// The first mutant of the bracket that passes all checks and traps the kernel.
const TRAPPING = 70;
