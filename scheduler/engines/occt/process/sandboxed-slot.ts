import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENGINE_CODE } from '../../../sandbox/engine-code.ts';
import { decodeFrames, encodeFrame, type Frame } from '../../../sandbox/frames.ts';
import type { Isolation } from '../../../sandbox/program.ts';
import { type ProgramExit, runProgram } from '../../../sandbox/run-program.ts';
import type { EngineListener } from '../../engine.ts';
import { createRestartCounter, type RestartReason } from '../../restarts.ts';
import { FAILURES, type FailureCode, failure } from '../job-failure.ts';
import type { Slot } from './process-slot.ts';
import { FILE_NAMES, type JobResult, RESULT_KINDS, type ResultFile, type Task } from './protocol.ts';

const MEGABYTE = 2 ** 20;
const MAX_RESULT_BYTES = 1024 * MEGABYTE;
const MAX_FRAMES = 16;
// Below this size of the input, compiling the kernel with optimizations takes longer than they save.
const OPTIMIZED_FROM_BYTES = 4_000_000;
// JavaScript is optimized at once, because slow code that continues meanwhile takes a fifth of a small conversion.
const UNOPTIMIZED_KERNEL = ['--liftoff-only', '--no-concurrent-recompilation'];

/**
 * Runs each job in its own sandboxed process, which can access only the job's files. Adds about 0.5 s per job. For small
 * files, and always with `lowMemory`, the kernel runs without optimizations, which halves its memory.
 */
export function createSandboxedSlot(isolation: Isolation, lowMemory = false): Slot {
  const stopping = new AbortController();
  const restarts = createRestartCounter();
  let busy = false;
  let pid: number | null = null;
  let lastError: string | null = null;
  return {
    async run(task, { timeoutMs, memoryMb }, listener) {
      busy = true;
      try {
        const signal = AbortSignal.any([listener.signal, stopping.signal]);
        const limits = {
          wallMs: timeoutMs,
          cpuSeconds: Math.ceil((2 * timeoutMs) / 1000),
          memory: memoryMb * MEGABYTE,
          heapMiB: 1024,
          resultBytes: MAX_RESULT_BYTES,
        };
        const input = await inputOf(task);
        const isOptimized = !lowMemory && input.length >= OPTIMIZED_FROM_BYTES;
        const program = {
          ...ENGINE_CODE,
          isolation,
          entry: 'scheduler/engines/occt/process/sandbox-entry.ts',
          urgent: true,
          nodeFlags: isOptimized ? [] : UNOPTIMIZED_KERNEL,
          input,
          limits,
        } as const;
        restarts.started();
        const onStart = (started: number) => {
          pid = started;
        };
        const ended = await runProgram(program, { onStart, onLine: (line) => onLine(line, listener), signal });
        const reason = abnormalExit(ended);
        if (reason && !stopping.signal.aborted) restarts.ended(reason);
        const result = stopping.signal.aborted
          ? failure('engine_crashed', CRASHED)
          : await resultOf(ended, task, { timeoutMs, memoryMb });
        if ('error' in result && !FAILURES[result.error.code as FailureCode].final) lastError = result.error.message;
        return result;
      } finally {
        busy = false;
        pid = null;
      }
    },
    state: () => ({ pid, busy, ...restarts.state(), lastError }),
    async stop() {
      stopping.abort();
    },
  };
}

const CRASHED = 'the engine process ended while it was running the job';

// The sandbox cannot see the job's folder, so files are passed as named frames and the task refers to their names.
async function inputOf(task: Task): Promise<Buffer> {
  const paths = new Map<string, string>();
  const addFile = (name: string, path: string): string => {
    paths.set(name, path);
    return name;
  };
  const sandboxTask: Task =
    'source' in task
      ? { ...task, folder: '', source: addFile('source', task.source) }
      : {
          ...task,
          folder: '',
          asmJson: addFile('asm.json', task.asmJson),
          files: Object.fromEntries(
            Object.entries(task.files).map(([location, path], index) => [location, addFile(`file/${index}`, path)]),
          ),
        };
  const frames = [encodeFrame('task.json', Buffer.from(JSON.stringify(sandboxTask)))];
  for (const [name, path] of paths) frames.push(encodeFrame(name, await readFile(path)));
  return Buffer.concat(frames);
}

const PROGRESS = /^::progress (\d{1,3}) ([\w .:-]{1,60})$/;

function onLine(line: string, listener: EngineListener): void {
  const [, percent, step] = PROGRESS.exec(line) ?? [];
  if (percent !== undefined && step !== undefined) listener.progress(Math.min(100, Number(percent)), step);
  else listener.log(line);
}

async function resultOf(
  ended: ProgramExit,
  task: Task,
  { timeoutMs, memoryMb }: { timeoutMs: number; memoryMb: number },
): Promise<JobResult> {
  switch (abnormalExit(ended)) {
    case 'cancelled':
      return failure('cancelled', 'the job was cancelled');
    case 'timeout':
      return failure('timeout', `the job took longer than ${timeoutMs / 1000} s`);
    case 'memory':
      return failure('out_of_memory', `the job needed more than ${memoryMb} MB`);
    case 'crash':
      return { ...failure('engine_crashed', CRASHED), stack: ended.stderr.slice(-2_000) };
  }
  const frames = decodeFrames(ended.result, { maxFrames: MAX_FRAMES });
  const { error, isStep } = JSON.parse(String(frames.find(({ name }) => name === 'result.json')?.bytes ?? '{}')) as {
    error?: { code: string; message: string };
    isStep?: boolean;
  };
  if (error) return failure(knownCode(error.code), String(error.message));
  const result = await writeFiles(frames, task);
  return 'files' in result ? { ...result, isStep: isStep === true } : result;
}

// Returns null if the process exited by itself, also with a failed job.
function abnormalExit({ code, killReason: why, stderr }: ProgramExit): RestartReason | null {
  if (why === 'cancelled') return 'cancelled';
  if (why === 'wall clock') return 'timeout';
  if (why === 'out of memory') return 'memory';
  if (code === 0) return null;
  return /out of memory|allocation failed|heap limit/i.test(stderr) ? 'memory' : 'crash';
}

// A hostile file may have taken over the process: codes from the sandbox are untrusted.
function knownCode(code: string): FailureCode {
  return Object.hasOwn(FAILURES, code) ? (code as FailureCode) : 'internal';
}

async function writeFiles(frames: readonly Frame[], { folder }: Task): Promise<JobResult> {
  const frameBytes = new Map(frames.map(({ name, bytes }) => [name, bytes]));
  const archive = frameBytes.get('delivery');
  if (archive) {
    const delivery = join(folder, 'documents.tar');
    await writeFile(delivery, archive);
    return { delivery };
  }
  const files: ResultFile[] = [];
  for (const kind of RESULT_KINDS) {
    const bytes = frameBytes.get(kind);
    if (!bytes) continue;
    const file = join(folder, FILE_NAMES[kind]);
    await writeFile(file, bytes);
    files.push({ kind, file });
  }
  return { files };
}
