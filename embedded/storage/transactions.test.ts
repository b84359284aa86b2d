import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { metaKey } from '../data/keys.ts';
import { openStore } from '../process/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'store-transactions-'));
const store = openStore({
  path: join(folder, 'store.mdb'),
  address: '',
  ttlSeconds: 60,
  verifySeconds: 60,
  log: () => undefined,
  onFatal: (reason) => expect.fail(reason),
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test('aborts an abandoned transaction after 60 seconds and releases its locks', () => {
  const session = Buffer.from('a session of one');
  const key = metaKey('held');
  const { transactions } = store;
  const transaction = transactions.enter(session, 1n, true, 1);
  transaction.view.claim(key);
  transaction.view.put(key, Buffer.from('written'));
  expect(transactions.lockConflict(key)).toBeDefined();
  vi.advanceTimersByTime(59_000);
  transactions.expire();
  expect(transactions.enter(session, 1n, false, 1)).toBe(transaction);
  vi.advanceTimersByTime(2_000);
  transactions.expire();
  expect(transactions.lockConflict(key)).toBeUndefined();
  expect(() => transactions.enter(session, 1n, false, 1)).toThrow(
    expect.objectContaining({ code: 251, labels: ['TransientTransactionError'] }),
  );
  expect(store.storage.latest(key)).toBeUndefined();
});
