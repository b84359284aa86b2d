// Where-used queries for a document with many references. MONGODB_URL: use that server. Targets: the first or last page
// of 50 out of 50,000 referencing versions within 50 ms, and as fast as out of 5,000.
import assert from 'node:assert/strict';
import { whereUsed } from '../subgraphs/artifacts/references/where-used.ts';
import { collection } from '../subgraphs/core/store/query/scope.ts';
import type {
  DocumentRecord,
  ReferenceRecord,
  RevisionRecord,
  VersionRecord,
} from '../subgraphs/core/store/schema/collections.ts';
import { testStore } from '../test/support/store.ts';

const TARGET_MS = 50;
const SIZES = [5_000, 50_000];
const ROUNDS = 20;
/** Versions per assembly, in addition to its draft. */
const VERSIONS = 4;

const { services, close } = await testStore();
const scope = { db: services.mongo.db };
const padNumber = (i: number) => String(i).padStart(6, '0');

/** Stores a released part that `size` assembly versions reference by number, id, label or version. */
async function storeReferences(part: string, size: number): Promise<void> {
  const [id, version] = [`doc_${part}`, `ver_${part}`];
  const used = { _id: id, number: part, name: part, kind: 'model', lastVersion: 1, archived: false } as DocumentRecord;
  await collection(scope, 'documents').insertOne(used);
  await collection(scope, 'versions').insertOne({
    _id: version,
    documentId: id,
    type: 'version',
    n: 1,
    workspaceId: `wsp_${part}`,
  } as VersionRecord);
  await collection(scope, 'revisions').insertOne({
    _id: `rev_${part}`,
    documentId: id,
    versionId: version,
    versionN: 1,
    label: 'A',
    ordinal: 1,
    obsolete: false,
  } as RevisionRecord);

  const addresses = [
    { target: part, at: { as: 'newest' }, location: `pdm://documents/${part}` },
    { target: part, at: { as: 'revision', label: 'A' }, location: `pdm://documents/${part}@A` },
    { target: id, at: { as: 'newest' }, location: `pdm://documents/${id}` },
    { target: part, at: { as: 'version', n: 1 }, location: `pdm://documents/${part}@v1` },
  ] as const;
  const frozen = {
    documentId: id,
    number: part,
    versionId: version,
    n: 1,
    as: 'revision' as const,
    label: 'A',
    sha256: 'a'.repeat(64),
    bomDigest: null,
  };
  const line = (i: number, place: ReferenceRecord['place']): ReferenceRecord => {
    const [assembly, versionId] = [
      padNumber(Math.floor(i / VERSIONS)),
      `ver_${part}_${padNumber(i)}${place === 'draft' ? '_draft' : ''}`,
    ];
    const reference = {
      line: 1,
      quantity: 4,
      occurrences: [{ path: '/templates/0/reference', quantity: 4 }],
      ...addresses[i % addresses.length]!,
    };
    const state = { place, released: place !== 'draft' && i % 3 === 0, frozen: place === 'draft' ? null : frozen };
    return { _id: `${versionId}/1`, documentId: `doc_${part}_${assembly}`, versionId, ...reference, ...state };
  };
  for (let from = 0; from < size; from += 5_000) {
    const lines = Array.from({ length: Math.min(5_000, size - from) }, (_, k) => {
      const i = from + k;
      const isLast = i % VERSIONS === VERSIONS - 1;
      return isLast ? [line(i, 'latest'), line(i, 'draft')] : [line(i, 'earlier')];
    }).flat();
    await collection(scope, 'references').insertMany(lines);
  }
}

async function measurePage(part: string, query: object): Promise<{ ms: number; hits: number }> {
  const times: number[] = [];
  let hits = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    hits = (await whereUsed({ scope }, { documentId: part, ...query })).items.length;
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return { ms: times[ROUNDS / 2]!, hits };
}

/** Returns the cursor of the last page. */
async function findLastCursor(part: string, query: object): Promise<string> {
  let cursor: string | null = null;
  for (;;) {
    const { nextCursor }: { nextCursor: string | null } = await whereUsed(
      { scope },
      { documentId: part, ...query, limit: 200, cursor },
    );
    if (!nextCursor) return cursor ?? '';
    cursor = nextCursor;
  }
}

for (const size of SIZES) await storeReferences(`PRT-${size}`, size);
const [small, large] = SIZES.map((size) => `PRT-${size}`) as [string, string];
const ALL = { scope: 'all' as const };
const QUERIES: [string, object, object][] = [
  ['newest versions and drafts', {}, {}],
  ['all versions and drafts', ALL, ALL],
  [
    'all versions and drafts, last page',
    { ...ALL, cursor: await findLastCursor(small, ALL) },
    { ...ALL, cursor: await findLastCursor(large, ALL) },
  ],
  ['released versions', { scope: 'released' }, { scope: 'released' }],
  ['references to revision A', { of: 'A' }, { of: 'A' }],
];
let slowest = 0;
for (const [name, smallQuery, largeQuery] of QUERIES) {
  const few = await measurePage(small, smallQuery);
  const many = await measurePage(large, largeQuery);
  assert(many.hits > 0 && few.hits > 0, name);
  slowest = Math.max(slowest, many.ms);
  console.log(
    `${name}: page in ${many.ms.toFixed(1)} ms out of ${SIZES[1]} (target: < ${TARGET_MS}), ${(many.ms / few.ms).toFixed(2)} times that of ${SIZES[0]} (target: about 1)`,
  );
}
const start = performance.now();
const usages = await whereUsed({ scope }, { documentId: large, levels: 'all' });
console.log(
  `first ${usages.items.length} of ${SIZES[1]! / VERSIONS} documents on all levels: ${(performance.now() - start).toFixed(0)} ms`,
);
await close();
if (slowest > TARGET_MS) process.exitCode = 1;
