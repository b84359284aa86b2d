// A control group (cgroup v2) for a program in the sandbox. It limits the program and its child processes together,
// including memory that no limit of a single process counts. It needs a delegated folder: from systemd (Delegate= and
// DelegateSubgroup=), or owned by this user.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SandboxLimits } from './program.ts';

/** A control group for one program. `enterCommand` is the prefix of its command line. */
export type Cgroup = {
  enterCommand: string[];
  /**
   * Kills the remaining processes and removes the group. Returns true if the kernel killed a process for lack of
   * memory.
   */
  end(): Promise<boolean>;
};

type CgroupEnvironment = { root: string; membership: string; uid: number | undefined };
const CGROUP_ROOT = '/sys/fs/cgroup';
const CONTROLLERS = ['memory', 'pids', 'cpu'];
// In addition to RLIMIT_DATA: pages of executables and files, and kernel memory of the processes.
const MEMORY_OVERHEAD = 256 * 2 ** 20;
const TASKS_OVERHEAD = 8;
// The weight of the service is 100.
const CPU_WEIGHT = { urgent: 33, background: 3 };
const SYSTEMD_UNIT = /\.(service|scope)(\/|$)/;

/** Returns the folder in which this process may create control groups with limits; null if none is delegated. */
export function findDelegatedFolder(environment: Partial<CgroupEnvironment> = {}): string | null {
  const { root = CGROUP_ROOT, membership = readIfExists('/proc/self/cgroup'), uid = process.getuid?.() } = environment;
  const ownGroup = /^0::(\/.+)$/m.exec(membership)?.[1];
  if (!ownGroup) return null;
  // A group with limited child groups may not contain processes itself, so the parent of this process's group is used.
  const parent = dirname(ownGroup);
  const folder = join(root, parent);
  if (!isDelegated(folder, parent, uid)) return null;
  try {
    writeFileSync(join(folder, 'cgroup.subtree_control'), CONTROLLERS.map((name) => `+${name}`).join(' '));
    return folder;
  } catch {
    return null; // not writable, or without these controllers
  }
}

let delegated: string | null | undefined;

/** Returns the delegated folder of this process; the result is cached. */
export function delegatedCgroup(): string | null {
  if (delegated === undefined) delegated = findDelegatedFolder();
  return delegated;
}

/** Creates a control group with these limits in a delegated folder. Throws if the kernel rejects a limit. */
export function createCgroup(folder: string, limits: Readonly<Record<string, string>>): Cgroup {
  const path = join(folder, `pdm-${randomBytes(6).toString('hex')}`);
  mkdirSync(path);
  for (const [file, value] of Object.entries(limits)) writeFileSync(join(path, file), value);
  return {
    // the shell joins the group before it executes the program, so that all child processes belong to it
    enterCommand: ['/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"', join(path, 'cgroup.procs')],
    async end() {
      const killed = /^oom_kill [1-9]/m.test(readIfExists(join(path, 'memory.events')));
      if (existsSync(join(path, 'cgroup.kill'))) writeFileSync(join(path, 'cgroup.kill'), '1');
      // the kernel keeps the group until the last process has been reaped
      for (let tries = 0; tries < 50 && !(await tryRemove(path)); tries++) await wait(20);
      return killed;
    },
  };
}

/** Returns the control group files and their values for the limits of a program. */
export function cgroupLimits(
  { memory, scratchBytes, threads }: SandboxLimits,
  urgent: boolean,
): Record<string, string> {
  return {
    'memory.max': String(memory + scratchBytes + MEMORY_OVERHEAD),
    'memory.oom.group': '1',
    'pids.max': String(threads + TASKS_OVERHEAD),
    'cpu.weight': String(urgent ? CPU_WEIGHT.urgent : CPU_WEIGHT.background),
  };
}

// Root owns every folder; a child group of a systemd unit exists only if the unit is delegated.
function isDelegated(folder: string, path: string, uid: number | undefined): boolean {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  return owner !== undefined && owner === uid && (uid !== 0 || SYSTEMD_UNIT.test(path));
}

async function tryRemove(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EBUSY') return false;
    throw error;
  }
}

function readIfExists(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
