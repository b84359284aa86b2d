// Runs one program of a stranger. Strict: namespaces (bubblewrap), a seccomp filter, resource limits, Node's permissions and a wall clock; nothing of the host is
// visible but Node, its libraries and read-only folders of our own code, and nothing at all can be written. Container: the same between the walls of a container
// engine. Trusted: a child process with Node's permissions.
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { cgroupLimits, createCgroup, delegatedCgroup } from './cgroup.ts';
import { sandboxCommand } from './command.ts';
import { createContainer } from './container.ts';
import { LIMITS, type Program } from './program.ts';
import { createSeccompFilter } from './seccomp.ts';
import { cpuWaitMilliseconds, lowPriorityCommand, lowerPriority } from './priority.ts';

// However busy the machine is, a program is over after so many times its clock more.
const MOST_WAITING = 9;

/** How a program ended: by itself, or because it was ended (`why`). The result is what it wrote on descriptor 4. */
export type ProgramExit = { code: number | null; killReason: string | null; stdout: string; stderr: string; result: Buffer };

/** `onStart` hears the process that it runs below, unless that is a container's; `onLine` hears its output while it runs; an aborted signal ends it. */
export type LaunchOptions = { onStart?(pid: number): void; onLine?(line: string): void; signal?: AbortSignal };

/** Runs a program to its end. Nothing it started outlives it. */
export function runProgram(program: Program, { onStart, onLine, signal }: LaunchOptions = {}): Promise<ProgramExit> {
  const limits = { ...LIMITS, ...program.limits };
  const container = program.isolation.mode === 'container' ? createContainer(program, limits, program.isolation) : null;
  const groups = container ? null : delegatedCgroup();
  const group = groups === null ? null : createCgroup(groups, cgroupLimits(limits, program.urgent === true));
  const yielding = program.urgent ? 'behind' : 'idle';
  const before = process.platform === 'linux' ? lowPriorityCommand(yielding) : [];
  const [command = '', ...args] = [
    ...before,
    ...(group?.enter ?? []),
    ...(container?.command ?? sandboxCommand(program, limits)),
  ];

  return new Promise((resolve, reject) => {
    // env: {} matters. bubblewrap stays as process 1 of the sandbox, where /proc/1/environ shows its own environment.
    const child = spawn(command, args, {
      env: container?.env ?? {},
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    });
    const [stdin, second, stderr, filter, fifth] = child.stdio as [Writable, Readable, Readable, Writable, Readable];
    // out of a container results come where others print, and everything that is printed on the other
    const [stdout, results] = container ? [fifth, second] : [second, fifth];
    if (child.pid && !before.length) lowerPriority(child.pid, yielding);
    if (child.pid && !container) onStart?.(child.pid);
    let why: string | null = null;
    let closed = false;
    const end = (reason: string) => {
      why ??= reason;
      if (container) void container.kill(() => closed);
      else if (child.pid) killGroup(child.pid);
    };
    const begun = performance.now();
    const look = () => {
      const due = limits.wallMs + Math.min(child.pid ? cpuWaitMilliseconds(child.pid) : 0, MOST_WAITING * limits.wallMs);
      const left = due - (performance.now() - begun);
      if (left <= 0) end('wall clock');
      else clock = setTimeout(look, left);
    };
    let clock = setTimeout(look, limits.wallMs);
    const cancel = () => end('cancelled');
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();

    const collect = (stream: Readable, keep: number, most: number, reason: string): (() => Buffer) => {
      const chunks: Buffer[] = [];
      let seen = 0;
      stream.on('data', (chunk: Buffer) => {
        if (seen < keep) chunks.push(chunk.subarray(0, keep - seen));
        seen += chunk.length;
        if (seen > most) end(reason);
      });
      return () => Buffer.concat(chunks);
    };
    const out = collect(stdout, limits.logBytes, 8 * limits.logBytes, 'too much output');
    const complaints = collect(stderr, limits.logBytes, 8 * limits.logBytes, 'too much output');
    const result = collect(results, limits.resultBytes, limits.resultBytes, 'result too large');
    if (onLine) for (const stream of [stdout, stderr]) tellLines(stream, limits.logBytes, onLine);

    // the program may end before it has read all
    for (const stream of [stdin, filter, stdout, stderr, results]) stream.on('error', () => undefined);
    filter.end(program.isolation.mode === 'strict' ? createSeccompFilter() : undefined);
    stdin.end(program.input ?? new Uint8Array());

    const settle = async () => {
      closed = true;
      clearTimeout(clock);
      signal?.removeEventListener('abort', cancel);
      if (await group?.end()) why ??= 'out of memory';
    };
    child.on('error', (error) => settle().then(() => reject(error), reject));
    child.on('close', (code) => {
      const ended = () =>
        resolve({
          code,
          killReason: why,
          stdout: (container ? complaints : out)().toString(),
          stderr: complaints().toString(),
          result: result(),
        });
      settle().then(ended, reject);
    });
  });
}

// Whole lines as they come, no more than may be kept of the output.
function tellLines(stream: Readable, most: number, onLine: (line: string) => void): void {
  let rest = '';
  let told = 0;
  stream.on('data', (chunk: Buffer) => {
    if (told > most) return;
    told += chunk.length;
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  stream.on('close', () => {
    if (rest) onLine(rest);
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error; // it has just ended
  }
}
