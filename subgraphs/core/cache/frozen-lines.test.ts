import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeStructure } from '../../../test/support/assemblies.ts';
import { type TestStore, testStore } from '../../../test/support/store.ts';
import type { BomLine } from '../domain/assembly/bom-line.ts';
import { readLines, readStructure } from '../store/assembly/bom-structure.ts';
import { collection, type Scope } from '../store/query/scope.ts';
import { createLineCache, frozenLineCache } from './frozen-lines.ts';

const line: BomLine = {
  findNumber: 1,
  address: 'pdm://documents/A',
  key: 'pdm://documents/A',
  quantity: 1,
  documentId: 'doc_A',
  hasLines: false,
  reason: null,
  resolution: null,
};
const lines = (count: number): BomLine[] => Array.from({ length: count }, () => line);

test('never holds more lines than allowed, and returns what was cached', () => {
  const step = fc.record({ version: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), reads: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), fc.integer({ min: 1, max: 12 }), (steps, max) => {
      const cache = createLineCache(max);
      const linesOf = new Map([...'abcdef'].map((version, at) => [version, lines(at)]));
      for (const { version, reads } of steps) {
        if (reads) expect([undefined, linesOf.get(version)]).toContain(cache.get(version));
        else cache.set(version, linesOf.get(version)!);
        expect(cache.size).toBeLessThanOrEqual(max);
        expect(cache.size).toBe([...linesOf].reduce((sum, [id, { length }]) => sum + (cache.get(id) ? length : 0), 0));
      }
    }),
  );
});

test('evicts the least recently used version, and does not cache one larger than the cache', () => {
  const cache = createLineCache(10);
  for (const version of ['a', 'b', 'c']) cache.set(version, lines(3));
  cache.get('a');
  cache.set('d', lines(3));
  expect(['a', 'b', 'c', 'd'].filter((version) => cache.get(version))).toEqual(['a', 'c', 'd']);
  cache.set('large', lines(11));
  expect(cache.get('large')).toBe(undefined);
  expect(cache.size).toBe(9);
});

let store: TestStore;
let scope: Scope;
beforeAll(async () => {
  store = await testStore();
  scope = { db: store.services.mongo.db };
  await storeStructure(scope, {
    TOP: [
      ['LEFT', 1],
      ['RIGHT', 2],
    ],
    LEFT: [['PART', 3]],
    RIGHT: [['PART', 4]],
    PART: [],
  });
});
afterAll(() => store.close());

const top = { versionId: 'ver_TOP', now: false };

test('reads a structure from the cache, and its documents from the store', async () => {
  const first = await readStructure(scope, [top]);
  expect(frozenLineCache(scope).size).toBe(4);
  await collection(scope, 'documents').updateOne({ _id: 'doc_PART' }, { $set: { lastVersion: 2, name: 'Renamed' } });
  const again = await readStructure(scope, [top]);
  expect(again.lines.get('ver_LEFT')).toBe(first.lines.get('ver_LEFT'));
  expect(again.documents.get('doc_PART')).toMatchObject({ name: 'Renamed', newest: { n: 2 } });
});

test('neither uses nor fills the cache in a transaction or for lines that are resolved now', async () => {
  const { client, db } = store.services.mongo;
  const cache = frozenLineCache(scope);
  const before = cache.size;
  await client.withSession((session) =>
    session.withTransaction(async () => {
      const inside = { db, session };
      await collection(inside, 'references').insertOne(
        {
          ...(await collection(scope, 'references').findOne({ versionId: 'ver_LEFT' }))!,
          _id: 'ver_NEW/1',
          versionId: 'ver_NEW',
        },
        { session },
      );
      expect((await readLines(inside, [{ versionId: 'ver_NEW', now: false }])).get('ver_NEW')).toHaveLength(1);
      expect((await readLines(inside, [top])).get('ver_TOP')).not.toBe(cache.get('ver_TOP'));
      await session.abortTransaction();
    }),
  );
  expect(await readLines(scope, [{ versionId: 'ver_NEW', now: false }])).toEqual(new Map());
  await readLines(scope, [{ versionId: 'ver_RIGHT', now: true }]);
  expect(cache.size).toBe(before);
});
