import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStore } from '../process/starter.ts';
import { boot } from './boot.ts';

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
    expect(maintain('backup', '--data', folder, '--to', file)).toContain(`${COUNT} documents, all checked`);
    await items.insertOne({ _id: 9999, text: 'later' });
    expect(() => maintain('compact', '--data', folder)).toThrow('is in use by process');
    await items.deleteOne({ _id: 9999 });
  });
  expect(() => maintain('restore', '--data', folder, '--from', file)).toThrow('holds a store already');
  maintain('restore', '--data', join(home, 'restored'), '--from', file);
  await withStore(join(home, 'restored'), async (items) => {
    expect(await items.countDocuments()).toBe(COUNT);
    expect(await items.findOne({ text: 'text of document 7.' })).toEqual({ _id: 7, text: 'text of document 7.' });
  });
});

test('what stands in the journal alone is in a backup and in a compacted store, also after a kill', async () => {
  const crashed = join(home, 'crashed');
  const store = await boot(crashed);
  const client = await MongoClient.connect(store.uri ?? '');
  const items = client.db('t').collection<Item>('items');
  const file = join(home, 'of-the-journal');
  await items.insertOne({ _id: 0, text: 'in the data file' });
  // Each is in the journal when it is answered; the data file takes over what is two seconds old.
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

test('a journal of which the disk lost a part is said, and nothing is answered without it', async () => {
  const lossy = join(home, 'lossy');
  const store = await boot(lossy);
  const client = await MongoClient.connect(store.uri ?? '');
  for (let _id = 0; _id < 10; _id++) await client.db('t').collection<Item>('items').insertOne({ _id, text: 'recent' });
  store.child.kill('SIGKILL');
  await store.ended;
  await client.close();
  const path = join(lossy, 'journal');
  const whole = readFileSync(path);
  writeFileSync(path, Buffer.from(whole).fill(0, 0, 16));
  expect(() => maintain('--data', lossy, '--port', '0')).toThrow(
    `The store in ${lossy} cannot be opened: ${path} is damaged`,
  );
  expect(() => maintain('backup', '--data', lossy, '--to', join(home, 'of-the-lossy'))).toThrow(`${path} is damaged`);
  writeFileSync(path, whole);
  await withStore(lossy, async (items) => expect(await items.countDocuments()).toBe(10));
});

test('of a file that is no backup nothing is left', () => {
  const [file, into] = [join(home, 'no-backup'), join(home, 'unborn')];
  const refused = (why: RegExp) => expect(() => maintain('restore', '--data', into, '--from', file)).toThrow(why);
  writeFileSync(file, 'x'.repeat(10_000));
  refused(/no-backup is no store, or its beginning is damaged/);
  const whole = readFileSync(join(folder, 'store.mdb'));
  writeFileSync(file, whole.subarray(0, whole.length / 2));
  refused(/no-backup is cut off: \d+ of \d+ bytes are there/);
  expect(existsSync(into) ? readdirSync(into) : []).toEqual([]);
});

test('a compacted store holds the same', async () => {
  expect(maintain('compact', '--data', folder)).toContain(`${COUNT} documents`);
  await withStore(folder, async (items) => expect(await items.countDocuments()).toBe(COUNT));
});

test('a file that is no store is told at the start, and left as it is', async () => {
  const strange = join(home, 'strange');
  mkdirSync(strange);
  writeFileSync(join(strange, 'store.mdb'), 'x'.repeat(10_000));
  await expect(startStore({ dataDir: strange, log: () => undefined, onFatal: () => undefined })).rejects.toThrow(
    'is no store, or its beginning is damaged',
  );
  expect(readFileSync(join(strange, 'store.mdb'), 'utf8')).toBe('x'.repeat(10_000));
});

test('a store whose file is lost is told at the start, as long as its journal is there, and no empty one takes its place', async () => {
  const lost = join(home, 'lost');
  cpSync(folder, lost, { recursive: true });
  rmSync(join(lost, 'store.mdb'));
  const start = () => startStore({ dataDir: lost, log: () => undefined, onFatal: () => undefined });
  await expect(start()).rejects.toThrow(/store\.mdb is lost: .*journal was written beside it/);
  expect(existsSync(join(lost, 'store.mdb'))).toBe(false);
  rmSync(join(lost, 'journal'));
  await withStore(lost, async (items) => expect(await items.countDocuments()).toBe(0));
});

test('a file that is cut off is told at the start, and left as it is', async () => {
  const cut = join(home, 'cut');
  mkdirSync(cut);
  const half = readFileSync(join(folder, 'store.mdb')).subarray(0, 3 * 4096);
  writeFileSync(join(cut, 'store.mdb'), half);
  await expect(startStore({ dataDir: cut, log: () => undefined, onFatal: () => undefined })).rejects.toThrow(
    /is cut off/,
  );
  expect(readFileSync(join(cut, 'store.mdb')).subarray(0, half.length).equals(half)).toBe(true);
});

test('a flipped bit in a document is reported each time, listed by validate and never served', async () => {
  const path = join(folder, 'store.mdb');
  const whole = readFileSync(path);
  const broken = Buffer.from(whole);
  // The text of a document stands before its own closing zero; in the index it stands without the full stop at the end of a field.
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
    const named = new Set(
      (errors as string[]).filter((error) => /^embedded store: damaged record \d+ of t\.items$/.test(error)),
    );
    expect({ valid, named: named.size }).toEqual({ valid: false, named: COUNT });
  });
  expect(() => maintain('backup', '--data', folder, '--to', join(home, 'broken'))).toThrow(
    `${COUNT} damaged records in t.items`,
  );
  writeFileSync(path, whole);
});

test('what cannot be is refused in a sentence, and nothing is made of it', async () => {
  const nowhere = join(home, 'nowhere');
  expect(() => maintain('compact', '--data', nowhere)).toThrow(`There is no store in ${nowhere}.`);
  expect(() => maintain('restore', '--data', nowhere, '--from', join(home, 'none'))).toThrow('There is no backup');
  for (const words of [['--port'], ['--wings'], ['--port', 'abc'], ['--port', '65536']])
    expect(() => maintain(...words, '--data', nowhere)).toThrow(/usage: npm run store/);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  expect(() => maintain('--data', join(home, 'elsewhere'), '--port', String(port))).toThrow(
    `Port ${port} is in use; stop what uses it, or give another`,
  );
  taken.close();
  expect(readdirSync(join(home, 'elsewhere'))).not.toContain('lock');
  expect(existsSync(nowhere)).toBe(false);
});
