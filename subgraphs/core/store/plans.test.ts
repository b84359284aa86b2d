import type { CommandStartedEvent, Document } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestStore, testStore } from '../../../test/support/store.ts';
import { newestThumbnails } from './artifacts.ts';
import { type DocumentSort, listDocuments } from './documents.ts';
import type { Scope } from './scope.ts';
import { sealedAfter } from './sealed-events.ts';
import { deliveredSince, listDeliveries, nextDelivery } from './webhooks.ts';
import { linesFrozenTo, linesIn, type Range, rangesOfDocument, rangesOfDrafts, rangesOfFrozen } from './where-used.ts';

// another server may plan otherwise
const embedded = !process.env.MONGODB_URL;

let store: TestStore;
let scope: Scope;
beforeAll(async () => {
  store = await testStore({ monitorCommands: true });
  scope = { db: store.services.mongo.db };
});
afterAll(() => store.close());

// what the store plans for the command that a read sends
async function planOf(read: () => Promise<unknown>): Promise<string> {
  const { client, db } = store.services.mongo;
  const sent: Document[] = [];
  const note = ({ command }: CommandStartedEvent) => void sent.push(command);
  client.on('commandStarted', note);
  await read();
  client.off('commandStarted', note);
  const { lsid, $db, $clusterTime, ...command } = sent[0]!;
  const { queryPlanner, stages } = await db.command({ explain: command, verbosity: 'queryPlanner' });
  return JSON.stringify([queryPlanner, stages]);
}

test.runIf(embedded)('the newest pictures of a list come in the order of an index', async () => {
  const picture = (documentId: string, day: number) => {
    const createdAt = new Date(Date.UTC(2026, 0, day));
    return { _id: `art_${documentId}_${day}`, documentId, versionId: `ver_${documentId}_${day}`, kind: 'thumbnail', createdAt };
  };
  const pictures = [picture('a', 1), picture('a', 3), picture('a', 2), picture('b', 1)];
  await scope.db.collection<Document & { _id: string }>('artifacts').insertMany([...pictures, { ...picture('a', 9), _id: 'step', kind: 'step' }]);
  expect((await newestThumbnails(scope, ['a', 'b', 'c'])).map(({ _id }) => _id).sort()).toEqual(['art_a_3', 'art_b_1']);
  const plan = await planOf(() => newestThumbnails(scope, ['a', 'b', 'c']));
  expect(plan).toContain('IXSCAN');
  expect(plan).not.toContain('"SORT"');
});

test.runIf(embedded).each<DocumentSort>(['number', 'name', 'createdAt', 'updatedAt'])(
  'a list of documents by %s comes in the order of an index',
  async (sort) => {
    for (const descending of [false, true]) {
      const plan = await planOf(() => listDocuments(scope, { folderIds: null, includeArchived: true }, { sort, descending, limit: 50 }));
      expect(plan).toContain('IXSCAN');
      expect(plan).not.toContain('"SORT"');
    }
  },
);

const everyRange: Range[] = [
  ...(['latest', 'released', 'all'] as const).flatMap((scope) => rangesOfDocument(['PRT-1'], { scope, drafts: true })),
  ...[{ as: 'newest' } as const, { as: 'revision', label: 'A' } as const, { as: 'version', n: 1 } as const].flatMap((at) =>
    rangesOfDrafts(['PRT-1'], at),
  ),
  ...rangesOfFrozen('ver_1', 'all'),
];

test.runIf(embedded).each(everyRange)('the users of a document in the range %j come in the order of an index', async (range) => {
  const plan = await planOf(() => linesIn(scope, [range], { limit: 50, after: 'ver_9/1' }));
  expect(plan).toContain('IXSCAN');
  expect(plan).not.toContain('"SORT"');
});

test.runIf(embedded)('those that were frozen to one of some versions come in the order of an index', async () => {
  const plan = await planOf(() => linesFrozenTo(scope, ['ver_1', 'ver_2'], 'latest', { limit: 50 }));
  expect(plan).toContain('IXSCAN');
  expect(plan).not.toContain('"SORT"');
});

test.runIf(embedded).each([
  ['the next delivery to a webhook', () => nextDelivery(scope, { _id: 'whk_1', enabled: true }, new Date())],
  ['the next one that was asked for', () => nextDelivery(scope, { _id: 'whk_1', enabled: false }, new Date())],
  ['what was delivered to it lately', () => deliveredSince(scope, 'whk_1', new Date())],
  ['a page of its deliveries', () => listDeliveries(scope, { webhookId: 'whk_1' }, { limit: 50, before: { createdAt: new Date(), id: 'x' } })],
  ['what follows a place in the log', () => sealedAfter(scope, 5, 100)],
] as [string, () => Promise<unknown>][])('%s comes in the order of an index', async (_what, read) => {
  const plan = await planOf(read);
  expect(plan).toMatch(/IXSCAN|IDHACK|CLUSTERED/);
  expect(plan).not.toContain('"SORT"');
});
