import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, MongoClient } from 'mongodb';
import { afterAll, expect, test } from 'vitest';
import { startProcess } from './store-process.ts';

type Item = { _id: number };

const folder = mkdtempSync(join(tmpdir(), 'store-restart-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function during(signal: 'SIGTERM' | 'SIGKILL', work: (items: Collection<Item>) => Promise<void>): Promise<void> {
  const store = await startProcess(folder);
  const client = await MongoClient.connect(store.uri ?? '');
  try {
    await work(client.db('t').collection<Item>('items'));
  } finally {
    await client.close();
    store.child.kill(signal);
    expect(await store.ended).toBe(signal === 'SIGTERM' ? 0 : 'SIGKILL');
  }
}

test('knows the number of documents after an orderly stop, after a kill, and after one follows the other', async () => {
  await during('SIGTERM', async (items) => {
    await items.insertMany(Array.from({ length: 10 }, (_, _id) => ({ _id })));
    await items.deleteMany({ _id: { $lt: 3 } });
  });
  await during('SIGTERM', async (items) => expect(await items.estimatedDocumentCount()).toBe(7));
  await during('SIGKILL', async (items) => {
    expect(await items.estimatedDocumentCount()).toBe(7);
    await items.insertMany([{ _id: 20 }, { _id: 21 }]);
  });
  await during('SIGTERM', async (items) => {
    expect(await items.estimatedDocumentCount()).toBe(9);
    expect(await items.countDocuments({})).toBe(9);
  });
});
