import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '../../test/support/invariants.ts';
import { requestAs, type TestStore, testStore } from '../../test/support/store.ts';
import { hear } from '../core/platform/telling.ts';
import { inTransaction } from '../core/work.ts';
import { createDocument } from './create-document.ts';
import { deleteDocument } from './delete-document.ts';
import { createFolder } from './folders/create-folder.ts';
import { deleteFolder } from './folders/delete-folder.ts';
import { updateFolder } from './folders/update-folder.ts';
import { moveDocuments } from './move-documents.ts';

let store: TestStore;
beforeAll(async () => {
  store = await testStore();
});
afterAll(() => store.close());

const editor = requestAs('editor');
const create = (number?: string) =>
  inTransaction(store.services, editor, createDocument, { input: { name: 'Part', kind: 'model' as const, number } });
const outcome = <T>(deed: Promise<T>) =>
  deed.then(
    () => 'done',
    ({ code }) => code as string,
  );

test('20 documents created at once get 20 numbers without a gap', async () => {
  const numbers = (await Promise.all(Array.from({ length: 20 }, () => create()))).map(({ number }) => number).sort();
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => `PRT-${String(i + 1).padStart(6, '0')}`));
});

test('60 documents created at once begin again once each at most but for a few: those that met go one after the other', async () => {
  let runs = 0;
  const stop = hear({
    command: (told) => {
      runs += told.runs;
    },
    sweep: () => {},
    ring: () => {},
  });
  const numbers = await Promise.all(Array.from({ length: 60 }, () => create()));
  stop();
  expect(new Set(numbers.map(({ number }) => number)).size).toBe(60);
  expect(runs).toBeLessThan(60 * 3); // all against all, it would be some 1,800
});

test('one number asked for ten times at once is given once', async () => {
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcome(create('BRACKET-7'))));
  expect(outcomes.sort()).toEqual(['done', ...Array.from({ length: 9 }, () => 'number_taken')]);
});

test('a number is never used again after its document was deleted', async () => {
  const { _id } = await create('ONCE');
  await inTransaction(store.services, editor, deleteDocument, { id: _id });
  expect(await outcome(create('once'))).toBe('number_taken');
});

test('a given number that looks generated moves the counter past it', async () => {
  await create('PRT-000500');
  expect((await create()).number).toBe('PRT-000501');
});

test('a folder deleted while a document is moved into it: one of the two is refused', async () => {
  for (let i = 0; i < 5; i++) {
    const folder = await inTransaction(store.services, editor, createFolder, { name: `F${i}` });
    const { _id } = await create();
    const [moved, deleted] = await Promise.all([
      outcome(inTransaction(store.services, editor, moveDocuments, { ids: [_id], folderId: folder._id })),
      outcome(inTransaction(store.services, editor, deleteFolder, { id: folder._id })),
    ]);
    expect([
      ['done', 'folder_not_empty'],
      ['not_found', 'done'],
    ]).toContainEqual([moved, deleted]);
  }
});

test('two folders moved into each other at once do not form a circle', async () => {
  for (let i = 0; i < 5; i++) {
    const [a, b] = [
      await inTransaction(store.services, editor, createFolder, { name: `A${i}` }),
      await inTransaction(store.services, editor, createFolder, { name: `B${i}` }),
    ];
    const outcomes = await Promise.all([
      outcome(inTransaction(store.services, editor, updateFolder, { id: a._id, parentId: b._id })),
      outcome(inTransaction(store.services, editor, updateFolder, { id: b._id, parentId: a._id })),
    ]);
    expect(outcomes.sort()).toEqual(['done', 'folder_cycle']);
  }
});

test('two folders of one name made at once: one is refused', async () => {
  const outcomes = await Promise.all(
    ['Same', 'same', 'SAME'].map((name) => outcome(inTransaction(store.services, editor, createFolder, { name }))),
  );
  expect(outcomes.sort()).toEqual(['done', 'name_taken', 'name_taken']);
});

test('a command that records no audit event is refused and leaves nothing', async () => {
  const silent = inTransaction(
    store.services,
    editor,
    async (work) => void (await work.db.collection('folders').insertOne({ name: 'x' }, { session: work.session })),
    undefined,
  );
  await expect(silent).rejects.toThrow('WRITE_WITHOUT_AUDIT');
});

test('after all of that no promise of the store is broken', async () => {
  expect(await brokenInvariants(store.services.mongo)).toEqual([]);
});
