// Reads the priority of every process and thread of a running program from the kernel.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../../test/support/needs.ts';
import { probeSandbox, TEST_PROGRAM } from './probe.ts';
import { runProgram } from './run-program.ts';

const SCHED_IDLE = 5;
const GUEST = join(import.meta.dirname, 'guest');
const sandbox = process.platform === 'linux' ? await probeSandbox() : { works: false, reason: 'not Linux' };
if (!sandbox.works) console.warn(`SKIPPED: the priority of programs in the sandbox: ${sandbox.reason}`);

type ThreadPriority = { nice: number; policy: number; autogroup: number | null };

/** Returns the priority of every thread of the processes whose command line contains the marker. */
function threadPriorities(marker: string): ThreadPriority[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(marker)) return [];
        const file = `/proc/${pid}/autogroup`;
        const autogroup = existsSync(file) ? Number(/nice (-?\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) : null;
        return readdirSync(`/proc/${pid}/task`).map((thread) => {
          // the fields after the name, which is in parentheses and may contain anything
          const fields =
            readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
          return { nice: Number(fields[16]), policy: Number(fields[38]), autogroup };
        });
      } catch {
        return []; // the process has ended
      }
    });
}

const bubblewrap = needs('bubblewrap', sandbox.works);
test.skipIf(bubblewrap.isMissing).each([
  { urgent: false, nice: 19, policy: SCHED_IDLE, autogroup: 10 },
  { urgent: true, nice: 5, policy: 0, autogroup: 5 },
])(
  bubblewrap.title('lowers the priority of all threads irrevocably (urgent: $urgent)'),
  async ({ urgent, ...expected }) => {
    const stop = new AbortController();
    const marker = `marker-${process.pid}-${urgent}`;
    const lines: string[] = [];
    const { promise: reported, resolve } = Promise.withResolvers<void>();
    const onLine = (line: string) => {
      if (lines.push(line) === 2) resolve();
    };
    const program = {
      ...TEST_PROGRAM,
      tree: GUEST,
      entry: '/gen/raise-priority.mjs',
      args: [marker],
      permission: false,
      urgent,
    };
    const ended = runProgram(program, { signal: stop.signal, onLine });
    await Promise.race([reported, ended]);
    const threads = threadPriorities(marker);
    stop.abort();
    await ended;
    // bubblewrap and Node with its helper threads
    expect(threads.length).toBeGreaterThan(5);
    const hasAutogroup = existsSync('/proc/self/autogroup');
    expect([...new Set(threads.map((thread) => JSON.stringify(thread)))]).toEqual([
      JSON.stringify({ ...expected, autogroup: hasAutogroup ? expected.autogroup : null }),
    ]);
    expect(lines).toEqual(['priority EACCES', hasAutogroup ? 'autogroup EROFS' : 'autogroup ENOENT']);
  },
);
