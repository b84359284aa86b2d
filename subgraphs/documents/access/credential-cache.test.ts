// The credential cache: lifetime, invalidation and size.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type TestStore, testStore } from '../../../test/support/store.ts';
import type { Actor } from '../../core/domain/access/actor.ts';
import type { Services } from '../../core/work.ts';
import { credentialCache, invalidateCredentials } from './credential-cache.ts';

let store: TestStore;
let services: Services;
beforeAll(async () => {
  store = await testStore();
});
afterAll(() => store.close());
beforeEach(() => {
  services = { ...store.services };
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const ANNA: Actor = { id: 'usr_anna', name: 'Anna', role: 'editor', tokenId: 'tok_1', via: 'token' };
const authenticateAnna = async () => ANNA;

test('returns a credential for 5 seconds', async () => {
  const cache = credentialCache(services);
  expect(cache.get('key')).toBeNull();
  expect(await cache.load('key', authenticateAnna)).toBe(ANNA);
  vi.advanceTimersByTime(4_999);
  expect(cache.get('key')).toBe(ANNA);
  vi.advanceTimersByTime(1);
  expect(cache.get('key')).toBeNull();
  expect([cache.wasValid('key'), cache.wasValid('another')]).toEqual([true, false]);
});

test('invalidates entries immediately, including one that is being loaded', async () => {
  const cache = credentialCache(services);
  await cache.load('key', authenticateAnna);
  invalidateCredentials(services);
  expect(cache.get('key')).toBeNull();

  const loaded = await cache.load('key', async () => {
    invalidateCredentials(services);
    return ANNA;
  });
  expect(loaded).toBe(ANNA);
  expect(cache.get('key')).toBeNull();
});

test('does not cache refused credentials', async () => {
  const cache = credentialCache(services);
  await expect(cache.load('key', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect([cache.get('key'), cache.wasValid('key')]).toEqual([null, false]);
});

test('keeps the 1,000 entries loaded last', async () => {
  const cache = credentialCache(services);
  for (let i = 0; i <= 1000; i++) await cache.load(`key ${i}`, authenticateAnna);
  expect([cache.wasValid('key 0'), cache.wasValid('key 1'), cache.wasValid('key 1000')]).toEqual([false, true, true]);
});
