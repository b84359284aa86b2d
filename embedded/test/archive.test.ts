// Archives a store while it runs, shares unchanged pieces, and restores what it archived.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProcess } from './store-process.ts';

type Item = { _id: number; bytes: Buffer };

const home = mkdtempSync(join(tmpdir(), 'store-archive-'));
const at = (name: string) => join(home, name);
const MIB = 2 ** 20;
const COUNT = 40;
let store: Awaited<ReturnType<typeof startProcess>>;
let client: MongoClient;
let items: Collection<Item>;

// Random, but the same in each run: where pieces end depends on the keys alone.
const content = (n: number) => Buffer.alloc(MIB, `${n}:${n * 7919}`);

beforeAll(async () => {
  store = await startProcess(at('data'));
  client = await MongoClient.connect(store.uri ?? '');
  items = client.db('t').collection<Item>('items');
  for (let n = 0; n < COUNT; n++) await items.insertOne({ _id: n, bytes: content(n) });
  await items.createIndex({ bytes: 1 }, { sparse: true });
});
afterAll(async () => {
  await client.close();
  store.child.kill();
  await store.ended;
  rmSync(home, { recursive: true, force: true });
});

function maintain(...words: string[]): string {
  return execFileSync(process.execPath, [join(import.meta.dirname, '../process/main.ts'), ...words], {
    encoding: 'utf8',
    stdio: 'pipe',
    timeout: 30_000,
  });
}

const archive = (name: string, ...earlier: string[]) => {
  const options = earlier.flatMap((folder) => ['--earlier', at(folder)]);
  const output = maintain('archive', '--data', at('data'), '--to', at(name), ...options);
  const [, documents, bytes, newBytes] =
    /(\d+) documents verified, (\d+) bytes, (\d+) new/.exec(output)?.map(Number) ?? [];
  return { documents, bytes, newBytes };
};
const pieces = (name: string) => readdirSync(join(at(name), 'pieces')).map((piece) => join(at(name), 'pieces', piece));

async function restored(name: string): Promise<Item[]> {
  maintain('restore', '--data', at(`restored-${name}`), '--from', at(name));
  const copy = await startProcess(at(`restored-${name}`));
  const connection = await MongoClient.connect(copy.uri ?? '');
  try {
    return await connection
      .db('t')
      .collection<Item>('items')
      .find({}, { sort: { _id: 1 }, promoteBuffers: true })
      .toArray();
  } finally {
    await connection.close();
    copy.child.kill();
    await copy.ended;
  }
}

test('links the pieces of earlier archives, and each archive restores on its own', { timeout: 60_000 }, async () => {
  const first = archive('first');
  expect(first).toMatchObject({ documents: COUNT, newBytes: first.bytes });
  expect(first.bytes).toBeGreaterThan(COUNT * MIB);
  expect(pieces('first').length).toBeGreaterThan(2);

  await items.updateOne({ _id: 0 }, { $set: { bytes: content(1000) } });
  // In the journal only, when the archive is made.
  await items.insertOne({ _id: COUNT, bytes: Buffer.from('recent') });
  const second = archive('second', 'first');
  expect(second.documents).toBe(COUNT + 1);
  expect(second.newBytes).toBeLessThan(second.bytes! * 0.75);
  expect(pieces('second').filter((piece) => statSync(piece).nlink > 1).length).toBeGreaterThan(0);

  rmSync(at('first'), { recursive: true });
  const documents = await restored('second');
  expect(documents.map(({ _id }) => _id)).toEqual([...Array(COUNT + 1).keys()]);
  expect(documents[0]!.bytes.equals(content(1000))).toBe(true);
  expect(documents[5]!.bytes.equals(content(5))).toBe(true);
  expect(documents[COUNT]!.bytes.toString()).toBe('recent');
});

test('writes a damaged piece of an earlier archive again', () => {
  const [damaged] = pieces('second');
  const bytes = readFileSync(damaged!);
  bytes[100]! ^= 1;
  writeFileSync(damaged!, bytes);
  expect(() => maintain('restore', '--data', at('no'), '--from', at('second'))).toThrow('its content differs');
  expect(readdirSync(at('no'))).not.toContain('store.mdb');
  archive('third', 'second');
  maintain('restore', '--data', at('from-third'), '--from', at('third'));
});
