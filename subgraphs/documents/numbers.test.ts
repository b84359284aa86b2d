// Concurrent creation, deletion and moves of documents and folders.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violatedInvariants } from '../../test/support/invariants.ts';
import { requestAs, type TestStore, testStore } from '../../test/support/store.ts';
import { inSharedTransaction } from '../core/batching/shared-transactions.ts';
import { subscribe } from '../core/platform/instrumentation.ts';
import { inTransaction } from '../core/work.ts';
import { archiveDocument } from './archive-document.ts';
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
const outcome = <T>(command: Promise<T>) =>
  command.then(
    () => 'done',
    ({ code }) => code as string,
  );

test('numbers 20 concurrently created documents without gaps', async () => {
  const numbers = (await Promise.all(Array.from({ length: 20 }, () => create()))).map(({ number }) => number).sort();
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => `PRT-${String(i + 1).padStart(6, '0')}`));
});

test('queues conflicting commands, so that 60 concurrent creations need fewer than 180 runs', async () => {
  let runs = 0;
  const stop = subscribe({
    command: (event) => {
      runs += event.runs;
    },
    sweep: () => {},
    notification: () => {},
  });
  const numbers = await Promise.all(Array.from({ length: 60 }, () => create()));
  stop();
  expect(new Set(numbers.map(({ number }) => number)).size).toBe(60);
  expect(runs).toBeLessThan(60 * 3); // about 1,800 if all of them retried at the same time
});

test('assigns a number once if ten concurrent requests contain it', async () => {
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcome(create('BRACKET-7'))));
  expect(outcomes.sort()).toEqual(['done', ...Array.from({ length: 9 }, () => 'number_taken')]);
});

test('does not reuse the number of a deleted document', async () => {
  const { _id } = await create('ONCE');
  await inTransaction(store.services, editor, deleteDocument, { id: _id });
  expect(await outcome(create('once'))).toBe('number_taken');
});

test('moves the counter past a custom number of the generated form', async () => {
  await create('PRT-000500');
  expect((await create()).number).toBe('PRT-000501');
});

test('rejects one of two requests that delete a folder and move a document into it', async () => {
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

test('deletes a document or changes it, but not both, if both are requested at the same time', async () => {
  for (let i = 0; i < 5; i++) {
    const { _id } = await create();
    const [deleted, changed] = await Promise.all([
      outcome(inSharedTransaction(store.services, editor, deleteDocument, { id: _id })),
      outcome(inSharedTransaction(store.services, editor, archiveDocument, { id: _id })),
    ]);
    expect([
      ['done', 'not_found'],
      ['document_archived', 'done'],
    ]).toContainEqual([deleted, changed]);
  }
});

test('prevents a cycle when two folders are moved into each other concurrently', async () => {
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

test('creates only one of several sibling folders with equal names, ignoring case', async () => {
  const outcomes = await Promise.all(
    ['Same', 'same', 'SAME'].map((name) => outcome(inTransaction(store.services, editor, createFolder, { name }))),
  );
  expect(outcomes.sort()).toEqual(['done', 'name_taken', 'name_taken']);
});

test('rejects and rolls back a command that records no audit event', async () => {
  const silent = inTransaction(
    store.services,
    editor,
    async (work) => void (await work.db.collection('folders').insertOne({ name: 'x' }, { session: work.session })),
    undefined,
  );
  await expect(silent).rejects.toThrow('WRITE_WITHOUT_AUDIT');
});

test('leaves all invariants of the store intact', async () => {
  expect(await violatedInvariants(store.services.mongo)).toEqual([]);
});
