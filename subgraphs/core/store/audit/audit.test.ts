import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestAs, type TestStore, testStore } from '../../../../test/support/store.ts';
import { type Command, inTransaction, type Services } from '../../work.ts';
import { collection, within } from '../query/scope.ts';
import { ofChain } from './audit.ts';

let store: TestStore;
beforeAll(async () => {
  store = await testStore();
});
afterAll(() => store.close());

describe.each([
  ['one command', true],
  ['a command for each collection', false],
])('stored with %s', (_how, oneWord) => {
  test.for(['a chain that another one has begun meanwhile', 'a chain that another one has gone on with meanwhile'])(
    'the records of a command on %s follow its records, and the command is run again for it',
    async (chain, { skip }) => {
      skip(
        oneWord && !store.services.mongo.oneWord,
        'this server does not take writes to several collections in one command',
      );
      const services: Services = { ...store.services, mongo: { ...store.services.mongo, oneWord } };
      const documentId = `doc_${chain.includes('begun') ? 'begun' : 'further'}_${oneWord}`;
      const record = (command: string) =>
        inTransaction(services, requestAs('editor'), saying(command, documentId), null);
      if (chain.includes('gone on')) await record('before');

      let runs = 0;
      const overtaken: Command<null, void> = async (work) => {
        runs++;
        // from here on it sees the store as it is now
        await collection(work, 'chains').findOne({ _id: documentId }, within(work));
        if (runs === 1) await record('meanwhile');
        await saying('overtaken', documentId)(work, null);
      };
      await inTransaction(services, requestAs('editor'), overtaken, null);

      const records = await ofChain({ db: services.mongo.db }, documentId, { limit: 10, descending: false });
      expect(runs).toBe(2);
      expect(records.map(({ summary }) => summary)).toEqual([
        ...(chain.includes('gone on') ? ['before'] : []),
        'meanwhile',
        'overtaken',
      ]);
      expect(records.map(({ chainSeq }) => chainSeq)).toEqual(records.map((_, i) => i + 1));
      expect(records.slice(1).map(({ prevHash }) => prevHash)).toEqual(records.slice(0, -1).map(({ hash }) => hash));
    },
  );
});

const saying =
  (summary: string, documentId: string): Command<null, void> =>
  async (work) => {
    work.audit({ action: 'document.updated', documentId, summary, changes: {} });
  };
