// Runs a program in a container (podman or docker), for machines where only a container engine may create namespaces.
// The container has no network, no capabilities, a read-only file system, the user nobody, and the same system call
// filter and limits as the bubblewrap sandbox.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CONTAINER_ENGINE, pickEnvironment } from '../../subgraphs/core/platform/child-environment.ts';
import { cgroupLimits } from './cgroup.ts';
import { CODE_ROOT, flags, innerCommand } from './command.ts';
import type { ContainerRuntime, Program, SandboxLimits } from './program.ts';
import { containerSeccompProfile } from './system-calls.ts';

const run = promisify(execFile);
const LABEL = 'pdm-sandbox';
const CPU_SHARES = { urgent: 340, background: 2 }; // the default is 1024
// A rootless engine on cgroup v1 ignores group limits; RLIMIT_NPROC then bounds the threads of all containers together.
const MAX_TASKS = 2048;
// Container engines do not pass on descriptor 4: results use standard output, and all printed output uses standard
// error.
const REDIRECT = 'exec "$@" 4>&1 1>&2';

export type Container = {
  command: string[];
  env: Record<string, string>;
  /** Kills the container. Repeats until `hasEnded` returns true, because the container may not have started yet. */
  kill(hasEnded: () => boolean): Promise<void>;
};

/**
 * Returns the container for a program. Its name contains the process id, so that orphans of a killed scheduler can be
 * found.
 */
export function createContainer(
  program: Program,
  limits: SandboxLimits,
  { engine, image }: ContainerRuntime,
): Container {
  const name = `${LABEL}-${process.pid}-${randomBytes(6).toString('hex')}`;
  const env = engineEnvironment();
  return {
    command: [
      engine,
      'run',
      ...flags(`--name ${name} --label ${LABEL}=${process.pid}`),
      ...runArguments(program, limits, engine, image),
    ],
    env,
    async kill(hasEnded) {
      while (!hasEnded()) {
        // fails if the container has not started or has ended
        await run(engine, ['kill', name], { env }).catch(() => undefined);
        await wait(200);
      }
    },
  };
}

/** Removes the containers of schedulers on this machine that have ended. */
export async function removeOrphans({ engine }: ContainerRuntime): Promise<void> {
  const env = engineEnvironment();
  const { stdout } = await run(engine, ['ps', '--filter', `label=${LABEL}`, '--format', '{{.Names}}'], { env });
  const orphans = stdout.split('\n').filter((name) => !isRunning(Number(name.split('-')[2] ?? process.pid)));
  for (const name of orphans) await run(engine, ['rm', '--force', name], { env });
}

/**
 * A command that prints the task limit of its container, because an engine may ignore the requested limit. `exec`,
 * because the filter blocks fork.
 */
export const READ_TASK_LIMIT = [
  '/bin/sh',
  '-c',
  'exec cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max',
] as const;

/** Whether the output of READ_TASK_LIMIT contains the requested limit. */
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
    ...flags('--rm --interactive --pull never --log-driver none --network none --ipc none --hostname generator'),
    ...flags(`--user 65534:65534 --workdir ${tree ? '/gen' : CODE_ROOT} --read-only`),
    ...(basename(engine).includes('podman') ? ['--read-only-tmpfs=false', '--http-proxy=false'] : []),
    ...scratch,
    ...flags('--cap-drop ALL --security-opt no-new-privileges --security-opt'),
    `seccomp=${profileFile()}`,
    ...flags(`--memory ${memory}b --memory-swap ${memory}b --pids-limit ${tasks}`),
    ...flags(`--cpu-shares ${urgent ? CPU_SHARES.urgent : CPU_SHARES.background}`),
    ...visible.flatMap((path) => readOnlyMount(join(home, path), `${CODE_ROOT}/${path}`)),
    ...(tree ? readOnlyMount(tree, '/gen') : []),
    // hides the users of the image
    ...readOnlyMount('/dev/null', '/etc/passwd'),
    '--entrypoint',
    '/bin/sh',
    image,
    '-c',
    REDIRECT,
    'sh',
    ...innerCommand(program, limits, { node: 'node', extraLimits: ['--msgqueue=0', `--nproc=${MAX_TASKS}`] }),
  ];
}

function readOnlyMount(host: string, at: string): string[] {
  return ['--mount', `type=bind,source=${realpathSync(host)},target=${at},readonly`];
}

// The engine reads the seccomp profile from a file; this process writes it once.
let profile: string | null = null;
function profileFile(): string {
  if (profile) return profile;
  const folder = mkdtempSync(join(tmpdir(), 'pdm-filter-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  profile = join(folder, 'seccomp.json');
  writeFileSync(profile, containerSeccompProfile());
  return profile;
}

function engineEnvironment(): Record<string, string> {
  return pickEnvironment(CONTAINER_ENGINE);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
