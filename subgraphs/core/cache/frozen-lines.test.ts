import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeStructure } from '../../../test/support/assemblies.ts';
import { type TestStore, testStore } from '../../../test/support/store.ts';
import type { BomLine } from '../domain/assembly/bom-line.ts';
import { readLines, readStructure } from '../store/assembly/bom-structure.ts';
import { collection, type Scope } from '../store/query/scope.ts';
import { keepLines, keptLinesOf } from './frozen-lines.ts';

const line: BomLine = {
  ...{
    findNumber: 1,
    address: 'pdm://documents/A',
    key: 'pdm://documents/A',
    quantity: 1,
    documentId: 'doc_A',
    opens: false,
    reason: null,
  },
  resolution: null,
};
const lines = (count: number): BomLine[] => Array.from({ length: count }, () => line);

test('never more lines are kept than allowed, and what is handed out is what was kept', () => {
  const step = fc.record({ version: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), reads: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), fc.integer({ min: 1, max: 12 }), (steps, most) => {
      const kept = keepLines(most);
      const own = new Map([...'abcdef'].map((version, at) => [version, lines(at)]));
      for (const { version, reads } of steps) {
        if (reads) expect([undefined, own.get(version)]).toContain(kept.get(version));
        else kept.keep(version, own.get(version)!);
        expect(kept.held).toBeLessThanOrEqual(most);
        expect(kept.held).toBe([...own].reduce((sum, [id, { length }]) => sum + (kept.get(id) ? length : 0), 0));
      }
    }),
  );
});

test('the version whose use is longest ago goes first; one that is larger than all there may be is not kept', () => {
  const kept = keepLines(10);
  for (const version of ['a', 'b', 'c']) kept.keep(version, lines(3));
  kept.get('a');
  kept.keep('d', lines(3));
  expect(['a', 'b', 'c', 'd'].filter((version) => kept.get(version))).toEqual(['a', 'c', 'd']);
  kept.keep('whale', lines(11));
  expect(kept.get('whale')).toBe(undefined);
  expect(kept.held).toBe(9);
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

test('a structure read again comes from memory, its statuses from the store', async () => {
  const first = await readStructure(scope, [top]);
  expect(keptLinesOf(scope).held).toBe(4);
  await collection(scope, 'documents').updateOne({ _id: 'doc_PART' }, { $set: { lastVersion: 2, name: 'Renamed' } });
  const again = await readStructure(scope, [top]);
  expect(again.lines.get('ver_LEFT')).toBe(first.lines.get('ver_LEFT'));
  expect(again.documents.get('doc_PART')).toMatchObject({ name: 'Renamed', newest: { n: 2 } });
});

test('a transaction reads for itself and leaves nothing behind; what is resolved now is not kept', async () => {
  const { client, db } = store.services.mongo;
  const kept = keptLinesOf(scope);
  const before = kept.held;
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
      expect((await readLines(inside, [top])).get('ver_TOP')).not.toBe(kept.get('ver_TOP'));
      await session.abortTransaction();
    }),
  );
  expect(await readLines(scope, [{ versionId: 'ver_NEW', now: false }])).toEqual(new Map());
  await readLines(scope, [{ versionId: 'ver_RIGHT', now: true }]);
  expect(kept.held).toBe(before);
});
