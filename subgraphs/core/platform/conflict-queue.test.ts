import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createConflictQueue } from './conflict-queue.ts';

test('runs commands of one name one at a time, in order, and never blocks other names', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('createDocument', 'createFolder'), { minLength: 1, maxLength: 20, size: 'max' }),
      async (scheduler, names) => {
        const queue = createConflictQueue();
        const running = new Map<string, number>();
        const order = new Map<string, number[]>();
        const commands = names.map(async (name, index) => {
          const release = await queue.acquire(name);
          running.set(name, (running.get(name) ?? 0) + 1);
          expect(running.get(name)).toBe(1);
          await scheduler.schedule(Promise.resolve());
          order.set(name, [...(order.get(name) ?? []), index]);
          running.set(name, 0);
          release();
        });
        await scheduler.waitFor(Promise.all(commands));
        for (const indexes of order.values()) expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
        for (const name of names) expect(await queue.acquireIfBusy(name)).toBe(null);
      },
    ),
  );
});

test('lets new commands pass unless one of their name holds the queue', async () => {
  const queue = createConflictQueue();
  expect(await queue.acquireIfBusy('release')).toBe(null);
  const release = await queue.acquire('release');
  const finished: string[] = [];
  const newcomer = queue.acquireIfBusy('release').then((releaseNewcomer) => {
    finished.push('newcomer');
    releaseNewcomer?.();
  });
  await Promise.resolve();
  expect(finished).toEqual([]);
  release();
  await newcomer;
  expect(finished).toEqual(['newcomer']);
  expect(await queue.acquireIfBusy('release')).toBe(null);
});
