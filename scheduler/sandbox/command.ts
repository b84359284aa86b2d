// The command line of a program in the sandbox. Each unusual part was verified to be necessary.
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Program, SandboxLimits } from './program.ts';

const BWRAP = '/usr/bin/bwrap'; // 0.8 or newer
const PRLIMIT = '/usr/bin/prlimit';
const SETPRIV = '/usr/bin/setpriv';
/**
 * The path of the service's code in the sandbox. No image has a symbolic link there, which Node's permission model
 * would resolve.
 */
export const CODE_ROOT = '/pdm';
const STACK_BYTES = 8 * 2 ** 20;

/** Returns the command line for a program in strict or trusted mode. */
export function sandboxCommand(program: Program, limits: SandboxLimits): string[] {
  return program.isolation.mode === 'strict' ? strictCommand(program, limits) : trustedCommand(program, limits);
}

/**
 * Returns the command line to run in the sandbox: prlimit with the process limits, then Node with its permissions and
 * the program.
 */
export function innerCommand(
  program: Program,
  limits: SandboxLimits,
  { node, extraLimits }: { node: string; extraLimits: string[] },
): string[] {
  const { entry, args = [], command, permission = true, nodeFlags = [] } = program;
  const commandLine = command ?? [
    node,
    ...nodeArguments(limits, permission ? [`${CODE_ROOT}/*`, '/gen/*'] : null, nodeFlags),
    pathInSandbox(entry),
  ];
  return [PRLIMIT, ...limitArguments(limits), ...extraLimits, '--', ...commandLine, ...args];
}

function strictCommand(program: Program, limits: SandboxLimits): string[] {
  const { home, visible, tree } = program;
  const node = realpathSync(process.execPath);
  const uid = process.getuid?.() === 0 ? '65534' : null;
  // never run with the uid of the service: root switches to another user first
  const dropRoot = uid ? [SETPRIV, '--reuid', uid, '--regid', uid, '--clear-groups', '--no-new-privs'] : [];
  const scratch = limits.scratchBytes
    ? ['--size', String(limits.scratchBytes), '--tmpfs', '/scratch', '--setenv', 'TMPDIR', '/scratch']
    : [];
  return [
    ...dropRoot,
    BWRAP,
    ...flags('--unshare-all --unshare-user --disable-userns --uid 65534 --gid 65534 --hostname generator'),
    // no --new-session: the program already has its own session, without a terminal and with a low priority
    // (priority.ts)
    ...flags('--die-with-parent --cap-drop ALL --clearenv'),
    ...readOnlyMount(node, '/usr/bin/node'),
    ...readOnlyMount(PRLIMIT),
    ...[...new Set([...librariesOf(node), ...librariesOf(PRLIMIT)])].flatMap((library) => readOnlyMount(library)),
    // without the remounts a program could fill /dev/shm and raise its priority in /proc/self/autogroup
    ...flags('--proc /proc --remount-ro /proc --dev /dev --remount-ro /dev'),
    ...scratch,
    ...visible.flatMap((path) => readOnlyMount(realpathSync(join(home, path)), `${CODE_ROOT}/${path}`)),
    ...(tree ? readOnlyMount(tree, '/gen') : []),
    ...flags(`--remount-ro / --chdir ${tree ? '/gen' : CODE_ROOT} --seccomp 3`),
    // RLIMIT_NPROC is set in the sandbox, where it counts only the sandbox. On the host it would count all threads of the
    // user, and bubblewrap could fail to start.
    ...innerCommand(program, limits, { node: '/usr/bin/node', extraLimits: [`--nproc=${limits.threads}`] }),
  ];
}

function trustedCommand({ home, visible, entry, args = [], nodeFlags = [] }: Program, limits: SandboxLimits): string[] {
  // If node_modules is a symbolic link, Node checks permissions for both paths.
  const readable = new Set(visible.flatMap((path) => [join(home, path), realpathSync(join(home, path))]));
  return [process.execPath, ...nodeArguments(limits, [...readable], nodeFlags), join(home, entry), ...args];
}

function nodeArguments(
  { heapMiB, scratchBytes }: SandboxLimits,
  readable: readonly string[] | null,
  extraFlags: readonly string[],
): string[] {
  const permissions = readable
    ? [
        '--permission',
        ...readable.map((path) => `--allow-fs-read=${path}`),
        ...(scratchBytes ? ['--allow-fs-write=/scratch/*'] : []),
      ]
    : [];
  return [`--max-old-space-size=${heapMiB}`, '--no-warnings', ...permissions, ...extraFlags];
}

function pathInSandbox(entry: string): string {
  return entry.startsWith('/') ? entry : `${CODE_ROOT}/${entry}`;
}

function limitArguments({ memory, addressSpace, openFiles, scratchBytes, cpuSeconds }: SandboxLimits): string[] {
  return [
    `--data=${memory}`,
    `--stack=${STACK_BYTES}`,
    `--as=${addressSpace}`,
    `--nofile=${openFiles}`,
    `--fsize=${scratchBytes}`,
    `--cpu=${cpuSeconds}`,
    '--core=0',
  ];
}

/** Splits flags without spaces in their values. */
export function flags(text: string): string[] {
  return text.split(' ');
}

function readOnlyMount(host: string, at = host): string[] {
  return ['--ro-bind', host, at];
}

// Returns the shared libraries of a program at the paths where the loader expects them.
const libraryCache = new Map<string, string[]>();
function librariesOf(program: string): string[] {
  const cached = libraryCache.get(program);
  if (cached) return cached;
  const lines = execFileSync('/usr/bin/ldd', [program], { env: {}, encoding: 'utf8' }).split('\n');
  const missing = lines.find((line) => line.includes('not found'));
  if (missing) throw new Error(`missing library: ${missing.trim()}`);
  const found = lines.flatMap((line) => /(?:^|\s)(\/\S+) \(0x/.exec(line)?.[1] ?? []);
  libraryCache.set(program, found);
  return found;
}
