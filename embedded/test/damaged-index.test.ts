// Damage in the pages of indexes, which have no checksums.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startProcess } from './store-process.ts';

type Item = { _id: number; name: string };

const home = mkdtempSync(join(tmpdir(), 'store-damaged-'));
const whole = join(home, 'whole');
const COUNT = 3_000;
afterAll(() => rmSync(home, { recursive: true, force: true }));

const nameOf = (_id: number): string => `name ${String(_id).padStart(6, '0')}`;

async function withStore(
  folder: string,
  args: string[],
  work: (items: Collection<Item>, lines: string[]) => Promise<void>,
) {
  const store = await startProcess(folder, {}, args);
  const client = await MongoClient.connect(store.uri ?? '');
  try {
    await work(client.db('t').collection<Item>('items'), store.lines);
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

// Flips a bit in the index entry of a document, wherever the file has it: pages that are free now may have older copies.
// The text of an entry ends with one zero byte, that of a document with two.
function flipEntry(bytes: Buffer, _id: number): void {
  const text = Buffer.from(nameOf(_id));
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1))
    if (bytes[at + text.length] === 0 && bytes[at + text.length + 1] === 4) bytes[at + 6]! ^= 1;
}

test('a flipped bit in an index is found in the background, and the index is not used any more', async () => {
  const folder = join(home, 'flipped');
  cpSync(whole, folder, { recursive: true });
  const path = join(folder, 'store.mdb');
  const bytes = readFileSync(path);
  const damaged = 1_234;
  flipEntry(bytes, damaged);
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
