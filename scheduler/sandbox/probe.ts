// Probes whether the sandbox works on this machine, before the first generator and when the status is read. Generators
// run only if the probe succeeds.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { errorMessage } from '../../subgraphs/core/domain/text/error-message.ts';
import { hasTaskLimit, READ_TASK_LIMIT, removeOrphans } from './container.ts';
import { type Isolation, LIMITS, type Program } from './program.ts';
import { type ProgramExit, runProgram } from './run-program.ts';

export type SandboxCheck = { name: string; passed: boolean; detail: string };
/**
 * `works`: every check passed; otherwise `reason` gives the cause and the remedy. `groupLimits` (containers only):
 * whether the engine applies group limits.
 */
export type SandboxReport = { works: boolean; reason: string | null; checks: SandboxCheck[]; groupLimits?: boolean };

const GUEST = join(import.meta.dirname, 'guest');
const ATTACKS = ['passwd', 'parentenv', 'tcp', 'exec', 'mem', 'disk', 'loop'];
const INPUT = 'echo';
const MAX_MEMORY = 1024 * 2 ** 20;

/** The common options of the test programs. */
export const TEST_PROGRAM: Pick<Program, 'isolation' | 'home' | 'visible' | 'urgent'> = {
  isolation: { mode: 'strict' },
  // so that a busy machine does not fail the probe
  urgent: true,
  home: join(import.meta.dirname, '../..'),
  visible: ['package.json'],
};

/**
 * Probes the sandbox: a well-behaved program must run, and hostile programs must fail. Never throws: a missing sandbox
 * is a result.
 */
export async function probeSandbox(isolation: Isolation = TEST_PROGRAM.isolation): Promise<SandboxReport> {
  try {
    if (isolation.mode === 'container') await removeOrphans(isolation);
    const echo = await runProgram({
      ...TEST_PROGRAM,
      isolation,
      tree: GUEST,
      entry: '/gen/echo.mjs',
      input: Buffer.from(INPUT),
      limits: { wallMs: 10_000 },
    });
    if (echo.result.toString() !== INPUT) return unavailable(failureReason(echo), isolation);
    const checks = await runAttacks(isolation);
    const broken = checks.filter(({ passed }) => !passed).map(({ name }) => name);
    const reason = broken.length
      ? `the sandbox of this machine does not stop these attacks: ${broken.join(', ')}`
      : null;
    return {
      works: !broken.length,
      reason,
      checks,
      ...(isolation.mode === 'container' ? { groupLimits: await hasGroupLimits(isolation) } : {}),
    };
  } catch (error) {
    return unavailable(errorMessage(error), isolation);
  }
}

/** Parses the report that a hostile program prints last; returns null if it printed none. */
export function parseReport(stdout: string): { worked: boolean; detail: string } | null {
  const last = stdout.split('\n').findLast((line) => line.startsWith('{"attack"'));
  return last ? (JSON.parse(last) as { worked: boolean; detail: string }) : null;
}

async function hasGroupLimits(isolation: Isolation): Promise<boolean> {
  const { stdout } = await runProgram({
    ...TEST_PROGRAM,
    isolation,
    entry: '',
    command: READ_TASK_LIMIT,
    limits: { wallMs: 10_000 },
  });
  return hasTaskLimit(stdout, LIMITS);
}

async function runAttacks(isolation: Isolation): Promise<SandboxCheck[]> {
  const canary = randomBytes(16).toString('hex');
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = JSON.stringify({ canary, tcpPort: (server.address() as AddressInfo).port });
  try {
    const checks: SandboxCheck[] = [];
    for (const name of ATTACKS) checks.push(await runAttack(name, host, isolation));
    return checks;
  } finally {
    server.close();
  }
}

async function runAttack(name: string, host: string, isolation: Isolation): Promise<SandboxCheck> {
  const limits = { memory: MAX_MEMORY, wallMs: name === 'loop' ? 700 : 10_000 };
  // Node's permission model is off: the operating system's boundary must hold alone
  const { stdout, killReason } = await runProgram({
    ...TEST_PROGRAM,
    isolation,
    tree: GUEST,
    entry: '/gen/attacks.mjs',
    args: [name, host],
    permission: false,
    limits,
  });
  if (name === 'loop')
    return { name, passed: killReason === 'wall clock', detail: killReason ?? 'the program exited by itself' };
  // a missing report proves nothing
  const report = parseReport(stdout);
  return { name, passed: report?.worked === false, detail: report?.detail ?? killReason ?? 'no report' };
}

function failureReason({ stderr, code }: ProgramExit): string {
  return stderr.trim().split('\n')[0] || `the test program did not start (exit code ${code})`;
}

function unavailable(cause: string, isolation: Isolation): SandboxReport {
  return { works: false, reason: `this machine has no sandbox: ${cause}${installHint(cause, isolation)}`, checks: [] };
}

function installHint(cause: string, isolation: Isolation): string {
  if (isolation.mode === 'container')
    return (
      '. Podman or docker (PDM_SANDBOX_ENGINE) must be able to start containers for this user ' +
      `and have the image ${isolation.image}; then restart the scheduler.`
    );
  return /ENOENT|No such file|not found/.test(cause)
    ? '. Install bubblewrap 0.8 or newer (apt install bubblewrap) and util-linux, then restart the scheduler.'
    : '';
}
