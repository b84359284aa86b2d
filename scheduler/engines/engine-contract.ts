import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine, EngineJob, EngineListener, EngineResult } from './engine.ts';

/**
 * What a test of an implementation brings: the engine on a work folder, a STEP source it converts, and one that keeps it busy until it is cancelled.
 */
export type EngineUnderTest = { create(workDir: string, slots: number): Engine; validSource: Buffer; slowSource: Buffer };

/** Everything the scheduler relies on, for every implementation of the port. */
export function describeEngineContract(name: string, prepare: () => Promise<EngineUnderTest>): void {
  describe(`${name} keeps the contract of an engine:`, { timeout: 120_000 }, () => {
    let workDir: string;
    let given: EngineUnderTest;
    let engine: Engine;
    let jobs = 0;

    beforeAll(async () => {
      workDir = await mkdtemp(join(tmpdir(), 'engine-contract-'));
      given = await prepare();
      engine = given.create(workDir, 2);
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

    test('it says who it is and what it does', () => {
      expect(engine.name).toMatch(/^[a-z][a-z-]*$/);
      expect(engine.version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(engine.types).toContain('convert');
      expect(engine.state()).toMatchObject({ version: engine.version, slots: [{ busy: false }, { busy: false }] });
    });

    test('a STEP source becomes stp, glb, properties and thumbnail; the stp is the source byte for byte; progress grows and stays below 100', async () => {
      const heard = createListener();
      const result = await engine.run(await jobWith(given.validSource), heard);
      const artifacts = 'artifacts' in result ? result.artifacts : [];
      expect(artifacts.map(({ kind }) => kind).sort()).toEqual(['glb', 'properties', 'stp', 'thumbnail']);
      for (const { file } of artifacts) expect((await stat(file)).size).toBeGreaterThan(0);
      expect(await readFile(artifacts.find(({ kind }) => kind === 'stp')?.file ?? '')).toEqual(given.validSource);
      expect(heard.percents.length).toBeGreaterThan(1);
      expect(heard.percents).toEqual([...heard.percents].sort((a, b) => a - b));
      expect(heard.percents.at(-1)).toBeLessThan(100);
      expect(heard.lines.length).toBeGreaterThan(0);
      for (const line of heard.lines) expect(line).toMatch(/^[^\n]+$/);
    });

    test('a source that is not STEP is refused for good', async () => {
      const result = await engine.run(await jobWith(Buffer.from('hello world\n')), createListener());
      expect(result).toEqual({
        error: { code: 'not_step', message: 'not a STEP file: it does not start with ISO-10303-21;', final: true },
      });
    });

    test('a source that is not there is an answer, not an exception', async () => {
      const result = await engine.run({ type: 'convert', source: join(workDir, 'nowhere', 'source') }, createListener());
      expect(result).toMatchObject({ error: { code: 'internal', final: false } });
    });

    test('a job type that was not announced is refused', async () => {
      const job: EngineJob = JSON.parse('{ "type": "polish" }');
      expect(await engine.run(job, createListener())).toEqual({
        error: { code: 'unknown_job', message: 'this engine does not support jobs of type polish', final: true },
      });
    });

    test('a job that was cancelled before it began is not begun', async () => {
      expect(await engine.run(await jobWith(given.validSource), createListener(AbortSignal.abort()))).toMatchObject(CANCELLED);
    });

    test('a job that is cancelled while it runs ends', async () => {
      const cancel = new AbortController();
      const running = engine.run(
        await jobWith(given.slowSource),
        createListener(cancel.signal, () => cancel.abort()),
      );
      expect(await running).toMatchObject(CANCELLED);
    });

    test('after such failures as many jobs run at once as there are slots, and more wait for a free one', async () => {
      const cancel = new AbortController();
      const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = await Promise.all(begun.map(() => jobWith(given.slowSource)));
      const running = slow.map((job, i) => engine.run(job, createListener(cancel.signal, begun[i]?.resolve)));
      await Promise.all(begun.map(({ promise }) => promise));
      expect(engine.state().slots.map(({ busy }) => busy)).toEqual([true, true]);
      const third = engine.run(await jobWith(given.validSource), createListener());
      cancel.abort();
      for (const result of await Promise.all(running)) expect(result).toMatchObject(CANCELLED);
      expect(await third).toHaveProperty('artifacts');
      expect(engine.state().slots.map(({ busy }) => busy)).toEqual([false, false]);
    });

    test('stopping ends a running job with an error that a retry may help', async () => {
      const other = given.create(workDir, 1);
      const begun = Promise.withResolvers<void>();
      const running = other.run(await jobWith(given.slowSource), createListener(undefined, begun.resolve));
      await begun.promise;
      await other.stop();
      expect(await running).toMatchObject({ error: { code: 'engine_crashed', final: false } });
    });
  });
}

const CANCELLED: EngineResult = { error: { code: 'cancelled', message: 'the job was cancelled', final: true } };

/** Collects what an engine tells; `onFirst` hears the first sign that the job has begun. */
export function createListener(signal: AbortSignal = new AbortController().signal, onFirst: () => void = () => {}) {
  const lines: string[] = [];
  const percents: number[] = [];
  const heard: EngineListener & { lines: string[]; percents: number[] } = {
    lines,
    percents,
    signal,
    log(line) {
      lines.push(line);
      onFirst();
    },
    progress(percent) {
      percents.push(percent);
      onFirst();
    },
  };
  return heard;
}
