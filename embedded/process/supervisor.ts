// Starts the embedded store as a child process, restarts it when it ends, and stops it with this process.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const FIRST_RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 5_000;
const MAX_EXITS = 5;
const EXIT_WINDOW_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;
const LAST_LINES = 20;
/** The compile cache halves the start time. Node ignores a folder that cannot be written. */
const COMPILE_CACHE = join(import.meta.dirname, '../..', 'node_modules', '.cache', 'store');
/** Variables of the operating system that the store inherits. */
const INHERITED = ['PATH', 'TMPDIR', 'TEMP', 'TZ', 'SystemRoot'];
/** A socket address holds 107 bytes and a terminating zero. */
const MAX_SOCKET_PATH_BYTES = 107;

/** A running store and its address. */
export type StoreHandle = { uri: string; stop(): Promise<void>; pid(): number };

/**
 * Starts the embedded store as a child process on a unix socket. It is restarted when it ends; after five exits within
 * a minute, `onFatal` is called with the reason. The store ends with this process, however this process ends. Rejects
 * with an error that names the holder if the data folder is in use, or which acknowledged writes are lost. With
 * `acceptLoss` the store then starts with the last complete state; a restart never does.
 */
export async function startStore({
  dataDir,
  acceptLoss = false,
  log,
  onFatal,
}: {
  dataDir: string;
  acceptLoss?: boolean;
  log: (line: string) => void;
  onFatal: (reason: string) => void;
}): Promise<StoreHandle> {
  const folder = resolve(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The store has no password: only the owner of the folder can reach its socket.
  chmodSync(folder, 0o700);
  const socket = chooseSocketPath(folder);
  const exits: number[] = [];
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let child = await startChild(folder, socket.path, log, acceptLoss ? ['--accept-loss'] : []);
  supervise(child);

  function supervise({ process: running, lastLines }: StoreProcess): void {
    running.once('exit', (code, signal) =>
      handleExit(describeExit('ended', folder, signal ?? `exit ${code}`), lastLines),
    );
  }

  function handleExit(how: string, lastLines: string[]): void {
    if (stopping) return;
    const now = Date.now();
    exits.push(now);
    const recent = exits.filter((exit) => now - exit < EXIT_WINDOW_MS).length;
    log(`the embedded store ${how}`);
    if (recent >= MAX_EXITS)
      onFatal(
        `the embedded store ended ${recent} times within a minute; most recently it ${how}. Its last lines:\n${lastLines.join('\n')}`,
      );
    else timer = setTimeout(restart, Math.min(FIRST_RESTART_DELAY_MS * 2 ** (recent - 1), MAX_RESTART_DELAY_MS));
  }

  async function restart(): Promise<void> {
    try {
      child = await startChild(folder, socket.path, log);
    } catch (error) {
      return handleExit('failed to restart', [error instanceof Error ? error.message : String(error)]);
    }
    log('the embedded store was restarted');
    if (stopping) await stopChild(child.process);
    else supervise(child);
  }

  return {
    uri: `mongodb://${encodeURIComponent(socket.path)}/?directConnection=true`,
    pid: () => child.process.pid ?? 0,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await stopChild(child.process);
      socket.remove();
    },
  };
}

type StoreProcess = { process: ChildProcess; lastLines: string[] };

function startChild(
  folder: string,
  socketPath: string,
  log: (line: string) => void,
  more: string[] = [],
): Promise<StoreProcess> {
  const main = join(import.meta.dirname, 'main.ts');
  // Without V8 worker threads: garbage collection and compilation would compete with the main thread for CPUs.
  const flags = ['--disable-proto=throw', '--v8-pool-size=0'];
  const running = spawn(
    process.execPath,
    [...flags, main, '--data', folder, '--socket', socketPath, '--supervised', ...more],
    {
      // The child exits when this pipe closes, however this process ends.
      stdio: ['pipe', 'pipe', 'pipe'],
      // The store needs no settings: nothing else of this environment is inherited, because it contains credentials.
      env: { ...pickEnvironment(INHERITED), NODE_COMPILE_CACHE: COMPILE_CACHE },
    },
  );
  // Nothing is ever written; without the listener a child that has already exited would crash this process.
  running.stdin.on('error', () => undefined);
  const lastLines: string[] = [];
  createInterface({ input: running.stderr }).on('line', (line) => {
    lastLines.push(line);
    if (lastLines.length > LAST_LINES) lastLines.shift();
    log(line);
  });
  return new Promise((resolve, reject) => {
    running.once('error', reject);
    running.once('close', (code, signal) =>
      reject(
        new Error(
          lastLines.join('\n') ||
            `the embedded store ${describeExit('did not start', folder, signal ?? `exit ${code}`)}`,
        ),
      ),
    );
    createInterface({ input: running.stdout }).on('line', (line) => {
      if (line.startsWith('ready ')) resolve({ process: running, lastLines });
    });
  });
}

function pickEnvironment(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

// LMDB maps its file into memory: reading a missing page ends the process with SIGBUS.
function describeExit(what: string, folder: string, how: string): string {
  const why =
    how === 'SIGBUS' ? `: the database file in ${folder} is truncated or unreadable. Replace it with a backup` : '';
  return `${what} (${how})${why}`;
}

function stopChild(running: ChildProcess): Promise<void> {
  if (running.exitCode !== null || running.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => running.kill('SIGKILL'), STOP_TIMEOUT_MS);
    running.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    running.stdin?.end();
  });
}

function chooseSocketPath(folder: string): { path: string; remove(): void } {
  const path = join(folder, 'store.sock');
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return { path, remove: () => undefined };
  const short = join(mkdtempSync(join(tmpdir(), 'pdm-store-')), 'store.sock');
  return { path: short, remove: () => rmSync(dirname(short), { recursive: true, force: true }) };
}
