// The command line of a program in the sandbox. Every odd part of it has been measured to be needed.
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Program, SandboxLimits } from './program.ts';

const BWRAP = '/usr/bin/bwrap'; // 0.8 or newer
const PRLIMIT = '/usr/bin/prlimit';
const SETPRIV = '/usr/bin/setpriv';
/** Where our own code lies inside: below no symbolic link of any image, which Node's permissions would look through. */
export const CODE_ROOT = '/pdm';
const STACK = 8 * 2 ** 20;

/** What is to be started, and its arguments. */
export function sandboxCommand(program: Program, limits: SandboxLimits): string[] {
  return program.isolation.mode === 'strict' ? strictCommand(program, limits) : trustedCommand(program, limits);
}

/** What is started inside, between the walls: the limits of a process, then Node, with permissions of its own, and the program. */
export function insideArguments(
  program: Program,
  limits: SandboxLimits,
  { node, most }: { node: string; most: string[] },
): string[] {
  const { entry, args = [], command, permission = true, nodeFlags = [] } = program;
  const started = command ?? [
    node,
    ...nodeArguments(limits, permission ? [`${CODE_ROOT}/*`, '/gen/*'] : null, nodeFlags),
    inside(entry),
  ];
  return [PRLIMIT, ...limitArguments(limits), ...most, '--', ...started, ...args];
}

function strictCommand(program: Program, limits: SandboxLimits): string[] {
  const { home, visible, tree } = program;
  const node = realpathSync(process.execPath);
  const uid = process.getuid?.() === 0 ? '65534' : null;
  // never the uid of the server: as root another user is taken first
  const drop = uid ? [SETPRIV, '--reuid', uid, '--regid', uid, '--clear-groups', '--no-new-privs'] : [];
  const scratch = limits.scratchBytes
    ? ['--size', String(limits.scratchBytes), '--tmpfs', '/scratch', '--setenv', 'TMPDIR', '/scratch']
    : [];
  return [
    ...drop,
    ...[
      BWRAP,
      '--unshare-all',
      '--unshare-user',
      '--disable-userns',
      '--uid',
      '65534',
      '--gid',
      '65534',
      '--hostname',
      'generator',
    ],
    // no session of its own: the launch is one already, without a terminal, and one that gives way (yielding.ts)
    ...['--die-with-parent', '--cap-drop', 'ALL', '--clearenv'],
    ...[...readOnly(node, '/usr/bin/node'), ...readOnly(PRLIMIT)],
    ...[...new Set([...librariesOf(node), ...librariesOf(PRLIMIT)])].flatMap((library) => readOnly(library)),
    // without the remounts /dev/shm takes half of the memory, and /proc/self/autogroup the priority back
    ...['--proc', '/proc', '--remount-ro', '/proc', '--dev', '/dev', '--remount-ro', '/dev', ...scratch],
    ...visible.flatMap((path) => readOnly(realpathSync(join(home, path)), `${CODE_ROOT}/${path}`)),
    ...(tree ? readOnly(tree, '/gen') : []),
    ...['--remount-ro', '/', '--chdir', tree ? '/gen' : CODE_ROOT, '--seccomp', '3'],
    // Set inside: it then counts this sandbox alone. Set outside, it counts every thread of the user, and bubblewrap cannot even start on a desktop.
    ...insideArguments(program, limits, { node: '/usr/bin/node', most: [`--nproc=${limits.threads}`] }),
  ];
}

function trustedCommand({ home, visible, entry, args = [], nodeFlags = [] }: Program, limits: SandboxLimits): string[] {
  // Under both names where node_modules is a link: Node asks for leave under the one that it came by, too.
  const readable = new Set(visible.flatMap((path) => [join(home, path), realpathSync(join(home, path))]));
  return [process.execPath, ...nodeArguments(limits, [...readable], nodeFlags), join(home, entry), ...args];
}

function nodeArguments(
  { heapMiB, scratchBytes }: SandboxLimits,
  readable: readonly string[] | null,
  more: readonly string[],
): string[] {
  const permissions = readable
    ? [
        '--permission',
        ...readable.map((path) => `--allow-fs-read=${path}`),
        ...(scratchBytes ? ['--allow-fs-write=/scratch/*'] : []),
      ]
    : [];
  return [`--max-old-space-size=${heapMiB}`, '--no-warnings', ...permissions, ...more];
}

function inside(entry: string): string {
  return entry.startsWith('/') ? entry : `${CODE_ROOT}/${entry}`;
}

function limitArguments({ memory, addressSpace, openFiles, scratchBytes, cpuSeconds }: SandboxLimits): string[] {
  return [
    ...[`--data=${memory}`, `--stack=${STACK}`, `--as=${addressSpace}`, `--nofile=${openFiles}`],
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
