import fc from 'fast-check';
import type { Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../test/support/needs.ts';
import { type TestServer, testServer } from './server.ts';

const embedded = needs('embedded store');

type Item = Document & { _id?: number };

let server: TestServer;

beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

// Few values, so that equal ones occur; of many types, so that types are compared.
const scalar = fc.constantFrom<unknown>(
  null,
  0,
  1,
  1.5,
  2,
  -1,
  '',
  'a',
  'ab',
  'b',
  true,
  false,
  new Date(0),
  new Date(9),
  Number.NaN,
);
const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ x: scalar, y: scalar }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.array(fc.record({ x: scalar, y: scalar }, { requiredKeys: [] }), { maxLength: 3 }) },
);
// Only b may be an array, so that compound indexes accept every document.
const document = fc.record({ a: scalar, b: value, c: scalar }, { requiredKeys: [] });
const condition = fc.oneof(
  scalar,
  fc
    .record({ operator: fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$eq', '$ne'), operand: scalar })
    .map(({ operator, operand }) => ({ [operator]: operand })),
  fc.tuple(scalar, scalar).map(([low, high]) => ({ $gte: low, $lt: high })),
  fc.array(scalar, { maxLength: 3 }).map((list) => ({ $in: list })),
  fc.array(scalar, { maxLength: 2 }).map((list) => ({ $nin: list })),
  fc.boolean().map((exists) => ({ $exists: exists })),
  fc.constantFrom(
    { $regex: '^a' },
    { $regex: '^ab?' },
    { $elemMatch: { $gte: 0, $lt: 2 } },
    { $elemMatch: { x: 1, y: 'a' } },
    { $size: 2 },
  ),
);
const path = fc.constantFrom('a', 'b', 'c', 'b.x', 'b.y');
const filter = fc.oneof(
  fc.dictionary(path, condition, { maxKeys: 3 }),
  fc
    .array(fc.dictionary(path, condition, { minKeys: 1, maxKeys: 2 }), { minLength: 1, maxLength: 3 })
    .map((branches) => ({ $or: branches })),
  fc
    .array(fc.dictionary(path, condition, { minKeys: 1, maxKeys: 2 }), { minLength: 1, maxLength: 2 })
    .map((branches) => ({ $and: branches })),
);
const sort = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'b.x'), fc.constantFrom(1, -1), { maxKeys: 2 });

describe.skipIf(embedded.isMissing)(embedded.title('indexes'), () => {
  const indexes = [
    { key: { a: 1, c: -1 } },
    { key: { a: -1 } },
    { key: { b: 1 } },
    { key: { c: 1, b: -1, a: 1 } },
    { key: { 'b.x': 1, 'b.y': 1 } },
    { key: { c: -1, a: 1 }, sparse: true, name: 'sparse' },
    { key: { a: 1, b: 1 }, partialFilterExpression: { c: { $gte: 0 } }, name: 'partial' },
  ] as const;

  test('do not change the result and count of a query, except ties in the order', { timeout: 120_000 }, async () => {
    const runs = Number(process.env.STORE_RUNS ?? 15);
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { maxLength: 25, size: 'max' }),
        fc.array(fc.tuple(filter, sort), { minLength: 8, maxLength: 8 }),
        async (documents, queries) => {
          const plain = await server.collectionWith<Item>(documents.map((one, _id) => ({ _id, ...one })));
          const indexed = await server.collectionWith<Item>(documents.map((one, _id) => ({ _id, ...one })));
          await indexed.createIndexes(indexes.map((index) => ({ ...index, key: { ...index.key } })));
          for (const [query, order] of queries) {
            const expected = await plain
              .find(query)
              .sort({ ...order, _id: 1 })
              .toArray();
            expect(
              await indexed
                .find(query)
                .sort({ ...order, _id: 1 })
                .toArray(),
            ).toEqual(expected);
            expect([
              await indexed.countDocuments(query),
              await indexed.countDocuments(query, { skip: 1, limit: 3 }),
            ]).toEqual([expected.length, expected.slice(1, 4).length]);
            // Without the tie-break, equal sort keys may be in any order, so only the set and the keys are compared.
            const loose = await indexed.find(query).sort(order).toArray();
            expect(new Set(loose.map(({ _id }) => _id))).toEqual(new Set(expected.map(({ _id }) => _id)));
            if (Object.keys(order).length === 1 && !('b' in order) && !('b.x' in order)) {
              const [key = ''] = Object.keys(order);
              expect(loose.map((one) => one[key] ?? null)).toEqual(expected.map((one) => one[key] ?? null));
            }
          }
          await plain.drop();
          await indexed.drop();
        },
      ),
      { numRuns: runs },
    );
  });

  test('match the documents after updates and deletes', { timeout: 120_000 }, async () => {
    const runs = Number(process.env.STORE_RUNS ?? 15);
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { maxLength: 12 }),
        fc.array(fc.tuple(filter, document), { maxLength: 4 }),
        filter,
        async (documents, changes, gone) => {
          const collection = await server.collectionWith<Item>(documents.map((one, _id) => ({ _id, ...one })));
          await collection.createIndexes(indexes.map((index) => ({ ...index, key: { ...index.key } })));
          for (const [query, change] of changes)
            await collection.updateMany(
              query,
              Object.keys(change).length > 0 ? { $set: change } : { $unset: { a: 1 } },
            );
          await collection.deleteMany(gone);
          const all = await collection
            .find({}, { hint: { $natural: 1 } })
            .sort({ _id: 1 })
            .toArray();
          for (const key of [{ a: 1, c: -1 }, { a: -1 }, { b: 1 }, { c: 1, b: -1, a: 1 }, { 'b.x': 1, 'b.y': 1 }]) {
            expect(
              await collection
                .find({}, { hint: key as Document })
                .sort({ _id: 1 })
                .toArray(),
            ).toEqual(all);
          }
          const { valid } = await server.db.command({ validate: collection.collectionName });
          expect(valid).toBe(true);
          await collection.drop();
        },
      ),
      { numRuns: runs },
    );
  });
});
