// The process of the embedded store. `npm run store -- --data DIR --port N` opens it by hand on a loopback port.
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { serveConnection } from '../protocol/connection.ts';
import { dispatch } from '../protocol/dispatch.ts';
import { backUp, type Contents, compact, databaseIn, restore } from './backup.ts';
import { fileFault } from './database-file.ts';
import { type Engine, type EngineOptions, openEngine } from './engine.ts';
import { awaitLock } from './lock.ts';

const EXIT_FATAL = 70;
const EXIT_USAGE = 64;
const USAGE = `usage: npm run store -- --data DIR --port N
       npm run store -- backup --data DIR --to FILE    (also while the store runs)
       npm run store -- restore --data DIR --from FILE (into a folder without a store)
       npm run store -- compact --data DIR             (while it does not run)`;
const LOCK_PATIENCE_MS = 3_000;

const { values: given, positionals } = commandLine();
const { data = '', to = '', from = '' } = given;
const [task = 'serve'] = positionals;

if (task === 'serve' && data && (given.port === undefined) !== (given.socket === undefined))
  await start(data, given.socket, portOf(given.port));
else if (task === 'backup' && data && to) await maintain(backUp(data, to));
else if (task === 'restore' && data && from) await maintain(restore(data, from));
else if (task === 'compact' && data) await maintain(compact(data));
else misused();

function commandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        data: { type: 'string' },
        port: { type: 'string' },
        socket: { type: 'string' },
        to: { type: 'string' },
        from: { type: 'string' },
        supervised: { type: 'boolean', default: false },
        'ttl-seconds': { type: 'string', default: '60' },
        'test-commands': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
}

function portOf(port = '0'): number {
  return /^\d{1,5}$/.test(port) && Number(port) < 65_536
    ? Number(port)
    : misused(`--port ${port} is no port: a number from 0 (any that is free) to 65535.`);
}

function misused(fault?: string): never {
  console.error(fault ? `${fault}\n${USAGE}` : USAGE);
  process.exit(EXIT_USAGE);
}

async function maintain(work: Promise<Contents>): Promise<void> {
  try {
    const { collections, documents } = await work;
    console.log(`done: ${collections} collections, ${documents} documents, all checked`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(EXIT_FATAL);
  }
}

async function start(folder: string, socketPath: string | undefined, port: number): Promise<void> {
  // lmdb leaves promises nobody listens to when a commit fails; the commit itself is answered where it was awaited.
  process.on('unhandledRejection', meetStray);
  process.on('uncaughtException', meetStray);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const lock = await lockOrLeave(folder);
  const fault = fileFault(databaseIn(folder));
  if (fault) {
    console.error(fault);
    lock.release();
    process.exit(EXIT_FATAL);
  }
  const sockets = new Set<Socket>();
  const onFatal = (reason: string) => {
    for (const socket of sockets) socket.destroy();
    die(reason);
  };
  const engine = openOrLeave(folder, lock, {
    path: databaseIn(folder),
    address: socketPath ?? '',
    ttlSeconds: Number(given['ttl-seconds']),
    testCommands: given['test-commands'],
    log,
    onFatal,
  });
  const server = createServer((socket) => accept(engine, socket, sockets));
  // After kill -9 the socket file stays behind; only the holder of the lock may remove it.
  if (socketPath) rmSync(socketPath, { force: true });
  engine.address = await listen(server, socketPath, port).catch(async (error: NodeJS.ErrnoException) => {
    console.error(
      error.code === 'EADDRINUSE'
        ? `Port ${port} is in use; stop what uses it, or give another --port.`
        : error.message,
    );
    await engine.close();
    lock.release();
    process.exit(EXIT_FATAL);
  });

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    server.close();
    for (const socket of sockets) socket.destroy();
    await engine.close();
    if (socketPath) rmSync(socketPath, { force: true });
    lock.release();
    process.exit(0);
  };
  if (given.supervised) {
    // Ctrl-C and service managers reach the whole group; the parent still has answers to give and closes the pipe when it is done.
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => log('left running until the parent is done'));
    process.stdin.on('end', stop).on('error', stop).on('close', stop).resume();
  } else {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
    console.error('Any user of this machine can reach this port; there is no password.');
  }
  console.log(`ready ${uriOf(engine.address, socketPath)}`);
}

function openOrLeave(folder: string, lock: { release(): void }, options: EngineOptions): Engine {
  try {
    return openEngine(options);
  } catch (error) {
    console.error(`The store in ${folder} cannot be opened: ${error instanceof Error ? error.message : error}`);
    lock.release();
    process.exit(EXIT_FATAL);
  }
}

function accept(engine: Engine, socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  serveConnection(
    socket,
    (request, connection) => dispatch(engine, request, connection),
    log,
    (connection) => engine.transactions.connectionLost(connection.id),
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

async function lockOrLeave(folder: string): Promise<{ release(): void }> {
  try {
    // Under a supervisor that is the one to stop: it would start this process again.
    return await awaitLock(folder, LOCK_PATIENCE_MS, given.supervised ? process.ppid : undefined);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(EXIT_FATAL);
  }
}

function log(line: string): void {
  console.error(line);
}

function meetStray(error: unknown): void {
  if (
    error instanceof Error &&
    (error.message.startsWith('Commit failed') || /MDB_|space left|Input\/output/i.test(error.message))
  )
    return;
  die(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

// Not process.exit: it waits for the threads of the storage, which may wait for us. All that was acknowledged is on disk.
function die(reason: string): void {
  log(`fatal: ${reason}`);
  process.kill(process.pid, 'SIGKILL');
}
