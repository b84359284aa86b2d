// The operations of the test runner itself.
import assert from 'node:assert';
import type { Document, MongoClient } from 'mongodb';
import type { TestContext } from './context.ts';

type RunnerOperation = (fields: Document, context: TestContext, admin: MongoClient) => Promise<void>;

/** The operations by name. */
export const RUNNER_OPERATIONS: { [name: string]: RunnerOperation } = {
  createEntities: ({ entities }, context) => context.create(entities),
  failPoint: ({ client, failPoint }, context) => context.setFailPoint(context.client(client), failPoint),
  targetedFailPoint: ({ failPoint }, context, admin) => context.setFailPoint(admin, failPoint),
  async assertSessionTransactionState({ session, state }, context) {
    assert.equal(
      context.session(session).inTransaction(),
      state === 'starting' || state === 'in_progress',
      `the transaction is not ${state}`,
    );
  },
  async assertSessionUnpinned({ session }, context) {
    assert.ok(!context.session(session).isPinned, 'the session is pinned');
  },
  async assertSessionPinned({ session }, context) {
    assert.ok(context.session(session).isPinned, 'the session is not pinned');
  },
  assertCollectionExists: (fields, _, admin) => assertCollection(admin, fields, true),
  assertCollectionNotExists: (fields, _, admin) => assertCollection(admin, fields, false),
  assertIndexExists: (fields, _, admin) => assertIndex(admin, fields, true),
  assertIndexNotExists: (fields, _, admin) => assertIndex(admin, fields, false),
};

async function assertCollection(
  admin: MongoClient,
  { databaseName, collectionName }: Document,
  exists: boolean,
): Promise<void> {
  const found = await admin.db(databaseName).listCollections({ name: collectionName }).toArray();
  assert.equal(found.length > 0, exists, `existence of the collection ${databaseName}.${collectionName}`);
}

async function assertIndex(
  admin: MongoClient,
  { databaseName, collectionName, indexName }: Document,
  exists: boolean,
): Promise<void> {
  const db = admin.db(databaseName);
  const known = await db.listCollections({ name: collectionName }).hasNext();
  const names = known ? (await db.collection(collectionName).listIndexes().toArray()).map(({ name }) => name) : [];
  assert.equal(names.includes(indexName), exists, `existence of the index ${indexName}`);
}
