// Hostile programs against the sandbox of this machine: what they may see, reach, start and use up. Where there is no sandbox the tests are skipped, and say so.
// With PDM_TEST_SANDBOX_ENGINE the same in containers (test/support/isolation.ts).
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
import { names } from './guest/attacks.mjs';
import { runProgram } from './run-program.ts';
import { TEST_PROGRAM, parseReport } from './probe.ts';
import type { SandboxLimits } from './program.ts';

const MiB = 2 ** 20;
// With less, Node itself does not start.
const MEMORY = 1024 * MiB;
// These end with the process, so that they cannot say anything; all others tell what happened to them.
const MAY_DIE = ['threads', 'mem', 'heap', 'wasm', 'loop', 'promise', 'stdout'];
const isolation = testIsolation();
const BASE = { ...TEST_PROGRAM, isolation };
// of which a container takes some to start and to end
const LOOP_MS = isolation.mode === 'container' ? 5_000 : 1_000;
const GUEST = join(import.meta.dirname, 'guest');
const honest = (tree: string) =>
  runProgram({
    ...BASE,
    tree,
    entry: '/gen/honest.mjs',
    input: Buffer.from('honest'),
    limits: { memory: MEMORY, heapMiB: 128 },
  }).then(
    ({ result, stderr }) => ({ runs: result.toString() === 'honest', why: stderr.trim() }),
    (error: Error) => ({ runs: false, why: error.message }),
  );
const { runs, why } = await honest(GUEST);
if (!runs)
  console.warn(
    `NOT RUN: the ${names.length} hostile programs against the sandbox, because this machine has none: ${why || 'bubblewrap is missing'}`,
  );

// What the machine under attack has, and must keep: a secret, a canary in the environment, four listeners.
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
  // reachable, so that the sandbox alone protects it
  chmodSync(folder, 0o777);
  process.env.PDM_TEST_CANARY = canary;
  const listen = async (at: { port: number; host: string } | { path: string }) => {
    const server = createServer((socket) => socket.on('error', () => undefined).end('hello')).listen(at);
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
    ...{ canary, secretFile, unixSocket, abstractSocket: `sandbox-${canary}`, outsideFile: join(folder, 'written') },
    ...{ serverPid: process.pid, tcpPort: (tcp.address() as AddressInfo).port, udpPort: udp.address().port },
  });
});
afterAll(() => {
  delete process.env.PDM_TEST_CANARY;
  for (const server of servers) server.close();
  udp?.close();
  rmSync(folder, { recursive: true, force: true });
});

// Tight, so that what uses things up is stopped soon.
const limitsFor = (name: string): Partial<SandboxLimits> => ({
  wallMs: ['loop', 'promise'].includes(name) ? LOOP_MS : 20_000,
  memory: MEMORY,
  heapMiB: 128,
  logBytes: 128 * 1024,
  scratchBytes: name === 'disk' ? 32 * MiB : 0,
});

describe.skipIf(!runs)(`in the sandbox (${isolation.mode})`, () => {
  test.concurrent.each(names)('%s is stopped', { timeout: 60_000 }, async (name) => {
    // Node's own permissions are off: the boundary of the operating system must hold alone
    const {
      stdout,
      killReason: ended,
      code,
    } = await runProgram({
      ...BASE,
      tree,
      entry: '/gen/attacks.mjs',
      args: [name, host],
      permission: false,
      limits: limitsFor(name),
    });
    const said = parseReport(stdout);
    expect(said?.worked, said?.detail).not.toBe(true);
    // an attack that never began proves nothing
    if (MAY_DIE.includes(name)) expect(said !== null || ended !== null || code !== 0).toBe(true);
    else expect(said?.worked).toBe(false);
  });

  test('native code is refused every call that the filter lists', async ({ skip }) => {
    try {
      execFileSync('cc', ['-static', '-O1', '-o', join(tree, 'calls'), join(tree, 'calls.c')], { stdio: 'ignore' });
    } catch {
      console.warn('NOT RUN: native calls against the filter, because there is no C compiler here');
      skip();
    }
    const { code, stdout } = await runProgram({ ...BASE, tree, entry: '', command: ['/gen/calls'] });
    expect(stdout.split('\n').filter((line) => line.endsWith('ALLOWED'))).toEqual([]);
    // an engine may have a word of its own before
    expect([
      code,
      stdout
        .trim()
        .split('\n')
        .slice(-27)
        .filter((line) => /^[a-z_0-9]+ /.test(line)).length,
    ]).toEqual([0, 27]);
  });

  test('nothing is left running, and honest code still runs', async () => {
    const left = () =>
      readdirSync('/proc').filter(
        (pid) => /^\d+$/.test(pid) && existsSync(`/proc/${pid}/cmdline`) && commandOf(pid).includes(canary),
      );
    for (let tries = 0; left().length && tries < 50; tries++) await wait(20);
    expect(left()).toEqual([]);
    expect((await honest(tree)).runs).toBe(true);
    expect(existsSync(join(folder, 'written'))).toBe(false);
  });
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return ''; // it has just ended
  }
}
