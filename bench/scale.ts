// What one machine holds: fills an embedded store directly, then measures the start, memory, reads, writes, verification,
// check and backup of a service on it. docs/scaling.md has the results. Full size: DOCUMENTS=100000 (10 versions and 100
// audit records each) FILES_MB=100000; BENCH_DIR is the folder for the data, by default below the temporary folder.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Binary, type Document, ObjectId } from 'mongodb';
import { startStore } from '../embedded/process/supervisor.ts';
import { createBackup } from '../operate/scheduled-backups.ts';
import { auditHash, CHAIN_START } from '../subgraphs/core/domain/audit/audit-event.ts';
import { loggedFields, type ProvenCollection } from '../subgraphs/core/domain/audit/proven-record.ts';
import { signNote } from '../subgraphs/core/domain/audit/signed-note.ts';
import { contentHash } from '../subgraphs/core/domain/versions/version-content.ts';
import { readOrCreateAuditKey } from '../subgraphs/core/platform/audit-key.ts';
import { ensureAuditTree, sealPending } from '../subgraphs/core/store/audit/audit-seals.ts';
import { searchFields } from '../subgraphs/core/store/documents.ts';
import { connectMongo, type Mongo } from '../subgraphs/core/store/mongo.ts';
import { client } from '../test/support/client.ts';
import { startProcess } from '../test/support/service-process.ts';

const DOCUMENTS = Number(process.env.DOCUMENTS ?? 1_000);
const FILES_MB = Number(process.env.FILES_MB ?? 200);
const VERSIONS = 10;
const RECORDS = 100;
/** Every tenth document is an assembly of the nine documents after it. */
const PARTS = 9;
const BATCH = 10;
const ROUNDS = 20;
const MIB = 2 ** 20;

const home = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'pdm-scale-'));
const [dataDir, backups] = [join(home, 'data'), join(home, 'backups')];
const environment = {
  MONGODB_URL: '',
  PDM_ROLES: 'store,api,sweeps',
  PDM_NATS_SERVER_BIN: 'off',
  PDM_CHECKPOINT_FILE: '',
};
const at = new Date(1.7e12);
const by = { createdAt: at, createdBy: 'usr_bench' };

type Stored = [collection: ProvenCollection, record: Document & { _id: string }];

/** The records that each command of the history of a document writes: the document, then its versions. */
function history(n: number): Stored[][] {
  const documentId = `doc_${n}`;
  const named = { number: `X-${n}`, name: `Part ${n} of series ${n % 997}`, description: null };
  const kind = n % (PARTS + 1) === 0 ? 'assembly' : 'model';
  const version = (i: number): Stored => [
    'versions',
    {
      ...{
        _id: `ver_${n}_${i}`,
        documentId,
        workspaceId: `wsp_${n}`,
        name: i ? `V${i}` : 'Draft',
        comment: null,
        ...by,
      },
      ...{ type: i ? 'version' : 'draft', n: i || null, basedOnVersionId: i > 1 ? `ver_${n}_${i - 1}` : null },
      ...{ parents: i > 1 ? [`ver_${n}_${i - 1}`] : [], releasedAs: null, bomDigest: null, code: null, awaitsJobs: [] },
      ...{ updatedAt: at, lock: 0, contentHash: i ? contentHash([]) : null },
    },
  ];
  const created: Stored[] = [
    [
      'documents',
      {
        ...{ _id: documentId, kind, folderId: null, archived: false, copiedFrom: null, lock: 0, ...by, ...named },
        ...{ ...searchFields(named), lastVersion: VERSIONS, lastRevision: 0, updatedAt: at, updatedBy: 'usr_bench' },
      },
    ],
    ['numbers', { _id: named.number, documentId, deleted: false }],
    [
      'workspaces',
      {
        ...{
          _id: `wsp_${n}`,
          documentId,
          name: 'main',
          nameKey: 'main',
          description: null,
          main: true,
          archived: false,
        },
        ...{ fromVersionId: null, draftId: `ver_${n}_0`, newestVersionId: `ver_${n}_${VERSIONS}`, reservation: null },
        ...{ lock: 0, ...by },
      },
    ],
    version(0),
  ];
  return [created, ...Array.from({ length: VERSIONS }, (_, i) => [version(i + 1)])];
}

/** The audit records of a document: one for each of its commands, and others up to RECORDS. */
function auditRecords(n: number, commands: Stored[][]) {
  let prevHash = CHAIN_START;
  return Array.from({ length: RECORDS }, (_, i) => {
    const records = commands[i]?.map(([collection, record]) => ({
      ...{ collection, fields: loggedFields(collection, record as never), id: record._id },
    }));
    const record = {
      ...{
        _id: `aud_${String(n * RECORDS + i).padStart(26, '0')}`,
        action: records ? 'version.created' : 'job.claimed',
      },
      ...{
        at: new Date(at.getTime() + n * 1000 + i),
        by: { id: 'usr_bench', role: 'editor' as const, tokenId: null, via: 'token' },
      },
      ...{
        chain: `doc_${n}`,
        chainSeq: i + 1,
        changes: {},
        documentId: `doc_${n}`,
        folderId: null,
        ip: null,
        jobId: null,
      },
      ...(records && { records }),
      ...{ requestId: `request-${n}-${i}`, revisionId: null, summary: `Command ${i} of X-${n}.`, versionId: null },
      workspaceId: null,
    };
    const linked = { ...record, prevHash, hash: auditHash(prevHash, record) };
    prevHash = linked.hash;
    return linked;
  });
}

function references(n: number): Document[] {
  if (n % (PARTS + 1)) return [];
  return Array.from({ length: PARTS }, (_, i) => i + 1)
    .filter((line) => n + line < DOCUMENTS)
    .map((line) => {
      const [number, versionId] = [`X-${n + line}`, `ver_${n}_${VERSIONS}`];
      const used = { documentId: `doc_${n + line}`, number, versionId: `ver_${n + line}_${VERSIONS}`, n: VERSIONS };
      return {
        ...{ _id: `${versionId}/${line}`, documentId: `doc_${n}`, versionId, line, quantity: 2, place: 'latest' },
        ...{ target: number, at: { as: 'newest' }, location: `pdm://documents/${number}`, released: false },
        occurrences: [{ path: `/templates/${line}/reference`, quantity: 2 }],
        frozen: { ...used, as: 'version', label: null, sha256: contentHash([]), bomDigest: null },
      };
    });
}

async function fill({ db }: Mongo): Promise<void> {
  const insert = async (name: string, records: Document[]) => {
    if (records.length) await db.collection(name).insertMany(records, { ordered: false });
  };
  for (let from = 0; from < DOCUMENTS; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, DOCUMENTS - from) }, (_, i) => from + i);
    const histories = numbers.map((n) => ({ n, commands: history(n) }));
    const stored = Map.groupBy(
      histories.flatMap(({ commands }) => commands.flat()),
      ([name]) => name,
    );
    for (const [name, records] of stored)
      await insert(
        name,
        records.map(([, record]) => record),
      );
    const chains = histories.map(({ n, commands }) => auditRecords(n, commands));
    await insert('audit', chains.flat());
    await insert(
      'auditPending',
      chains.flat().map(({ _id, chain, chainSeq, at, hash }) => ({ _id: _id as never, chain, chainSeq, at, hash })),
    );
    await insert(
      'chains',
      chains.map((chain) => ({ _id: chain[0]!.chain as never, chainSeq: RECORDS, hash: chain.at(-1)!.hash })),
    );
    await insert('references', numbers.flatMap(references));
  }
  for (let file = 0; file < FILES_MB; file += 10) {
    const [id, sha256] = [new ObjectId(), randomBytes(32).toString('hex')];
    const chunks = Math.min(10, FILES_MB - file);
    await db
      .collection('files.files')
      .insertOne({ _id: id, length: chunks * MIB, chunkSize: MIB, uploadDate: at, filename: sha256 });
    await insert(
      'files.chunks',
      Array.from({ length: chunks }, (_, n) => ({ files_id: id, n, data: new Binary(randomBytes(MIB)) })),
    );
    await insert('blobs', [{ _id: sha256 as never, fileId: id, size: chunks * MIB, createdAt: at, lock: 0 }]);
  }
}

async function seal(mongo: Mongo): Promise<void> {
  const key = readOrCreateAuditKey(dataDir);
  await ensureAuditTree({ db: mongo.db });
  const sign = (text: string, name: string) => signNote(text, name, key);
  const sealer = { id: 'bench', now: new Date(), leaseMs: 0, sign };
  for (let moved = 1; moved; ) ({ count: moved } = await sealPending(mongo, sealer));
}

const report = (what: string, value: string) => console.log(`${what.padEnd(44)} ${value}`);
async function timed<R>(what: string, work: () => Promise<R>): Promise<R> {
  const start = performance.now();
  const result = await work();
  report(what, `${((performance.now() - start) / 1000).toFixed(2)} s`);
  return result;
}
async function median(what: string, work: (round: number) => Promise<{ status: number }>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const { status } = await work(round);
    if (status >= 300) throw new Error(`${what} failed with ${status}`);
    times.push(performance.now() - start);
  }
  const [fastest = 0, middle = 0, slowest = 0] = [0, ROUNDS / 2, ROUNDS - 1].map(
    (i) => times.toSorted((a, b) => a - b)[i] ?? 0,
  );
  report(what, `median ${middle.toFixed(1)} ms, fastest ${fastest.toFixed(1)}, slowest ${slowest.toFixed(0)}`);
}
function memoryOf(pid: number): string {
  const [, kilobytes = 0] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return `${Math.round(Number(kilobytes) / 1024)} MiB`;
}
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
async function pdm(...args: string[]): Promise<void> {
  const settings = { ...process.env, ...environment, PDM_DATA_DIR: dataDir };
  await once(spawn(process.execPath, ['app/pdm.ts', ...args], { env: settings, stdio: 'ignore' }), 'exit');
}

try {
  mkdirSync(dataDir);
  mkdirSync(backups);
  const first = await startProcess(dataDir, environment);
  const token = first.token();
  await first.end('SIGTERM');

  report('documents, versions, audit records', [DOCUMENTS, DOCUMENTS * VERSIONS, DOCUMENTS * RECORDS].join(', '));
  const store = await startStore({ dataDir: join(dataDir, 'store'), log: () => {}, onFatal: console.error });
  const mongo = await connectMongo(store.uri);
  await timed('fill', () => fill(mongo));
  await timed('seal the audit records', () => seal(mongo));
  await mongo.close();
  await store.stop();
  report('store file', `${Math.round(statSync(join(dataDir, 'store/store.mdb')).size / MIB)} MiB`);

  const service = await timed('start', () => startProcess(dataDir, environment));
  const admin = client(`${service.url}/api/v1`, token);
  const some = (round: number) => ((round * 7919) % Math.floor(DOCUMENTS / (PARTS + 1))) * (PARTS + 1);
  await median('document', (round) => admin.get(`/documents/X-${some(round)}`));
  await median('list, 50 documents by last update', () => admin.get('/documents?limit=50&sort=-updatedAt'));
  await median('search for a word', (round) => admin.get(`/documents?q=${(round * 31) % 997}&limit=50`));
  await median('bill of materials, 9 lines', (round) => admin.get(`/versions/ver_${some(round)}_${VERSIONS}/bom`));
  await median('where-used', (round) => admin.get(`/documents/X-${some(round) + 1}/where-used`));
  await median('audit records of a document', (round) => admin.get(`/documents/X-${some(round)}/audit`));
  await median('create a document', (round) => admin.post('/documents', { name: `New ${round}`, kind: 'model' }));
  report('memory of the service', memoryOf(service.pid));
  report('memory of the store, with mapped pages', childrenOf(service.pid).map(memoryOf).join(', '));
  const plan = { dataDir, target: backups, everyMs: 0, retention: { daily: 1, weekly: 0, monthly: 0 } };
  const full = await timed('first backup', () => createBackup(plan, new Date()));
  await admin.post('/documents', { name: 'After the backup', kind: 'model' });
  const next = await timed('next backup after one write', () => createBackup(plan, new Date()));
  report('size of both backups', `${Math.round(full.bytes / MIB)} MiB, ${Math.round(next.newBytes / MIB)} MiB more`);
  await service.end('SIGTERM');
  await timed('pdm audit verify', () => pdm('audit', 'verify'));
  await timed('pdm check', () => pdm('check'));
} finally {
  rmSync(home, { recursive: true, force: true });
}
