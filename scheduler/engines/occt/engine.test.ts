import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EngineResult } from '../engine.ts';
import { engineContract, listener } from '../engine-contract.ts';
import { convert } from './convert.ts';
import { occtEngine } from './engine.ts';
import { bracket, kernel, manyPins, stepOf } from './test-models.ts';

const good = await stepOf(bracket());
const slow = await stepOf(manyPins(100));

engineContract('the built-in engine', async () => ({
  make: (workDir, slots) => occtEngine({ slots, workDir, lowMemory: true, log: () => {} }),
  goodSource: good,
  slowSource: slow,
}));

describe('the built-in engine is isolated:', { timeout: 120_000 }, () => {
  let workDir: string;
  let jobs = 0;
  beforeAll(async () => {
    workDir = await mkdtemp(join(tmpdir(), 'occt-engine-'));
  });
  afterAll(() => rm(workDir, { recursive: true, force: true }));

  async function withEngine(
    options: { memoryMb?: number; timeoutSeconds?: number },
    use: (engine: ReturnType<typeof occtEngine>) => Promise<void>,
  ) {
    const { memoryMb, timeoutSeconds } = options;
    const engine = occtEngine({
      slots: 1,
      workDir,
      lowMemory: true,
      memoryMb,
      timeoutSeconds: { convert: timeoutSeconds },
      log: () => {},
    });
    await use(engine).finally(() => engine.stop());
  }

  async function jobWith(source: Buffer) {
    const folder = join(workDir, `job-${++jobs}`);
    await mkdir(folder);
    await writeFile(join(folder, 'source'), source);
    return { type: 'convert', source: join(folder, 'source') } as const;
  }

  const worksAgain = async (engine: ReturnType<typeof occtEngine>) =>
    expect(await engine.run(await jobWith(good), listener())).toHaveProperty('artifacts');

  test('a job that takes too long is ended by the clock', () =>
    withEngine({ timeoutSeconds: 0.2 }, async (engine) => {
      const result = await engine.run(await jobWith(slow), listener());
      expect(result).toEqual(failure('timeout', 'the job took longer than 0.2 s', true));
    }));

  test('a job that needs too much memory is ended', () =>
    withEngine({ memoryMb: 64 }, async (engine) => {
      const result = await engine.run(await jobWith(slow), listener());
      expect(result).toEqual(failure('out_of_memory', 'the job needed more than 64 MB', true));
    }));

  test('a killed process fails its job only, for now, and the next job gets a new one', () =>
    withEngine({}, async (engine) => {
      const kill = () => {
        const { pid } = engine.state().slots[0] ?? {};
        if (pid) process.kill(pid, 'SIGKILL');
      };
      const result = await engine.run(await jobWith(slow), listener(undefined, kill));
      expect(result).toEqual(failure('engine_crashed', 'the engine process ended while it worked on the job', false));
      expect(engine.state().slots[0]).toMatchObject({ pid: null, busy: false, lastError: 'ended with SIGKILL' });
      await worksAgain(engine);
      expect(engine.state().slots[0]).toMatchObject({ restarts: 1, restartReasons: { crash: 1, timeout: 0 } });
    }));

  test('a source outside the work folder is not read', () =>
    withEngine({}, async (engine) => {
      const result = await engine.run({ type: 'convert', source: import.meta.filename }, listener());
      expect(result).toMatchObject({ error: { code: 'internal', final: false } });
    }));

  test('a file over the limit is refused with both sizes', async () => {
    const engine = occtEngine({ slots: 1, workDir, lowMemory: true, maxStepMb: 1 / 64, log: () => {} });
    const result = await engine.run(await jobWith(good), listener()).finally(() => engine.stop());
    expect(result).toEqual(
      failure('too_large', `STEP file has ${good.length} bytes; the built-in engine takes up to 16384`, true),
    );
  });

  test('assemblies are put together and exported in the same isolation, and OFB is refused', () =>
    withEngine({}, async (engine) => {
      const { source } = await jobWith(good);
      const asmJson = join(dirname(source), 'asm.json');
      await writeFile(
        asmJson,
        JSON.stringify({ templates: [{ ident: 'Bracket', reference: { location: 'here', type: 'stp' } }] }),
      );
      const job = { asmJson, files: { here: source }, name: 'One bracket' };
      const kindsOf = (result: EngineResult) =>
        'artifacts' in result ? result.artifacts.map(({ kind }) => kind) : result;
      expect(kindsOf(await engine.run({ type: 'assemble', ...job }, listener()))).toEqual([
        'glb',
        'properties',
        'thumbnail',
      ]);
      const exported = { type: 'export', time: '2026-01-01T00:00:00Z', ...job } as const;
      expect(kindsOf(await engine.run({ ...exported, format: 'STP' }, listener()))).toEqual(['stp']);
      expect(await engine.run({ ...exported, format: 'OFB' }, listener())).toEqual(
        failure('needs_classcad', 'OFB needs the ClassCAD engine; the built-in engine reads and writes STEP', true),
      );
    }));

  test('equal sources give equal files, in whichever process they are made', () =>
    withEngine({}, async (engine) => {
      const result = await engine.run(await jobWith(good), listener());
      const made = 'artifacts' in result ? result.artifacts : [];
      const here = await convert(good, async () => kernel, 1e9, { log: () => {}, progress: () => {} });
      for (const kind of ['glb', 'properties', 'thumbnail'] as const) {
        const file = made.find((artifact) => artifact.kind === kind)?.file ?? '';
        expect(Buffer.compare(await readFile(file), here[kind])).toBe(0);
      }
    }));
});

function failure(code: string, message: string, final: boolean): EngineResult {
  return { error: { code, message, final } };
}
