import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine, EngineJob, EngineListener, EngineResult } from './engine.ts';

/** The engine under test, a STEP source that it converts, and one that keeps it busy until the job is cancelled. */
export type EngineUnderTest = {
  create(workDir: string, slots: number): Engine;
  validSource: Buffer;
  slowSource: Buffer;
};

/** Defines the tests that every engine implementation must pass. */
export function describeEngineContract(name: string, prepare: () => Promise<EngineUnderTest>): void {
  describe(`${name} fulfills the engine contract:`, { timeout: 120_000 }, () => {
    let workDir: string;
    let subject: EngineUnderTest;
    let engine: Engine;
    let jobs = 0;

    beforeAll(async () => {
      workDir = await mkdtemp(join(tmpdir(), 'engine-contract-'));
      subject = await prepare();
      engine = subject.create(workDir, 2);
    });
    afterAll(async () => {
      await engine.stop();
      await rm(workDir, { recursive: true, force: true });
    });

    async function jobWith(source: Buffer): Promise<Extract<EngineJob, { type: 'convert' }>> {
      const folder = join(workDir, `job-${++jobs}`);
      await mkdir(folder);
      await writeFile(join(folder, 'source'), source);
      return { type: 'convert', source: join(folder, 'source') };
    }

    test('reports its name, version, job types and slots', () => {
      expect(engine.name).toMatch(/^[a-z][a-z-]*$/);
      expect(engine.version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(engine.types).toContain('convert');
      expect(engine.state()).toMatchObject({ version: engine.version, slots: [{ busy: false }, { busy: false }] });
    });

    test('converts STEP to stp, glb, properties and thumbnail, with increasing progress below 100', async () => {
      const listener = createListener();
      const result = await engine.run(await jobWith(subject.validSource), listener);
      const artifacts = 'artifacts' in result ? result.artifacts : [];
      const kinds = ['glb', 'properties', 'stp', 'thumbnail'];
      expect(artifacts.map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds));
      for (const { file } of artifacts) expect((await stat(file)).size).toBeGreaterThan(0);
      expect(await readFile(artifacts.find(({ kind }) => kind === 'stp')?.file ?? '')).toEqual(subject.validSource);
      expect(listener.percents.length).toBeGreaterThan(1);
      expect(listener.percents).toEqual([...listener.percents].sort((a, b) => a - b));
      expect(listener.percents.at(-1)).toBeLessThan(100);
      expect(listener.lines.length).toBeGreaterThan(0);
      for (const line of listener.lines) expect(line).toMatch(/^[^\n]+$/);
    });

    test('rejects a source that is not STEP with a final error', async () => {
      const result = await engine.run(await jobWith(Buffer.from('hello world\n')), createListener());
      expect(result).toEqual({
        error: {
          code: 'not_step',
          message: 'the file is not a STEP file: it does not start with "ISO-10303-21;"',
          final: true,
        },
      });
    });

    test('returns an error for a missing source', async () => {
      const result = await engine.run(
        { type: 'convert', source: join(workDir, 'nowhere', 'source') },
        createListener(),
      );
      expect(result).toMatchObject({ error: { code: 'internal', final: false } });
    });

    test('rejects an unsupported job type', async () => {
      const job: EngineJob = JSON.parse('{ "type": "polish" }');
      expect(await engine.run(job, createListener())).toEqual({
        error: { code: 'unknown_job', message: 'this engine does not support jobs of type polish', final: true },
      });
    });

    test('does not start a job that is already cancelled', async () => {
      expect(await engine.run(await jobWith(subject.validSource), createListener(AbortSignal.abort()))).toMatchObject(
        CANCELLED,
      );
    });

    test('ends a running job when it is cancelled', async () => {
      const cancel = new AbortController();
      const running = engine.run(
        await jobWith(subject.slowSource),
        createListener(cancel.signal, () => cancel.abort()),
      );
      expect(await running).toMatchObject(CANCELLED);
    });

    test('runs one job per slot after cancellations, and queues further jobs', async () => {
      const cancel = new AbortController();
      const started = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = await Promise.all(started.map(() => jobWith(subject.slowSource)));
      const running = slow.map((job, i) => engine.run(job, createListener(cancel.signal, started[i]?.resolve)));
      await Promise.all(started.map(({ promise }) => promise));
      expect(engine.state().slots.map(({ busy }) => busy)).toEqual([true, true]);
      const third = engine.run(await jobWith(subject.validSource), createListener());
      cancel.abort();
      for (const result of await Promise.all(running)) expect(result).toMatchObject(CANCELLED);
      expect(await third).toHaveProperty('artifacts');
      expect(engine.state().slots.map(({ busy }) => busy)).toEqual([false, false]);
    });

    test('ends a running job with a retryable error on stop', async () => {
      const other = subject.create(workDir, 1);
      const started = Promise.withResolvers<void>();
      const running = other.run(await jobWith(subject.slowSource), createListener(undefined, started.resolve));
      await started.promise;
      await other.stop();
      expect(await running).toMatchObject({ error: { code: 'engine_crashed', final: false } });
    });
  });
}

const CANCELLED: EngineResult = { error: { code: 'cancelled', message: 'the job was cancelled', final: true } };

/** Returns a listener that records log lines and progress; it calls `onEvent` for each of them. */
export function createListener(signal: AbortSignal = new AbortController().signal, onEvent: () => void = () => {}) {
  const lines: string[] = [];
  const percents: number[] = [];
  const listener: EngineListener & { lines: string[]; percents: number[] } = {
    lines,
    percents,
    signal,
    log(line) {
      lines.push(line);
      onEvent();
    },
    progress(percent) {
      percents.push(percent);
      onEvent();
    },
  };
  return listener;
}
