// Audit log throughput: hashing, sealing, verification and the comparison of the store with the log, and the delay from
// commit to seal. Run: `node launch.mjs bench/audit.ts` (RECORDS=1000000: full size; MONGODB_URL: use that server).
// Targets: verify the log of a million records in 60 s and compare the store with it within 5 minutes in total, in memory
// that does not grow with the records; hash a record in 50 µs of CPU; seal a record within 1 s of its commit.
import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { auditHash, CHAIN_START } from '../subgraphs/core/domain/audit/audit-event.ts';
import {
  loggedFields,
  type ProvenCollection,
  type RecordChange,
} from '../subgraphs/core/domain/audit/proven-record.ts';
import { createVerifier, signNote } from '../subgraphs/core/domain/audit/signed-note.ts';
import { verifyLog } from '../subgraphs/core/domain/audit/verify-log.ts';
import { verifyStore } from '../subgraphs/core/proof/verify-store.ts';
import { storedLog } from '../subgraphs/core/store/audit/audit-log.ts';
import { ensureAuditTree, sealPending } from '../subgraphs/core/store/audit/audit-seals.ts';
import { searchFields } from '../subgraphs/core/store/documents.ts';
import { insertAll } from '../subgraphs/core/store/query/records.ts';
import { collection } from '../subgraphs/core/store/query/scope.ts';
import type { Records } from '../subgraphs/core/store/schema/collections.ts';
import { inTransaction } from '../subgraphs/core/work.ts';
import { startSealing } from '../subgraphs/documents/audit/seal-audit.ts';
import { createDocument } from '../subgraphs/documents/create-document.ts';
import { requestAs, testStore } from '../test/support/store.ts';

const RECORDS = Number(process.env.RECORDS ?? 20_000);
const PER_DOCUMENT = 50;
const WRITES = 20;
const TARGET_VERIFY_RATE = 1_000_000 / 60;
const TARGET_COMPARE_SECONDS = 300;
const TARGET_HASH_US = 50;

const { services, close } = await testStore();
const scope = { db: services.mongo.db };
const key = services.sealing.signingKey();
const seconds = (since: number) => (performance.now() - since) / 1000;

type Stored = [ProvenCollection, { _id: string; documentId?: string }];
const hashing = process.cpuUsage();
const at = new Date(1.7e12);
const chain = (n: number) => {
  let prevHash = CHAIN_START;
  const stored = storedDocument(n);
  const links = stored.map((written, i) => {
    const record = {
      _id: `aud_${String(n * PER_DOCUMENT + i).padStart(26, '0')}`,
      action: 'version.created',
      at: new Date(1.7e12 + n * 1000 + i),
      by: { id: 'usr_editor', role: 'editor' as const, tokenId: 'tok_editor', via: 'token' },
      chain: `doc_${n}`,
      chainSeq: i + 1,
      changes: {
        n: { from: null, to: i },
        name: { from: null, to: `V${i}` },
        contentHash: { from: null, to: '0'.repeat(64) },
      },
      documentId: `doc_${n}`,
      folderId: null,
      ip: '127.0.0.1',
      jobId: null,
      records: written.map(([collection, record]): RecordChange => {
        return { collection, fields: loggedFields(collection, record), id: record._id };
      }),
      requestId: `request-${n}-${i}`,
      revisionId: null,
      summary: `Version ${i} of PRT-${n} was created in workspace "main" with 4 files.`,
      versionId: `ver_${n}_${i}`,
      workspaceId: `wsp_${n}`,
    };
    const linked = { ...record, prevHash, hash: auditHash(prevHash, record) };
    prevHash = linked.hash;
    return linked;
  });
  return { links, stored: stored.flat() };
};

/** What each command of a history of a document stores: the document with its workspace and draft, then a version each. */
function storedDocument(n: number): Stored[][] {
  const documentId = `doc_${n}`;
  const by = { createdAt: at, createdBy: 'usr_editor' };
  const content = {
    parents: [],
    releasedAs: null,
    bomDigest: null,
    code: null,
    awaitsJobs: [],
    updatedAt: at,
    lock: 0,
  };
  const version = (i: number) => ({
    ...{ _id: `ver_${n}_${i}`, documentId, workspaceId: `wsp_${n}`, name: i ? `V${i}` : 'Draft', comment: null, ...by },
    ...{ type: i ? 'version' : 'draft', n: i || null, basedOnVersionId: null, ...content },
    contentHash: i ? '0'.repeat(64) : null,
  });
  const named = { number: `X-${n}`, name: `Part ${n}`, description: null };
  const document = {
    ...{ _id: documentId, kind: 'model', folderId: null, archived: false, copiedFrom: null, lock: 0, ...by },
    ...{ ...named, ...searchFields(named), lastVersion: PER_DOCUMENT - 1, lastRevision: 0 },
    ...{ updatedAt: at, updatedBy: 'usr_editor' },
  };
  const workspace = {
    ...{ _id: `wsp_${n}`, documentId, name: 'main', nameKey: 'main', description: null, main: true, archived: false },
    ...{ fromVersionId: null, draftId: `ver_${n}_0`, newestVersionId: null, reservation: null, lock: 0, ...by },
  };
  return Array.from({ length: PER_DOCUMENT }, (_, i) =>
    i
      ? [['versions', version(i)]]
      : [
          ['documents', document],
          ['numbers', { _id: `X-${n}`, documentId, deleted: false }],
          ['workspaces', workspace],
          ['versions', version(0)],
        ],
  );
}

const documents = Math.ceil(RECORDS / PER_DOCUMENT);
let hashed = 0;
for (let n = 0; n < documents; n += 40) {
  const before = process.cpuUsage(hashing);
  const chains = Array.from({ length: Math.min(40, documents - n) }, (_, k) => chain(n + k));
  const after = process.cpuUsage(hashing);
  hashed += after.user + after.system - before.user - before.system;
  const records = chains.flatMap(({ links }) => links);
  for (const name of ['documents', 'numbers', 'workspaces', 'versions'] as const)
    await insertAll(
      scope,
      name as 'numbers',
      chains.flatMap(({ stored }) =>
        stored.flatMap(([collection, record]) => (collection === name ? [record as Records['numbers']] : [])),
      ),
    );
  await insertAll(scope, 'audit', records);
  await insertAll(
    scope,
    'auditPending',
    records.map(({ _id, chain, chainSeq, at, hash }) => ({ _id, chain, chainSeq, at, hash })),
  );
  await insertAll(
    scope,
    'chains',
    chains.map(({ links }) => ({ _id: links[0]!.chain, chainSeq: links.length, hash: links.at(-1)!.hash })),
  );
}
const total = documents * PER_DOCUMENT;
console.log(`hashing: ${(hashed / total).toFixed(1)} µs of CPU per record (target: ≤ ${TARGET_HASH_US} µs)`);

await ensureAuditTree(scope);
let start = performance.now();
const sealer = {
  id: 'bench',
  now: new Date(),
  leaseMs: 0,
  sign: (text: string, name: string) => signNote(text, name, key),
};
let sealed = 0;
for (let moved = 1; moved; sealed += moved) ({ count: moved } = await sealPending(services.mongo, sealer));
assert.equal(sealed, total);
console.log(`sealing: ${(total / seconds(start)).toFixed(0)} records/s`);

start = performance.now();
const verifying = process.cpuUsage();
const verifiers = (origin: string) => [createVerifier(origin, createPublicKey(key))];
const { verdict, records } = await verifyLog(storedLog(scope), { verifiers });
assert.deepEqual([verdict, records], ['intact', total]);
const rate = total / seconds(start);
const { user, system } = process.cpuUsage(verifying);
console.log(
  `verification: ${((user + system) / total).toFixed(1)} µs of CPU per record in this process, without the store process`,
);
console.log(
  `verification: ${rate.toFixed(0)} records/s, a million in ${(1_000_000 / rate).toFixed(0)} s (target: ≤ 60 s, ratio ${(rate / TARGET_VERIFY_RATE).toFixed(2)})`,
);
const mebibytes = () => process.memoryUsage().rss / 2 ** 20;
console.log(`memory: ${mebibytes().toFixed(0)} MiB`);

start = performance.now();
let maxMemory = 0;
const compared = await verifyStore(scope, { verifiers }, { now: new Date(), onProgress: () => sampleMemory() });
assert.deepEqual([compared.verdict, compared.records], ['intact', total]);
const perMillion = (seconds(start) / total) * 1e6;
console.log(
  `verification with the comparison of ${compared.compared} stored records: a million audit records in ${perMillion.toFixed(0)} s (target: ≤ ${TARGET_COMPARE_SECONDS} s), at most ${maxMemory.toFixed(0)} MiB`,
);

function sampleMemory(): void {
  maxMemory = Math.max(maxMemory, mebibytes());
}

const sealing = startSealing(services);
const delays: number[] = [];
for (let i = 0; i < WRITES; i++) {
  await inTransaction(services, requestAs('editor'), createDocument, {
    input: { name: 'Part', kind: 'model' as const },
  });
  const committed = performance.now();
  while (await collection(scope, 'auditPending').findOne()) await new Promise((resolve) => setTimeout(resolve, 5));
  delays.push(performance.now() - committed);
}
await sealing.stop();
console.log(`commit to seal: max ${Math.max(...delays).toFixed(0)} ms in ${WRITES} writes (target: ≤ 1000 ms)`);
await close();
