import { type ChildProcess, fork } from 'node:child_process';
import { lowerPriority } from '../../../sandbox/priority.ts';
import type { EngineListener, EngineSlot } from '../../engine.ts';
import { createRestartCounter, type RestartReason } from '../../restarts.ts';
import { failure } from '../job-failure.ts';
import type { JobResult, MessageFromChild, MessageToChild, Task } from './protocol.ts';

/** Runs one job at a time in a child process. A dead process is replaced when the next job starts. */
export type Slot = {
  run(task: Task, limits: { timeoutMs: number; memoryMb: number }, listener: EngineListener): Promise<JobResult>;
  state(): EngineSlot;
  stop(): Promise<void>;
};

/**
 * `flags` are the Node flags of the child; `log` receives its starts and exits. The child is started by the first job.
 */
export function createProcessSlot(flags: string[], log: (line: object) => void): Slot {
  let child: Child | null = null;
  const restarts = createRestartCounter();
  let runs = 0;
  let busy = false;
  let lastError: string | null = null;

  function start(): Child {
    const started = startChild(flags);
    restarts.started();
    log({ event: 'engine_started', pid: started.process.pid, ...restarts.state() });
    started.ended.then((reason) => {
      if (child === started) child = null;
      if (started.stopping) return;
      restarts.ended(started.killedFor ?? (isOutOfMemory(reason) ? 'memory' : 'crash'));
      lastError = reason;
      log({ event: 'engine_ended', pid: started.process.pid, reason });
    });
    return started;
  }

  return {
    async run(task, limits, listener) {
      busy = true;
      try {
        child ??= start();
        const result = await runInChild(child, ++runs, task, limits, listener);
        if ('error' in result && (result.stack || result.error.code === 'internal')) {
          lastError = result.error.message;
          log({ event: 'engine_fault', message: result.error.message, stack: result.stack });
        }
        return result;
      } finally {
        busy = false;
      }
    },
    state: () => ({ pid: child?.process.pid ?? null, busy, ...restarts.state(), lastError }),
    async stop() {
      if (!child) return;
      child.stopping = true;
      child.process.kill('SIGKILL');
      await child.ended;
    },
  };
}

type Child = {
  process: ChildProcess;
  ready: Promise<void>;
  ended: Promise<string>;
  stopping: boolean;
  killedFor: RestartReason | null;
};

function startChild(flags: string[]): Child {
  const process = fork(new URL('./child.ts', import.meta.url), {
    execArgv: flags,
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (process.pid) lowerPriority(process.pid, 'low');
  let stderr = '';
  process.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-2000);
  });
  const ready = new Promise<void>((resolve) => {
    process.once('message', () => resolve());
  });
  const ended = new Promise<string>((resolve) => {
    process.once('error', (error) => resolve(error.message));
    process.once('close', (code, signal) =>
      resolve(`ended with ${signal ?? `code ${code}`}${stderr && `: ${stderr.trim()}`}`),
    );
  });
  return { process, ready, ended, stopping: false, killedFor: null };
}

async function runInChild(
  child: Child,
  run: number,
  task: Task,
  limits: { timeoutMs: number; memoryMb: number },
  listener: EngineListener,
): Promise<JobResult> {
  const { timeoutMs, memoryMb } = limits;
  const { promise, resolve } = Promise.withResolvers<JobResult>();
  // Kills a child that does not respond after its time limit or a cancel. The result names the cause, not the kill.
  let killResult: JobResult | undefined;
  const killLater = (code: 'timeout' | 'cancelled', message: string, afterMs: number) =>
    setTimeout(() => {
      killResult = failure(code, message);
      child.killedFor = code;
      child.process.kill('SIGKILL');
    }, afterMs);
  const timers = [killLater('timeout', `the job took longer than ${timeoutMs / 1000} s`, timeoutMs + GRACE_MS)];
  const onMessage = (message: MessageFromChild) => {
    if (!('run' in message) || message.run !== run) return;
    if ('result' in message) resolve(message.result);
    else if ('log' in message.update) listener.log(message.update.log);
    else listener.progress(message.update.percent, message.update.step);
  };
  const cancel = () => {
    timers.push(killLater('cancelled', 'the job was cancelled', GRACE_MS));
    send(child.process, { cancel: run });
  };
  child.process.on('message', onMessage);
  child.ended.then((reason) => resolve(killResult ?? exitFailure(reason, memoryMb)));
  try {
    await Promise.race([child.ready, child.ended]);
    if (listener.signal.aborted) return failure('cancelled', 'the job was cancelled');
    listener.signal.addEventListener('abort', cancel, { once: true });
    send(child.process, { run, task, timeoutMs, memoryMb });
    return await promise;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    listener.signal.removeEventListener('abort', cancel);
    child.process.off('message', onMessage);
  }
}

const GRACE_MS = 5000;

// Ignores send errors of a dying child; its exit settles the job.
function send(process: ChildProcess, message: MessageToChild): void {
  if (process.connected) process.send(message, () => {});
}

function exitFailure(reason: string, memoryMb: number): JobResult {
  return isOutOfMemory(reason)
    ? failure('out_of_memory', `the job needed more than ${memoryMb} MB`)
    : failure('engine_crashed', 'the engine process ended while it was running the job');
}

function isOutOfMemory(reason: string): boolean {
  return /out of memory/i.test(reason);
}
