import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/sandbox.ts';
import type { Engine, EngineResult } from '../engine.ts';
import { createListener, describeEngineContract } from '../engine-contract.ts';
import { convert } from './convert.ts';
import { occtEngine } from './engine.ts';
import { bracket, kernel, manyPins, stepOf } from './test-models.ts';

const valid = await stepOf(bracket());
const slow = await stepOf(manyPins(100));

describeEngineContract('the built-in engine', async () => ({
  create: (workDir, slots) => occtEngine({ slots, workDir, lowMemory: true, log: () => {} }),
  validSource: valid,
  slowSource: slow,
}));

describe('the isolation of the built-in engine', { timeout: 120_000 }, () => {
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

  const expectWorking = async (engine: ReturnType<typeof occtEngine>) =>
    expect(await engine.run(await jobWith(valid), createListener())).toHaveProperty('artifacts');

  test('ends a job that exceeds its time limit', () =>
    withEngine({ timeoutSeconds: 0.2 }, async (engine) => {
      const result = await engine.run(await jobWith(slow), createListener());
      expect(result).toEqual(failure('timeout', 'the job took longer than 0.2 s', true));
    }));

  test('ends a job that exceeds its memory limit', () =>
    withEngine({ memoryMb: 64 }, async (engine) => {
      const result = await engine.run(await jobWith(slow), createListener());
      expect(result).toEqual(failure('out_of_memory', 'the job needed more than 64 MB', true));
    }));

  test('fails only the current job, not finally, when the process is killed', () =>
    withEngine({}, async (engine) => {
      const kill = () => {
        const { pid } = engine.state().slots[0] ?? {};
        if (pid) process.kill(pid, 'SIGKILL');
      };
      const result = await engine.run(await jobWith(slow), createListener(undefined, kill));
      expect(result).toEqual(failure('engine_crashed', 'the engine process ended while it was running the job', false));
      expect(engine.state().slots[0]).toMatchObject({ pid: null, busy: false, lastError: 'ended with SIGKILL' });
      await expectWorking(engine);
      expect(engine.state().slots[0]).toMatchObject({ restarts: 1, restartReasons: { crash: 1, timeout: 0 } });
    }));

  test.each([
    ['the job is cancelled', (cancel: AbortController) => cancel.abort(), 'cancelled'],
    ['the engine stops', (_: AbortController, engine: Engine) => engine.stop(), 'engine_crashed'],
  ])('does not wait for the probe of the sandbox when %s', async (_, interrupt, code) => {
    const probing = Promise.withResolvers<void>();
    const instance = createSandbox(
      () => {},
      { mode: 'strict' },
      () => {
        probing.resolve();
        return new Promise(() => {});
      },
    );
    const engine = occtEngine({ slots: 1, workDir, sandbox: { instance, mode: 'auto' }, log: () => {} });
    const cancel = new AbortController();
    const running = engine.run(await jobWith(valid), createListener(cancel.signal));
    await probing.promise;
    await interrupt(cancel, engine);
    expect(await running).toMatchObject({ error: { code } });
    await engine.stop();
  });

  test('does not read a source outside the work folder', () =>
    withEngine({}, async (engine) => {
      const result = await engine.run({ type: 'convert', source: import.meta.filename }, createListener());
      expect(result).toMatchObject({ error: { code: 'internal', final: false } });
    }));

  test('rejects a file over the limit and reports both sizes', async () => {
    const engine = occtEngine({ slots: 1, workDir, lowMemory: true, maxStepMb: 1 / 64, log: () => {} });
    const result = await engine.run(await jobWith(valid), createListener()).finally(() => engine.stop());
    expect(result).toEqual(
      failure('too_large', `STEP file is ${valid.length} bytes; the built-in engine accepts up to 16384`, true),
    );
  });

  test('assembles and exports in the same isolation and rejects OFB', () =>
    withEngine({}, async (engine) => {
      const { source } = await jobWith(valid);
      const asmJson = join(dirname(source), 'asm.json');
      await writeFile(
        asmJson,
        JSON.stringify({ templates: [{ ident: 'Bracket', reference: { location: 'here', type: 'stp' } }] }),
      );
      const job = { asmJson, files: { here: source }, name: 'One bracket' };
      const kindsOf = (result: EngineResult) =>
        'artifacts' in result ? result.artifacts.map(({ kind }) => kind) : result;
      expect(kindsOf(await engine.run({ type: 'assemble', ...job }, createListener()))).toEqual([
        'glb',
        'properties',
        'thumbnail',
        'measure',
      ]);
      const exported = { type: 'export', time: '2026-01-01T00:00:00Z', ...job } as const;
      expect(kindsOf(await engine.run({ ...exported, format: 'STP' }, createListener()))).toEqual(['stp']);
      expect(await engine.run({ ...exported, format: 'OFB' }, createListener())).toEqual(
        failure('needs_classcad', 'OFB requires a ClassCAD engine; the built-in engine reads and writes STEP', true),
      );
    }));

  test('gives equal files for equal sources in any process', () =>
    withEngine({}, async (engine) => {
      const result = await engine.run(await jobWith(valid), createListener());
      const artifacts = 'artifacts' in result ? result.artifacts : [];
      const direct = await convert(valid, async () => kernel, 1e9, { log: () => {}, progress: () => {} });
      for (const kind of ['glb', 'properties', 'thumbnail'] as const) {
        const file = artifacts.find((artifact) => artifact.kind === kind)?.file ?? '';
        expect(Buffer.compare(await readFile(file), direct[kind])).toBe(0);
      }
    }));
});

function failure(code: string, message: string, final: boolean): EngineResult {
  return { error: { code, message, final } };
}
