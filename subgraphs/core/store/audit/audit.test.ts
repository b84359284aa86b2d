import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notRun } from '../../../../test/support/needs.ts';
import { requestAs, type TestStore, testStore } from '../../../../test/support/store.ts';
import type { Changes } from '../../domain/audit/audit-event.ts';
import { type Command, inTransaction, type Services } from '../../work.ts';
import { collection, within } from '../query/scope.ts';
import { listChain } from './list-audit.ts';

let store: TestStore;
beforeAll(async () => {
  store = await testStore();
});
afterAll(() => store.close());

describe.each([
  ['one command', true],
  ['one command for each collection', false],
])('audit records written with %s', (_how, supportsClientBulkWrite) => {
  test.for(['starts', 'extends'])(
    'follow on, after a second run of the command, if another one %s their chain meanwhile',
    async (other, { skip }) => {
      const services = servicesFor(supportsClientBulkWrite, skip);
      const documentId = `doc_${other}_${supportsClientBulkWrite}`;
      const record = (summary: string) =>
        inTransaction(services, requestAs('editor'), recording(summary, documentId), null);
      if (other === 'extends') await record('before');

      let runs = 0;
      const overtaken: Command<null, void> = async (work) => {
        runs++;
        // opens the snapshot of the transaction
        await collection(work, 'chains').findOne({ _id: documentId }, within(work));
        if (runs === 1) await record('meanwhile');
        await recording('overtaken', documentId)(work, null);
      };
      await inTransaction(services, requestAs('editor'), overtaken, null);

      const records = await listChain({ db: services.mongo.db }, documentId, { limit: 10, descending: false });
      expect(runs).toBe(2);
      expect(records.map(({ summary }) => summary)).toEqual([
        ...(other === 'extends' ? ['before'] : []),
        'meanwhile',
        'overtaken',
      ]);
      expect(records.map(({ chainSeq }) => chainSeq)).toEqual(records.map((_, i) => i + 1));
      expect(records.slice(1).map(({ prevHash }) => prevHash)).toEqual(records.slice(0, -1).map(({ hash }) => hash));
    },
  );

  test('omit fields that are undefined, as their hash does', async ({ skip }) => {
    const services = servicesFor(supportsClientBulkWrite, skip);
    const documentId = `doc_undefined_${supportsClientBulkWrite}`;
    const changes = { list: { from: null, to: [{ a: undefined, b: 1 }] } };
    await inTransaction(services, requestAs('editor'), recording('defined', documentId, changes), null);
    const [record] = await listChain({ db: services.mongo.db }, documentId, { limit: 1, descending: false });
    expect(record?.changes).toStrictEqual({ list: { from: null, to: [{ b: 1 }] } });
  });
});

function servicesFor(supportsClientBulkWrite: boolean, skip: (isMissing: boolean, note: string) => void): Services {
  const { mongo } = store.services;
  skip(supportsClientBulkWrite && !mongo.supportsClientBulkWrite, notRun('client bulk writes'));
  return { ...store.services, mongo: { ...mongo, supportsClientBulkWrite } };
}

const recording =
  (summary: string, documentId: string, changes: Changes = {}): Command<null, void> =>
  async (work) => {
    work.audit({ action: 'document.updated', documentId, summary, changes });
  };
