// The process of one slot: compiles the kernel once, runs each job in its own thread, enforces time and memory limits.
import { Worker } from 'node:worker_threads';
import { type FailureCode, failure } from '../job-failure.ts';
import { compileKernel } from '../kernel.ts';
import type { JobResult, MessageFromChild, MessageFromWorker, MessageToChild, Task } from './protocol.ts';

const MEGABYTE = 1024 * 1024;
const HEAP_MB = 1024;
const MEMORY_CHECK_MS = 100;

// A standby worker with a fresh kernel is prepared for the next job, except in low-memory mode.
const keepStandby = !process.execArgv.includes('--liftoff-only');
const module = await compileKernel();
const cancels = new Map<number, () => void>();
let standby: Worker | null = null;
prepareStandby();

process.on('message', (message: MessageToChild) => {
  if ('cancel' in message) cancels.get(message.cancel)?.();
  else start(message.run, message.task, message.timeoutMs, message.memoryMb);
});
// Ctrl-C signals the whole process group; the job continues until the scheduler has given it back.
process.on('SIGINT', () => undefined);
// When the engine exits, end immediately, even during a kernel operation.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
send({ ready: true });

function prepareStandby(): void {
  if (!keepStandby) return;
  const worker = newWorker();
  const clearStandby = () => {
    if (standby === worker) standby = null;
  };
  worker.once('error', clearStandby);
  worker.once('exit', clearStandby);
  standby = worker;
}

function newWorker(): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { module },
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
}

function start(run: number, task: Task, timeoutMs: number, memoryMb: number): void {
  const worker = standby ?? newWorker();
  standby = null;
  let result: JobResult | undefined;
  const stop = (code: FailureCode, message: string) => {
    result ??= failure(code, message);
    worker.terminate();
  };
  const timer = setTimeout(() => stop('timeout', `the job took longer than ${timeoutMs / 1000} s`), timeoutMs);
  // Resource limits of a thread do not cover the kernel's memory, so the memory of the process is checked.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > memoryMb * MEGABYTE)
      stop('out_of_memory', `the job needed more than ${memoryMb} MB`);
  }, MEMORY_CHECK_MS);
  cancels.set(run, () => stop('cancelled', 'the job was cancelled'));
  worker.on('message', (message: MessageFromWorker) => {
    if ('result' in message) result ??= message.result;
    else if (!result) send({ run, update: message.update });
  });
  worker.on('error', (error) => {
    const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    result ??= outOfMemory
      ? failure('out_of_memory', `the job needed more than ${memoryMb} MB`)
      : { ...failure('internal', error.message), stack: error.stack };
  });
  worker.on('exit', () => {
    clearTimeout(timer);
    clearInterval(watch);
    cancels.delete(run);
    prepareStandby();
    send({ run, result: result ?? failure('internal', 'the worker ended without a result') });
  });
  worker.postMessage(task);
}

function send(message: MessageFromChild): void {
  process.send?.(message);
}
