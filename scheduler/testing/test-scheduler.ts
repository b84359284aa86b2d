// For tests: a scheduler with a fake engine and a mock API.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../subgraphs/core/platform/log.ts';
import type { EngineListener } from '../engines/engine.ts';
import { type FakeEngineOptions, fakeEngine } from '../engines/fake-engine.ts';
import { startScheduler } from '../scheduler.ts';
import { startMockApi } from './mock-api.ts';

export const STEP = 'ISO-10303-21;\nHEADER;\n';
const log = createLog({ name: 'test', pretty: false, level: 'silent' });

export type TestScheduler = Awaited<ReturnType<typeof createTestScheduler>>;

/** Starts a mock API and creates a work folder. `start` starts a scheduler with both; `close` stops everything. */
export async function createTestScheduler(options: Parameters<typeof startMockApi>[0] = {}) {
  const api = await startMockApi(options);
  const workDir = mkdtempSync(join(tmpdir(), 'scheduler-'));
  const stops: (() => Promise<void>)[] = [];
  let closing: Promise<void> | null = null;

  function stopApi(): Promise<void> {
    closing ??= api.close();
    return closing;
  }

  async function start(options: FakeEngineOptions = {}, { graceSeconds = 0 } = {}) {
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
    await stopApi();
    rmSync(workDir, { recursive: true, force: true });
  }

  return { api, workDir, start, stopApi, close };
}

/** An engine result that never resolves; it rejects when the job is aborted. */
export const rejectOnAbort = (on: EngineListener) =>
  new Promise<never>((_, reject) => on.signal.addEventListener('abort', () => reject(new Error('aborted'))));
