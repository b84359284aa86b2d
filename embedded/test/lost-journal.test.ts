// The start of a store whose journal is not the one that its data file needs.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp, compact } from '../process/backup.ts';
import { startStore } from '../process/supervisor.ts';
import { startProcess } from './store-process.ts';

const home = mkdtempSync(join(tmpdir(), 'store-lost-'));
const killed = join(home, 'killed');
const COUNT = 30;
afterAll(() => rmSync(home, { recursive: true, force: true }));

// Until a process was killed before the data file took over most of the commits, which it does after two seconds.
beforeAll(async () => {
  for (;;) {
    await fillAndKill(killed);
    const folder = copyOf('probe');
    rmSync(join(folder, 'journal'));
    const { length } = await idsIn(folder, true);
    rmSync(folder, { recursive: true });
    if (length < 5) return;
    rmSync(killed, { recursive: true });
  }
});

async function fillAndKill(folder: string): Promise<void> {
  const store = await startProcess(folder);
  const client = await MongoClient.connect(store.uri ?? '', { retryWrites: false });
  for (let _id = 0; _id < COUNT; _id++) await client.db('t').collection<{ _id: number }>('items').insertOne({ _id });
  store.child.kill('SIGKILL');
  await store.ended;
  await client.close();
}

const copyOf = (name: string): string => {
  const folder = join(home, name);
  cpSync(killed, folder, { recursive: true });
  return folder;
};

const open = (dataDir: string, acceptLoss = false) =>
  startStore({ dataDir, acceptLoss, log: () => undefined, onFatal: () => undefined });

async function idsIn(dataDir: string, acceptLoss = false): Promise<number[]> {
  const store = await open(dataDir, acceptLoss);
  const client = await MongoClient.connect(store.uri);
  const ids = await client.db('t').collection<{ _id: number }>('items').find().sort({ _id: 1 }).toArray();
  await client.close();
  await store.stop();
  return ids.map(({ _id }) => _id);
}

const firstIds = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

test('a complete journal is replayed', async () => expect(await idsIn(copyOf('whole'))).toEqual(firstIds(COUNT)));

const losses: [what: string, problem: RegExp, change: (journal: string) => void][] = [
  ['missing', /journal is missing/, (path) => rmSync(path)],
  ['emptied', /journal is truncated to 0 of/, (path) => truncateSync(path, 0)],
  ['zeroed', /journal was emptied or overwritten/, (path) => writeFileSync(path, Buffer.alloc(4 * 2 ** 20))],
  ['truncated', /journal is truncated to 6000 of/, (path) => truncateSync(path, 6000)],
  ['damaged', /journal is damaged/, (path) => writeFileSync(path, flipped(readFileSync(path)))],
];

// Changes a byte in the middle of the records.
function flipped(bytes: Buffer): Buffer {
  bytes[6000]! ^= 1;
  return bytes;
}

describe.each(losses)('a journal that is %s', (what, problem, change) => {
  test('is reported, and the store starts with the last complete state only if that is accepted', async () => {
    const folder = copyOf(what);
    change(join(folder, 'journal'));
    await expect(open(folder)).rejects.toThrow(problem);
    await expect(open(folder)).rejects.toThrow(
      /The commits up to \d+ are complete \(.* contains those until .*\)\. .*start once with --accept-loss/,
    );
    await expect(backUp(folder, join(home, `backup of ${what}`))).rejects.toThrow(problem);
    await expect(compact(folder)).rejects.toThrow(problem);
    const ids = await idsIn(folder, true);
    expect(ids.length).toBeLessThan(COUNT);
    expect(ids).toEqual(firstIds(ids.length));
    if (what === 'truncated' || what === 'damaged') expect(ids.length).toBeGreaterThan(0);
    expect(await idsIn(folder)).toEqual(ids);
    expect(existsSync(join(folder, 'journal.given-up'))).toBe(what !== 'missing');
  });
});

test('the journal of another store is reported', async () => {
  const other = join(home, 'other');
  await fillAndKill(other);
  const folder = copyOf('foreign');
  copyFileSync(join(other, 'journal'), join(folder, 'journal'));
  await expect(open(folder)).rejects.toThrow(/journal belongs to another store/);
});

test('after a regular end the journal is not needed', async () => {
  const folder = copyOf('stopped');
  expect(await idsIn(folder)).toEqual(firstIds(COUNT));
  rmSync(join(folder, 'journal'));
  expect(await idsIn(folder)).toEqual(firstIds(COUNT));
});

test('a missing data file is replaced by an empty store only if that is accepted', async () => {
  const folder = copyOf('without data');
  rmSync(join(folder, 'store.mdb'));
  await expect(open(folder)).rejects.toThrow(/store\.mdb is missing, but its journal .* exists\. .*--accept-loss/);
  expect(await idsIn(folder, true)).toEqual([]);
});

test('a truncated data file is reported by each command', async () => {
  const folder = copyOf('cut');
  expect(await idsIn(folder)).toEqual(firstIds(COUNT));
  const path = join(folder, 'store.mdb');
  truncateSync(path, Math.floor(readFileSync(path).length / 2));
  const problem = /store\.mdb is truncated: \d+ of \d+ bytes\. Replace it with a backup\./;
  await expect(open(folder)).rejects.toThrow(problem);
  await expect(backUp(folder, join(home, 'backup of cut'))).rejects.toThrow(problem);
  await expect(compact(folder)).rejects.toThrow(problem);
});
