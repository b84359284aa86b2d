import { Worker } from 'node:worker_threads';
import { compileKernel } from './kernel.ts';
import type { Answer, FromChild, FromWorker, Task, ToChild } from './protocol.ts';
import { type RefusalCode, refusal } from './refusal.ts';

const MEGABYTE = 1024 * 1024;
const HEAP_MB = 1024;
const WATCH_MS = 100;

// The process of one slot: keeps the kernel compiled, gives every job a thread of its own and watches its time and memory. The thread for
// the next job waits with a fresh kernel, unless memory is dear.
const keepStandby = !process.execArgv.includes('--liftoff-only');
const module = await compileKernel();
const cancels = new Map<number, () => void>();
let standby: Worker | null = null;
prepare();

process.on('message', (message: ToChild) => {
  if ('cancel' in message) cancels.get(message.cancel)?.();
  else start(message.run, message.task, message.timeoutMs, message.memoryMb);
});
// Ctrl-C reaches the whole group; the job goes on until the scheduler has given it back.
process.on('SIGINT', () => undefined);
// An engine that is gone takes its child along at once, even out of the kernel.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
tell({ ready: true });

function prepare(): void {
  if (!keepStandby) return;
  const worker = newWorker();
  const forget = () => {
    if (standby === worker) standby = null;
  };
  worker.once('error', forget);
  worker.once('exit', forget);
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
  let answer: Answer | undefined;
  const stop = (code: RefusalCode, message: string) => {
    answer ??= refusal(code, message);
    worker.terminate();
  };
  const timer = setTimeout(() => stop('timeout', `the job took longer than ${timeoutMs / 1000} s`), timeoutMs);
  // The kernel's memory is outside a thread's resource limits, so the whole process is watched.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > memoryMb * MEGABYTE)
      stop('out_of_memory', `the job needed more than ${memoryMb} MB`);
  }, WATCH_MS);
  cancels.set(run, () => stop('cancelled', 'the job was cancelled'));
  worker.on('message', (message: FromWorker) => {
    if ('answer' in message) answer ??= message.answer;
    else if (!answer) tell({ run, news: message.news });
  });
  worker.on('error', (error) => {
    const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    answer ??= outOfMemory
      ? refusal('out_of_memory', `the job needed more than ${memoryMb} MB`)
      : { ...refusal('internal', error.message), stack: error.stack };
  });
  worker.on('exit', () => {
    clearTimeout(timer);
    clearInterval(watch);
    cancels.delete(run);
    prepare();
    tell({ run, answer: answer ?? refusal('internal', 'the worker ended without an answer') });
  });
  worker.postMessage(task);
}

function tell(message: FromChild): void {
  process.send?.(message);
}
