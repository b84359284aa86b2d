// How long the history graph of a long-lived document takes: its layout alone, whole, and read from the store in pages.
// Run by `node launch.mjs bench/version-graph.ts` (MONGODB_URL: on that server). Aim: 10,000 versions in 40 workspaces
// laid out in under 300 ms, ten times 1,000.
import assert from 'node:assert/strict';
import {
  edgesOf,
  type GraphVersion,
  type GraphWorkspace,
  gridOf,
} from '../subgraphs/core/domain/versions/version-graph.ts';
import { collection } from '../subgraphs/core/store/query/scope.ts';
import type { DocumentRecord, VersionRecord, WorkspaceRecord } from '../subgraphs/core/store/schema/collections.ts';
import { readVersionGraph } from '../subgraphs/versioning/read-version-graph.ts';
import { testStore } from '../test/support/store.ts';

const AIM = 300;
const WORKSPACES = 40;
const TAKE_OVERS = 0.05;
const ROUNDS = 3;

type Workspace = GraphWorkspace & { fromVersionId: string | null };
type History = { workspaces: Workspace[]; versions: GraphVersion[]; drafts: GraphVersion[] };

/**
 * A history like one that people make: workspaces begin all along, most versions continue one of the latest workspaces.
 */
function historyOf(count: number): History {
  const random = randomFrom(count);
  const workspaces: Workspace[] = [{ id: 'w0', from: null, fromVersionId: null }];
  const heads = new Map<string, string | null>([['w0', null]]);
  const versions: GraphVersion[] = [];
  for (let n = 1; n <= count; n++) {
    const from = versions[Math.floor(random() * versions.length)];
    if (from && workspaces.length < Math.ceil((n / count) * WORKSPACES)) {
      const id = `w${workspaces.length}`;
      workspaces.push({ id, from: { workspaceId: from.workspaceId, n: from.n! }, fromVersionId: from._id });
      heads.set(id, from._id);
    }
    const { id: workspaceId } = workspaces[Math.floor(random() * workspaces.length)]!;
    const head = heads.get(workspaceId) ?? null;
    const taken = random() < TAKE_OVERS ? versions[Math.floor(random() * versions.length)]?._id : undefined;
    const parents = [...new Set([head, taken].flatMap((id) => id ?? []))];
    versions.push({ _id: `v${n}`, workspaceId, type: 'version', n, basedOnVersionId: head, parents });
    heads.set(workspaceId, `v${n}`);
  }
  const drafts = workspaces.map(({ id }): GraphVersion => {
    const head = heads.get(id) ?? null;
    return {
      _id: `draft-${id}`,
      workspaceId: id,
      type: 'draft',
      n: null,
      basedOnVersionId: head,
      parents: head ? [head] : [],
    };
  });
  return { workspaces, versions, drafts };
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * The time to lay out some histories, all kept, so that as many versions in one or in ten histories need the same
 * memory.
 */
function layoutTime(histories: readonly History[]): number {
  const times = Array.from({ length: 30 }, () => {
    const begun = performance.now();
    const drawn = histories.map(({ workspaces, versions, drafts }) => {
      const grid = gridOf(workspaces, versions.length);
      const nodes = [...drafts, ...versions.toReversed()];
      return { cells: nodes.map((version) => grid.cellOf(version)), edges: edgesOf(grid, nodes, []) };
    });
    const time = performance.now() - begun;
    for (const { cells, edges } of drawn) assert(edges.length >= cells.length - WORKSPACES);
    return time;
  });
  return Math.min(...times); // the one that other work on the machine disturbed least
}

const [short, long] = [historyOf(1_000), historyOf(10_000)];
const ten = Array.from({ length: 10 }, () => short);
layoutTime(ten);
const [few, many] = [layoutTime(ten), layoutTime([long])];
console.log(`layout of 10,000 versions in ${WORKSPACES} workspaces: ${many.toFixed(1)} ms (aim: under ${AIM} ms)`);
console.log(`10,000 versions take ${((10 * many) / few).toFixed(1)} times as long as 1,000 (aim: about 10)`);

const { services, close } = await testStore();
const scope = { db: services.mongo.db };
const now = new Date();

async function store(documentId: string, { workspaces, versions, drafts }: History): Promise<void> {
  const own = (id: string) => `${documentId}-${id}`;
  const record = (version: GraphVersion): VersionRecord => ({
    ...version,
    _id: own(version._id),
    documentId,
    workspaceId: own(version.workspaceId),
    basedOnVersionId: version.basedOnVersionId && own(version.basedOnVersionId),
    parents: version.parents.map(own),
    ...{
      name: `V${version.n}`,
      comment: 'a comment of usual length',
      releasedAs: null,
      contentHash: 'a'.repeat(64),
      awaitsJobs: [],
    },
    ...{ createdAt: now, createdBy: 'usr_bench', updatedAt: now, lock: 0 },
  });
  await collection(scope, 'documents').insertOne({
    _id: documentId,
    number: documentId,
    lastVersion: versions.length,
  } as DocumentRecord);
  await collection(scope, 'workspaces').insertMany(
    workspaces.map(({ id, fromVersionId }, i) => {
      const kept = {
        name: id,
        nameKey: id,
        description: null,
        archived: false,
        newestVersionId: null,
        reservation: null,
        createdBy: 'usr_bench',
        lock: 0,
      };
      const began = {
        main: i === 0,
        fromVersionId: fromVersionId && own(fromVersionId),
        draftId: own(`draft-${id}`),
        createdAt: new Date(i),
      };
      return { _id: own(id), documentId, ...kept, ...began } satisfies WorkspaceRecord;
    }),
  );
  await collection(scope, 'versions').insertMany([...versions, ...drafts].map(record));
}

async function pageTimes(documentId: string, limit: number): Promise<{ pages: number[]; nodes: number }> {
  const pages: number[] = [];
  let nodes = 0;
  for (let cursor: string | null | undefined, round = 0; round < ROUNDS; ) {
    const begun = performance.now();
    const page = await readVersionGraph(services, documentId, { limit, cursor });
    if (page.nodes.length === limit) pages.push(performance.now() - begun);
    nodes += page.nodes.length;
    cursor = page.nextCursor ?? undefined;
    if (!cursor) round++;
  }
  return { pages, nodes };
}

async function windowTime(documentId: string, fromRow: number, limit: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3 * ROUNDS; round++) {
    const begun = performance.now();
    assert.equal((await readVersionGraph(services, documentId, { limit, fromRow })).nodes.length, limit);
    times.push(performance.now() - begun);
  }
  return Math.min(...times);
}

await store('short', short);
await store('long', long);
await pageTimes('short', 200);
for (const limit of [200, 1000]) {
  const [a, b] = [await pageTimes('short', limit), await pageTimes('long', limit)];
  assert.equal(b.nodes, ROUNDS * (long.versions.length + WORKSPACES));
  const best = (times: number[]) => Math.min(...times).toFixed(0);
  console.log(
    `a page of ${limit} rows from the store: ${best(a.pages)} ms of 1,000 versions, ${best(b.pages)} ms of 10,000 (aim: the same)`,
  );
}
const opened = performance.now();
await readVersionGraph(services, 'long', { limit: 200, fromRow: 400 });
console.log(
  `a window of 200 rows near the far end of 10,000: ${(performance.now() - opened).toFixed(0)} ms the first time, when all parents are read`,
);
await readVersionGraph(services, 'short', { limit: 200, fromRow: 400 });
const [near, far] = [await windowTime('short', 400, 200), await windowTime('long', 400, 200)];
console.log(`then ${far.toFixed(0)} ms; of 1,000 versions ${near.toFixed(0)} ms`);
await close();
