// Lowers the priority of generators and engines below that of the service. This needs no privileges. It happens before
// the command starts, so that every process and thread of it inherits the priority.

import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * `idle`: runs only on otherwise idle CPUs. `low`: a user waits for the result, but requests of the service go
 * first.
 */
export type PriorityClass = 'idle' | 'low';

/** Nice values from 0 (default) to 19 (lowest), for each thread and for the autogroup of the session. */
const NICE: Record<PriorityClass, { thread: number; autogroup: number }> = {
  idle: { thread: 19, autogroup: 10 },
  low: { thread: 5, autogroup: 5 },
};

const SCHEDULING_COMMANDS: Record<PriorityClass, string> = {
  idle: '/usr/bin/chrt --idle --pid 0 $$; /usr/bin/ionice --class idle --pid $$',
  low: '/usr/bin/ionice --class best-effort --classdata 7 --pid $$',
};

/**
 * Returns the prefix of a Linux command line that lowers the CPU priority, scheduling class and disk priority, as
 * far as the machine supports it.
 *
 * With sched_autogroup the kernel first divides the CPU time among sessions and applies nice values only within each.
 * A program is its own session, so its autogroup needs a nice value too. The kernel rate-limits these changes for all
 * users together, hence the retries.
 */
export function lowPriorityCommand(priority: PriorityClass): string[] {
  const { thread, autogroup } = NICE[priority];
  const script = `{
    if [ -e /proc/self/autogroup ]; then
      for try in 1 2 3 4 5 6 7 8 9; do echo ${autogroup} > /proc/self/autogroup && break; sleep 0.05; done
    fi
    /usr/bin/renice -n ${thread} -p $$; ${SCHEDULING_COMMANDS[priority]}
  } >/dev/null 2>&1
  exec "$@"`;
  return ['/bin/sh', '-c', script, 'low-priority'];
}

/**
 * Lowers the priority of a running process, for systems without that command line. Ignores a process that has ended.
 */
export function lowerPriority(pid: number, priority: PriorityClass): void {
  try {
    setPriority(pid, NICE[priority].thread);
  } catch (error) {
    // system errors have their code only in the message
    if (!/ESRCH/.test(String(error))) throw error;
  }
}

/**
 * Returns the longest time that any thread of a session was runnable but waited for a CPU, in milliseconds; 0 on other
 * systems than Linux. This time does not count towards the wall clock limit, so that a busy machine does not time out
 * low-priority programs.
 */
export function cpuWaitMilliseconds(session: number): number {
  if (process.platform !== 'linux') return 0;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && sessionOf(name) === session);
  const nanoseconds = pids.flatMap((pid) =>
    listDirectory(`/proc/${pid}/task`).map((thread) =>
      Number(readText(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[1] ?? 0),
    ),
  );
  return Math.max(0, ...nanoseconds) / 1e6;
}

// The fields after the process name, which is in parentheses and may contain anything: state, parent, group, session.
function sessionOf(pid: string): number {
  return Number(readText(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[3]);
}

// A process may end while it is inspected; its files are then treated as empty.
function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function listDirectory(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
