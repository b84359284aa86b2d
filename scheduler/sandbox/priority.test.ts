// What a launch takes of a busy machine, read from the kernel for every process and thread of it while it runs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from './run-program.ts';
import { TEST_PROGRAM, probeSandbox } from './probe.ts';

const SCHED_IDLE = 5;
const GUEST = join(import.meta.dirname, 'guest');
const sandbox = process.platform === 'linux' ? await probeSandbox() : { holds: false, reason: 'this is no Linux' };
if (!sandbox.holds) console.warn(`NOT RUN: how much of the machine a program in the sandbox takes: ${sandbox.reason}`);

type Seen = { nice: number; policy: number; together: number | null };

/** Every thread of every process of the launch whose command line holds the mark. */
function threadsOf(mark: string): Seen[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(mark)) return [];
        const group = `/proc/${pid}/autogroup`;
        const together = existsSync(group) ? Number(/nice (-?\d+)/.exec(readFileSync(group, 'utf8'))?.[1]) : null;
        return readdirSync(`/proc/${pid}/task`).map((thread) => {
          // after the name, which is in brackets and may hold anything
          const fields =
            readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
          return { nice: Number(fields[16]), policy: Number(fields[38]), together };
        });
      } catch {
        return []; // it has just ended
      }
    });
}

test.skipIf(!sandbox.holds).each([
  { urgent: false, nice: 19, policy: SCHED_IDLE, together: 10 },
  { urgent: true, nice: 5, policy: 0, together: 5 },
])(
  'a program gives way to the service with all its threads, and cannot take that back: $urgent',
  async ({ urgent, ...expected }) => {
    const over = new AbortController();
    const mark = `mark-${process.pid}-${urgent}`;
    const said: string[] = [];
    const { promise: hasSaidAll, resolve } = Promise.withResolvers<void>();
    const onLine = (line: string) => {
      if (said.push(line) === 2) resolve();
    };
    const program = { ...TEST_PROGRAM, tree: GUEST, entry: '/gen/unyielding.mjs', args: [mark], permission: false, urgent };
    const ended = runProgram(program, { signal: over.signal, onLine });
    await Promise.race([hasSaidAll, ended]);
    const seen = threadsOf(mark);
    over.abort();
    await ended;
    // bubblewrap, and Node with its helpers
    expect(seen.length).toBeGreaterThan(5);
    const grouped = existsSync('/proc/self/autogroup');
    expect([...new Set(seen.map((thread) => JSON.stringify(thread)))]).toEqual([
      JSON.stringify({ ...expected, together: grouped ? expected.together : null }),
    ]);
    expect(said).toEqual(['priority EACCES', grouped ? 'group EROFS' : 'group ENOENT']);
  },
);
