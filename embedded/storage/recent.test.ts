import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { afterAll, expect, test } from 'vitest';
import { type Generation, openRecentCommits } from './recent.ts';

const folder = mkdtempSync(join(tmpdir(), 'recent-test-'));
const path = join(folder, 'store.mdb');
const environment = open<Buffer, Buffer>({
  path,
  encoding: 'binary',
  keyEncoding: 'binary',
  overlappingSync: false,
  maxReaders: 8,
});
const recent = openRecentCommits(environment, path);
afterAll(async () => {
  recent.close();
  await environment.close();
  rmSync(folder, { recursive: true });
});

const KEY = Buffer.from('key');
const MANY = 300;

async function commit(value: string): Promise<void> {
  recent.write(KEY, Buffer.from(value));
  await recent.persist();
  await recent.flush();
}

function valueIn({ file, memtable }: Generation, upTo: number): string | undefined {
  const version = memtable.find(KEY, upTo);
  return (version ? version.value : environment.get(KEY, { transaction: file }))?.toString();
}

test('keeps snapshots and writes working when LMDB has no free reader slots', async () => {
  const held: { generation: Generation; upTo: number; value: string }[] = [];
  for (let n = 0; n < MANY; n++) {
    await commit(`value ${n}`);
    const generation = recent.generation();
    generation.retain();
    held.push({ generation, upTo: recent.version(), value: `value ${n}` });
  }
  expect(new Set(held.map(({ generation }) => generation)).size).toBeLessThan(MANY);
  for (const { generation, upTo, value } of held) expect(valueIn(generation, upTo)).toBe(value);
  for (const { generation } of held) generation.release();
  await commit('last');
  expect(recent.generation().memtable.keys()).toBe(0);
  expect(valueIn(recent.generation(), recent.version())).toBe('last');
});
