import type { CommandStartedEvent, Document } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestAs, type TestStore, testStore } from '../../../test/support/store.ts';
import { queueJob } from '../commands/queue-job.ts';
import { inTransaction, type Work } from '../work.ts';
import {
  countLines,
  linesFrozenTo,
  linesIn,
  type Range,
  rangesOfDocument,
  rangesOfDrafts,
  rangesOfFrozen,
} from './assembly/where-used.ts';
import { aboutRecord, countAbout, countAll, ofAll, ofChain } from './audit/audit.ts';
import { sealedAfter } from './audit/sealed-events.ts';
import {
  countByFolder,
  countDocuments,
  type DocumentFilter,
  type DocumentPlace,
  type DocumentSort,
  listDocuments,
  searchTiers,
  sortValue,
} from './documents.ts';
import { newestThumbnails } from './files/artifacts.ts';
import { countJobs, type JobFilter, listJobs } from './jobs/job-lists.ts';
import { jobsThatMayDeliver, unfinishedJobsOf } from './jobs/jobs.ts';
import { countRuns, runsOf } from './jobs/runs.ts';
import type { Window } from './query/ordered.ts';
import type { Scope } from './query/scope.ts';
import { countRevisions, listRevisions } from './revisions.ts';
import type { JobRecord, JobStatus } from './schema/collections.ts';
import { countTokens, listTokens } from './tokens.ts';
import { countUsers, listUsers } from './users.ts';
import { countVersions, listVersions } from './versions.ts';
import { countDeliveries, deliveredSince, listDeliveries, nextDelivery } from './webhooks.ts';

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
async function planOf(read: () => Promise<unknown>, verbosity = 'queryPlanner'): Promise<string> {
  const { client, db } = store.services.mongo;
  const sent: Document[] = [];
  const note = ({ command }: CommandStartedEvent) => void sent.push(command);
  client.on('commandStarted', note);
  await read();
  client.off('commandStarted', note);
  const { lsid, $db, $clusterTime, txnNumber, startTransaction, autocommit, readConcern, ...command } = sent[0]!;
  const { queryPlanner, stages, executionStats } = await db.command({ explain: command, verbosity });
  return JSON.stringify([queryPlanner, stages, executionStats]);
}

test.runIf(embedded)('the newest pictures of a list come in the order of an index', async () => {
  const picture = (documentId: string, day: number) => {
    const createdAt = new Date(Date.UTC(2026, 0, day));
    return {
      _id: `art_${documentId}_${day}`,
      documentId,
      versionId: `ver_${documentId}_${day}`,
      kind: 'thumbnail',
      createdAt,
    };
  };
  const pictures = [picture('a', 1), picture('a', 3), picture('a', 2), picture('b', 1)];
  await scope.db
    .collection<Document & { _id: string }>('artifacts')
    .insertMany([...pictures, { ...picture('a', 9), _id: 'step', kind: 'step' }]);
  expect((await newestThumbnails(scope, ['a', 'b', 'c'])).map(({ _id }) => _id).sort()).toEqual(['art_a_3', 'art_b_1']);
  const plan = await planOf(() => newestThumbnails(scope, ['a', 'b', 'c']));
  expect(plan).toContain('IXSCAN');
  expect(plan).not.toContain('"SORT"');
});

const SORTS: DocumentSort[] = ['number', 'name', 'createdAt', 'updatedAt'];
const LISTS: DocumentFilter[] = [
  { folderIds: null, includeArchived: true },
  { folderIds: null, includeArchived: false },
  { folderIds: ['fld_1'], includeArchived: true },
  { folderIds: ['fld_1'], includeArchived: false },
  { folderIds: null, kind: 'code', includeArchived: true },
  { folderIds: null, kind: 'code', includeArchived: false },
];

test.runIf(embedded).each(LISTS)('a list of documents of %j comes in the order of an index', async (filter) => {
  for (const sort of SORTS)
    for (const descending of [false, true]) {
      const plan = await planOf(() => listDocuments(scope, filter, { sort, descending, limit: 50 }));
      expect(plan).toContain('IXSCAN');
      expect(plan).not.toContain('"SORT"');
      if (filter.kind) expect(plan).toContain('"indexName":"kind_1_archived_1_');
    }
});

test.each(SORTS)(
  'pages of documents by %s hold archived ones and others in one order, and what comes before a page is not read for it',
  async (sort) => {
    const documents = scope.db.collection<Document & { _id: string }>('documents');
    const digits = (n: number) => String(n).padStart(3, '0');
    // each moment and each name twice
    const record = (n: number) => ({
      number: `PRT-${digits(n)}`,
      nameKey: `name ${digits(n >> 1)}`,
      createdAt: new Date(n >> 1),
      updatedAt: new Date(n >> 1),
    });
    const all = Array.from({ length: 200 }, (_, n) => ({
      _id: `doc_${digits(n)}`,
      ...record(n),
      archived: n % 3 === 0,
      kind: 'model',
      folderId: 'fld_1',
    }));
    await documents.insertMany(all);
    try {
      for (const descending of [false, true])
        for (const folderIds of [['fld_1'], null]) {
          const page = (after?: DocumentPlace) =>
            listDocuments(scope, { folderIds, includeArchived: true }, { sort, descending, limit: 30, after });
          const found: string[] = [];
          let last: DocumentPlace | undefined;
          for (let some = await page(); some.length; some = await page(last)) {
            found.push(...some.map(({ _id }) => _id));
            const end = some.at(-1)!;
            last = { value: sortValue(end, sort), id: end._id };
          }
          const inOrder = all.map(({ _id }) => _id);
          expect(found).toEqual(descending ? inOrder.reverse() : inOrder);
          if (!embedded) continue;
          const [, , stats] = JSON.parse(
            await planOf(() => page({ value: sortValue(all[150] as never, sort), id: 'doc_150' }), 'executionStats'),
          );
          // the page, and the two at the place it goes on from
          expect(stats.totalDocsExamined).toBeLessThanOrEqual(32);
        }
    } finally {
      await documents.deleteMany({ folderId: 'fld_1' });
    }
  },
);

test.runIf(embedded)('a search for words that few documents hold reads those alone', async () => {
  const documents = scope.db.collection<Document & { _id: string }>('documents');
  const record = (n: number) => ({
    number: `PRT-${n}`,
    nameKey: 'part',
    updatedAt: new Date(n),
    archived: false,
    folderId: 'fld_words',
    kind: 'model',
  });
  const words = (n: number) => ['part', n % 100 ? 'common' : 'rarely'];
  await documents.insertMany(
    Array.from({ length: 300 }, (_, n) => ({ _id: `doc_${n}`, ...record(n), words: words(n) })),
  );
  try {
    const tier = searchTiers({ text: 'part rarely', words: ['part', 'rarely'], phrases: [] }).at(-1);
    const filter = { folderIds: null, includeArchived: false };
    const list = () => listDocuments(scope, filter, { sort: 'updatedAt', descending: true, limit: 50, tier });
    expect((await list()).map(({ _id }) => _id)).toEqual(['doc_200', 'doc_100', 'doc_0']);
    expect(await countDocuments(scope, filter, tier)).toBe(3);
    for (const read of [list, () => countDocuments(scope, filter, tier)])
      expect(await planOf(read, 'executionStats')).toContain('"totalDocsExamined":3}');
  } finally {
    await documents.deleteMany({ folderId: 'fld_words' });
  }
});

const everyRange: Range[] = [
  ...(['latest', 'released', 'all'] as const).flatMap((scope) => rangesOfDocument(['PRT-1'], { scope, drafts: true })),
  ...[{ as: 'newest' } as const, { as: 'revision', label: 'A' } as const, { as: 'version', n: 1 } as const].flatMap(
    (at) => rangesOfDrafts(['PRT-1'], at),
  ),
  ...rangesOfFrozen('ver_1', 'all'),
];

test.runIf(embedded).each(everyRange)(
  'the users of a document in the range %j come in the order of an index',
  async (range) => {
    const plan = await planOf(() => linesIn(scope, [range], { limit: 50, after: 'ver_9/1' }));
    expect(plan).toContain('IXSCAN');
    expect(plan).not.toContain('"SORT"');
  },
);

test.runIf(embedded)('those that were frozen to one of some versions come in the order of an index', async () => {
  const plan = await planOf(() => linesFrozenTo(scope, ['ver_1', 'ver_2'], 'latest', { limit: 50 }));
  expect(plan).toContain('IXSCAN');
  expect(plan).not.toContain('"SORT"');
});

function further(descending: boolean, sort: 'name' | 'createdAt' = 'createdAt'): Window {
  return { descending, limit: 50, after: { value: sort === 'name' ? 'M' : new Date(), id: 'x' } };
}

test.runIf(embedded).each([
  ['the next delivery to a webhook', () => nextDelivery(scope, { _id: 'whk_1', enabled: true }, new Date())],
  ['the next one that was asked for', () => nextDelivery(scope, { _id: 'whk_1', enabled: false }, new Date())],
  ['what was delivered to it lately', () => deliveredSince(scope, 'whk_1', new Date())],
  [
    'a page of its deliveries',
    () =>
      listDeliveries(
        scope,
        { webhookId: 'whk_1' },
        { limit: 50, descending: true, after: { value: new Date(), id: 'x' } },
      ),
  ],
  ...(['name', 'createdAt'] as const).flatMap((sort) =>
    [false, true].flatMap((descending): [string, () => Promise<unknown>][] => [
      [`a page of users by ${sort}`, () => listUsers(scope, { sort, ...further(descending, sort) })],
      [`a page of tokens by ${sort}`, () => listTokens(scope, {}, { sort, ...further(descending, sort) })],
      [
        `a page of a user's tokens by ${sort}`,
        () => listTokens(scope, { userId: 'usr_1' }, { sort, ...further(descending, sort) }),
      ],
    ]),
  ),
  ...[false, true].flatMap((descending): [string, () => Promise<unknown>][] => [
    ['a page of all records', () => ofAll(scope, {}, further(descending))],
    ['a page of what somebody did', () => ofAll(scope, { actor: 'usr_1' }, further(descending))],
    ['a page of what was done so', () => ofAll(scope, { action: 'a' }, further(descending))],
    ['a page about a version', () => aboutRecord(scope, { versionId: 'ver_1' }, further(descending))],
    ['a page about a revision', () => aboutRecord(scope, { revisionId: 'rev_1' }, further(descending))],
    ['a page of a chain', () => ofChain(scope, 'doc_1', { limit: 50, descending, after: 7 })],
    ['a page of deliveries', () => listDeliveries(scope, { webhookId: 'whk_1' }, further(descending))],
    ['a page of runs', () => runsOf(scope, 'ver_1', further(descending))],
    [
      'a page of jobs',
      () => listJobs(scope, { status: 'failed' }, { descending, limit: 50, after: { value: 5, id: 'x' } }),
    ],
    ['a page of versions', () => listVersions(scope, 'doc_1', { descending, limit: 50, after: 5 })],
    ['a page of revisions', () => listRevisions(scope, 'doc_1', { descending, limit: 50, after: 5 })],
    [
      'a page of users of a document',
      () => linesIn(scope, [{ target: 'PRT-1', place: 'latest' }], { descending, limit: 50, after: 'ver_9/1' }),
    ],
  ]),
  ['what follows a place in the log', () => sealedAfter(scope, 5, 100)],
] as [string, () => Promise<unknown>][])('%s comes in the order of an index', async (_what, read) => {
  const plan = await planOf(read);
  expect(plan).toMatch(/IXSCAN|IDHACK|CLUSTERED/);
  expect(plan).not.toContain('"SORT"');
});

test.runIf(embedded)('of what somebody did so, neither his other deeds nor those of others are read', async () => {
  const read = () => ofAll(scope, { actor: 'usr_1', action: 'version.released', from: new Date(0) }, further(true));
  expect(await planOf(read)).toContain('"indexName":"by.id_1_action_1_at_-1__id_-1"');
  expect(await planOf(() => countAll(scope, { actor: 'usr_1', action: 'version.released' }))).toContain('COUNT_SCAN');
});

test.runIf(embedded).each([
  ['of a type', { type: 'run' }, 'type_1_seq_-1__id_-1'],
  ['of a type that are done', { type: 'run', status: 'done' }, 'type_1_seq_-1__id_-1'],
  ['of a type that failed', { type: 'run', status: 'failed' }, 'status_1_seq_-1__id_-1'],
  ['of a type and a draft', { type: 'run', versionId: 'ver_1' }, 'versionId_1_seq_-1__id_-1'],
] as [string, JobFilter, string][])('jobs %s are found and counted among few others', async (_what, filter, index) => {
  expect(await planOf(() => listJobs(scope, filter, { descending: true, limit: 50 }))).toContain(index);
  expect(await planOf(() => countJobs(scope, filter))).toContain(index);
});

test.each([
  ['that wait or run', () => unfinishedJobsOf(scope, 'ver_1'), ['running', 'waiting']],
  ['that may deliver', () => jobsThatMayDeliver(scope, 'ver_1'), ['failed', 'running', 'waiting']],
] as [string, () => Promise<JobRecord[]>, JobStatus[]][])(
  'the jobs of a version %s are found, and none of those that are done is read',
  async (_what, read, found) => {
    const jobs = scope.db.collection<Pick<JobRecord, '_id' | 'versionId' | 'status' | 'seq'>>('jobs');
    const all: JobStatus[] = ['cancelled', 'done', 'failed', 'running', 'waiting'];
    await jobs.insertMany(all.map((status, seq) => ({ _id: `job_${status}`, versionId: 'ver_1', status, seq })));
    try {
      expect((await read()).map(({ status }) => status).sort()).toEqual(found);
      if (embedded) expect(await planOf(read)).toContain('"versionId_1_type_1_runId_1"');
    } finally {
      await jobs.deleteMany({ versionId: 'ver_1' });
    }
  },
);

test.runIf(embedded)(
  'of hundreds of runs that a version waits for, none is read when another one is queued',
  async () => {
    const jobs = scope.db.collection<Pick<JobRecord, '_id' | 'versionId' | 'type' | 'runId' | 'status'>>('jobs');
    const runs = Array.from({ length: 300 }, (_, n) => ({ _id: `job_run_${n}`, runId: `run_${n}` }));
    await jobs.insertMany(runs.map((run) => ({ ...run, versionId: 'ver_runs', type: 'run', status: 'waiting' })));
    const order = {
      type: 'run',
      documentId: 'doc_1',
      versionId: 'ver_runs',
      inputSha256: null,
      inputKinds: [],
      environment: [],
      runId: 'run_new',
    } as const;
    const queue = (work: Work) => {
      work.audit({ action: 'run.requested', summary: 'A run was asked for.', documentId: 'doc_1' });
      return queueJob(work, { ...order, inputKinds: [] });
    };
    const plan = await planOf(() => inTransaction(store.services, requestAs('editor'), queue, null), 'executionStats');
    // the one that was queued itself
    expect(plan).toContain('"totalDocsExamined":1');
  },
);

test.runIf(embedded)(
  'the documents of each folder are counted along an index, and none has to be looked into',
  async () => {
    const plan = await planOf(() => countByFolder(scope));
    expect(plan).toContain('IXSCAN');
    expect(plan).not.toContain('"filter"');
  },
);

test.runIf(embedded).each([
  ['users', () => countUsers(scope)],
  ["a user's tokens", () => countTokens(scope, { userId: 'usr_1' })],
  ['the jobs that failed', () => countJobs(scope, { status: 'failed' })],
  ['the jobs of a type', () => countJobs(scope, { type: 'run' })],
  ['the jobs of a draft', () => countJobs(scope, { versionId: 'ver_1' })],
  ['runs', () => countRuns(scope, 'ver_1')],
  ['deliveries', () => countDeliveries(scope, { webhookId: 'whk_1', status: 'failed' })],
  ['what somebody did', () => countAll(scope, { actor: 'usr_1' })],
  ['what was done in a time', () => countAll(scope, { from: new Date(0), before: new Date() })],
  ['what was done to a version', () => countAbout(scope, { versionId: 'ver_1' })],
  ['versions', () => countVersions(scope, 'doc_1')],
  ['revisions', () => countRevisions(scope, 'doc_1')],
  ['users of a document', () => countLines(scope, [{ target: 'PRT-1', place: 'latest' }])],
  ['the documents of a folder', () => countDocuments(scope, { folderIds: ['fld_1'], includeArchived: false })],
  [
    'the documents of some folders',
    () => countDocuments(scope, { folderIds: ['fld_1', 'fld_2'], includeArchived: true }),
  ],
] as [string, () => Promise<unknown>][])('%s are counted in an index', async (what, read) => {
  const plan = await planOf(read);
  // all there are: whichever way they are read; and that a record is for administrators no index of those about a version says
  const counted = what === 'users' ? /SCAN|COUNT/ : what === 'what was done to a version' ? /IXSCAN/ : /COUNT_SCAN/;
  expect(plan).toMatch(counted);
});
