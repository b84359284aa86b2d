import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listener } from '../engine-contract.ts';
import { occtEngine } from './engine.ts';
import { bracket, stepOf } from './test-models.ts';
import { mutants } from './test-mutants.ts';

// Short by default; PDM_FUZZ=240 is the long form, about two minutes.
const count = Number(process.env.PDM_FUZZ ?? 12);

// A few kinds of damage make the kernel loop for ever: the clock ends those jobs.
test(`${count} damaged files are converted or refused with a code, each within its time, and the engine lives on`, {
  timeout: 60_000 + count * 20_000,
}, async () => {
  const workDir = await mkdtemp(join(tmpdir(), 'occt-fuzz-'));
  const engine = occtEngine({ slots: 2, workDir, lowMemory: true, timeoutSeconds: { convert: 20 }, log: () => {} });
  const good = await stepOf(bracket());
  const outcomes: Record<string, number> = {};
  const convert = async (bytes: Buffer, i: number) => {
    const folder = join(workDir, String(i));
    await mkdir(folder);
    await writeFile(join(folder, 'source'), bytes);
    const result = await engine.run({ type: 'convert', source: join(folder, 'source') }, listener());
    const outcome =
      'error' in result ? result.error.code : `accepted, valid ${JSON.parse(await readFile(join(folder, 'result/properties.json'), 'utf8')).valid}`;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    await rm(folder, { recursive: true });
  };
  try {
    await Promise.all([...mutants(good, count)].map(convert));
    expect(engine.state().slots.map(({ restarts }) => restarts)).toEqual([0, 0]);
    for (const fault of ['internal', 'engine_crashed', 'unknown_job']) expect(outcomes).not.toHaveProperty(fault);
  } finally {
    await engine.stop();
    await rm(workDir, { recursive: true, force: true });
  }
});
