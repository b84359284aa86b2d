import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorMessage } from '../../subgraphs/core/domain/text/error-message.ts';
import type { Engine, EngineArtifact, EngineJob, EngineListener, EngineResult, JobType } from './engine.ts';
import { sumRestarts } from './restarts.ts';

/**
 * `respond` returns the result of a job; `call` counts the jobs from 1. It may wait, and `on.signal` reports a
 * cancellation.
 */
export type FakeEngineOptions = {
  slots?: number;
  lightSlots?: number;
  types?: JobType[];
  environment?: Record<string, string>;
  respond?(job: EngineJob, on: EngineListener, call: number): EngineResult | Promise<EngineResult>;
};

/**
 * An engine without a geometry kernel, for tests. By default it returns four small files for a source that starts like
 * a STEP file and rejects any other. `jobs` records the jobs it received.
 */
export function fakeEngine(options: FakeEngineOptions = {}): Engine & { jobs: EngineJob[] } {
  const {
    slots = 1,
    lightSlots = 0,
    types = ['convert'],
    environment = { engine: 'fake' },
    respond = defaultResult,
  } = options;
  const jobs: EngineJob[] = [];
  const stopping = new AbortController();
  const busy = Array.from({ length: slots }, () => false);
  const waiting: (() => void)[] = [];

  async function acquireSlot(): Promise<number> {
    for (;;) {
      const free = busy.indexOf(false);
      if (free >= 0) {
        busy[free] = true;
        return free;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }

  return {
    name: 'pdm-fake',
    version: '1.0.0',
    types,
    lightSlots,
    environment,
    jobs,
    async run(job, on) {
      if (!types.includes(job.type))
        return failed('unknown_job', `this engine does not support jobs of type ${job.type}`);
      jobs.push(job);
      const call = jobs.length;
      const slot = await acquireSlot();
      try {
        return await Promise.race([
          onAbort(on.signal, CANCELLED),
          onAbort(stopping.signal, CRASHED),
          Promise.resolve(respond(job, on, call)),
        ]);
      } catch (thrown) {
        return failed('internal', errorMessage(thrown), false);
      } finally {
        busy[slot] = false;
        waiting.shift()?.();
      }
    },
    state: () => ({
      version: '1.0.0',
      isolation: 'none',
      slots: busy.map((working) => ({ pid: null, busy: working, ...sumRestarts([]), lastError: null })),
    }),
    async stop() {
      stopping.abort();
    },
  };
}

const CANCELLED = failed('cancelled', 'the job was cancelled');
const CRASHED = failed('engine_crashed', 'the engine process ended while it was running the job', false);

function failed(code: string, message: string, final = true): EngineResult {
  return { error: { code, message, final } };
}

function onAbort(signal: AbortSignal, result: EngineResult): Promise<EngineResult> {
  if (signal.aborted) return Promise.resolve(result);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(result), { once: true }));
}

/** The default result: files with placeholder content. */
export async function defaultResult(job: EngineJob, on: EngineListener): Promise<EngineResult> {
  if (job.type !== 'convert') return failed('unknown_job', `this engine does not support jobs of type ${job.type}`);
  const header = await firstBytes(job.source, 12);
  if (header !== 'ISO-10303-21')
    return failed('not_step', 'the file is not a STEP file: it does not start with "ISO-10303-21;"');
  on.log('the fake engine does not measure');
  on.progress(50, 'measured');
  const folder = join(dirname(job.source), 'result');
  await mkdir(folder, { recursive: true });
  const save = async (kind: EngineArtifact['kind'], name: string, text: string): Promise<EngineArtifact> => {
    await writeFile(join(folder, name), text);
    return { kind, file: join(folder, name) };
  };
  on.progress(90, 'rendered');
  return {
    artifacts: [
      { kind: 'stp', file: job.source },
      await save('glb', 'model.glb', 'placeholder glTF'),
      await save('properties', 'properties.json', '{"units":"mm"}'),
      await save('thumbnail', 'thumbnail.png', 'placeholder PNG'),
    ],
  };
}

async function firstBytes(path: string, length: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}
