// Version graph of a long document history: layout, and paged reads from the store. MONGODB_URL: use that server.
// Targets: layout of 10,000 versions in 40 workspaces within 300 ms, ten times that of 1,000.
import assert from 'node:assert/strict';
import {
  createGrid,
  edgesTouching,
  type GraphVersion,
  type GraphWorkspace,
} from '../subgraphs/core/domain/versions/version-graph.ts';
import { collection } from '../subgraphs/core/store/query/scope.ts';
import type { DocumentRecord, VersionRecord, WorkspaceRecord } from '../subgraphs/core/store/schema/collections.ts';
import { readVersionGraph } from '../subgraphs/versioning/read-version-graph.ts';
import { testStore } from '../test/support/store.ts';

const TARGET_MS = 300;
const WORKSPACES = 40;
const TAKE_OVER_SHARE = 0.05;
const ROUNDS = 3;

type Workspace = GraphWorkspace & { fromVersionId: string | null };
type History = { workspaces: Workspace[]; versions: GraphVersion[]; drafts: GraphVersion[] };

/** Generates a history in which workspaces are created throughout and versions are added to random workspaces. */
function generateHistory(count: number): History {
  const random = createRandom(count);
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
    const taken = random() < TAKE_OVER_SHARE ? versions[Math.floor(random() * versions.length)]?._id : undefined;
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

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Minimum time in ms to lay out all histories. Retains all results, so that memory depends only on the version count.
 */
function measureLayout(histories: readonly History[]): number {
  const times = Array.from({ length: 30 }, () => {
    const start = performance.now();
    const layouts = histories.map(({ workspaces, versions, drafts }) => {
      const grid = createGrid(workspaces, versions.length);
      const nodes = [...drafts, ...versions.toReversed()];
      return { cells: nodes.map((version) => grid.cellOf(version)), edges: edgesTouching(grid, nodes, []) };
    });
    const time = performance.now() - start;
    for (const { cells, edges } of layouts) assert(edges.length >= cells.length - WORKSPACES);
    return time;
  });
  return Math.min(...times);
}

const [short, long] = [generateHistory(1_000), generateHistory(10_000)];
const ten = Array.from({ length: 10 }, () => short);
measureLayout(ten);
const [few, many] = [measureLayout(ten), measureLayout([long])];
console.log(`layout of 10,000 versions in ${WORKSPACES} workspaces: ${many.toFixed(1)} ms (target: < ${TARGET_MS} ms)`);
console.log(`layout time of 10,000 versions: ${((10 * many) / few).toFixed(1)} times that of 1,000 (target: about 10)`);

const { services, close } = await testStore();
const scope = { db: services.mongo.db };
const now = new Date();

async function storeHistory(documentId: string, { workspaces, versions, drafts }: History): Promise<void> {
  const prefixed = (id: string) => `${documentId}-${id}`;
  const record = (version: GraphVersion): VersionRecord => ({
    ...version,
    _id: prefixed(version._id),
    documentId,
    workspaceId: prefixed(version.workspaceId),
    basedOnVersionId: version.basedOnVersionId && prefixed(version.basedOnVersionId),
    parents: version.parents.map(prefixed),
    name: `V${version.n}`,
    comment: 'a comment of average length',
    releasedAs: null,
    contentHash: 'a'.repeat(64),
    awaitsJobs: [],
    createdAt: now,
    createdBy: 'usr_bench',
    updatedAt: now,
    lock: 0,
  });
  await collection(scope, 'documents').insertOne({
    _id: documentId,
    number: documentId,
    lastVersion: versions.length,
  } as DocumentRecord);
  await collection(scope, 'workspaces').insertMany(
    workspaces.map(({ id, fromVersionId }, i) => {
      const fields = {
        name: id,
        nameKey: id,
        description: null,
        archived: false,
        newestVersionId: null,
        reservation: null,
        createdBy: 'usr_bench',
        lock: 0,
      };
      const origin = {
        main: i === 0,
        fromVersionId: fromVersionId && prefixed(fromVersionId),
        draftId: prefixed(`draft-${id}`),
        createdAt: new Date(i),
      };
      return { _id: prefixed(id), documentId, ...fields, ...origin } satisfies WorkspaceRecord;
    }),
  );
  await collection(scope, 'versions').insertMany([...versions, ...drafts].map(record));
}

async function measurePages(documentId: string, limit: number): Promise<{ pages: number[]; nodes: number }> {
  const pages: number[] = [];
  let nodes = 0;
  for (let cursor: string | null | undefined, round = 0; round < ROUNDS; ) {
    const start = performance.now();
    const page = await readVersionGraph(services, documentId, { limit, cursor });
    if (page.nodes.length === limit) pages.push(performance.now() - start);
    nodes += page.nodes.length;
    cursor = page.nextCursor ?? undefined;
    if (!cursor) round++;
  }
  return { pages, nodes };
}

async function measureWindow(documentId: string, fromRow: number, limit: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3 * ROUNDS; round++) {
    const start = performance.now();
    assert.equal((await readVersionGraph(services, documentId, { limit, fromRow })).nodes.length, limit);
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

await storeHistory('short', short);
await storeHistory('long', long);
await measurePages('short', 200);
for (const limit of [200, 1000]) {
  const [a, b] = [await measurePages('short', limit), await measurePages('long', limit)];
  assert.equal(b.nodes, ROUNDS * (long.versions.length + WORKSPACES));
  const best = (times: number[]) => Math.min(...times).toFixed(0);
  console.log(
    `page of ${limit} rows from the store: ${best(a.pages)} ms with 1,000 versions, ${best(b.pages)} ms with 10,000 (target: equal)`,
  );
}
const opened = performance.now();
await readVersionGraph(services, 'long', { limit: 200, fromRow: 400 });
console.log(
  `window of 200 of 10,000 rows: first read ${(performance.now() - opened).toFixed(0)} ms, including all parents`,
);
await readVersionGraph(services, 'short', { limit: 200, fromRow: 400 });
const [near, far] = [await measureWindow('short', 400, 200), await measureWindow('long', 400, 200)];
console.log(`window of 200 of 10,000 rows: repeated read ${far.toFixed(0)} ms; of 1,000 rows ${near.toFixed(0)} ms`);
await close();
