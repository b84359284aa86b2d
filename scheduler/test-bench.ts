// For tests: a scheduler with an engine that plays, in front of an API that plays.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../subgraphs/core/log.ts';
import type { EngineListener } from './engines/engine.ts';
import { type FakeEngineOptions, fakeEngine } from './engines/fake.ts';
import { startScheduler } from './scheduler.ts';
import { testApi } from './test-api.ts';

export const STEP = 'ISO-10303-21;\nHEADER;\n';
const log = createLog({ name: 'test', pretty: false, level: 'silent' });

export type Bench = Awaited<ReturnType<typeof schedulerBench>>;

/** An API, a folder to work in, and a way to start a scheduler over both; `close` ends all that was started. */
export async function schedulerBench(options: Parameters<typeof testApi>[0] = {}) {
  const api = await testApi(options);
  const workDir = mkdtempSync(join(tmpdir(), 'scheduler-'));
  const stops: (() => Promise<void>)[] = [];
  let away: Promise<void> | null = null;

  /** Ends the API. */
  function endApi(): Promise<void> {
    away ??= api.close();
    return away;
  }

  async function schedule(options: FakeEngineOptions = {}, { graceSeconds = 0 } = {}) {
    const engine = fakeEngine(options);
    const scheduler = await startScheduler({
      apiUrl: api.url,
      token: 'test-token',
      host: '127.0.0.1',
      port: 0,
      workDir,
      engine,
      log,
      graceSeconds,
    });
    let stopped: Promise<void> | null = null;
    const stop = () => {
      stopped ??= scheduler.stop();
      return stopped;
    };
    stops.push(stop);
    return { ...scheduler, stop, engine };
  }

  async function close(): Promise<void> {
    for (const stop of stops.reverse()) await stop();
    await endApi();
    rmSync(workDir, { recursive: true, force: true });
  }

  return { api, workDir, schedule, endApi, close };
}

/** An answer of the engine that never comes; it ends when it is told to. */
export const untilAborted = (on: EngineListener) =>
  new Promise<never>((_, reject) => on.signal.addEventListener('abort', () => reject(new Error('aborted'))));
