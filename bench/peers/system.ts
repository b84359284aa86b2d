import { readFileSync } from 'node:fs';

/** A job queue with its workers and its server, started once and idle while others are measured. */
export type System = {
  name: string;
  queue(jobs: number): Promise<void>;
  /**
   * Seconds in which so many workers claim and complete the jobs that wait, from the moment at which the first one asks (then `begun` is called) until the last completion is
   * on disk and each worker knows that nothing is left. When it answers, its workers have stopped.
   */
  drain(workers: number, jobs: number, begun: () => void): Promise<number>;
  /** Milliseconds from queued to claimed by a worker that waits for them, of so many jobs one after the other. */
  waits(count: number): Promise<number[]>;
  /** All that work for it, its server as well. */
  processes(): number[];
  stop(): Promise<void>;
};

/** Milliseconds of processor that the processes of a system have had until now, and those that they started and that have ended; in steps of 10 for each. */
export function processorMs({ processes }: System): number {
  let ticks = 0;
  // after the name, which may hold blanks: from the 14th field on utime, stime, cutime and cstime, in hundredths of a second
  for (const pid of processes())
    for (const field of textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ').slice(11, 15) ?? [])
      ticks += Number(field);
  return ticks * 10;
}

/** A process and all that were started below it. */
export function withChildren(pid: number): number[] {
  return [
    pid,
    ...textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number).flatMap(withChildren),
  ];
}

// What has ended meanwhile is counted with the one that started it.
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return '';
    throw error;
  }
}
