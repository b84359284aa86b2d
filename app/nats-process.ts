// A NATS server of its own beside the service, for the doorbells of one machine. What it keeps are hints: its store may be wiped at any time.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { waited } from '../subgraphs/core/platform/waited.ts';

type Options = { program: string; dataDir: string; log: Log };
export type NatsProcess = { url: string; pid(): number; stop(): Promise<void> };

const READY_WITHIN = 5_000;
const SOON = 2_000;
const LONGEST_PAUSE = 30_000;
const LAST_LINES = 5;

/** The nats-server to run: as given, else of PATH or /usr/sbin (where Debian puts it, often outside of PATH); null when there is none or it is `off`. */
export function natsProgram(given: string | null, path: readonly string[]): string | null {
  if (given === 'off') return null;
  const name = process.platform === 'win32' ? 'nats-server.exe' : 'nats-server';
  const places = given ? [given] : [...path, '/usr/sbin', '/usr/local/sbin'].map((folder) => join(folder, name));
  return places.find(canRun) ?? null;
}

/**
 * Runs a nats-server with JetStream on a free port of loopback, its store below the data folder, behind a token made for it. It is started again when it dies, with
 * an empty store when it died at once, and ends with this process however that ends. Answers null, and says why, when it does not start.
 */
export async function startNatsProcess({ program, dataDir, log }: Options): Promise<NatsProcess | null> {
  const folder = resolve(dataDir, 'nats');
  const port = await freePort();
  const token = randomBytes(24).toString('hex');
  const file = join(folder, 'nats.conf');
  const configure = () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, configuration({ folder, port, token }), { mode: 0o600 });
  };
  const wipe = () => {
    rmSync(folder, { recursive: true, force: true });
    configure();
  };
  let stderrTail: string[] = [];
  const launched = async (): Promise<ChildProcess | null> => {
    const child = launch(program, file);
    child.stderr?.setEncoding('utf8').on('data', (said: string) => {
      stderrTail = [...stderrTail, ...said.trim().split('\n')].slice(-LAST_LINES);
    });
    if (await answers(port, child)) return child;
    await end(child);
    return null;
  };

  let stopping = false;
  let child: ChildProcess | null;
  let pausing: AbortController | null = null;
  configure();
  child = await launched();
  if (!child) {
    wipe();
    child = await launched();
  }
  if (!child) {
    log.warn({ program, stderrTail }, 'nats-server does not start; jobs are found by looking');
    return null;
  }
  watch(child);

  function watch(watched: ChildProcess, pause = 100): void {
    const begun = performance.now();
    watched.once('exit', async (code, signal) => {
      const soon = performance.now() - begun < SOON;
      for (let next = soon ? pause : 100; !stopping; next = Math.min(next * 2, LONGEST_PAUSE)) {
        log.warn({ code, signal, stderrTail }, 'the nats-server ended; it is started again');
        pausing = new AbortController();
        await waited(next, pausing.signal);
        if (stopping) return;
        if (soon || next > 100) wipe();
        child = await launched();
        if (child && stopping) return end(child);
        if (child) return watch(child, Math.min(next * 2, LONGEST_PAUSE));
      }
    });
  }

  return {
    url: `nats://${token}@127.0.0.1:${port}`,
    pid: () => child?.pid ?? 0,
    stop: async () => {
      stopping = true;
      pausing?.abort();
      if (child) await end(child);
    },
  };
}

// Ends the server when its own input ends: that of a process that is gone, however it went, ends too.
const AS_LONG_AS_ITS_PARENT = `exec 3<&0; "$0" -c "$1" & server=$!; { while read -r _; do :; done; kill "$server"; } <&3 3<&- & exec 3<&- <&-; wait "$server"`;

function launch(program: string, file: string): ChildProcess {
  if (process.platform === 'win32') return spawn(program, ['-c', file], { stdio: ['pipe', 'ignore', 'pipe'] });
  // a group of its own: Ctrl-C is for the service, which goes on needing it while it drains
  return spawn('/bin/sh', ['-c', AS_LONG_AS_ITS_PARENT, program, file], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.stdin?.end();
  if (process.platform === 'win32') child.kill();
  const hard = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN);
  await ended;
  clearTimeout(hard);
}

// Ready when it greets with JetStream on; false when it has ended or not greeted in time.
async function answers(port: number, child: ChildProcess): Promise<boolean> {
  const failed = once(child, 'error').then(() => true);
  for (const until = performance.now() + READY_WITHIN; performance.now() < until; ) {
    if (child.exitCode !== null || child.signalCode !== null) return false;
    if (/"jetstream":\s*true/.test(await greeting(port))) return true;
    if (await Promise.race([failed, sleep(20, false)])) return false;
  }
  return false;
}

function greeting(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 500 });
    const said = (text: string) => {
      socket.destroy();
      resolve(text);
    };
    socket.once('data', (chunk) => said(String(chunk)));
    socket.once('error', () => said(''));
    socket.once('timeout', () => said(''));
    socket.once('close', () => said(''));
  });
}

function configuration({ folder, port, token }: { folder: string; port: number; token: string }): string {
  return [
    'host: "127.0.0.1"',
    `port: ${port}`,
    `authorization { token: "${token}" }`,
    `jetstream { store_dir: ${JSON.stringify(join(folder, 'store'))}, max_mem: 16M, max_file: 256M }`,
    '',
  ].join('\n');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
