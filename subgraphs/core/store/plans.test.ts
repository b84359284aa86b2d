// The query plans of the store's queries: each uses an index and none sorts in memory.
import type { CommandStartedEvent, Document } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs } from '../../../test/support/needs.ts';
import { requestAs, type TestStore, testStore } from '../../../test/support/store.ts';
import { queueJob } from '../commands/queue-job.ts';
import { parseSearch } from '../domain/text/search.ts';
import { inTransaction, type Work } from '../work.ts';
import {
  countLines,
  type IndexRange,
  linesFrozenTo,
  linesIn,
  rangesOfDocument,
  rangesOfDrafts,
  rangesOfFrozen,
} from './assembly/where-used.ts';
import { countAbout, countAudit, listAbout, listAudit, listChain } from './audit/list-audit.ts';
import { sealedRecordsAfter } from './audit/sealed-events.ts';
import {
  countByFolder,
  countDocuments,
  type DocumentFilter,
  type DocumentPosition,
  type DocumentSort,
  listDocuments,
  sortValue,
} from './documents.ts';
import { newestThumbnails } from './files/artifacts.ts';
import { countJobs, type JobFilter, listJobs } from './jobs/job-lists.ts';
import { jobsThatMayDeliver, unfinishedJobsOf } from './jobs/jobs.ts';
import { countRuns, runsOf } from './jobs/runs.ts';
import type { PageRequest } from './query/page-request.ts';
import type { Scope } from './query/scope.ts';
import { countRevisions, listRevisions } from './revisions.ts';
import type { JobRecord, JobStatus } from './schema/collections.ts';
import { searchTiers } from './search-tiers.ts';
import { countTokens, listTokens } from './tokens.ts';
import { countUsers, listUsers } from './users.ts';
import { countVersions, listVersions } from './versions.ts';
import { countDeliveries, deliveredSince, dueDeliveries, listDeliveries } from './webhooks.ts';

// other servers may plan differently
const embedded = needs('embedded store');

let store: TestStore;
let scope: Scope;
beforeAll(async () => {
  store = await testStore({ monitorCommands: true });
  scope = { db: store.services.mongo.db };
});
afterAll(() => store.close());

/** Returns the plan of the first command that `read` sends. */
async function planOf(read: () => Promise<unknown>, verbosity = 'queryPlanner'): Promise<string> {
  const [command] = await commandsOf(read);
  const { queryPlanner, stages, executionStats } = await explain(command!, verbosity);
  return JSON.stringify([queryPlanner, stages, executionStats]);
}

/** Returns how many documents the commands that `read` sends examine in total. */
async function examinedBy(read: () => Promise<unknown>): Promise<number> {
  let total = 0;
  for (const command of await commandsOf(read))
    total += (await explain(command, 'executionStats')).executionStats.totalDocsExamined;
  return total;
}

async function commandsOf(read: () => Promise<unknown>): Promise<Document[]> {
  const { client } = store.services.mongo;
  const sent: Document[] = [];
  const record = ({ command }: CommandStartedEvent) => void sent.push(command);
  client.on('commandStarted', record);
  await read();
  client.off('commandStarted', record);
  return sent;
}

function explain(sent: Document, verbosity: string): Promise<Document> {
  const { lsid, $db, $clusterTime, txnNumber, startTransaction, autocommit, readConcern, ...command } = sent;
  return store.services.mongo.db.command({ explain: command, verbosity });
}

test.skipIf(embedded.isMissing)(embedded.title('reads the newest thumbnails of documents in index order'), async () => {
  const thumbnail = (documentId: string, day: number) => {
    const createdAt = new Date(Date.UTC(2026, 0, day));
    return {
      _id: `art_${documentId}_${day}`,
      documentId,
      versionId: `ver_${documentId}_${day}`,
      kind: 'thumbnail',
      createdAt,
    };
  };
  const thumbnails = [thumbnail('a', 1), thumbnail('a', 3), thumbnail('a', 2), thumbnail('b', 1)];
  await scope.db
    .collection<Document & { _id: string }>('artifacts')
    .insertMany([...thumbnails, { ...thumbnail('a', 9), _id: 'step', kind: 'step' }]);
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
  { folderIds: null, includeArchived: false, released: { has: false, formerlyReleased: ['doc_1'] } },
];

test.skipIf(embedded.isMissing).each(LISTS)(embedded.title('lists documents of %j in index order'), async (filter) => {
  for (const sort of SORTS)
    for (const descending of [false, true]) {
      const plan = await planOf(() => listDocuments(scope, filter, { sort, descending, limit: 50 }));
      expect(plan).toContain('IXSCAN');
      expect(plan).not.toContain('"SORT"');
      if (filter.kind) expect(plan).toContain('"indexName":"kind_1_archived_1_');
    }
});

test.each(SORTS)(
  'merges archived and other documents by %s in pages, without reading those before a page',
  async (sort) => {
    const documents = scope.db.collection<Document & { _id: string }>('documents');
    const digits = (n: number) => String(n).padStart(3, '0');
    // each time and each name occurs twice
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
          const page = (after?: DocumentPosition) =>
            listDocuments(scope, { folderIds, includeArchived: true }, { sort, descending, limit: 30, after });
          const found: string[] = [];
          let last: DocumentPosition | undefined;
          for (let documents = await page(); documents.length; documents = await page(last)) {
            found.push(...documents.map(({ _id }) => _id));
            const end = documents.at(-1)!;
            last = { value: sortValue(end, sort), id: end._id };
          }
          const expected = all.map(({ _id }) => _id);
          expect(found).toEqual(descending ? expected.reverse() : expected);
          if (embedded.isMissing) continue;
          const [, , stats] = JSON.parse(
            await planOf(() => page({ value: sortValue(all[150] as never, sort), id: 'doc_150' }), 'executionStats'),
          );
          // the page, and the two documents at its start position
          expect(stats.totalDocsExamined).toBeLessThanOrEqual(32);
        }
    } finally {
      await documents.deleteMany({ folderId: 'fld_1' });
    }
  },
);

test.skipIf(embedded.isMissing)(embedded.title('reads only the documents with a rare word in a search'), async () => {
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

test.skipIf(embedded.isMissing)(embedded.title('reads no documents in a search that finds none'), async () => {
  const documents = scope.db.collection<Document & { _id: string }>('documents');
  const common = { nameKey: 'part', words: ['part'], archived: false, folderId: 'fld_none', kind: 'model' };
  await documents.insertMany(
    Array.from({ length: 300 }, (_, n) => ({ _id: `doc_${n}`, number: `PRT-${n}`, updatedAt: new Date(n), ...common })),
  );
  try {
    const filter = { folderIds: null, includeArchived: false };
    for (const search of [{ text: 'missing', words: ['missing'], phrases: [] }, parseSearch('"missing bolt"')!])
      for (const tier of searchTiers(search))
        for (const sort of ['updatedAt', 'number', 'name'] as const) {
          const list = () => listDocuments(scope, filter, { sort, descending: true, limit: 50, tier });
          expect(await examinedBy(list), JSON.stringify([sort, tier.filter])).toBe(0);
          expect(await examinedBy(() => countDocuments(scope, filter, tier))).toBe(0);
        }
  } finally {
    await documents.deleteMany({ folderId: 'fld_none' });
  }
});

test.skipIf(embedded.isMissing)(embedded.title('reads a page of a search that finds many documents'), async () => {
  const documents = scope.db.collection<Document & { _id: string }>('documents');
  const common = { nameKey: 'part', words: ['part'], archived: false, folderId: 'fld_many', kind: 'model' };
  const isOther = (n: number) => n >= 5_000;
  await documents.insertMany(
    Array.from({ length: 7_500 }, (_, n) => ({
      ...{ _id: `doc_${n}`, number: `${isOther(n) ? 'Z' : 'PRT'}-${n}`, updatedAt: new Date((n * 7919) % 7_500) },
      ...{ ...common, ...(isOther(n) && { nameKey: 'z', words: ['z'] }) },
    })),
  );
  try {
    const filter = { folderIds: null, includeArchived: false };
    const [, byNumber] = searchTiers(parseSearch('PRT-')!);
    const [, , byName, byWord] = searchTiers(parseSearch('part')!);
    for (const tier of [byNumber, byName])
      for (const sort of ['updatedAt', 'number', 'name'] as const) {
        const list = () => listDocuments(scope, filter, { sort, descending: false, limit: 50, tier });
        expect((await list()).length).toBe(50);
        // one in three is another document
        expect(await examinedBy(list), sort).toBeLessThanOrEqual(100);
        expect(await countDocuments(scope, filter, tier)).toBe(5_000);
      }
    expect(await countDocuments(scope, filter, byWord)).toBe(0);
    await documents.updateOne({ _id: 'doc_4998' }, { $set: { lastRevision: 1 } });
    for (const few of [{ ids: ['doc_4998', 'doc_6000'] }, { released: { has: true, formerlyReleased: [] } }])
      for (const sort of ['number', 'name'] as const) {
        const list = () =>
          listDocuments(scope, { ...filter, ...few }, { sort, descending: false, limit: 50, tier: byName });
        expect((await list()).map(({ _id }) => _id)).toEqual(['doc_4998']);
        expect(await examinedBy(list), JSON.stringify([few, sort])).toBeLessThanOrEqual(2);
      }
  } finally {
    await documents.deleteMany({ folderId: 'fld_many' });
  }
});

const ALL_RANGES: IndexRange[] = [
  ...(['latest', 'released', 'all'] as const).flatMap((scope) => rangesOfDocument(['PRT-1'], { scope, drafts: true })),
  ...[{ as: 'newest' } as const, { as: 'revision', label: 'A' } as const, { as: 'version', n: 1 } as const].flatMap(
    (at) => rangesOfDrafts(['PRT-1'], at),
  ),
  ...rangesOfFrozen('ver_1', 'all'),
];

test.skipIf(embedded.isMissing).each(ALL_RANGES)(
  embedded.title('reads the users of a document in the range %j in index order'),
  async (range) => {
    const plan = await planOf(() => linesIn(scope, [range], { limit: 50, after: 'ver_9/1' }));
    expect(plan).toContain('IXSCAN');
    expect(plan).not.toContain('"SORT"');
  },
);

test.skipIf(embedded.isMissing)(
  embedded.title('reads the lines that were frozen to versions in index order'),
  async () => {
    const plan = await planOf(() => linesFrozenTo(scope, ['ver_1', 'ver_2'], 'latest', { limit: 50 }));
    expect(plan).toContain('IXSCAN');
    expect(plan).not.toContain('"SORT"');
  },
);

function pageAfter(descending: boolean, sort: 'name' | 'createdAt' = 'createdAt'): PageRequest {
  return { descending, limit: 50, after: { value: sort === 'name' ? 'M' : new Date(), id: 'x' } };
}

test.skipIf(embedded.isMissing).each([
  ['the next delivery to a webhook', () => dueDeliveries(scope, { _id: 'whk_1', enabled: true }, new Date())],
  ['the next forced delivery to a webhook', () => dueDeliveries(scope, { _id: 'whk_1', enabled: false }, new Date())],
  ['recent deliveries to a webhook', () => deliveredSince(scope, 'whk_1', new Date())],
  [
    'a page of the deliveries of a webhook',
    () =>
      listDeliveries(
        scope,
        { webhookId: 'whk_1' },
        { limit: 50, descending: true, after: { value: new Date(), id: 'x' } },
      ),
  ],
  ...(['name', 'createdAt'] as const).flatMap((sort) =>
    [false, true].flatMap((descending): [string, () => Promise<unknown>][] => [
      [`a page of users by ${sort}`, () => listUsers(scope, { sort, ...pageAfter(descending, sort) })],
      [`a page of tokens by ${sort}`, () => listTokens(scope, {}, { sort, ...pageAfter(descending, sort) })],
      [
        `a page of a user's tokens by ${sort}`,
        () => listTokens(scope, { userId: 'usr_1' }, { sort, ...pageAfter(descending, sort) }),
      ],
    ]),
  ),
  ...[false, true].flatMap((descending): [string, () => Promise<unknown>][] => [
    ['a page of all records', () => listAudit(scope, {}, pageAfter(descending))],
    ['a page of the records of an actor', () => listAudit(scope, { actor: 'usr_1' }, pageAfter(descending))],
    ['a page of the records of an action', () => listAudit(scope, { action: 'a' }, pageAfter(descending))],
    ['a page of the records about a version', () => listAbout(scope, { versionId: 'ver_1' }, pageAfter(descending))],
    ['a page of the records about a revision', () => listAbout(scope, { revisionId: 'rev_1' }, pageAfter(descending))],
    ['a page of a chain', () => listChain(scope, 'doc_1', { limit: 50, descending, after: 7 })],
    ['a page of deliveries', () => listDeliveries(scope, { webhookId: 'whk_1' }, pageAfter(descending))],
    ['a page of runs', () => runsOf(scope, 'ver_1', pageAfter(descending))],
    [
      'a page of jobs',
      () => listJobs(scope, { statuses: ['failed'] }, { descending, limit: 50, after: { value: 5, id: 'x' } }),
    ],
    ['a page of versions', () => listVersions(scope, 'doc_1', { descending, limit: 50, after: 5 })],
    ['a page of revisions', () => listRevisions(scope, 'doc_1', { descending, limit: 50, after: 5 })],
    [
      'a page of users of a document',
      () => linesIn(scope, [{ target: 'PRT-1', place: 'latest' }], { descending, limit: 50, after: 'ver_9/1' }),
    ],
  ]),
  ['events after a position in the log', () => sealedRecordsAfter(scope, 5, 100)],
] as [string, () => Promise<unknown>][])(embedded.title('reads %s in index order'), async (_name, read) => {
  const plan = await planOf(read);
  expect(plan).toMatch(/IXSCAN|IDHACK|CLUSTERED/);
  expect(plan).not.toContain('"SORT"');
});

test.skipIf(embedded.isMissing)(embedded.title('reads only the records of one actor and action'), async () => {
  const read = () =>
    listAudit(scope, { actor: 'usr_1', action: 'version.released', from: new Date(0) }, pageAfter(true));
  expect(await planOf(read)).toContain('"indexName":"by.id_1_action_1_at_-1__id_-1"');
  expect(await planOf(() => countAudit(scope, { actor: 'usr_1', action: 'version.released' }))).toContain('COUNT_SCAN');
});

test.skipIf(embedded.isMissing).each([
  ['of a type', { type: 'run' }, 'type_1_seq_-1__id_-1'],
  ['of a type that are done', { type: 'run', statuses: ['done'] }, 'type_1_seq_-1__id_-1'],
  ['of a type that failed', { type: 'run', statuses: ['failed'] }, 'status_1_seq_-1__id_-1'],
  ['of a type and a draft', { type: 'run', versionId: 'ver_1' }, 'versionId_1_seq_-1__id_-1'],
] as [string, JobFilter, string][])(
  embedded.title('finds and counts jobs %s in a narrow index'),
  async (_name, filter, index) => {
    expect(await planOf(() => listJobs(scope, filter, { descending: true, limit: 50 }))).toContain(index);
    expect(await planOf(() => countJobs(scope, filter))).toContain(index);
  },
);

test.each([
  ['that wait or run', () => unfinishedJobsOf(scope, 'ver_1'), ['running', 'waiting']],
  ['that may deliver', () => jobsThatMayDeliver(scope, 'ver_1'), ['failed', 'running', 'waiting']],
] as [string, () => Promise<JobRecord[]>, JobStatus[]][])(
  'reads the jobs of a version %s without the finished ones',
  async (_name, read, found) => {
    const jobs = scope.db.collection<Pick<JobRecord, '_id' | 'versionId' | 'status' | 'seq'>>('jobs');
    const all: JobStatus[] = ['cancelled', 'done', 'failed', 'running', 'waiting'];
    await jobs.insertMany(all.map((status, seq) => ({ _id: `job_${status}`, versionId: 'ver_1', status, seq })));
    try {
      expect((await read()).map(({ status }) => status).sort()).toEqual(found);
      if (!embedded.isMissing) expect(await planOf(read)).toContain('"versionId_1_type_1_runId_1"');
    } finally {
      await jobs.deleteMany({ versionId: 'ver_1' });
    }
  },
);

test.skipIf(embedded.isMissing)(
  embedded.title('reads none of hundreds of waiting runs of a version when another one is queued'),
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
      work.audit({ action: 'run.requested', summary: 'A run was requested.', documentId: 'doc_1' });
      return queueJob(work, { ...order, inputKinds: [] });
    };
    const plan = await planOf(() => inTransaction(store.services, requestAs('editor'), queue, null), 'executionStats');
    // the queued job itself
    expect(plan).toContain('"totalDocsExamined":1');
  },
);

test.skipIf(embedded.isMissing)(
  embedded.title('counts the documents of each folder in an index without reading them'),
  async () => {
    const plan = await planOf(() => countByFolder(scope));
    expect(plan).toContain('IXSCAN');
    expect(plan).not.toContain('"filter"');
  },
);

test.skipIf(embedded.isMissing).each([
  ['users', () => countUsers(scope)],
  ["a user's tokens", () => countTokens(scope, { userId: 'usr_1' })],
  ['failed jobs', () => countJobs(scope, { statuses: ['failed'] })],
  ['the jobs of a type', () => countJobs(scope, { type: 'run' })],
  ['the jobs of a draft', () => countJobs(scope, { versionId: 'ver_1' })],
  ['runs', () => countRuns(scope, 'ver_1')],
  ['deliveries', () => countDeliveries(scope, { webhookId: 'whk_1', status: 'failed' })],
  ['the records of an actor', () => countAudit(scope, { actor: 'usr_1' })],
  ['the records of a period', () => countAudit(scope, { from: new Date(0), before: new Date() })],
  ['the records about a version', () => countAbout(scope, { versionId: 'ver_1' })],
  ['versions', () => countVersions(scope, 'doc_1')],
  ['revisions', () => countRevisions(scope, 'doc_1')],
  ['users of a document', () => countLines(scope, [{ target: 'PRT-1', place: 'latest' }])],
  ['the documents of a folder', () => countDocuments(scope, { folderIds: ['fld_1'], includeArchived: false })],
  [
    'the documents of several folders',
    () => countDocuments(scope, { folderIds: ['fld_1', 'fld_2'], includeArchived: true }),
  ],
] as [string, () => Promise<unknown>][])(embedded.title('counts %s in an index'), async (name, read) => {
  const plan = await planOf(read);
  // a count without a filter may be planned in several ways; the index of records about a version does not contain the
  // chain
  const expected: Record<string, RegExp> = { users: /SCAN|COUNT/, 'the records about a version': /IXSCAN/ };
  expect(plan).toMatch(expected[name] ?? /COUNT_SCAN/);
});
