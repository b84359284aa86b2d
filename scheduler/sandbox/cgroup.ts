// A control group (cgroup v2) around a program in the sandbox: what it and all it starts may take together, in memory that no limit of a single process
// counts, too. Only where one has been delegated: by systemd (Delegate= with DelegateSubgroup=) or by whoever made a folder of it ours.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SandboxLimits } from './program.ts';

/** A control group of one program. `enter`: what its command line begins with. */
export type Cgroup = {
  enter: string[];
  /** Ends what is still in it and removes it; true when the kernel killed something for want of memory. */
  end(): Promise<boolean>;
};

type CgroupEnvironment = { root: string; membership: string; uid: number | undefined };
const HERE = '/sys/fs/cgroup';
const CONTROLLERS = ['memory', 'pids', 'cpu'];
// Besides RLIMIT_DATA: the pages of programs and files, and what the kernel keeps for the processes.
const MEMORY_BESIDES = 256 * 2 ** 20;
const TASKS_BESIDES = 8;
// that of the service is 100
const WEIGHT = { urgent: 33, usual: 3 };
const UNIT = /\.(service|scope)(\/|$)/;

/** The folder below which this process may make control groups with limits; null where none was delegated. */
export function findDelegatedFolder(place: Partial<CgroupEnvironment> = {}): string | null {
  const { root = HERE, membership = ownMembership(), uid = process.getuid?.() } = place;
  const own = /^0::(\/.+)$/m.exec(membership)?.[1];
  if (!own) return null;
  // A group whose processes are limited through groups in it may hold none itself: it is the one above ours.
  const above = dirname(own);
  const folder = join(root, above);
  if (!isOurs(folder, above, uid)) return null;
  try {
    writeFileSync(join(folder, 'cgroup.subtree_control'), CONTROLLERS.map((name) => `+${name}`).join(' '));
    return folder;
  } catch {
    return null; // not ours to divide after all, or without these controllers
  }
}

let found: string | null | undefined;

/** The delegated folder of this process, found out once. */
export function delegatedCgroup(): string | null {
  if (found === undefined) found = findDelegatedFolder();
  return found;
}

/** Makes a control group below a delegated folder, with these limits; throws when the kernel does not take them. */
export function createCgroup(folder: string, limits: Readonly<Record<string, string>>): Cgroup {
  const path = join(folder, `pdm-${randomBytes(6).toString('hex')}`);
  mkdirSync(path);
  for (const [file, value] of Object.entries(limits)) writeFileSync(join(path, file), value);
  return {
    // it enters by itself, before it becomes the program: nothing it starts can be outside
    enter: ['/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"', join(path, 'cgroup.procs')],
    async end() {
      const killed = /^oom_kill [1-9]/m.test(readOr(join(path, 'memory.events'), ''));
      if (existsSync(join(path, 'cgroup.kill'))) writeFileSync(join(path, 'cgroup.kill'), '1');
      // the kernel lets go of it when the last process has been buried
      for (let tries = 0; tries < 50 && !(await removed(path)); tries++) await wait(20);
      return killed;
    },
  };
}

/** The limits of a program as files of its control group. */
export function cgroupLimits(
  { memory, scratchBytes, threads }: SandboxLimits,
  urgent: boolean,
): Record<string, string> {
  return {
    'memory.max': String(memory + scratchBytes + MEMORY_BESIDES),
    'memory.oom.group': '1',
    'pids.max': String(threads + TASKS_BESIDES),
    'cpu.weight': String(urgent ? WEIGHT.urgent : WEIGHT.usual),
  };
}

// To root everything belongs; what lies inside a unit of systemd has been delegated, or there would be nothing inside.
function isOurs(folder: string, path: string, uid: number | undefined): boolean {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  return owner !== undefined && owner === uid && (uid !== 0 || UNIT.test(path));
}

async function removed(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EBUSY') return false;
    throw error;
  }
}

function ownMembership(): string {
  return readOr('/proc/self/cgroup', '');
}

function readOr(path: string, otherwise: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : otherwise;
}
