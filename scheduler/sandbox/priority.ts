// What a program of a stranger or an engine may take of a busy machine: what the service leaves over. Giving way is anybody's to choose, so nothing has to be
// set up for it. It is chosen before the command begins: no process and no thread of it ever runs without.

import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** `idle`: only when nobody else wants to run. `behind`: somebody waits for it, but less than for an answer of the service. */
export type PriorityClass = 'idle' | 'behind';

/** Priorities as the system counts them, from 0 (usual) to 19 (last): of each thread, and of all of a launch together. */
const NICENESS: Record<PriorityClass, { thread: number; together: number }> = {
  idle: { thread: 19, together: 10 },
  behind: { thread: 5, together: 5 },
};

const LEFT_OVER: Record<PriorityClass, string> = {
  idle: '/usr/bin/chrt --idle --pid 0 $$; /usr/bin/ionice --class idle --pid $$',
  behind: '/usr/bin/ionice --class best-effort --classdata 7 --pid $$',
};

/**
 * What a command line on Linux begins with to give way to the service, by each means that this machine has: priority, scheduling class, that of the disk.
 *
 * Where the kernel makes a group of every session (sched_autogroup; a launch is a session), it shares the processor among the groups first and looks at
 * priorities inside them only: there the group has to give way as one. It takes a few such changes a second from everybody together, hence more than one try.
 */
export function lowPriorityCommand(how: PriorityClass): string[] {
  const { thread, together } = NICENESS[how];
  const script = `{
    if [ -e /proc/self/autogroup ]; then for try in 1 2 3 4 5 6 7 8 9; do echo ${together} > /proc/self/autogroup && break; sleep 0.05; done; fi
    /usr/bin/renice -n ${thread} -p $$; ${LEFT_OVER[how]}
  } >/dev/null 2>&1
  exec "$@"`;
  return ['/bin/sh', '-c', script, 'yielding'];
}

/** The next best, where there is no such command line: a process that runs already gives way from now on. One that has just ended does not mind. */
export function lowerPriority(pid: number, how: PriorityClass): void {
  try {
    setPriority(pid, NICENESS[how].thread);
  } catch (error) {
    // a system error names its reason in its text alone
    if (!/ESRCH/.test(String(error))) throw error;
  }
}

/**
 * Milliseconds that the processes of a session could have run and were not given a processor: of the thread that waited longest. Whoever gives way is not to pay
 * for it with the time that a job may take. 0 where the system does not tell.
 */
export function cpuWaitMilliseconds(session: number): number {
  if (process.platform !== 'linux') return 0;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && sessionOf(name) === session);
  const nanoseconds = pids.flatMap((pid) =>
    entriesOf(`/proc/${pid}/task`).map((thread) =>
      Number(textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[1] ?? 0),
    ),
  );
  return Math.max(0, ...nanoseconds) / 1e6;
}

// after the name, which is in brackets and may hold anything: state, parent, group, session
function sessionOf(pid: string): number {
  return Number(textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[3]);
}

// A process may end while it is looked at: then it has nothing to tell.
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function entriesOf(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
