// The lease and position of a consumer of the log.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { interceptedDb } from '../../../test/support/intercepted-db.ts';
import { type TestStore, testStore } from '../../../test/support/store.ts';
import { createCursor, moveCursor } from '../../core/store/audit/event-cursors.ts';
import { collection } from '../../core/store/query/scope.ts';
import { createHeldCursor } from './held-cursor.ts';

let store: TestStore;
beforeAll(async () => {
  store = await testStore();
});
afterAll(() => store.close());

const scope = () => ({ db: store.services.mongo.db });

test('does not hold the lease after a release during which it was being renewed', async () => {
  const renewing = Promise.withResolvers<void>();
  const renewed = Promise.withResolvers<unknown>();
  const answered = Promise.withResolvers<void>();
  const { mongo } = store.services;
  const db = interceptedDb(mongo.db, {
    'eventCursors.updateOne': async (call) => {
      const result = await call();
      if (isRenewal) {
        renewing.resolve();
        await answered.promise;
        setImmediate(renewed.resolve);
      }
      return result;
    },
  });
  let isRenewal = false;
  const cursor = createHeldCursor({ ...store.services, mongo: { ...mongo, db } }, 'renewed', 2_000);
  await cursor.create(7);
  expect(await cursor.position()).toBe(7);
  isRenewal = true;
  await renewing.promise;
  isRenewal = false;
  const releasing = cursor.release();
  // without waiting for the renewal, the release would end here
  await Promise.race([releasing, collection(scope(), 'eventCursors').findOne({})]);
  answered.resolve();
  await Promise.all([releasing, renewed.promise]);
  expect(cursor.isHeld()).toBe(false);
  expect(await collection(scope(), 'eventCursors').findOne({ _id: 'renewed' })).toMatchObject({ holder: null });
});

test('does not move a cursor back that no process holds', async () => {
  await createCursor(scope(), 'moved', 10);
  const position = async () => (await collection(scope(), 'eventCursors').findOne({ _id: 'moved' }))?.seq;
  await moveCursor(scope(), 'moved', 8);
  expect(await position()).toBe(10);
  await moveCursor(scope(), 'moved', 12);
  expect(await position()).toBe(12);
});
