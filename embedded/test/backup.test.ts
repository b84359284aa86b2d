import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { type Collection, type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp } from '../process/backup.ts';
import { startStore } from '../process/supervisor.ts';
import { openRecentCommits } from '../storage/recent.ts';
import { startProcess } from './store-process.ts';

type Item = { _id: number; text: string };

const home = mkdtempSync(join(tmpdir(), 'store-backup-'));
const folder = join(home, 'data');
const COUNT = 200;

beforeAll(() =>
  withStore(folder, async (items) => {
    await items.insertMany(Array.from({ length: COUNT }, (_, _id) => ({ _id, text: `text of document ${_id}.` })));
    await items.createIndex({ text: 1 });
  }),
);
afterAll(() => rmSync(home, { recursive: true, force: true }));

type Items = Collection<Item>;

async function withStore(dataDir: string, work: (items: Items, db: Db) => Promise<void>): Promise<void> {
  const store = await startStore({ dataDir, log: () => undefined, onFatal: () => undefined });
  const client = await MongoClient.connect(store.uri);
  try {
    await work(client.db('t').collection<Item>('items'), client.db('t'));
  } finally {
    await client.close();
    await store.stop();
  }
}

function maintain(...words: string[]): string {
  return execFileSync(process.execPath, [join(import.meta.dirname, '../process/main.ts'), ...words], {
    encoding: 'utf8',
    stdio: 'pipe',
    timeout: 20_000,
  });
}

test('a backup of a running store can be restored', async () => {
  const file = join(home, 'backup');
  await withStore(folder, async (items) => {
    expect(maintain('backup', '--data', folder, '--to', file)).toContain(`${COUNT} documents verified`);
    await items.insertOne({ _id: 9999, text: 'later' });
    expect(() => maintain('compact', '--data', folder)).toThrow('is in use by process');
    await items.deleteOne({ _id: 9999 });
  });
  expect(() => maintain('restore', '--data', folder, '--from', file)).toThrow('already contains a store');
  maintain('restore', '--data', join(home, 'restored'), '--from', file);
  await withStore(join(home, 'restored'), async (items) => {
    expect(await items.countDocuments()).toBe(COUNT);
    expect(await items.findOne({ text: 'text of document 7.' })).toEqual({ _id: 7, text: 'text of document 7.' });
  });
});

test('a backup needs no journal, however often the store has written its data file', async () => {
  const dataDir = join(home, 'flushed');
  await withStore(dataDir, async (items) => {
    for (let n = 0; n < 6; n++) {
      // too large for the journal, so that each commit writes the data file
      await items.insertOne({ _id: n, text: 'x'.repeat(200_000) });
      const file = join(home, `flushed-${n}`);
      await backUp(dataDir, file);
      const environment = open<Buffer, Buffer>({
        path: file,
        encoding: 'binary',
        keyEncoding: 'binary',
        noSubdir: true,
      });
      openRecentCommits(environment, file).close();
      await environment.close();
    }
  });
});

test('backups and compaction include commits that are only in the journal, also after a kill', async () => {
  const crashed = join(home, 'crashed');
  const store = await startProcess(crashed);
  const client = await MongoClient.connect(store.uri ?? '');
  const items = client.db('t').collection<Item>('items');
  const file = join(home, 'of-the-journal');
  await items.insertOne({ _id: 0, text: 'in the data file' });
  // Each is in the journal when it is acknowledged; the data file takes over commits older than two seconds.
  for (let _id = 1; _id < 10; _id++) await items.insertOne({ _id, text: 'recent' });
  maintain('backup', '--data', crashed, '--to', file);
  await items.insertOne({ _id: 10, text: 'after the backup' });
  await client.close();
  store.child.kill('SIGKILL');
  await store.ended;
  expect(maintain('backup', '--data', crashed, '--to', join(home, 'of-the-crashed'))).toContain('11 documents');
  expect(maintain('compact', '--data', crashed)).toContain('11 documents');
  const restored = join(home, 'restored-journal');
  maintain('restore', '--data', restored, '--from', file);
  for (const [dataDir, count] of [
    [crashed, 11],
    [restored, 10],
  ] as const)
    await withStore(dataDir, async (items) =>
      expect(
        await items
          .find()
          .sort({ _id: 1 })
          .map(({ _id }) => _id)
          .toArray(),
      ).toEqual([...Array(count).keys()]),
    );
});

test('neither opens a store nor backs it up if part of its journal is lost', async () => {
  const lossy = join(home, 'lossy');
  const store = await startProcess(lossy);
  const client = await MongoClient.connect(store.uri ?? '');
  for (let _id = 0; _id < 10; _id++) await client.db('t').collection<Item>('items').insertOne({ _id, text: 'recent' });
  store.child.kill('SIGKILL');
  await store.ended;
  await client.close();
  const path = join(lossy, 'journal');
  const whole = readFileSync(path);
  writeFileSync(path, Buffer.from(whole).fill(0, 4096, 4096 + 16));
  expect(() => maintain('--data', lossy, '--port', '0')).toThrow(
    `The store in ${lossy} cannot be opened: ${path} is damaged`,
  );
  expect(() => maintain('backup', '--data', lossy, '--to', join(home, 'of-the-lossy'))).toThrow(`${path} is damaged`);
  writeFileSync(path, whole);
  await withStore(lossy, async (items) => expect(await items.countDocuments()).toBe(10));
});

test('restores nothing from a file that is not a complete backup', () => {
  const [file, into] = [join(home, 'no-backup'), join(home, 'unborn')];
  const refused = (why: RegExp) => expect(() => maintain('restore', '--data', into, '--from', file)).toThrow(why);
  writeFileSync(file, 'x'.repeat(10_000));
  refused(/no-backup is not a store, or its beginning is damaged/);
  const whole = readFileSync(join(folder, 'store.mdb'));
  writeFileSync(file, whole.subarray(0, whole.length / 2));
  refused(/no-backup is truncated: \d+ of \d+ bytes/);
  expect(existsSync(into) ? readdirSync(into) : []).toEqual([]);
});

test('keeps all documents when a store is compacted', async () => {
  expect(maintain('compact', '--data', folder)).toContain(`${COUNT} documents`);
  await withStore(folder, async (items) => expect(await items.countDocuments()).toBe(COUNT));
});

test('does not open a file that is not a store, and leaves it unchanged', async () => {
  const strange = join(home, 'strange');
  mkdirSync(strange);
  writeFileSync(join(strange, 'store.mdb'), 'x'.repeat(10_000));
  await expect(startStore({ dataDir: strange, log: () => undefined, onFatal: () => undefined })).rejects.toThrow(
    'is not a store, or its beginning is damaged',
  );
  expect(readFileSync(join(strange, 'store.mdb'), 'utf8')).toBe('x'.repeat(10_000));
});

test('does not create an empty store beside the journal of a missing one', async () => {
  const lost = join(home, 'lost');
  cpSync(folder, lost, { recursive: true });
  rmSync(join(lost, 'store.mdb'));
  const start = () => startStore({ dataDir: lost, log: () => undefined, onFatal: () => undefined });
  await expect(start()).rejects.toThrow(/store\.mdb is missing, but its journal .*journal exists/);
  expect(existsSync(join(lost, 'store.mdb'))).toBe(false);
  rmSync(join(lost, 'journal'));
  await withStore(lost, async (items) => expect(await items.countDocuments()).toBe(0));
});

test('does not open a truncated file, and leaves it unchanged', async () => {
  const cut = join(home, 'cut');
  mkdirSync(cut);
  const half = readFileSync(join(folder, 'store.mdb')).subarray(0, 3 * 4096);
  writeFileSync(join(cut, 'store.mdb'), half);
  await expect(startStore({ dataDir: cut, log: () => undefined, onFatal: () => undefined })).rejects.toThrow(
    /is truncated/,
  );
  expect(readFileSync(join(cut, 'store.mdb')).subarray(0, half.length).equals(half)).toBe(true);
});

test('reports a damaged document on each read, in validate and in a backup, and never returns it', async () => {
  const path = join(folder, 'store.mdb');
  const whole = readFileSync(path);
  const broken = Buffer.from(whole);
  // In a document the text ends with its own zero byte; an index entry has none before the end of the field.
  for (let n = 0; n < COUNT; n++) {
    for (
      let at = broken.indexOf(`text of document ${n}.\0\0`);
      at >= 0;
      at = broken.indexOf(`text of document ${n}.\0\0`, at + 1)
    )
      broken[at]! ^= 1;
  }
  writeFileSync(path, broken);
  await withStore(folder, async (items, db) => {
    let reported = 0;
    for (let _id = 0; _id < COUNT; _id++) {
      await items.findOne({ _id }).catch((error: Error) => {
        expect(error.message).toMatch(/^embedded store: damaged record \d+ of t\.items$/);
        reported++;
      });
    }
    expect(reported).toBe(COUNT);
    const { valid, errors } = await db.command({ validate: 'items' });
    const named = new Set((errors as string[]).filter((error) => /^record \d+ has a wrong checksum$/.test(error)));
    expect({ valid, named: named.size }).toEqual({ valid: false, named: COUNT });
  });
  expect(() => maintain('backup', '--data', folder, '--to', join(home, 'broken'))).toThrow(
    `${COUNT} damaged records in t.items`,
  );
  writeFileSync(path, whole);
});

test('rejects invalid arguments with a message and without creating anything', async () => {
  const nowhere = join(home, 'nowhere');
  expect(() => maintain('compact', '--data', nowhere)).toThrow(`There is no store in ${nowhere}.`);
  expect(() => maintain('restore', '--data', nowhere, '--from', join(home, 'none'))).toThrow(
    /The backup .* does not exist/,
  );
  for (const words of [['--port'], ['--wings'], ['--port', 'abc'], ['--port', '65536']])
    expect(() => maintain(...words, '--data', nowhere)).toThrow(/usage: npm run store/);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  expect(() => maintain('--data', join(home, 'elsewhere'), '--port', String(port))).toThrow(
    `Port ${port} is in use. Stop the process that uses it, or choose another`,
  );
  taken.close();
  expect(readdirSync(join(home, 'elsewhere'))).not.toContain('lock');
  expect(existsSync(nowhere)).toBe(false);
});
