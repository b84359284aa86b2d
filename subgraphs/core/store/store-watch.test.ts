import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStoreWatch } from './store-watch.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => undefined);
// The result of a read: its value, the code of its error, or null while it is pending.
const outcomeOf = (read: Promise<unknown>): { result: unknown } => {
  const outcome = { result: null as unknown };
  read.then(
    (value) => Object.assign(outcome, { result: value }),
    (error: { code: string }) => Object.assign(outcome, { result: error.code }),
  );
  return outcome;
};
const pass = async (milliseconds: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(milliseconds);
  // The watch reads pending input before it gives up.
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test('ends reads with unavailable within 3 s, and also those that start meanwhile', async () => {
  const { guard } = createStoreWatch(() => never);
  const first = outcomeOf(guard(never));
  await pass(2_300);
  const second = outcomeOf(guard(never));
  expect([first.result, second.result]).toEqual([null, null]);
  await pass(300);
  expect([first.result, second.result]).toEqual(['unavailable', 'unavailable']);
  const third = outcomeOf(guard(never));
  await pass(2_600);
  expect(third.result).toBe('unavailable');
});

test('sends one ping a second while reads are slow, and none otherwise', async () => {
  const ping = vi.fn(async () => undefined);
  const { guard } = createStoreWatch(ping);
  for (let n = 0; n < 100; n++) {
    await guard(Promise.resolve(n));
    await pass(100);
  }
  expect(ping).not.toHaveBeenCalled();
  const { promise, resolve } = Promise.withResolvers<string>();
  const slow = [guard(promise), guard(promise), guard(promise)];
  await pass(5_500);
  expect(ping).toHaveBeenCalledTimes(5);
  resolve('found');
  expect(await Promise.all(slow)).toEqual(['found', 'found', 'found']);
  await pass(10_000);
  expect(ping).toHaveBeenCalledTimes(5);
});

test('ends reads whose connection was lost, although the store responds', async () => {
  const { guard, connectionsLost } = createStoreWatch(async () => undefined);
  const before = outcomeOf(guard(never));
  await pass(100);
  connectionsLost();
  const after = outcomeOf(guard(never));
  await pass(2_500);
  expect([before.result, after.result]).toEqual(['unavailable', null]);
});

test('passes errors of a read on, and works again when the store responds again', async () => {
  let ping: () => Promise<unknown> = () => Promise.reject(new Error('no server'));
  const { guard } = createStoreWatch(() => ping());
  await expect(guard(Promise.reject(new Error('bad query')))).rejects.toThrow('bad query');
  const failing = outcomeOf(guard(never));
  await pass(1_100);
  expect(failing.result).toBe('unavailable');
  ping = async () => undefined;
  const slow = outcomeOf(guard(never));
  await pass(5_000);
  expect(slow.result).toBeNull();
});
