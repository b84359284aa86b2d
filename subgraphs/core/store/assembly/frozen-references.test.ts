import type { Document } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestStore, testStore } from '../../../../test/support/store.ts';
import type { Scope } from '../query/scope.ts';
import { referrersOfDocuments, referrersOfLabel, referrersOfLabels } from './frozen-references.ts';

const screw = { _id: 'doc_screw', number: 'PRT-1' };
const plate = { _id: 'doc_plate', number: 'PRT-2' };
let store: TestStore;
let scope: Scope;
beforeAll(async () => {
  store = await testStore();
  scope = { db: store.services.mongo.db };
  const line = (n: number, target: string, at: object): Document & { _id: string } => ({
    _id: `ver_${n}/0`,
    documentId: `doc_${n}`,
    versionId: `ver_${n}`,
    line: 0,
    target,
    at,
    place: 'draft',
    released: false,
    location: `pdm://documents/${target}`,
    occurrences: [],
    quantity: 1,
    frozen: null,
  });
  const many = Array.from({ length: 450 }, (_, n) => line(n, screw.number, { as: 'revision', label: 'A', n: null }));
  const few = [
    line(900, plate._id, { as: 'newest', label: null, n: null }),
    line(901, plate.number, { as: 'revision', label: 'B', n: null }),
  ];
  await scope.db.collection<Document & { _id: string }>('references').insertMany([...many, ...few]);
  const users = [...many, ...few].map(({ documentId }, n) => ({ _id: documentId, number: `ASM-${n}` }));
  await scope.db.collection<Document & { _id: string }>('documents').insertMany([...users, screw, plate]);
});
afterAll(() => store.close());

test('lists the users of a document even if another one has very many', async () => {
  const users = Map.groupBy(await referrersOfDocuments(scope, [screw, plate]), ({ documentId }) => documentId);
  expect([
    users.get(screw._id)?.length,
    users
      .get(plate._id)
      ?.map(({ referrer }) => referrer.versionId)
      .sort(),
  ]).toEqual([100, ['ver_900', 'ver_901']]);
});

test('lists the users of a label even if another one has very many', async () => {
  const both = await referrersOfLabels(scope, [
    { document: screw, label: 'A' },
    { document: plate, label: 'B' },
    { document: plate, label: 'A' },
  ]);
  expect(both.filter(({ documentId }) => documentId === plate._id)).toMatchObject([
    { label: 'B', referrer: { versionId: 'ver_901', type: 'draft' } },
  ]);
  expect(both.filter(({ documentId }) => documentId === screw._id).map(({ referrer }) => referrer)).toEqual(
    await referrersOfLabel(scope, screw, 'A'),
  );
});
