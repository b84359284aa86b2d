// Audit log throughput: hashing, sealing and verification, and the delay from commit to seal.
// Run: `node launch.mjs bench/audit.ts` (RECORDS=1000000: full size; MONGODB_URL: use that server).
// Targets: verify a million records in 60 s, hash a record in 50 µs of CPU, seal a record within 1 s of its commit.
import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { auditHash, CHAIN_START } from '../subgraphs/core/domain/audit/audit-event.ts';
import { createVerifier, signNote } from '../subgraphs/core/domain/audit/signed-note.ts';
import { verifyLog } from '../subgraphs/core/domain/audit/verify-log.ts';
import { storedLog } from '../subgraphs/core/store/audit/audit-log.ts';
import { ensureAuditTree, sealPending } from '../subgraphs/core/store/audit/audit-seals.ts';
import { insertAll } from '../subgraphs/core/store/query/records.ts';
import { collection } from '../subgraphs/core/store/query/scope.ts';
import { inTransaction } from '../subgraphs/core/work.ts';
import { startSealing } from '../subgraphs/documents/audit/seal-audit.ts';
import { createDocument } from '../subgraphs/documents/create-document.ts';
import { requestAs, testStore } from '../test/support/store.ts';

const RECORDS = Number(process.env.RECORDS ?? 20_000);
const PER_DOCUMENT = 50;
const WRITES = 20;
const TARGET_VERIFY_RATE = 1_000_000 / 60;
const TARGET_HASH_US = 50;

const { services, close } = await testStore();
const scope = { db: services.mongo.db };
const { key } = services.sealing;
const seconds = (since: number) => (performance.now() - since) / 1000;

const hashing = process.cpuUsage();
const chain = (n: number) => {
  let prevHash = CHAIN_START;
  return Array.from({ length: PER_DOCUMENT }, (_, i) => {
    const record = {
      _id: `aud_${String(n * PER_DOCUMENT + i).padStart(26, '0')}`,
      chain: `doc_${n}`,
      chainSeq: i + 1,
      at: new Date(1.7e12 + n * 1000 + i),
      by: { id: 'usr_editor', role: 'editor' as const, via: 'token', tokenId: 'tok_editor' },
      action: 'version.created',
      documentId: `doc_${n}`,
      versionId: `ver_${n}_${i}`,
      revisionId: null,
      workspaceId: `wsp_${n}`,
      folderId: null,
      jobId: null,
      summary: `Version ${i} of PRT-${n} was created in workspace "main" with 4 files.`,
      changes: {
        n: { from: null, to: i },
        name: { from: null, to: `V${i}` },
        contentHash: { from: null, to: '0'.repeat(64) },
      },
      requestId: `request-${n}-${i}`,
      ip: '127.0.0.1',
    };
    const linked = { ...record, prevHash, hash: auditHash(prevHash, record) };
    prevHash = linked.hash;
    return linked;
  });
};
const documents = Math.ceil(RECORDS / PER_DOCUMENT);
let hashed = 0;
for (let n = 0; n < documents; n += 40) {
  const before = process.cpuUsage(hashing);
  const chains = Array.from({ length: Math.min(40, documents - n) }, (_, k) => chain(n + k));
  const after = process.cpuUsage(hashing);
  hashed += after.user + after.system - before.user - before.system;
  const records = chains.flat();
  await insertAll(scope, 'audit', records);
  await insertAll(
    scope,
    'auditPending',
    records.map(({ _id, chain, chainSeq, at, hash }) => ({ _id, chain, chainSeq, at, hash })),
  );
  await insertAll(
    scope,
    'chains',
    chains.map((links) => ({ _id: links[0]!.chain, chainSeq: links.length, hash: links.at(-1)!.hash })),
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
for (let moved = 1; moved; sealed += moved) moved = await sealPending(scope, sealer);
assert.equal(sealed, total);
console.log(`sealing: ${(total / seconds(start)).toFixed(0)} records/s`);

start = performance.now();
const verifying = process.cpuUsage();
const verifiers = (origin: string) => [createVerifier(origin, createPublicKey(key))];
const { verdict, records } = await verifyLog(storedLog(scope), { verifiers });
assert.deepEqual([verdict, records], ['good', total]);
const rate = total / seconds(start);
const { user, system } = process.cpuUsage(verifying);
console.log(
  `verification: ${((user + system) / total).toFixed(1)} µs of CPU per record in this process, without the store process`,
);
console.log(
  `verification: ${rate.toFixed(0)} records/s, a million in ${(1_000_000 / rate).toFixed(0)} s (target: ≤ 60 s, ratio ${(rate / TARGET_VERIFY_RATE).toFixed(2)})`,
);
console.log(`memory: ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`);

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
