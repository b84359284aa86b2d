import { readFileSync } from 'node:fs';

/** A job queue with its workers and server. It is started once and idle while others are measured. */
export type JobQueue = {
  name: string;
  queue(jobs: number): Promise<void>;
  /**
   * Claims and completes all waiting jobs. Returns the seconds from the first claim, when it calls `onStart`, until all
   * completions are on disk and each worker has found the queue empty. The workers have stopped when it resolves.
   */
  drain(workers: number, jobs: number, onStart: () => void): Promise<number>;
  /** Milliseconds from queued to claimed by a waiting worker, for `count` jobs in sequence. */
  claimLatencies(count: number): Promise<number[]>;
  /** Ids of all its processes, including its server. */
  processes(): number[];
  stop(): Promise<void>;
};

/** CPU time in ms used so far by the processes of a queue and their exited children; resolution 10 ms per process. */
export function cpuMs({ processes }: Pick<JobQueue, 'processes'>): number {
  let ticks = 0;
  // After the process name, which may contain spaces: fields 14 to 17 are utime, stime, cutime and cstime in 1/100 s.
  for (const pid of processes())
    for (const field of textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ').slice(11, 15) ?? [])
      ticks += Number(field);
  return ticks * 10;
}

/** A process and its descendants. */
export function processTree(pid: number): number[] {
  return [
    pid,
    ...textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number).flatMap(processTree),
  ];
}

// The CPU time of an exited process is counted for its parent.
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return '';
    throw error;
  }
}
