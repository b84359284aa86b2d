import { type ChildProcess, execFileSync, fork, spawn, spawnSync } from 'node:child_process';
import { on, once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { installPeer } from './install-peer.ts';
import { type System, withChildren } from './system.ts';

/** Job queues of others, each with what stores its jobs, durable like ours: this Redis writes every command to disk before it answers. */
export const PEERS = {
  'graphile-worker': { name: 'Graphile Worker on PostgreSQL', serve: postgres },
  'pg-boss': { name: 'pg-boss on PostgreSQL', serve: postgres },
  bullmq: { name: 'BullMQ on Redis (fsync always)', serve: redis },
};
export type Peer = keyof typeof PEERS;

/** Starts one of them with a server of its own, on a unix socket as our store is; answers with why it could not, if it could not. */
export async function startPeer(peer: Peer): Promise<System | string> {
  const missing = installPeer(import.meta.dirname, home, FILES);
  if (missing) return missing;
  const { name, serve } = PEERS[peer];
  const server = await serve();
  if (typeof server === 'string') return server;
  try {
    return await resident(name, `${peer}.mjs`, server);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

type Server = { address: string; pid: number; stop(): Promise<void> };
type Deed =
  | { deed: 'queue'; jobs: number }
  | { deed: 'drain'; workers: number; jobs: number }
  | { deed: 'waits'; count: number };

const home = join(import.meta.dirname, '../../node_modules/.cache/bench-peers');
const FILES = ['package.json', 'package-lock.json', 'resident.mjs', ...Object.keys(PEERS).map((peer) => `${peer}.mjs`)];

/** A process that does what it is told: it is asked by messages, and answers with one; `begun` is one that comes before. It has the same flags of Node as this one. */
async function resident(name: string, script: string, server: Server): Promise<System> {
  const child = fork(join(home, script), [server.address]);
  const said = on(child, 'message', { close: ['exit'] });
  async function answer(begun = () => {}): Promise<unknown> {
    for (;;) {
      const { value, done } = await said.next();
      if (done) throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}; what it said stands above`);
      const [message] = value;
      if (message !== 'begun') return message.answer;
      begun();
    }
  }
  const told = (deed: Deed, begun?: () => void) => {
    child.send(deed);
    return answer(begun);
  };
  await answer();
  return {
    name,
    queue: async (jobs) => void (await told({ deed: 'queue', jobs })),
    drain: async (workers, jobs, begun) => Number(await told({ deed: 'drain', workers, jobs }, begun)),
    waits: async (count) => (await told({ deed: 'waits', count })) as number[],
    processes: () => [child.pid ?? 0, server.pid].flatMap(withChildren),
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
  if (!bin) return 'there is no PostgreSQL (apt-get install postgresql)';
  // It refuses to run as root.
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
  return running(
    server,
    folder,
    address,
    () => spawnSync(join(bin, 'pg_isready'), ['-h', folder], { stdio: 'ignore' }).status === 0,
  );
}

async function redis(): Promise<Server | string> {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0)
    return 'there is no Redis (apt-get install redis-server)';
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
  return running(server, folder, address, () => existsSync(address));
}

async function running(server: ChildProcess, folder: string, address: string, isReady: () => boolean): Promise<Server> {
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  while (!isReady()) {
    if (server.exitCode !== null) throw new Error(`${server.spawnfile} ended with ${server.exitCode}`);
    await pause(50);
  }
  return { address, pid: server.pid ?? 0, stop };
}
