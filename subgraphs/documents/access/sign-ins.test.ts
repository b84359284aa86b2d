import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type TestStore, testStore } from '../../../test/support/store.ts';
import type { Actor } from '../../core/domain/access/actor.ts';
import type { Services } from '../../core/work.ts';
import { forgetSignIns, signInsOf } from './sign-ins.ts';

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
const isAnna = async () => ANNA;

test('a good credential is looked up again after 5 seconds, which is as long as a revoked one can live in another process', async () => {
  const known = signInsOf(services);
  expect(known.fresh('key')).toBeNull();
  expect(await known.remember('key', isAnna)).toBe(ANNA);
  vi.advanceTimersByTime(4_999);
  expect(known.fresh('key')).toBe(ANNA);
  vi.advanceTimersByTime(1);
  expect(known.fresh('key')).toBeNull();
  expect([known.wasGood('key'), known.wasGood('another')]).toEqual([true, false]);
});

test('whoever is shut out here is out at once, also when he was just coming in', async () => {
  const known = signInsOf(services);
  await known.remember('key', isAnna);
  forgetSignIns(services);
  expect(known.fresh('key')).toBeNull();

  const coming = known.remember('key', async () => {
    forgetSignIns(services);
    return ANNA;
  });
  expect(await coming).toBe(ANNA);
  expect(known.fresh('key')).toBeNull();
});

test('a credential that is refused is not remembered', async () => {
  const known = signInsOf(services);
  await expect(known.remember('key', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect([known.fresh('key'), known.wasGood('key')]).toEqual([null, false]);
});

test('a thousand credentials are remembered, those that came in last', async () => {
  const known = signInsOf(services);
  for (let i = 0; i <= 1000; i++) await known.remember(`key ${i}`, isAnna);
  expect([known.wasGood('key 0'), known.wasGood('key 1'), known.wasGood('key 1000')]).toEqual([false, true, true]);
});
