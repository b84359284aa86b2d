// Damage in the pages of indexes, which have no checksums.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startProcess } from './store-process.ts';

type Item = { _id: number; name: string };

const home = mkdtempSync(join(tmpdir(), 'store-damaged-'));
const whole = join(home, 'whole');
const COUNT = 3_000;
const ID = { projection: { _id: 1 } };
afterAll(() => rmSync(home, { recursive: true, force: true }));

const nameOf = (_id: number): string => `name ${String(_id).padStart(6, '0')}`;

async function withStore(
  folder: string,
  args: string[],
  work: (items: Collection<Item>, lines: string[], db: Db) => Promise<void>,
) {
  const store = await startProcess(folder, {}, args);
  const client = await MongoClient.connect(store.uri ?? '');
  try {
    const db = client.db('t');
    await work(db.collection<Item>('items'), store.lines, db);
  } finally {
    await client.close();
    store.child.kill('SIGTERM');
    await store.ended;
  }
}

beforeAll(() =>
  withStore(whole, [], async (items) => {
    await items.createIndex({ name: 1 });
    await items.insertMany(Array.from({ length: COUNT }, (_, _id) => ({ _id, name: nameOf(_id) })));
  }),
);

// Flips a bit in the index entry of a text, wherever the file has it: pages that are free now may have older copies.
// In an entry, the type of a string precedes the text. Returns the number of entries.
function flipEntry(bytes: Buffer, value: string, offset: number, bit: number): number {
  const text = Buffer.from(value);
  let count = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1))
    if (bytes[at - 1] === STRING_TYPE && bytes[at + text.length] === 0) {
      bytes[at + offset]! ^= bit;
      count++;
    }
  return count;
}

const STRING_TYPE = 14;

test('a damaged unique index rejects new values instead of accepting a duplicate', async () => {
  const folder = join(home, 'unique');
  await withStore(folder, [], async (items) => {
    await items.createIndex({ name: 1 }, { unique: true });
    await items.insertMany(Array.from({ length: 100 }, (_, _id) => ({ _id, name: nameOf(_id) })));
  });
  const path = join(folder, 'store.mdb');
  const bytes = readFileSync(path);
  expect(flipEntry(bytes, nameOf(42), 6, 1)).toBeGreaterThan(0);
  writeFileSync(path, bytes);
  await withStore(folder, ['--verify-seconds', '0.1'], async (items, lines) => {
    await vi.waitFor(
      () => expect(lines.join('')).toMatch(/damaged: t\.items: record \d+ is missing from index name_1/),
      {
        timeout: 20_000,
        interval: 50,
      },
    );
    for (const write of [
      () => items.insertOne({ _id: 100, name: nameOf(42) }),
      () => items.updateOne({ _id: 1 }, { $set: { name: nameOf(42) } }),
    ])
      await expect(write()).rejects.toThrow(/unique index name_1 of t\.items is damaged; drop and create it again/);
    expect(await items.countDocuments({ name: nameOf(42) })).toBe(1);
    await items.deleteOne({ _id: 2 });
    await items.dropIndex('name_1');
    await items.createIndex({ name: 1 }, { unique: true });
    await expect(items.insertOne({ _id: 100, name: nameOf(42) })).rejects.toThrow(/E11000/);
  });
});

test('a damaged index _id_ rejects new documents until the documents are copied to a new collection', async () => {
  const folder = join(home, 'id');
  await withStore(folder, [], async (_items, _lines, db) => {
    const named = Array.from({ length: 100 }, (_, n) => ({ _id: nameOf(n), n }));
    await db.collection<{ _id: string; n: number }>('named').insertMany(named);
  });
  const path = join(folder, 'store.mdb');
  const bytes = readFileSync(path);
  expect(flipEntry(bytes, nameOf(42), 6, 1)).toBeGreaterThan(0);
  writeFileSync(path, bytes);
  await withStore(folder, ['--verify-seconds', '0.1'], async (_items, lines, db) => {
    const named = db.collection<{ _id: string; n: number }>('named');
    const found = /damaged: t\.named: record \d+ is missing from index _id_.*; copy the documents to a new collection/;
    await vi.waitFor(() => expect(lines.join('')).toMatch(found), { timeout: 20_000, interval: 50 });
    await expect(named.insertOne({ _id: 'new', n: 0 })).rejects.toThrow(
      /unique index _id_ of t\.named is damaged; copy the documents to a new collection/,
    );
    await expect(named.dropIndex('_id_')).rejects.toThrow('cannot drop _id index');
    // as docs/operating.md describes
    const copy = db.collection<{ _id: string; n: number }>('copy');
    for await (const document of named.find().hint({ $natural: 1 })) await copy.insertOne(document);
    expect(await copy.countDocuments()).toBe(100);
    await named.drop();
    for await (const document of copy.find()) await named.insertOne(document);
    await copy.drop();
    await named.insertOne({ _id: 'new', n: 0 });
    expect(await named.findOne({ _id: nameOf(42) })).toEqual({ _id: nameOf(42), n: 42 });
    await expect(named.insertOne({ _id: nameOf(42), n: 0 })).rejects.toThrow(/E11000/);
    expect(await db.command({ validate: 'named' })).toMatchObject({ valid: true, errors: [] });
  });
});

test('a flipped bit in an index is found in the background, and the index is not used any more', async () => {
  const folder = join(home, 'flipped');
  cpSync(whole, folder, { recursive: true });
  const path = join(folder, 'store.mdb');
  const bytes = readFileSync(path);
  const damaged = 1_234;
  flipEntry(bytes, nameOf(damaged), 6, 1);
  writeFileSync(path, bytes);
  await withStore(folder, ['--verify-seconds', '0.1'], async (items, lines) => {
    await vi.waitFor(
      () => expect(lines.join('')).toMatch(/damaged: t\.items: record \d+ is missing from index name_1/),
      {
        timeout: 20_000,
        interval: 50,
      },
    );
    expect(await items.findOne({ name: nameOf(damaged) })).toEqual({ _id: damaged, name: nameOf(damaged) });
    expect(await items.countDocuments({ name: { $gte: '' } })).toBe(COUNT);
    expect(await items.countDocuments({ name: { $gte: '' } }, { hint: 'name_1' })).toBe(COUNT);
    await items.dropIndex('name_1');
    await items.createIndex({ name: 1 });
    const { queryPlanner } = await items.find({ name: nameOf(damaged) }).explain('queryPlanner');
    expect(queryPlanner.winningPlan.inputStage.indexName).toBe('name_1');
    expect(await items.countDocuments({ name: nameOf(damaged) })).toBe(1);
  });
});

test('each of 200 flipped bits in the texts of 200 indexes is found, and all queries return the right documents', async () => {
  const folder = join(home, 'many');
  const [collections, fields, count] = [4, 50, 30];
  const names = (of: number): number[] => Array.from({ length: of }, (_, n) => n);
  const textOf = (at: number, field: number, _id: number) => `value ${at}/${field}/${_id}.`;
  await withStore(folder, [], async (_items, _lines, db) => {
    for (const at of names(collections)) {
      const collection = db.collection<{ _id: number }>(`c${at}`);
      await collection.createIndexes(names(fields).map((field) => ({ key: { [`f${field}`]: 1 } })));
      await collection.insertMany(
        names(count).map((_id) => ({
          _id,
          ...Object.fromEntries(names(fields).map((field) => [`f${field}`, textOf(at, field, _id)])),
        })),
      );
    }
  });
  const path = join(folder, 'store.mdb');
  const bytes = readFileSync(path);
  // Another bit of the entry in each index: of its text, or of the end of the text.
  for (const at of names(collections))
    for (const field of names(fields)) {
      const n = at * fields + field;
      const text = textOf(at, field, (n * 7) % count);
      const bit = (n * 61) % ((text.length + 1) * 8);
      expect(flipEntry(bytes, text, bit >> 3, 1 << (bit & 7)), text).toBeGreaterThan(0);
    }
  writeFileSync(path, bytes);
  await withStore(folder, ['--verify-seconds', '0.1'], async (_items, lines, db) => {
    const found = () => new Set(lines.join('').match(/damaged: t\.c\d: record \d+ is missing from index f\d+_1/g));
    const indexes = () => new Set([...found()].map((line) => line.replace(/record \d+/, '')));
    await vi.waitFor(() => expect(indexes().size).toBe(collections * fields), { timeout: 60_000, interval: 50 });
    for (const at of names(collections)) {
      const collection = db.collection<{ _id: number }>(`c${at}`);
      for (const field of names(fields)) {
        const name = `f${field}`;
        const _id = ((at * fields + field) * 7) % count;
        const equal = await collection.find({ [name]: textOf(at, field, _id) }, ID).toArray();
        const sorted = await collection.find({ [name]: { $gte: '' } }, { ...ID, sort: { [name]: 1 } }).toArray();
        expect(equal, name).toEqual([{ _id }]);
        expect(
          sorted.map((doc) => doc._id).toSorted((a, b) => a - b),
          name,
        ).toEqual(names(count));
      }
    }
  });
}, 120_000);

test('nothing is reported for an undamaged store that is being written to', async () => {
  await withStore(whole, ['--verify-seconds', '0.1'], async (items, lines) => {
    for (let round = 0; round < 40; round++) {
      await items.updateMany({ _id: { $lt: 500 } }, { $set: { name: `round ${round}` } });
      await items.deleteMany({ _id: { $gte: COUNT } });
      await items.insertMany(Array.from({ length: 100 }, (_, n) => ({ _id: COUNT + n, name: `new ${n}` })));
    }
    expect(lines.filter((line) => line.includes('damaged'))).toEqual([]);
  });
});
