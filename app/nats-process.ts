// Runs a nats-server beside the service for job notifications on one machine. Its data is expendable: jobs are stored
// in MongoDB.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemEnvironment } from '../subgraphs/core/platform/child-environment.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { sleep } from '../subgraphs/core/platform/sleep.ts';

type Options = { program: string; dataDir: string; log: Log };
/** `url` is for the processes of the service, `schedulerUrl` for schedulers: their user may only receive jobs. */
export type NatsProcess = { url: string; schedulerUrl: string; pid(): number; stop(): Promise<void> };

const READY_TIMEOUT_MS = 5_000;
/** A server that exits sooner than this after its start has failed to start. */
const EARLY_EXIT_MS = 2_000;
const FIRST_RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 30_000;
const STDERR_LINES = 5;

/**
 * Finds the nats-server program: the configured one, or the first in PATH, /usr/sbin (where Debian installs it) or
 * /usr/local/sbin. Returns null if there is none or the setting is `off`.
 */
export function natsProgram(configured: string | null, path: readonly string[]): string | null {
  if (configured === 'off') return null;
  const name = process.platform === 'win32' ? 'nats-server.exe' : 'nats-server';
  const candidates = configured
    ? [configured]
    : [...path, '/usr/sbin', '/usr/local/sbin'].map((folder) => join(folder, name));
  return candidates.find(isExecutable) ?? null;
}

/**
 * Runs a nats-server with JetStream on a free loopback port, with its data in the data folder and random passwords.
 * Restarts it when it exits, with empty data if it exited early, and ends it with this process. Logs the reason and
 * returns null if it does not start.
 */
export async function startNatsProcess({ program, dataDir, log }: Options): Promise<NatsProcess | null> {
  const folder = resolve(dataDir, 'nats');
  const port = await freePort();
  const passwords = { service: randomPassword(), scheduler: randomPassword(), events: randomPassword() };
  const file = join(folder, 'nats.conf');
  const configure = () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, natsConfiguration(folder, port, passwords), { mode: 0o600 });
  };
  const wipe = () => {
    rmSync(folder, { recursive: true, force: true });
    configure();
  };
  let stderrTail: string[] = [];
  const launchUntilReady = async (): Promise<ChildProcess | null> => {
    const child = launch(program, file);
    child.stderr?.setEncoding('utf8').on('data', (output: string) => {
      stderrTail = [...stderrTail, ...output.trim().split('\n')].slice(-STDERR_LINES);
    });
    if (await becomesReady(port, child)) return child;
    await stopChild(child);
    return null;
  };

  let stopping = false;
  let child: ChildProcess | null;
  let restartDelay: AbortController | null = null;
  configure();
  child = await launchUntilReady();
  if (!child) {
    wipe();
    child = await launchUntilReady();
  }
  if (!child) {
    log.warn({ program, stderrTail }, 'nats-server does not start; schedulers long-poll the API instead');
    return null;
  }
  restartOnExit(child);

  function restartOnExit(running: ChildProcess, delayMs = FIRST_RESTART_DELAY_MS): void {
    const startedAt = performance.now();
    running.once('exit', async (code, signal) => {
      const exitedEarly = performance.now() - startedAt < EARLY_EXIT_MS;
      for (
        let next = exitedEarly ? delayMs : FIRST_RESTART_DELAY_MS;
        !stopping;
        next = Math.min(next * 2, MAX_RESTART_DELAY_MS)
      ) {
        log.warn({ code, signal, stderrTail }, 'nats-server exited; restarting it');
        restartDelay = new AbortController();
        await sleep(next, restartDelay.signal);
        if (stopping) return;
        if (exitedEarly || next > FIRST_RESTART_DELAY_MS) wipe();
        child = await launchUntilReady();
        if (child && stopping) return stopChild(child);
        if (child) return restartOnExit(child, Math.min(next * 2, MAX_RESTART_DELAY_MS));
      }
    });
  }

  const urlOf = (user: keyof typeof passwords) => `nats://${user}:${passwords[user]}@127.0.0.1:${port}`;
  return {
    url: urlOf('service'),
    schedulerUrl: urlOf('scheduler'),
    pid: () => child?.pid ?? 0,
    stop: async () => {
      stopping = true;
      restartDelay?.abort();
      if (child) await stopChild(child);
    },
  };
}

// Ends the server when standard input closes, which the system does when the parent process is gone.
const RUN_WHILE_PARENT_LIVES = `exec 3<&0; "$0" -c "$1" & server=$!; { while read -r _; do :; done; kill "$server"; } <&3 3<&- & exec 3<&- <&-; wait "$server"`;

function launch(program: string, file: string): ChildProcess {
  const env = systemEnvironment();
  if (process.platform === 'win32') return spawn(program, ['-c', file], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  // A separate process group: Ctrl-C must not end the server while the service still drains.
  return spawn('/bin/sh', ['-c', RUN_WHILE_PARENT_LIVES, program, file], {
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  if (process.platform === 'win32') child.kill();
  const kill = setTimeout(() => child.kill('SIGKILL'), READY_TIMEOUT_MS);
  await exited;
  clearTimeout(kill);
}

// Returns true once the server greets with JetStream enabled; false if it exits or does not greet in time.
async function becomesReady(port: number, child: ChildProcess): Promise<boolean> {
  const failed = once(child, 'error').then(() => true);
  for (const until = performance.now() + READY_TIMEOUT_MS; performance.now() < until; ) {
    if (child.exitCode !== null || child.signalCode !== null) return false;
    if (/"jetstream":\s*true/.test(await readGreeting(port))) return true;
    if (await Promise.race([failed, delay(20, false)])) return false;
  }
  return false;
}

function readGreeting(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 500 });
    const finish = (text: string) => {
      socket.destroy();
      resolve(text);
    };
    socket.once('data', (chunk) => finish(String(chunk)));
    socket.once('error', () => finish(''));
    socket.once('timeout', () => finish(''));
    socket.once('close', () => finish(''));
  });
}

const USERS = new URL('../operate/nats-users.conf', import.meta.url);

function natsConfiguration(folder: string, port: number, passwords: Record<string, string>): string {
  return [
    ...Object.entries(passwords).map(([user, password]) => `${user}_password: "${password}"`),
    'host: "127.0.0.1"',
    `port: ${port}`,
    `jetstream { store_dir: ${JSON.stringify(join(folder, 'store'))}, max_mem: 16M, max_file: 256M }`,
    readFileSync(USERS, 'utf8'),
  ].join('\n');
}

function randomPassword(): string {
  return randomBytes(24).toString('hex');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
