import { type ChildProcess, execFileSync, fork, spawn, spawnSync } from 'node:child_process';
import { on, once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { installPeer } from './install-peer.ts';
import { type JobQueue, processTree } from './job-queue.ts';

/**
 * Other job queues with their servers, configured for durability: Redis writes every command to disk before it
 * responds.
 */
export const PEERS = {
  'graphile-worker': { name: 'Graphile Worker on PostgreSQL', serve: postgres },
  'pg-boss': { name: 'pg-boss on PostgreSQL', serve: postgres },
  bullmq: { name: 'BullMQ on Redis (fsync always)', serve: redis },
};
export type Peer = keyof typeof PEERS;

/** Starts a peer with its own server on a Unix socket. Returns the reason if it is not available. */
export async function startPeer(peer: Peer): Promise<JobQueue | string> {
  const reason = installPeer(import.meta.dirname, home, FILES);
  if (reason) return reason;
  const { name, serve } = PEERS[peer];
  const server = await serve();
  if (typeof server === 'string') return server;
  try {
    return await startProcess(name, `${peer}.mjs`, server);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

type Server = { address: string; pid: number; stop(): Promise<void> };
type PeerCommand =
  | { command: 'queue'; jobs: number }
  | { command: 'drain'; workers: number; jobs: number }
  | { command: 'claimLatencies'; count: number };

const home = join(import.meta.dirname, '../../node_modules/.cache/bench-peers');
const FILES = [
  'package.json',
  'package-lock.json',
  'peer-process.mjs',
  ...Object.keys(PEERS).map((peer) => `${peer}.mjs`),
];

/**
 * Starts the process of a peer with this process's Node flags. It handles commands sent as messages; see
 * peer-process.mjs.
 */
async function startProcess(name: string, script: string, server: Server): Promise<JobQueue> {
  const child = fork(join(home, script), [server.address]);
  const messages = on(child, 'message', { close: ['exit'] });
  async function nextResult(onStart = () => {}): Promise<unknown> {
    for (;;) {
      const { value, done } = await messages.next();
      if (done) throw new Error(`${name} exited with ${child.exitCode ?? child.signalCode}; see its output above`);
      const [message] = value;
      if (message !== 'started') return message.result;
      onStart();
    }
  }
  const run = (command: PeerCommand, onStart?: () => void) => {
    child.send(command);
    return nextResult(onStart);
  };
  await nextResult();
  return {
    name,
    queue: async (jobs) => void (await run({ command: 'queue', jobs })),
    drain: async (workers, jobs, onStart) => Number(await run({ command: 'drain', workers, jobs }, onStart)),
    claimLatencies: async (count) => (await run({ command: 'claimLatencies', count })) as number[],
    processes: () => [child.pid ?? 0, server.pid].flatMap(processTree),
    stop: async () => {
      if (child.connected) child.disconnect();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await server.stop();
    },
  };
}

async function postgres(): Promise<Server | string> {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').sort() : [];
  const bin = versions.length ? `/usr/lib/postgresql/${versions.at(-1)}/bin` : null;
  if (!bin) return 'PostgreSQL is not installed (apt-get install postgresql)';
  // PostgreSQL refuses to run as root.
  const user =
    process.getuid?.() === 0
      ? { uid: Number(execFileSync('id', ['-u', 'postgres'])), gid: Number(execFileSync('id', ['-g', 'postgres'])) }
      : {};
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  execFileSync(join(bin, 'initdb'), ['-D', folder, '-U', 'bench', '--auth=trust', '-E', 'UTF8'], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  const server = spawn(join(bin, 'postgres'), ['-D', folder, '-h', '', '-k', folder], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  const address = `postgres:///postgres?user=bench&host=${folder}`;
  return waitUntilReady(
    server,
    folder,
    address,
    () => spawnSync(join(bin, 'pg_isready'), ['-h', folder], { stdio: 'ignore' }).status === 0,
  );
}

async function redis(): Promise<Server | string> {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0)
    return 'Redis is not installed (apt-get install redis-server)';
  const folder = mkdtempSync(join(tmpdir(), 'bench-redis-'));
  const address = join(folder, 'socket');
  const options = [
    '--port',
    '0',
    '--unixsocket',
    address,
    '--dir',
    folder,
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
  ];
  const server = spawn('redis-server', options, { stdio: 'ignore' });
  return waitUntilReady(server, folder, address, () => existsSync(address));
}

async function waitUntilReady(
  server: ChildProcess,
  folder: string,
  address: string,
  isReady: () => boolean,
): Promise<Server> {
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  while (!isReady()) {
    if (server.exitCode !== null) throw new Error(`${server.spawnfile} exited with ${server.exitCode}`);
    await pause(50);
  }
  return { address, pid: server.pid ?? 0, stop };
}
