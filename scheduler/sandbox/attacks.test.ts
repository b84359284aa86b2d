// Runs hostile programs in the sandbox of this machine: reading files, connecting, starting processes and exhausting
// resources. Without a sandbox the tests are skipped with a warning. PDM_TEST_SANDBOX_ENGINE runs them in containers
// (test/support/isolation.ts).
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import dgram from 'node:dgram';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testIsolation } from '../../test/support/isolation.ts';
import { needs, notRun } from '../../test/support/needs.ts';
import { names } from './guest/attacks.mjs';
import { parseReport, TEST_PROGRAM } from './probe.ts';
import type { SandboxLimits } from './program.ts';
import { runProgram } from './run-program.ts';

const MiB = 2 ** 20;
// The minimum for Node to start.
const MEMORY = 1024 * MiB;
// These attacks end with their process and may print no report; all others must print one.
const MAY_EXIT = ['threads', 'mem', 'heap', 'wasm', 'loop', 'promise', 'stdout'];
const isolation = testIsolation();
const BASE = { ...TEST_PROGRAM, isolation };
// Starting and stopping a container takes part of this time.
const LOOP_MS = isolation.mode === 'container' ? 5_000 : 1_000;
const GUEST = join(import.meta.dirname, 'guest');
const runEcho = (tree: string) =>
  runProgram({
    ...BASE,
    tree,
    entry: '/gen/echo.mjs',
    input: Buffer.from('echo'),
    limits: { memory: MEMORY, heapMiB: 128 },
  }).then(
    ({ result, stderr }) => ({ runs: result.toString() === 'echo', reason: stderr.trim() }),
    (error: Error) => ({ runs: false, reason: error.message }),
  );
const { runs, reason } = await runEcho(GUEST);
if (!runs)
  console.warn(`SKIPPED: ${names.length} attacks, because this machine has no sandbox: ${reason || 'no bubblewrap'}`);

// The resources to protect: a secret file, a canary in the environment, and four listeners.
const canary = randomBytes(16).toString('hex');
let folder: string;
let tree: string;
let host: string;
const servers: Server[] = [];
let udp: dgram.Socket;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  tree = join(folder, 'tree');
  cpSync(GUEST, tree, { recursive: true });
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, 'the secret');
  symlinkSync(secretFile, join(tree, 'link-to-secret'));
  // accessible to all users, so that only the sandbox protects it
  chmodSync(folder, 0o777);
  process.env.PDM_TEST_CANARY = canary;
  const listen = async (address: { port: number; host: string } | { path: string }) => {
    const server = createServer((socket) => socket.on('error', () => undefined).end('hello')).listen(address);
    await once(server, 'listening');
    servers.push(server);
    return server;
  };
  const tcp = await listen({ port: 0, host: '127.0.0.1' });
  const unixSocket = join(folder, 'socket');
  await listen({ path: unixSocket });
  chmodSync(unixSocket, 0o777);
  await listen({ path: `\0sandbox-${canary}` });
  udp = dgram.createSocket('udp4').bind(0, '127.0.0.1');
  await once(udp, 'listening');
  host = JSON.stringify({
    canary,
    secretFile,
    unixSocket,
    abstractSocket: `sandbox-${canary}`,
    outsideFile: join(folder, 'written'),
    serverPid: process.pid,
    tcpPort: (tcp.address() as AddressInfo).port,
    udpPort: udp.address().port,
  });
});
afterAll(() => {
  delete process.env.PDM_TEST_CANARY;
  for (const server of servers) server.close();
  udp?.close();
  rmSync(folder, { recursive: true, force: true });
});

// Low limits, so that resource exhaustion is stopped soon.
const limitsFor = (name: string): Partial<SandboxLimits> => ({
  wallMs: ['loop', 'promise'].includes(name) ? LOOP_MS : 20_000,
  memory: MEMORY,
  heapMiB: 128,
  logBytes: 128 * 1024,
  scratchBytes: name === 'disk' ? 32 * MiB : 0,
});

const bubblewrap = needs('bubblewrap', runs);
describe.skipIf(bubblewrap.isMissing)(bubblewrap.title(`in the sandbox, ${isolation.mode}`), () => {
  test.concurrent.each(names)('stops the attack %s', { timeout: 60_000 }, async (name) => {
    // Node's permission model is off: the operating system's boundary must hold alone
    const { stdout, killReason, code } = await runProgram({
      ...BASE,
      tree,
      entry: '/gen/attacks.mjs',
      args: [name, host],
      permission: false,
      limits: limitsFor(name),
    });
    const report = parseReport(stdout);
    expect(report?.worked, report?.detail).not.toBe(true);
    // an attack that did not run proves nothing
    if (MAY_EXIT.includes(name)) expect(report !== null || killReason !== null || code !== 0).toBe(true);
    else expect(report?.worked).toBe(false);
  });

  test('blocks every listed system call of native code', async ({ skip }) => {
    try {
      execFileSync('cc', ['-static', '-O1', '-o', join(tree, 'calls'), join(tree, 'calls.c')], { stdio: 'ignore' });
    } catch {
      skip(notRun('cc'));
    }
    const { code, stdout } = await runProgram({ ...BASE, tree, entry: '', command: ['/gen/calls'] });
    expect(stdout.split('\n').filter((line) => line.endsWith('ALLOWED'))).toEqual([]);
    // a container engine may print lines of its own first
    const lines = stdout.trim().split('\n').slice(-27);
    expect([code, lines.filter((line) => /^[a-z_0-9]+ /.test(line)).length]).toEqual([0, 27]);
  });

  test('leaves no process running, and still runs a well-behaved program', async () => {
    const remaining = () =>
      readdirSync('/proc').filter(
        (pid) => /^\d+$/.test(pid) && existsSync(`/proc/${pid}/cmdline`) && commandOf(pid).includes(canary),
      );
    for (let tries = 0; remaining().length && tries < 50; tries++) await wait(20);
    expect(remaining()).toEqual([]);
    expect((await runEcho(tree)).runs).toBe(true);
    expect(existsSync(join(folder, 'written'))).toBe(false);
  });
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return ''; // the process has ended
  }
}
