import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openStorage } from './storage.ts';
import type { WriteView } from './view.ts';

const folder = mkdtempSync(join(tmpdir(), 'commits-test-'));
const storage = openStorage({
  path: join(folder, 'data'),
  lockConflict: () => undefined,
  onFatal: (reason) => {
    throw new Error(reason);
  },
});
afterAll(async () => {
  await storage.close(() => undefined);
  rmSync(folder, { recursive: true });
});

const putting = (name: string) => (view: WriteView) => view.put(Buffer.from(name), Buffer.from('there'));
const refused = (name: string) => (view: WriteView) => {
  putting(name)(view);
  throw new Error('refused');
};
const isThere = (name: string) => storage.latest(Buffer.from(name)) !== undefined;

test('undoes a write that throws as the only write of its commit', async () => {
  await expect(storage.write(refused('alone'))).rejects.toThrow('refused');
  await storage.write(putting('next'));
  expect([isThere('alone'), isThere('next')]).toEqual([false, true]);
});

test('undoes only the write that throws and keeps the other writes of the commit', async () => {
  const commits = storage.version();
  const ended = await Promise.allSettled([
    storage.write(putting('first')),
    storage.write(refused('second')),
    storage.write(putting('third')),
  ]);
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(storage.version()).toBe(commits + 1);
  expect([isThere('first'), isThere('second'), isThere('third')]).toEqual([true, false, true]);
});
