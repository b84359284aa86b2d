import { type ChildProcess, fork } from 'node:child_process';
import { yieldNow } from '../../sandbox/yielding.ts';
import type { EngineListener, EngineSlot } from '../engine.ts';
import { type RestartReason, restartCount } from '../restarts.ts';
import type { Answer, FromChild, Task, ToChild } from './protocol.ts';
import { refusal } from './refusal.ts';

/** One child process that does one job at a time; a dead one is replaced when the next job comes. */
export type Slot = {
  run(task: Task, limits: { timeoutMs: number; memoryMb: number }, on: EngineListener): Promise<Answer>;
  state(): EngineSlot;
  stop(): Promise<void>;
};

/** `flags` are those of the child's Node; `log` hears of starts and ends. Nothing is started before the first job. */
export function engineSlot(flags: string[], log: (line: object) => void): Slot {
  let child: Child | null = null;
  const restarts = restartCount();
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
    async run(task, limits, on) {
      busy = true;
      try {
        child ??= start();
        const answer = await runInChild(child, ++runs, task, limits, on);
        if ('error' in answer && (answer.stack || answer.error.code === 'internal')) {
          lastError = answer.error.message;
          log({ event: 'engine_fault', message: answer.error.message, stack: answer.stack });
        }
        return answer;
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
  if (process.pid) yieldNow(process.pid, 'behind');
  let complaint = '';
  process.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2000);
  });
  const ready = new Promise<void>((resolve) => {
    process.once('message', () => resolve());
  });
  const ended = new Promise<string>((resolve) => {
    process.once('error', (error) => resolve(error.message));
    process.once('close', (code, signal) =>
      resolve(`ended with ${signal ?? `code ${code}`}${complaint && `: ${complaint.trim()}`}`),
    );
  });
  return { process, ready, ended, stopping: false, killedFor: null };
}

async function runInChild(
  child: Child,
  run: number,
  task: Task,
  limits: { timeoutMs: number; memoryMb: number },
  on: EngineListener,
): Promise<Answer> {
  const { timeoutMs, memoryMb } = limits;
  const { promise, resolve } = Promise.withResolvers<Answer>();
  // Past its limit, or after a cancel, a child that no longer answers is killed; the answer names the cause, not the killing.
  let verdict: Answer | undefined;
  const killLater = (code: 'timeout' | 'cancelled', message: string, afterMs: number) =>
    setTimeout(() => {
      verdict = refusal(code, message);
      child.killedFor = code;
      child.process.kill('SIGKILL');
    }, afterMs);
  const timers = [killLater('timeout', `the job took longer than ${timeoutMs / 1000} s`, timeoutMs + GRACE_MS)];
  const hear = (message: FromChild) => {
    if (!('run' in message) || message.run !== run) return;
    if ('answer' in message) resolve(message.answer);
    else if ('log' in message.news) on.log(message.news.log);
    else on.progress(message.news.percent, message.news.step);
  };
  const cancel = () => {
    timers.push(killLater('cancelled', 'the job was cancelled', GRACE_MS));
    send(child.process, { cancel: run });
  };
  child.process.on('message', hear);
  child.ended.then((reason) => resolve(verdict ?? deathOf(reason, memoryMb)));
  try {
    await Promise.race([child.ready, child.ended]);
    if (on.signal.aborted) return refusal('cancelled', 'the job was cancelled');
    on.signal.addEventListener('abort', cancel, { once: true });
    send(child.process, { run, task, timeoutMs, memoryMb });
    return await promise;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    on.signal.removeEventListener('abort', cancel);
    child.process.off('message', hear);
  }
}

const GRACE_MS = 5000;

// A child that is just dying takes no messages; its end answers the job.
function send(process: ChildProcess, message: ToChild): void {
  if (process.connected) process.send(message, () => {});
}

function deathOf(reason: string, memoryMb: number): Answer {
  return isOutOfMemory(reason)
    ? refusal('out_of_memory', `the job needed more than ${memoryMb} MB`)
    : refusal('engine_crashed', 'the engine process ended while it worked on the job');
}

function isOutOfMemory(reason: string): boolean {
  return /out of memory/i.test(reason);
}
