import { beforeEach, expect, test, vi } from 'vitest';
import { stubStorage } from '../../test/support/stub-storage.ts';
import {
  addPending,
  discardInterrupted,
  interruptedFiles,
  loadInterruptedFiles,
  type PendingFile,
  removePending,
  takeInterrupted,
} from './pending-files.ts';

let stored: Map<string, string>;
const KEY = 'pdm.pending-files.usr_1';
beforeEach(() => {
  stored = stubStorage('sessionStorage');
});

const file = (key: string, more: Partial<PendingFile> = {}): PendingFile => ({
  key,
  fileName: `${key}.step`,
  size: 1,
  sha256: `hash of ${key}`,
  folderId: null,
  split: false,
  startedAt: Date.now(),
  ...more,
});
const keys = () => interruptedFiles.value.map(({ key }) => key);

test('keeps unfinished files over a reload, and continues each once', () => {
  vi.useFakeTimers();
  loadInterruptedFiles('usr_1');
  addPending([file('a'), file('b'), file('c')]);
  removePending('b');
  vi.runAllTimers();
  vi.useRealTimers();
  const left = stored.get(KEY) ?? '';
  for (const key of ['a', 'c']) removePending(key); // as if the module was loaded again
  stored.set(KEY, left);
  loadInterruptedFiles('usr_1');
  expect(keys()).toEqual(['a', 'c']);
  expect(takeInterrupted({ sha256: 'hash of c', folderId: 'fld_1' })).toBeUndefined();
  expect(takeInterrupted({ sha256: 'hash of c', folderId: null })?.key).toBe('c');
  expect(takeInterrupted({ sha256: 'hash of c' })).toBeUndefined();
  discardInterrupted();
  expect([keys(), stored.size]).toEqual([[], 0]);
});

test('forgets files whose keys have expired, those of other users and damaged records', () => {
  stored.set(KEY, JSON.stringify([file('new'), file('old', { startedAt: Date.now() - 24 * 3_600_000 }), { key: 1 }]));
  loadInterruptedFiles('usr_2');
  expect(keys()).toEqual([]);
  loadInterruptedFiles('usr_1');
  expect(keys()).toEqual(['new']);
  stored.set(KEY, 'not JSON');
  loadInterruptedFiles('usr_1');
  expect(keys()).toEqual([]);
});
