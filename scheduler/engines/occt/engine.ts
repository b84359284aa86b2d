import { mkdirSync, realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Engine, EngineJob, EngineSlot, JobType } from '../engine.ts';
import { restartsOf } from '../restarts.ts';
import { ENGINE_VERSION } from './engine-version.ts';
import { kernelFile } from './kernel.ts';
import type { Task } from './protocol.ts';
import { refusal } from './refusal.ts';
import { sandboxedSlot } from './sandboxed-slot.ts';
import { engineSlot, type Slot } from './slot.ts';

export type OcctEngineOptions = {
  slots: number;
  workDir: string;
  maxStepMb?: number;
  timeoutSeconds?: Partial<Record<JobType, number>>;
  memoryMb?: number;
  /** half the memory and a cheaper first job, but large files take twice as long */
  lowMemory?: boolean;
  /** Where jobs run in a sandbox: `auto` where it holds, `strict` there or not at all. Absent: never. */
  sandbox?: { of: Sandbox; mode: 'auto' | 'strict' };
  log(line: object): void;
};

/**
 * The built-in geometry engine: OCCT in WebAssembly, a warm child process per slot and a fresh kernel per job. Every job has a folder of its own below `workDir`
 * in which its input lies; results are put beside it, into `result`. The folder stays the scheduler's. Isolation is `limited`: the child may read the engine and
 * `workDir`, write `workDir`, and touch no other file; time and memory are bounded. In a sandbox it is `strict`, and every job a process of its own.
 */
export function occtEngine(options: OcctEngineOptions): Engine {
  const { maxStepMb = 64, memoryMb = 2048, lowMemory = false, log } = options;
  mkdirSync(options.workDir, { recursive: true });
  const workDir = realpathSync(options.workDir);
  const slots = Array.from({ length: options.slots }, () => ({
    warm: engineSlot(flagsFor(workDir, lowMemory), log),
    sandboxed: sandboxedSlot(options.sandbox?.of.isolation ?? { mode: 'strict' }),
  }));
  const queue = slotQueue(slots);
  let stopped = false;
  return {
    name: 'pdm-occt',
    version: ENGINE_VERSION,
    types: ['convert', 'assemble', 'export'],
    environment: { engine: 'occt', split: 'step' },
    async run(job, on) {
      if (!isKnown(job)) return refusal('unknown_job', `the engine knows no job of type ${job.type}`);
      if (job.type === 'export' && job.format === 'OFB') {
        return refusal('needs_classcad', 'OFB needs the ClassCAD engine; the built-in engine reads and writes STEP');
      }
      const timeoutMs = (options.timeoutSeconds?.[job.type] ?? TIMEOUT_SECONDS[job.type]) * 1000;
      try {
        const task = await prepare(job, workDir, maxStepMb);
        const slot = await queue.take(on.signal);
        if (!slot) return refusal('cancelled', 'the job was cancelled');
        try {
          if (stopped) return refusal('engine_crashed', 'the engine process ended while it worked on the job');
          const apart = await options.sandbox?.of.probe();
          if (options.sandbox?.mode === 'strict' && !apart?.holds)
            return refusal('no_sandbox', `CAD files are not opened here: ${apart?.reason}`);
          const answer = await (apart?.holds ? slot.sandboxed : slot.warm).run(task, { timeoutMs, memoryMb }, on);
          if ('error' in answer) return { error: answer.error };
          if ('delivery' in answer) return answer;
          return {
            artifacts: job.type === 'convert' ? [{ kind: 'stp', file: job.source }, ...answer.made] : answer.made,
          };
        } finally {
          queue.giveBack(slot);
        }
      } catch (thrown) {
        const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
        log({ event: 'engine_fault', message, stack });
        return refusal('internal', message);
      }
    },
    state: () => ({
      version: ENGINE_VERSION,
      isolation: options.sandbox?.of.known()?.holds ? 'strict' : 'limited',
      slots: slots.map(stateOf),
    }),
    async stop() {
      stopped = true;
      await Promise.all(slots.flatMap(({ warm, sandboxed }) => [warm.stop(), sandboxed.stop()]));
    },
  };
}

const TIMEOUT_SECONDS = { convert: 300, assemble: 300, export: 600 };
const MEGABYTE = 1024 * 1024;

type KnownJob = Extract<EngineJob, { type: 'convert' | 'assemble' | 'export' }>;

const isKnown = (job: EngineJob): job is KnownJob => Object.hasOwn(TIMEOUT_SECONDS, job.type);

// Results go beside the main input.
async function prepare(job: KnownJob, workDir: string, maxStepMb: number): Promise<Task> {
  const inside = (path: string) => insideOf(workDir, path);
  const main = inside(job.type === 'convert' ? job.source : job.asmJson);
  const folder = join(dirname(main), 'result');
  await mkdir(folder, { recursive: true });
  const common = { folder, maxBytes: maxStepMb * MEGABYTE };
  if (job.type === 'convert') return { ...common, type: job.type, source: main, split: job.split === true };
  const files = Object.fromEntries(Object.entries(job.files).map(([location, path]) => [location, inside(path)]));
  const assembly = { ...common, asmJson: main, files, name: job.name };
  return job.type === 'assemble' ? { ...assembly, type: job.type } : { ...assembly, type: job.type, time: job.time };
}

// A file elsewhere would be invisible to the child: that is a fault of the caller and is said here, not by a "file not found" there.
function insideOf(workDir: string, path: string): string {
  const real = realpathSync(resolve(path));
  if (!real.startsWith(workDir + sep))
    throw new Error(`the input ${path} does not lie below the engine's work folder ${workDir}`);
  return real;
}

// What the child may do: read the engine, its packages and the work folder, write the work folder, start threads. Network and environment stay open, hence
// an empty environment; the boundary for hostile code is the sandbox.
function flagsFor(workDir: string, lowMemory: boolean): string[] {
  const packages = resolve(realpathSync(kernelFile()), '../../..');
  const home = join(import.meta.dirname, '../../..');
  // packages under both names where node_modules is a link: Node asks for leave under the one that it came by, too
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

// A slot has a warm process, and one in the sandbox for each job that is done there.
type Places = { warm: Slot; sandboxed: Slot };

function stateOf({ warm, sandboxed }: Places): EngineSlot {
  const [outside, inside] = [warm.state(), sandboxed.state()];
  return {
    pid: inside.pid ?? outside.pid,
    busy: outside.busy || inside.busy,
    ...restartsOf([outside, inside]),
    lastError: inside.lastError ?? outside.lastError,
  };
}

// Slots are given out in the order in which jobs ask; a job that is cancelled while it waits gets none.
function slotQueue(slots: Places[]) {
  const free = [...slots];
  const waiting: ((slot: Places | null) => void)[] = [];
  return {
    take(signal: AbortSignal): Promise<Places | null> {
      if (signal.aborted) return Promise.resolve(null);
      const slot = free.shift();
      if (slot) return Promise.resolve(slot);
      return new Promise((resolve) => {
        const settle = (given: Places | null) => {
          signal.removeEventListener('abort', giveUp);
          resolve(given);
        };
        const giveUp = () => {
          waiting.splice(waiting.indexOf(settle), 1);
          settle(null);
        };
        waiting.push(settle);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
    giveBack(slot: Places): void {
      const next = waiting.shift();
      if (next) next(slot);
      else free.push(slot);
    },
  };
}
