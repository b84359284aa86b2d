// Runs one untrusted program. Strict mode: namespaces (bubblewrap), a seccomp filter, resource limits, Node's
// permission model and a wall clock limit. The program sees only Node, its libraries and read-only folders of the
// service's code, and can write nothing. Container mode: the same in a container. Trusted mode: a child process with
// Node's permission model.
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { cgroupLimits, createCgroup, delegatedCgroup } from './cgroup.ts';
import { sandboxCommand } from './command.ts';
import { createContainer } from './container.ts';
import { cpuWaitMilliseconds, lowerPriority, lowPriorityCommand } from './priority.ts';
import { LIMITS, type Program } from './program.ts';
import { createSeccompFilter } from './seccomp.ts';

// Waiting for a CPU extends the wall clock limit by at most this factor.
const MAX_WAIT_FACTOR = 9;

/** How a program ended. `killReason` is null if it exited by itself; `result` is its output on descriptor 4. */
export type ProgramExit = {
  code: number | null;
  killReason: string | null;
  stdout: string;
  stderr: string;
  result: Buffer;
};

/**
 * `onStart` receives the id of the parent process, except for containers; `onLine` receives the output; `signal` kills
 * the program.
 */
export type ProgramOptions = { onStart?(pid: number): void; onLine?(line: string): void; signal?: AbortSignal };

/** Runs a program until it exits or is killed. No process it started survives. */
export function runProgram(program: Program, { onStart, onLine, signal }: ProgramOptions = {}): Promise<ProgramExit> {
  const limits = { ...LIMITS, ...program.limits };
  const container = program.isolation.mode === 'container' ? createContainer(program, limits, program.isolation) : null;
  const cgroupFolder = container ? null : delegatedCgroup();
  const cgroup =
    cgroupFolder === null ? null : createCgroup(cgroupFolder, cgroupLimits(limits, program.urgent === true));
  const priority = program.urgent ? 'low' : 'idle';
  const prefix = process.platform === 'linux' ? lowPriorityCommand(priority) : [];
  const [command = '', ...args] = [
    ...prefix,
    ...(cgroup?.enterCommand ?? []),
    ...(container?.command ?? sandboxCommand(program, limits)),
  ];

  return new Promise((resolve, reject) => {
    // The environment must be empty: bubblewrap is process 1 of the sandbox, and /proc/1/environ shows its environment.
    const child = spawn(command, args, {
      env: container?.env ?? {},
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    });
    const [stdin, output, stderr, filter, resultPipe] = child.stdio as [
      Writable,
      Readable,
      Readable,
      Writable,
      Readable,
    ];
    // a container writes its results to standard output and its output to standard error
    const [stdout, results] = container ? [resultPipe, output] : [output, resultPipe];
    if (child.pid && !prefix.length) lowerPriority(child.pid, priority);
    if (child.pid && !container) onStart?.(child.pid);
    let killReason: string | null = null;
    let closed = false;
    const kill = (reason: string) => {
      killReason ??= reason;
      if (container) void container.kill(() => closed);
      else if (child.pid) killGroup(child.pid);
    };
    const startedAt = performance.now();
    const checkClock = () => {
      const limit =
        limits.wallMs + Math.min(child.pid ? cpuWaitMilliseconds(child.pid) : 0, MAX_WAIT_FACTOR * limits.wallMs);
      const remaining = limit - (performance.now() - startedAt);
      if (remaining <= 0) kill('wall clock');
      else clock = setTimeout(checkClock, remaining);
    };
    let clock = setTimeout(checkClock, limits.wallMs);
    const cancel = () => kill('cancelled');
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();

    const collect = (stream: Readable, maxKept: number, max: number, reason: string): (() => Buffer) => {
      const chunks: Buffer[] = [];
      let received = 0;
      stream.on('data', (chunk: Buffer) => {
        if (received < maxKept) chunks.push(chunk.subarray(0, maxKept - received));
        received += chunk.length;
        if (received > max) kill(reason);
      });
      return () => Buffer.concat(chunks);
    };
    const readStdout = collect(stdout, limits.logBytes, 8 * limits.logBytes, 'too much output');
    const readStderr = collect(stderr, limits.logBytes, 8 * limits.logBytes, 'too much output');
    const readResult = collect(results, limits.resultBytes, limits.resultBytes, 'result too large');
    if (onLine) for (const stream of [stdout, stderr]) emitLines(stream, limits.logBytes, onLine);

    // the program may exit before it has read its input
    for (const stream of [stdin, filter, stdout, stderr, results]) stream.on('error', () => undefined);
    filter.end(program.isolation.mode === 'strict' ? createSeccompFilter() : undefined);
    stdin.end(program.input ?? new Uint8Array());

    const settle = async () => {
      closed = true;
      clearTimeout(clock);
      signal?.removeEventListener('abort', cancel);
      if (await cgroup?.end()) killReason ??= 'out of memory';
    };
    child.on('error', (error) => settle().then(() => reject(error), reject));
    child.on('close', (code) => {
      const finish = () =>
        resolve({
          code,
          killReason,
          stdout: (container ? readStderr : readStdout)().toString(),
          stderr: readStderr().toString(),
          result: readResult(),
        });
      settle().then(finish, reject);
    });
  });
}

// Calls `onLine` for each complete line, up to about `max` bytes of output.
function emitLines(stream: Readable, max: number, onLine: (line: string) => void): void {
  let rest = '';
  let emitted = 0;
  stream.on('data', (chunk: Buffer) => {
    if (emitted > max) return;
    emitted += chunk.length;
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  stream.on('close', () => {
    if (rest) onLine(rest);
  });
}

// Ignores a process group that has already ended.
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
