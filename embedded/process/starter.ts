import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const MOST_DEATHS = 5;
const DEATHS_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 10_000;
const LAST_LINES = 20;
/** Compiled code of an earlier start: half the time to the first answer. A folder that cannot be written is simply not used. */
const COMPILE_CACHE = join(import.meta.dirname, '../..', 'node_modules', '.cache', 'store');
/** A socket address holds 107 bytes and a closing zero. */
const LONGEST_SOCKET_PATH = 107;

export type Store = { uri: string; stop(): Promise<void>; pid(): number };

/**
 * Starts the embedded store as a child process on a unix socket and keeps it running: when it dies it is started again, after five deaths in a minute
 * `onFatal` is told why. It ends with this process, however this process ends. A folder in use is refused with a sentence naming the holder.
 */
export async function startStore({
  dataDir,
  log,
  onFatal,
}: {
  dataDir: string;
  log: (line: string) => void;
  onFatal: (reason: string) => void;
}): Promise<Store> {
  const folder = resolve(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The folder is the access control of the socket: there is no password.
  chmodSync(folder, 0o700);
  const socket = socketIn(folder);
  const deaths: number[] = [];
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let child = await startChild(folder, socket.path, log);
  watchOver(child);

  function watchOver({ process: running, lastLines }: Child): void {
    running.once('exit', (code, signal) => died(told('ended', folder, signal ?? `exit ${code}`), lastLines));
  }

  function died(how: string, lastLines: string[]): void {
    if (stopping) return;
    const now = Date.now();
    deaths.push(now);
    const recent = deaths.filter((death) => now - death < DEATHS_WITHIN_MS).length;
    log(`the embedded store ${how}`);
    if (recent >= MOST_DEATHS)
      onFatal(
        `the embedded store died ${recent} times in a minute, at last it ${how}; its last lines:\n${lastLines.join('\n')}`,
      );
    else timer = setTimeout(restart, Math.min(FIRST_PAUSE_MS * 2 ** (recent - 1), LONGEST_PAUSE_MS));
  }

  async function restart(): Promise<void> {
    try {
      child = await startChild(folder, socket.path, log);
    } catch (error) {
      return died('could not start again', [error instanceof Error ? error.message : String(error)]);
    }
    log('the embedded store runs again');
    if (stopping) await endChild(child.process);
    else watchOver(child);
  }

  return {
    uri: `mongodb://${encodeURIComponent(socket.path)}/?directConnection=true`,
    pid: () => child.process.pid ?? 0,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await endChild(child.process);
      socket.remove();
    },
  };
}

type Child = { process: ChildProcess; lastLines: string[] };

function startChild(folder: string, socketPath: string, log: (line: string) => void): Promise<Child> {
  const main = join(import.meta.dirname, 'main.ts');
  // No more threads for garbage and compiling than there are processors beside the one that answers.
  const flags = ['--disable-proto=throw', '--v8-pool-size=0'];
  const running = spawn(process.execPath, [...flags, main, '--data', folder, '--socket', socketPath, '--supervised'], {
    // The pipe on its standard input tells the child when this process is gone.
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  // Writing never happens; a child that is gone already must not end us.
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
          lastLines.join('\n') || `the embedded store ${told('did not start', folder, signal ?? `exit ${code}`)}`,
        ),
      ),
    );
    createInterface({ input: running.stdout }).on('line', (line) => {
      if (line.startsWith('ready ')) resolve({ process: running, lastLines });
    });
  });
}

// LMDB maps its file into memory: the system ends a process that reads what is not there.
function told(what: string, folder: string, how: string): string {
  const why =
    how === 'SIGBUS'
      ? `: the database file in ${folder} is cut off, or the disk cannot read it. Put a backup in its place`
      : '';
  return `${what} (${how})${why}`;
}

function endChild(running: ChildProcess): Promise<void> {
  if (running.exitCode !== null || running.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => running.kill('SIGKILL'), STOP_WITHIN_MS);
    running.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    running.stdin?.end();
  });
}

function socketIn(folder: string): { path: string; remove(): void } {
  const path = join(folder, 'store.sock');
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) return { path, remove: () => undefined };
  const short = join(mkdtempSync(join(tmpdir(), 'pdm-store-')), 'store.sock');
  return { path: short, remove: () => rmSync(dirname(short), { recursive: true, force: true }) };
}
