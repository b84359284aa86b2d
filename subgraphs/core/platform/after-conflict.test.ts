import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conflictLanes } from './after-conflict.ts';

test('whoever has met a conflict goes alone among those of its name, in order; other names are not kept waiting', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('createDocument', 'createFolder'), { minLength: 1, maxLength: 20, size: 'max' }),
      async (scheduler, names) => {
        const lanes = conflictLanes();
        const inside = new Map<string, number>();
        const order = new Map<string, number[]>();
        const deeds = names.map(async (name, place) => {
          const leave = await lanes.enter(name);
          inside.set(name, (inside.get(name) ?? 0) + 1);
          expect(inside.get(name)).toBe(1);
          await scheduler.schedule(Promise.resolve());
          order.set(name, [...(order.get(name) ?? []), place]);
          inside.set(name, 0);
          leave();
        });
        await scheduler.waitFor(Promise.all(deeds));
        for (const places of order.values()) expect(places).toEqual(places.toSorted((a, b) => a - b));
        for (const name of names) expect(await lanes.enterIfBusy(name)).toBe(null);
      },
    ),
  );
});

test('newcomers go beside the others as long as nobody met a conflict, and line up behind whoever did', async () => {
  const lanes = conflictLanes();
  expect(await lanes.enterIfBusy('release')).toBe(null);
  const leave = await lanes.enter('release');
  const told: string[] = [];
  const newcomer = lanes.enterIfBusy('release').then((next) => {
    told.push('newcomer');
    next?.();
  });
  await Promise.resolve();
  expect(told).toEqual([]);
  leave();
  await newcomer;
  expect(told).toEqual(['newcomer']);
  expect(await lanes.enterIfBusy('release')).toBe(null);
});
