// Runs one program of a stranger. Strict: namespaces (bubblewrap), a seccomp filter, resource limits, Node's permissions and a wall clock; nothing of the host is
// visible but Node, its libraries and read-only folders of our own code, and nothing at all can be written. Trusted: a child process with Node's permissions.
import { execFileSync, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { seccompProgram } from './seccomp.ts';

const MiB = 2 ** 20;
const BWRAP = '/usr/bin/bwrap'; // 0.8 or newer
const PRLIMIT = '/usr/bin/prlimit';
const SETPRIV = '/usr/bin/setpriv';
/** Where our own code lies inside. */
const LIB = '/lib/pdm';

export type SandboxMode = 'strict' | 'trusted';

export type SandboxLimits = {
  wallMs: number;
  cpuSeconds: number;
  /** RLIMIT_DATA: heap, buffers, WebAssembly; the kernel of geometry needs 1,024 MiB with --liftoff-only, else 1,280. */
  memory: number;
  /** V8 reserves far more than it uses; this bounds page tables. */
  addressSpace: number;
  heapMiB: number;
  threads: number;
  openFiles: number;
  /** Of a tmpfs at /scratch, which RLIMIT_DATA does not count. */
  scratchBytes: number;
  resultBytes: number;
  /** Kept; eight times as much ends the run. */
  logBytes: number;
};

export const LIMITS: SandboxLimits = {
  wallMs: 60_000,
  cpuSeconds: 120,
  memory: 2048 * MiB,
  addressSpace: 64 * 1024 * MiB,
  heapMiB: 512,
  threads: 64,
  openFiles: 256,
  scratchBytes: 0,
  resultBytes: 64 * MiB,
  logBytes: 1 * MiB,
};

export type Program = {
  mode: SandboxMode;
  /** The root of our own code, and the files and folders below it that the program may read. */
  home: string;
  visible: readonly string[];
  /** The module to run, relative to `home`; or what stands in the place of Node altogether. */
  entry: string;
  args?: readonly string[];
  command?: readonly string[];
  /** A folder that is mounted as /gen; `entry` may then be an absolute path below it. */
  tree?: string;
  input?: Uint8Array;
  limits?: Partial<SandboxLimits>;
  /** Node's own permissions, a second layer; only the proofs turn them off. */
  permission?: boolean;
  nodeFlags?: readonly string[];
  /** Somebody waits for it: it runs at the usual priority. */
  urgent?: boolean;
};

/** How a program ended: by itself, or because it was ended (`why`). The result is what it wrote on descriptor 4. */
export type Ended = { code: number | null; why: string | null; stdout: string; stderr: string; result: Buffer };

/** Runs a program to its end. `onLine` hears its output while it runs; an aborted signal ends it. Nothing it started outlives it. */
export function launch(program: Program, { onLine, signal }: { onLine?(line: string): void; signal?: AbortSignal } = {}): Promise<Ended> {
  const limits = { ...LIMITS, ...program.limits };
  const [command = '', ...args] = program.mode === 'strict' ? strictCommand(program, limits) : trustedCommand(program, limits);

  return new Promise((resolve, reject) => {
    // env: {} matters. bubblewrap stays as process 1 of the sandbox, where /proc/1/environ shows its own environment.
    const child = spawn(command, args, { env: {}, detached: true, stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'] });
    const [stdin, stdout, stderr, filter, results] = child.stdio as [Writable, Readable, Readable, Writable, Readable];
    if (child.pid && !program.urgent) yieldToOthers(child.pid);
    let why: string | null = null;
    const end = (reason: string) => {
      why ??= reason;
      if (child.pid) killGroup(child.pid);
    };
    const clock = setTimeout(end, limits.wallMs, 'wall clock');
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
    filter.end(program.mode === 'strict' ? seccompProgram() : undefined);
    stdin.end(program.input ?? new Uint8Array());

    const settle = () => {
      clearTimeout(clock);
      signal?.removeEventListener('abort', cancel);
    };
    child.on('error', (error) => {
      settle();
      reject(error);
    });
    child.on('close', (code) => {
      settle();
      resolve({ code, why, stdout: out().toString(), stderr: complaints().toString(), result: result() });
    });
  });
}

/** The packages of `home` that these need, themselves included, as paths below it. */
export function packagesBelow(names: readonly string[], read: (path: string) => string): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const path = `node_modules/${name}`;
    if (found.has(path) || name.startsWith('@types/')) return;
    found.add(path);
    const { dependencies = {} } = JSON.parse(read(`${path}/package.json`)) as { dependencies?: Record<string, string> };
    for (const needed of Object.keys(dependencies)) visit(needed);
  };
  for (const name of names) visit(name);
  return [...found];
}

function strictCommand(
  { home, visible, entry, args = [], command, tree, permission = true, nodeFlags = [] }: Program,
  limits: SandboxLimits,
): string[] {
  const node = realpathSync(process.execPath);
  const uid = process.getuid?.() === 0 ? '65534' : null;
  // never the uid of the server: as root another user is taken first
  const drop = uid ? [SETPRIV, '--reuid', uid, '--regid', uid, '--clear-groups', '--no-new-privs'] : [];
  const scratch = limits.scratchBytes ? ['--size', String(limits.scratchBytes), '--tmpfs', '/scratch', '--setenv', 'TMPDIR', '/scratch'] : [];
  return [
    ...drop,
    ...[BWRAP, '--unshare-all', '--unshare-user', '--disable-userns', '--uid', '65534', '--gid', '65534', '--hostname', 'generator'],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
    ...[...readOnly(node, '/usr/bin/node'), ...readOnly(PRLIMIT)],
    ...[...new Set([...librariesOf(node), ...librariesOf(PRLIMIT)])].flatMap((library) => readOnly(library)),
    // without the remount /dev/shm takes half of the memory
    ...['--proc', '/proc', '--dev', '/dev', '--remount-ro', '/dev', ...scratch],
    ...visible.flatMap((path) => readOnly(realpathSync(join(home, path)), `${LIB}/${path}`)),
    ...(tree ? readOnly(tree, '/gen') : []),
    ...['--remount-ro', '/', '--chdir', tree ? '/gen' : LIB, '--seccomp', '3'],
    ...[PRLIMIT, ...limitArguments(limits), '--'],
    ...(command ?? ['/usr/bin/node', ...nodeArguments(limits, permission ? [`${LIB}/*`, '/gen/*'] : null, nodeFlags), inside(entry)]),
    ...args,
  ];
}

function trustedCommand({ home, visible, entry, args = [], nodeFlags = [] }: Program, limits: SandboxLimits): string[] {
  const readable = visible.map((path) => realpathSync(join(home, path)));
  return [process.execPath, ...nodeArguments(limits, readable, nodeFlags), join(home, entry), ...args];
}

function nodeArguments({ heapMiB, scratchBytes }: SandboxLimits, readable: readonly string[] | null, more: readonly string[]): string[] {
  const permissions = readable
    ? ['--permission', ...readable.map((path) => `--allow-fs-read=${path}`), ...(scratchBytes ? ['--allow-fs-write=/scratch/*'] : [])]
    : [];
  return [`--max-old-space-size=${heapMiB}`, '--no-warnings', ...permissions, ...more];
}

function inside(entry: string): string {
  return entry.startsWith('/') ? entry : `${LIB}/${entry}`;
}

// Set inside: RLIMIT_NPROC then counts this sandbox alone. Set outside, it counts every thread of the user, and bubblewrap cannot even start on a desktop.
function limitArguments({ memory, addressSpace, threads, openFiles, scratchBytes, cpuSeconds }: SandboxLimits): string[] {
  return [
    ...[`--data=${memory}`, `--stack=${8 * MiB}`, `--as=${addressSpace}`, `--nproc=${threads}`, `--nofile=${openFiles}`],
    ...[`--fsize=${scratchBytes}`, `--cpu=${cpuSeconds}`, '--core=0'],
  ];
}

function readOnly(host: string, at = host): string[] {
  return ['--ro-bind', host, at];
}

// The shared libraries that a program loads, at the paths where the loader looks for them.
const libraries = new Map<string, string[]>();
function librariesOf(program: string): string[] {
  const known = libraries.get(program);
  if (known) return known;
  const listed = execFileSync('/usr/bin/ldd', [program], { env: {}, encoding: 'utf8' }).split('\n');
  const missing = listed.find((line) => line.includes('not found'));
  if (missing) throw new Error(`a library is missing: ${missing.trim()}`);
  const found = listed.flatMap((line) => /(?:^|\s)(\/\S+) \(0x/.exec(line)?.[1] ?? []);
  libraries.set(program, found);
  return found;
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

// What it does must not starve the service beside it.
function yieldToOthers(pid: number): void {
  unlessGone(() => setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL));
}

function killGroup(pid: number): void {
  unlessGone(() => process.kill(-pid, 'SIGKILL'));
}

function unlessGone(deed: () => void): void {
  try {
    deed();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    // a system error names it in its info
    if (code !== 'ESRCH' && !(code === 'ERR_SYSTEM_ERROR' && /ESRCH/.test(String(error)))) throw error;
  }
}
