// Does the sandbox hold on this machine? Asked before the first code runs, and when somebody looks at the status. Without a yes no generator ever runs.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { READ_TASK_LIMIT, hasTaskLimit, removeOrphans } from './container.ts';
import { type ProgramExit, runProgram } from './run-program.ts';
import { type Isolation, LIMITS, type Program } from './program.ts';

export type SandboxCheck = { name: string; held: boolean; detail: string };
/** `holds`: every check held; `reason` says in words why not, and what to do. `groupLimits`: of containers, whether their engine limits them as a group. */
export type SandboxReport = { holds: boolean; reason: string | null; checks: SandboxCheck[]; groupLimits?: boolean };

const GUEST = join(import.meta.dirname, 'guest');
const CHECKS = ['passwd', 'parentenv', 'tcp', 'exec', 'mem', 'disk', 'loop'];
const HONEST = 'honest';
const MOST_MEMORY = 1024 * 2 ** 20;

/** What the proofs run: our own programs, some hostile, below /gen. */
export const TEST_PROGRAM: Pick<Program, 'isolation' | 'home' | 'visible' | 'urgent'> = {
  isolation: { mode: 'strict' },
  // a busy machine is no machine without a sandbox
  urgent: true,
  home: join(import.meta.dirname, '../..'),
  visible: ['package.json'],
};

/** Tries the sandbox: an honest program must run, hostile ones must not get what they want. Never throws: a machine without a sandbox is an answer. */
export async function probeSandbox(isolation: Isolation = TEST_PROGRAM.isolation): Promise<SandboxReport> {
  try {
    if (isolation.mode === 'container') await removeOrphans(isolation);
    const honest = await runProgram({
      ...TEST_PROGRAM,
      isolation,
      tree: GUEST,
      entry: '/gen/honest.mjs',
      input: Buffer.from(HONEST),
      limits: { wallMs: 10_000 },
    });
    if (honest.result.toString() !== HONEST) return without(whyNot(honest), isolation);
    const checks = await hostileChecks(isolation);
    const broken = checks.filter(({ held }) => !held).map(({ name }) => name);
    const reason = broken.length ? `the sandbox of this machine does not hold: ${broken.join(', ')}` : null;
    return {
      holds: !broken.length,
      reason,
      checks,
      ...(isolation.mode === 'container' ? { groupLimits: await limitsGroups(isolation) } : {}),
    };
  } catch (error) {
    return without(error instanceof Error ? error.message : String(error), isolation);
  }
}

/** How a hostile program ended, as it says itself on its last line; null when it had no time to say anything. */
export function parseReport(stdout: string): { worked: boolean; detail: string } | null {
  const last = stdout.split('\n').findLast((line) => line.startsWith('{"attack"'));
  return last ? (JSON.parse(last) as { worked: boolean; detail: string }) : null;
}

async function limitsGroups(isolation: Isolation): Promise<boolean> {
  const { stdout } = await runProgram({ ...TEST_PROGRAM, isolation, entry: '', command: READ_TASK_LIMIT, limits: { wallMs: 10_000 } });
  return hasTaskLimit(stdout, LIMITS);
}

async function hostileChecks(isolation: Isolation): Promise<SandboxCheck[]> {
  const canary = randomBytes(16).toString('hex');
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = JSON.stringify({ canary, tcpPort: (server.address() as AddressInfo).port });
  try {
    const checks: SandboxCheck[] = [];
    for (const name of CHECKS) checks.push(await hostileCheck(name, host, isolation));
    return checks;
  } finally {
    server.close();
  }
}

async function hostileCheck(name: string, host: string, isolation: Isolation): Promise<SandboxCheck> {
  const limits = { memory: MOST_MEMORY, wallMs: name === 'loop' ? 700 : 10_000 };
  // Node's own permissions stay off: the boundary of the operating system must hold alone
  const { stdout, killReason: why } = await runProgram({
    ...TEST_PROGRAM,
    isolation,
    tree: GUEST,
    entry: '/gen/attacks.mjs',
    args: [name, host],
    permission: false,
    limits,
  });
  if (name === 'loop') return { name, held: why === 'wall clock', detail: why ?? 'it ended by itself' };
  // no answer is no proof
  const said = parseReport(stdout);
  return { name, held: said?.worked === false, detail: said?.detail ?? why ?? 'no answer' };
}

function whyNot({ stderr, code }: ProgramExit): string {
  return stderr.trim().split('\n')[0] || `it did not start (exit ${code})`;
}

function without(why: string, isolation: Isolation): SandboxReport {
  return { holds: false, reason: `this machine has no sandbox: ${why}${whatToDo(why, isolation)}`, checks: [] };
}

function whatToDo(why: string, isolation: Isolation): string {
  if (isolation.mode === 'container')
    return `: podman or docker (PDM_SANDBOX_ENGINE) must start containers for this user, and have the image ${isolation.image}; then start the scheduler again`;
  return /ENOENT|No such file|not found/.test(why)
    ? ': install bubblewrap 0.8 or newer (apt install bubblewrap), with util-linux, then start the scheduler again'
    : '';
}
