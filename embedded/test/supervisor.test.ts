import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterEach, expect, test } from 'vitest';
import { type StoreHandle, startStore } from '../process/supervisor.ts';

const folders: string[] = [];
const stores: StoreHandle[] = [];
const lines: string[] = [];

afterEach(async () => {
  for (const store of stores.splice(0)) await store.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  lines.length = 0;
});

function freshFolder(name = ''): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'Store-Starter-')), name);
  folders.push(folder);
  return folder;
}

async function start(dataDir: string): Promise<StoreHandle> {
  const store = await startStore({
    dataDir,
    log: (line) => lines.push(line),
    onFatal: (reason) => lines.push(`FATAL ${reason}`),
  });
  stores.push(store);
  return store;
}

async function ping(uri: string): Promise<void> {
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 5_000 });
  await client.db('t').command({ ping: 1 });
  await client.close();
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await after(20);
}

test('rejects a data folder in use with an error that names the holder', async () => {
  const folder = freshFolder();
  const store = await start(folder);
  await expect(start(folder)).rejects.toThrow(
    `The data folder ${folder} is in use by process ${process.pid}; stop that process first.`,
  );
  await ping(store.uri);
});

test('makes the data folder accessible only to its owner', async () => {
  const folder = freshFolder('data');
  mkdirSync(folder, { mode: 0o755 });
  await start(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('uses a short socket path in another folder if the path is too long', async () => {
  const folder = freshFolder('a-very-long-name-'.repeat(8));
  const store = await start(folder);
  const socket = decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(store.uri)?.[1] ?? '');
  expect(socket.length).toBeLessThanOrEqual(107);
  expect(statSync(join(socket, '..')).mode & 0o777).toBe(0o700);
  await ping(store.uri);
  await store.stop();
  expect(existsSync(join(socket, '..'))).toBe(false);
});

test('restarts a killed store on the same address', async () => {
  const store = await start(freshFolder());
  const client = await MongoClient.connect(store.uri);
  const items = client.db('t').collection<{ _id: number }>('items');
  await items.insertOne({ _id: 1 });
  const first = store.pid();
  process.kill(first, 'SIGKILL');
  await until(() => store.pid() !== first);
  expect(await items.findOne({ _id: 1 })).toEqual({ _id: 1 });
  await client.close();
});

test('explains an exit caused by an unreadable file, and restarts the store', async () => {
  const folder = freshFolder();
  const store = await start(folder);
  const first = store.pid();
  process.kill(first, 'SIGBUS');
  await until(() => store.pid() !== first);
  expect(lines[0]).toMatch(
    `the embedded store ended (SIGBUS): the database file in ${folder} is truncated or unreadable.`,
  );
  await ping(store.uri);
});

test('ignores SIGINT and SIGTERM of the process group until the parent process ends', async () => {
  const store = await start(freshFolder());
  const first = store.pid();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(first, signal);
  await until(() => lines.filter((line) => line === 'still running until the parent process ends').length === 2);
  await ping(store.uri);
  expect(store.pid()).toBe(first);
  await store.stop();
  expect(existsSync(`/proc/${first}`)).toBe(false);
});

test('reports five exits within a minute as fatal, with the last lines', { timeout: 30_000 }, async () => {
  const folder = freshFolder();
  const store = await start(folder);
  for (let death = 0; death < 5; death++) {
    const pid = store.pid();
    process.kill(pid, 'SIGKILL');
    await until(() => store.pid() !== pid || lines.some((line) => line.startsWith('FATAL')));
  }
  expect(lines.find((line) => line.startsWith('FATAL'))).toContain('ended 5 times within a minute');
});

test('replaces the lock and socket of a dead process', async () => {
  const folder = freshFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'lock'),
    JSON.stringify({ pid: 999_999_999, started: '1', boot: 'other', host: (await import('node:os')).hostname() }),
  );
  writeFileSync(join(folder, 'store.sock'), '');
  const store = await start(folder);
  await ping(store.uri);
  await store.stop();
  expect(readdirSync(folder).filter((name) => /^lock|sock$/.test(name))).toEqual([]);
});

test('ends the store when its parent is killed', async () => {
  const folder = freshFolder();
  const starter = JSON.stringify(join(import.meta.dirname, '../process/supervisor.ts'));
  const script = `
    const { startStore } = await import(${starter});
    const store = await startStore({ dataDir: ${JSON.stringify(folder)}, log: () => {}, onFatal: () => {} });
    console.log(store.pid());`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = Number(
    await new Promise<string>((resolve) => parent.stdout.once('data', (chunk: Buffer) => resolve(String(chunk)))),
  );
  parent.kill('SIGKILL');
  await until(() => hasEnded(pid));
  const again = await start(folder);
  await ping(again.uri);
});

// In a container without an init process, an ended orphan remains as a zombie.
function hasEnded(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.startsWith('Z') === true;
  } catch {
    return true;
  }
}
