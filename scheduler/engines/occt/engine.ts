import { mkdirSync, realpathSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { probeUnlessAborted, type Sandbox } from '../../sandbox/sandbox.ts';
import type { Engine, EngineArtifact, EngineJob, EngineSlot, JobType } from '../engine.ts';
import { sumRestarts } from '../restarts.ts';
import { ENGINE_VERSION } from './engine-version.ts';
import { estimatedProgress } from './estimated-progress.ts';
import { failure, interruption } from './job-failure.ts';
import { kernelPath } from './kernel.ts';
import { createProcessSlot, type Slot } from './process/process-slot.ts';
import type { Task } from './process/protocol.ts';
import { createSandboxedSlot } from './process/sandboxed-slot.ts';

export type OcctEngineOptions = {
  slots: number;
  /** How many of the slots are kept for light jobs. Default: none. */
  lightSlots?: number;
  workDir: string;
  maxStepMb?: number;
  timeoutSeconds?: Partial<Record<JobType, number>>;
  memoryMb?: number;
  /** Halves the memory and speeds up the first job; large files take twice as long. */
  lowMemory?: boolean;
  /** Sandbox use. `auto`: where the machine has one. `strict`: always, or the job fails. Absent: never. */
  sandbox?: { instance: Sandbox; mode: 'auto' | 'strict' };
  log(line: object): void;
};

/**
 * The built-in geometry engine: OCCT in WebAssembly, one long-lived child process per slot and a fresh kernel per job.
 * Every job has its own folder below `workDir`, owned by the scheduler; results are written to its `result` subfolder.
 * Isolation is `limited`: the child can read only the engine and `workDir` and write only `workDir`; time and memory
 * are bounded. In a sandbox the isolation is `strict` and every job runs in its own process.
 */
export function occtEngine(options: OcctEngineOptions): Engine {
  const { maxStepMb = 64, memoryMb = 4096, lowMemory = false, log } = options;
  mkdirSync(options.workDir, { recursive: true });
  const workDir = realpathSync(options.workDir);
  const slots = Array.from({ length: options.slots }, () => ({
    warm: createProcessSlot(nodeFlags(workDir, lowMemory), log),
    sandboxed: createSandboxedSlot(options.sandbox?.instance.isolation ?? { mode: 'strict' }, lowMemory),
  }));
  const queue = createSlotQueue(slots);
  const stopping = new AbortController();
  return {
    name: 'pdm-occt',
    version: ENGINE_VERSION,
    types: ['convert', 'assemble', 'export'],
    lightSlots: options.lightSlots ?? 0,
    environment: { engine: 'occt', split: 'step' },
    async run(job, listener) {
      if (!isSupported(job)) return failure('unknown_job', `this engine does not support jobs of type ${job.type}`);
      if (job.type === 'export' && job.format === 'OFB') {
        return failure('needs_classcad', 'OFB requires a ClassCAD engine; the built-in engine reads and writes STEP');
      }
      const timeoutMs = (options.timeoutSeconds?.[job.type] ?? TIMEOUT_SECONDS[job.type]) * 1000;
      try {
        const task = await prepareTask(job, workDir, maxStepMb);
        const slot = await queue.acquire(listener.signal);
        if (!slot) return interruption(listener.signal);
        try {
          const signal = AbortSignal.any([listener.signal, stopping.signal]);
          const probe = options.sandbox && (await probeUnlessAborted(options.sandbox.instance, signal));
          if (signal.aborted) return interruption(listener.signal);
          if (options.sandbox?.mode === 'strict' && !probe?.works)
            return failure('no_sandbox', `CAD files cannot be opened here: ${probe?.reason}`);
          const runner = probe?.works ? slot.sandboxed : slot.warm;
          const estimated = estimatedProgress(listener, await inputBytes(job));
          const running = runner.run(task, { timeoutMs, memoryMb }, estimated.listener);
          const result = await running.finally(estimated.stop);
          if ('error' in result) return { error: result.error };
          if ('delivery' in result) return result;
          const source: EngineArtifact[] =
            job.type === 'convert' && result.isStep ? [{ kind: 'stp', file: job.source }] : [];
          return { artifacts: [...source, ...result.files] };
        } finally {
          queue.release(slot);
        }
      } catch (thrown) {
        const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
        log({ event: 'engine_fault', message, stack });
        return failure('internal', message);
      }
    },
    state: () => ({
      version: ENGINE_VERSION,
      isolation: options.sandbox?.instance.report()?.works ? 'strict' : 'limited',
      slots: slots.map(slotState),
    }),
    async stop() {
      stopping.abort();
      await Promise.all(slots.flatMap(({ warm, sandboxed }) => [warm.stop(), sandboxed.stop()]));
    },
  };
}

const TIMEOUT_SECONDS = { convert: 300, assemble: 300, export: 600 };
const MEGABYTE = 1024 * 1024;

type SupportedJob = Extract<EngineJob, { type: 'convert' | 'assemble' | 'export' }>;

const isSupported = (job: EngineJob): job is SupportedJob => Object.hasOwn(TIMEOUT_SECONDS, job.type);

async function inputBytes(job: SupportedJob): Promise<number> {
  const paths = 'source' in job ? [job.source] : Object.values(job.files);
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return sizes.reduce((total, size) => total + size, 0);
}

async function prepareTask(job: SupportedJob, workDir: string, maxStepMb: number): Promise<Task> {
  const resolveInput = (path: string) => resolveInWorkDir(workDir, path);
  const main = resolveInput('source' in job ? job.source : job.asmJson);
  const folder = join(dirname(main), 'result');
  await mkdir(folder, { recursive: true });
  const common = { folder, maxBytes: maxStepMb * MEGABYTE };
  if (job.type === 'convert') {
    const { fileName = '', split = false } = job;
    return { ...common, type: job.type, source: main, fileName, split };
  }
  if ('source' in job) return { ...common, type: 'exportFile', source: main, format: job.format, name: job.name };
  const files = Object.fromEntries(Object.entries(job.files).map(([location, path]) => [location, resolveInput(path)]));
  const assembly = { ...common, asmJson: main, files, name: job.name };
  if (job.type === 'assemble') return { ...assembly, type: job.type };
  const format = job.format === 'BREP' ? job.format : 'STP';
  return { ...assembly, type: job.type, format, time: job.time };
}

// The child cannot read files outside `workDir`; a clear error here is better than its "file not found".
function resolveInWorkDir(workDir: string, path: string): string {
  const real = realpathSync(resolve(path));
  if (!real.startsWith(workDir + sep)) throw new Error(`input ${path} is outside the engine's work folder ${workDir}`);
  return real;
}

// Node permissions of the child: read the engine, its packages and the work folder, write the work folder, use threads.
// Network and environment are not covered, so the environment is empty; hostile code is contained by the sandbox.
function nodeFlags(workDir: string, lowMemory: boolean): string[] {
  const packages = resolve(realpathSync(kernelPath()), '../../..');
  const home = join(import.meta.dirname, '../../..');
  // If node_modules is a symbolic link, Node requires permission for the link and for its target.
  const readable = [
    import.meta.dirname,
    ...['subgraphs/core/domain', 'package.json', 'node_modules'].map((path) => join(home, path)),
    packages,
    workDir,
  ];
  return [
    ...(lowMemory ? ['--liftoff-only'] : []),
    '--no-warnings',
    '--permission',
    '--allow-worker',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${workDir}`,
  ];
}

// A long-lived process, and a launcher for one-job processes in the sandbox.
type SlotPair = { warm: Slot; sandboxed: Slot };

function slotState({ warm, sandboxed }: SlotPair): EngineSlot {
  const [warmState, sandboxedState] = [warm.state(), sandboxed.state()];
  return {
    pid: sandboxedState.pid ?? warmState.pid,
    busy: warmState.busy || sandboxedState.busy,
    ...sumRestarts([warmState, sandboxedState]),
    lastError: sandboxedState.lastError ?? warmState.lastError,
  };
}

// First come, first served. Resolves to null if the job is cancelled while it waits.
function createSlotQueue(slots: SlotPair[]) {
  const free = [...slots];
  const waiting: ((slot: SlotPair | null) => void)[] = [];
  return {
    acquire(signal: AbortSignal): Promise<SlotPair | null> {
      if (signal.aborted) return Promise.resolve(null);
      const slot = free.shift();
      if (slot) return Promise.resolve(slot);
      return new Promise((resolve) => {
        const settle = (acquired: SlotPair | null) => {
          signal.removeEventListener('abort', cancel);
          resolve(acquired);
        };
        const cancel = () => {
          waiting.splice(waiting.indexOf(settle), 1);
          settle(null);
        };
        waiting.push(settle);
        signal.addEventListener('abort', cancel, { once: true });
      });
    },
    release(slot: SlotPair): void {
      const next = waiting.shift();
      if (next) next(slot);
      else free.push(slot);
    },
  };
}
