// The process of the embedded store. `npm run store -- --data DIR --port N` starts it on a loopback port.
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { serveConnection } from '../protocol/connection.ts';
import { dispatch } from '../protocol/dispatch.ts';
import { isOutOfSpace, reservePath } from '../storage/disk.ts';
import type { Archived } from './archive.ts';
import { archive, backUp, type Contents, compact, databasePath, restore } from './backup.ts';
import { databaseFileError, readEverything } from './database-file.ts';
import { exitProcess } from './exit.ts';
import { waitForLock } from './lock.ts';
import { type Failpoints, openStore, type Store, type StoreOptions } from './store.ts';

const EXIT_FATAL = 70;
const EXIT_USAGE = 64;
const USAGE = `usage: npm run store -- --data DIR --port N [--accept-loss]
       npm run store -- backup --data DIR --to FILE    (the store may be running)
       npm run store -- archive --data DIR --to FOLDER [--earlier FOLDER]… (the store may be running)
       npm run store -- restore --data DIR --from FILE|FOLDER (into a folder without a store)
       npm run store -- compact --data DIR             (the store must not be running)`;
const LOCK_WAIT_MS = 3_000;

const { values: options, positionals } = parseCommandLine();
const { data = '', to = '', from = '' } = options;
const [task = 'serve'] = positionals;

if (task === 'serve' && data && (options.port === undefined) !== (options.socket === undefined))
  await start(data, options.socket, parsePort(options.port));
else if (task === 'read' && from) await readEverything(from);
else if (task === 'backup' && data && to) await runMaintenance(backUp(data, to));
else if (task === 'archive' && data && to) await runInBackground(() => archive(data, to, options.earlier));
else if (task === 'restore' && data && from) await runMaintenance(restore(data, from));
else if (task === 'compact' && data) await runMaintenance(compact(data));
else exitWithUsage();

function parseCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        data: { type: 'string' },
        port: { type: 'string' },
        socket: { type: 'string' },
        to: { type: 'string' },
        from: { type: 'string' },
        earlier: { type: 'string', multiple: true, default: [] },
        supervised: { type: 'boolean', default: false },
        'ttl-seconds': { type: 'string', default: '60' },
        'verify-seconds': { type: 'string', default: '86400' },
        'test-commands': { type: 'string' },
        'accept-loss': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return exitWithUsage(error instanceof Error ? error.message : String(error));
  }
}

function parsePort(port = '0'): number {
  return /^\d{1,5}$/.test(port) && Number(port) < 65_536
    ? Number(port)
    : exitWithUsage(`--port ${port} is not a port number: use 0 (any free port) to 65535.`);
}

function exitWithUsage(message?: string): never {
  console.error(message ? `${message}\n${USAGE}` : USAGE);
  exitProcess(EXIT_USAGE);
}

async function runMaintenance(work: Promise<Contents & Partial<Archived>>): Promise<void> {
  try {
    const { collections, documents, bytes, newBytes } = await work;
    const size = bytes === undefined ? '' : `, ${bytes} bytes, ${newBytes} new`;
    console.log(`done: ${collections} collections, ${documents} documents verified${size}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    exitProcess(EXIT_FATAL);
  }
}

// Does not delay the store and the API, and ends with a supervising process.
async function runInBackground(work: () => Promise<Archived>): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  if (options.supervised) process.stdin.on('end', exitWithParent).on('error', exitWithParent).resume();
  await runMaintenance(work());
  process.stdin.pause();
}

async function loadFailpoints(module: string | undefined): Promise<Failpoints | undefined> {
  return module === undefined ? undefined : (await import(resolve(module))).createFailpoints();
}

function exitWithParent(): never {
  exitProcess(EXIT_FATAL);
}

async function start(folder: string, socketPath: string | undefined, port: number): Promise<void> {
  // When a commit fails, lmdb also rejects promises that nobody awaits. The commit itself reports the error to its
  // caller.
  process.on('unhandledRejection', handleUncaught);
  process.on('uncaughtException', handleUncaught);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const lock = await acquireLockOrExit(folder);
  const acceptLoss = options['accept-loss'];
  const fileError = databaseFileError(databasePath(folder), { acceptLoss });
  if (fileError) {
    console.error(fileError);
    lock.release();
    exitProcess(EXIT_FATAL);
  }
  const sockets = new Set<Socket>();
  const onFatal = (reason: string) => {
    for (const socket of sockets) socket.destroy();
    killProcess(reason);
  };
  const store = openStoreOrExit(folder, lock, {
    path: databasePath(folder),
    address: socketPath ?? '',
    ttlSeconds: Number(options['ttl-seconds']),
    verifySeconds: Number(options['verify-seconds']),
    failpoints: await loadFailpoints(options['test-commands']),
    acceptLoss,
    log,
    onFatal,
  });
  const server = createServer((socket) => accept(store, socket, sockets));
  // kill -9 leaves the socket file behind; only the holder of the lock may remove it.
  if (socketPath) rmSync(socketPath, { force: true });
  store.address = await listen(server, socketPath, port).catch(async (error: NodeJS.ErrnoException) => {
    console.error(
      error.code === 'EADDRINUSE'
        ? `Port ${port} is in use. Stop the process that uses it, or choose another --port.`
        : error.message,
    );
    await store.close();
    lock.release();
    exitProcess(EXIT_FATAL);
  });

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    server.close();
    for (const socket of sockets) socket.destroy();
    await store.close();
    if (socketPath) rmSync(socketPath, { force: true });
    lock.release();
    exitProcess(0);
  };
  if (options.supervised) {
    // Ctrl-C and service managers signal the whole process group. The parent may still need the store for open requests
    // and closes the pipe when it has finished.
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => log('still running until the parent process ends'));
    process.stdin.on('end', stop).on('error', stop).on('close', stop).resume();
  } else {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
    console.error('Every user of this machine can connect to this port: there is no password.');
  }
  console.log(`ready ${uriOf(store.address, socketPath)}`);
}

function openStoreOrExit(folder: string, lock: { release(): void }, options: StoreOptions): Store {
  try {
    return openStore(options);
  } catch (error) {
    if (isOutOfSpace(error)) {
      lock.release();
      exitBecauseFull(folder);
    }
    console.error(`The store in ${folder} cannot be opened: ${error instanceof Error ? error.message : error}`);
    lock.release();
    exitProcess(EXIT_FATAL);
  }
}

function exitBecauseFull(folder: string): never {
  console.error(`The disk of ${folder} is full: not even a lock file can be written. Free a few MiB and start again.`);
  exitProcess(EXIT_FATAL);
}

function accept(store: Store, socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  serveConnection(
    socket,
    (request, connection) => dispatch(store, request, connection),
    log,
    (connection) => store.transactions.connectionLost(connection.id),
  );
}

function listen(server: Server, socketPath: string | undefined, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const listening = () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? `127.0.0.1:${address.port}` : String(address));
    };
    if (socketPath) server.listen(socketPath, listening);
    else server.listen(port, '127.0.0.1', listening);
  });
}

function uriOf(address: string, socketPath: string | undefined): string {
  return `mongodb://${socketPath ? encodeURIComponent(socketPath) : address}/?directConnection=true`;
}

async function acquireLockOrExit(folder: string): Promise<{ release(): void }> {
  // A supervisor would restart this process, so name it as the one to stop.
  const acquire = () => waitForLock(folder, LOCK_WAIT_MS, options.supervised ? process.ppid : undefined);
  try {
    return await acquire().catch((error: unknown) => {
      if (!isOutOfSpace(error)) throw error;
      rmSync(reservePath(folder), { force: true });
      return acquire();
    });
  } catch (error) {
    if (isOutOfSpace(error)) exitBecauseFull(folder);
    console.error(error instanceof Error ? error.message : error);
    exitProcess(EXIT_FATAL);
  }
}

function log(line: string): void {
  console.error(line);
}

function handleUncaught(error: unknown): void {
  // A failed commit of lmdb, which its caller has reported.
  if (
    error instanceof Error &&
    (error.message.startsWith('Commit failed') || /MDB_|space left|Input\/output/i.test(error.message))
  )
    return;
  killProcess(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

// process.exit would wait for storage threads, which may wait for this thread. Acknowledged writes are on disk.
function killProcess(reason: string): void {
  log(`fatal: ${reason}`);
  process.kill(process.pid, 'SIGKILL');
}
