// A program in a container of its own, where the kernel or its owner lets nobody make namespaces but a container engine (podman or docker). The container has
// no network, no capability, nothing that can be written, one user who is nobody, and the same filter of system calls and limits as the sandbox of our own.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cgroupLimits } from './cgroup.ts';
import { insideArguments, CODE_ROOT } from './command.ts';
import type { ContainerRuntime, Program, SandboxLimits } from './program.ts';
import { containerSeccompProfile } from './system-calls.ts';

const run = promisify(execFile);
const LABEL = 'pdm-sandbox';
const WEIGHT = { urgent: 340, usual: 2 }; // that of others is 1024
// An engine that may make no control groups (rootless, on cgroup v1) ignores the limits of a group: then this bounds threads. It counts those of all containers.
const MOST_TASKS = 2048;
// Descriptor 4, where results leave, is none that an engine passes on: they take standard output, and what is printed takes the other.
const SWAP = 'exec "$@" 4>&1 1>&2';
/** What the engine needs to find its socket, its images and itself. */
const ENVIRONMENT = [
  'PATH',
  'HOME',
  'XDG_RUNTIME_DIR',
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'CONTAINER_HOST',
  'CONTAINERS_CONF',
];

export type Container = {
  command: string[];
  env: Record<string, string>;
  /** Ends the container and all in it; again and again until told that it has ended, because it may not have begun yet. */
  kill(hasEnded: () => boolean): Promise<void>;
};

/** The container of a program. Its name says whose it is, so that those of a scheduler that was killed can be found. */
export function createContainer(program: Program, limits: SandboxLimits, { engine, image }: ContainerRuntime): Container {
  const name = `${LABEL}-${process.pid}-${randomBytes(6).toString('hex')}`;
  const env = environment();
  return {
    command: [
      engine,
      'run',
      ...['--name', name, '--label', `${LABEL}=${process.pid}`],
      ...runArguments(program, limits, engine, image),
    ],
    env,
    async kill(hasEnded) {
      while (!hasEnded()) {
        // it says so when there is none yet, or none any more
        await run(engine, ['kill', name], { env }).catch(() => undefined);
        await wait(200);
      }
    },
  };
}

/** Ends the containers of schedulers of this machine that are gone. */
export async function removeOrphans({ engine }: ContainerRuntime): Promise<void> {
  const env = environment();
  const { stdout } = await run(engine, ['ps', '--filter', `label=${LABEL}`, '--format', '{{.Names}}'], { env });
  const abandoned = stdout.split('\n').filter((name) => !isRunning(Number(name.split('-')[2] ?? process.pid)));
  for (const name of abandoned) await run(engine, ['rm', '--force', name], { env });
}

/** What tells, run in a container, how many tasks its group may have: an engine may ignore what it is asked for. The calls of a shell that starts it are refused. */
export const READ_TASK_LIMIT = ['/bin/sh', '-c', 'exec cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max'] as const;

/** Whether that output names the limit that was asked for. */
export function hasTaskLimit(output: string, limits: SandboxLimits): boolean {
  return output.split('\n').includes(cgroupLimits(limits, true)['pids.max'] ?? '');
}

function runArguments(program: Program, limits: SandboxLimits, engine: string, image: string): string[] {
  const { home, visible, tree, urgent } = program;
  const { 'memory.max': memory = '', 'pids.max': tasks = '' } = cgroupLimits(limits, urgent === true);
  const scratch = limits.scratchBytes
    ? ['--tmpfs', `/scratch:size=${limits.scratchBytes},mode=1777`, '--env', 'TMPDIR=/scratch']
    : [];
  return [
    ...['--rm', '--interactive', '--pull', 'never', '--log-driver', 'none'],
    ...[
      '--network',
      'none',
      '--ipc',
      'none',
      '--hostname',
      'generator',
      '--user',
      '65534:65534',
      '--workdir',
      tree ? '/gen' : CODE_ROOT,
    ],
    ...[
      '--read-only',
      ...(basename(engine).includes('podman') ? ['--read-only-tmpfs=false', '--http-proxy=false'] : []),
      ...scratch,
    ],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--security-opt', `seccomp=${filterFile()}`],
    ...[
      '--memory',
      `${memory}b`,
      '--memory-swap',
      `${memory}b`,
      '--pids-limit',
      tasks,
      '--cpu-shares',
      String(urgent ? WEIGHT.urgent : WEIGHT.usual),
    ],
    ...visible.flatMap((path) => readOnly(join(home, path), `${CODE_ROOT}/${path}`)),
    ...(tree ? readOnly(tree, '/gen') : []),
    // nothing of the image that tells of users
    ...readOnly('/dev/null', '/etc/passwd'),
    ...[
      '--entrypoint',
      '/bin/sh',
      image,
      '-c',
      SWAP,
      'sh',
      ...insideArguments(program, limits, { node: 'node', most: ['--msgqueue=0', `--nproc=${MOST_TASKS}`] }),
    ],
  ];
}

function readOnly(host: string, at: string): string[] {
  return ['--mount', `type=bind,source=${realpathSync(host)},target=${at},readonly`];
}

// The engine reads it from a file; one for all of this process.
let written: string | null = null;
function filterFile(): string {
  if (written) return written;
  const folder = mkdtempSync(join(tmpdir(), 'pdm-filter-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  written = join(folder, 'seccomp.json');
  writeFileSync(written, containerSeccompProfile());
  return written;
}

function environment(): Record<string, string> {
  // biome-ignore lint/style/noProcessEnv: the engine's own, none of which it passes into the container
  return Object.fromEntries(ENVIRONMENT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
