// Job queues of others on servers of their own, durable like ours, started for this run. What cannot be run says why.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPeer } from './install-peer.ts';

/** Jobs claimed and completed a second by so many workers, and milliseconds from queued to claimed. */
export type Figures = { perSecond: Record<string, number>; waits: number[] };
export type Peer = { name: string; figures: Figures } | { name: string; notRun: string };
type Size = { jobs: number; waits: number; workers: readonly number[] };

/** Measures those of pg-boss and Graphile Worker on PostgreSQL and BullMQ on Redis that are named; this Redis writes every command to disk before it answers. */
export async function peers(size: Size, names: readonly string[]): Promise<Peer[]> {
  if (!names.length) return [];
  const missing = installed();
  const found: Peer[] = [];
  if (names.includes('pg-boss')) found.push(await peer('pg-boss on PostgreSQL', missing, () => onPostgres('pg-boss.mjs', size)));
  if (names.includes('graphile-worker'))
    found.push(await peer('Graphile Worker on PostgreSQL', missing, () => onPostgres('graphile-worker.mjs', size)));
  if (names.includes('bullmq')) found.push(await peer('BullMQ on Redis (fsync always)', missing, () => onRedis(size)));
  return found;
}

async function peer(name: string, missing: string | null, measure: () => Promise<Figures | string>): Promise<Peer> {
  const found = missing ?? (await measure());
  return typeof found === 'string' ? { name, notRun: found } : { name, figures: found };
}

const home = new URL('../../node_modules/.cache/bench-peers/', import.meta.url).pathname;

function installed(): string | null {
  return installPeer(import.meta.dirname, home, ['package.json', 'package-lock.json', 'pg-boss.mjs', 'graphile-worker.mjs', 'bullmq.mjs']);
}

async function onPostgres(script: string, size: Size): Promise<Figures | string> {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').sort() : [];
  const bin = versions.length ? `/usr/lib/postgresql/${versions.at(-1)}/bin` : null;
  if (!bin) return 'there is no PostgreSQL (apt-get install postgresql)';
  // It refuses to run as root.
  const user =
    process.getuid?.() === 0 ? { uid: Number(execFileSync('id', ['-u', 'postgres'])), gid: Number(execFileSync('id', ['-g', 'postgres'])) } : {};
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const port = await freePort();
  execFileSync(join(bin, 'initdb'), ['-D', folder, '-U', 'bench', '--auth=trust', '-E', 'UTF8'], { ...user, cwd: folder, stdio: 'ignore' });
  const options = ['-D', folder, '-p', String(port), '-h', '127.0.0.1', '-k', folder];
  const server = spawn(join(bin, 'postgres'), options, { ...user, cwd: folder, stdio: 'ignore' });
  return withServer(server, port, folder, async () => {
    const ready = join(bin, 'pg_isready');
    while (spawnSync(ready, ['-h', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' }).status !== 0) await pause();
    return measured(script, `postgres://bench@127.0.0.1:${port}/postgres`, size);
  });
}

async function onRedis(size: Size): Promise<Figures | string> {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0) return 'there is no Redis (apt-get install redis-server)';
  const folder = mkdtempSync(join(tmpdir(), 'bench-redis-'));
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always'];
  const server = spawn('redis-server', options, { stdio: 'ignore' });
  return withServer(server, port, folder, () => measured('bullmq.mjs', String(port), size));
}

async function withServer<T>(server: ChildProcess, port: number, folder: string, deed: () => Promise<T>): Promise<T> {
  try {
    while (!(await listens(port))) await pause();
    return await deed();
  } finally {
    const ended = once(server, 'exit');
    if (server.exitCode === null) {
      server.kill('SIGINT');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(script: string, address: string, { jobs, waits, workers }: Size): Promise<Figures | string> {
  const given = [join(home, script), address, String(jobs), String(waits), ...workers.map(String)];
  const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  const line = said.split('\n').find((line) => line.startsWith('{'));
  return code === 0 && line ? (JSON.parse(line) as Figures) : `it ended with ${code}`;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
