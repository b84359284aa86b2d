// Concurrent changes of users in one transaction.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestAs, type TestStore, testStore } from '../../../test/support/store.ts';
import { inSharedTransaction } from '../../core/batching/shared-transactions.ts';
import { collection } from '../../core/store/query/scope.ts';
import { inTransaction } from '../../core/work.ts';
import { createUser } from './create-user.ts';
import { updateUser } from './update-user.ts';

let store: TestStore;
beforeAll(async () => {
  store = await testStore();
});
afterAll(() => store.close());

test('keeps one administrator if all of them are changed at the same time', async () => {
  const admin = requestAs('admin');
  const administrators = await Promise.all(
    ['One', 'Two', 'Three'].map((name) => inTransaction(store.services, admin, createUser, { name, role: 'admin' })),
  );
  const changes = await Promise.allSettled(
    administrators.map(({ _id }) =>
      inSharedTransaction(store.services, admin, updateUser, { id: _id, role: 'editor' }),
    ),
  );
  expect(changes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  const users = collection({ db: store.services.mongo.db }, 'users');
  expect(await users.countDocuments({ role: 'admin', disabled: { $ne: true } })).toBe(1);
});
