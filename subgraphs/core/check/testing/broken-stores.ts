// Test cases that violate each invariant directly in the database.
import { Binary, type Collection, type Db, type Document, ObjectId } from 'mongodb';
import { paramsHash, runKey } from '../../domain/jobs/run-key.ts';
import type { Invariant } from '../invariant.ts';

/** A record of any collection. */
export type AnyRecord = Document & { _id: string | number | ObjectId };
/** A violation: the invariant, a description, the changed collection, the reported id, and the change. */
export type Damage = {
  invariant: Invariant;
  what: string;
  in: string;
  id(): string;
  apply(records: Collection<AnyRecord>, db: Db): Promise<unknown>;
};

/** The ids of the records in the store, assigned when they are created. */
export const ids = {
  outer: '',
  inner: '',
  document: '',
  draft: '',
  workspace: '',
  first: '',
  second: '',
  revision: '',
  deleted: '',
  source: '',
  blob: '',
  job: '',
  token: '',
  table: '',
  plant: '',
  line: '',
  asmJson: '',
  structure: '',
};

const set = (id: () => string, fields: Document) => (records: Collection<AnyRecord>) =>
  records.updateOne({ _id: id() }, { $set: fields });
const drop = (id: () => string) => (records: Collection<AnyRecord>) => records.deleteOne({ _id: id() });
const duplicate = (id: () => string, fields: Document) => async (records: Collection<AnyRecord>) =>
  records.insertOne({ ...((await records.findOne({ _id: id() })) ?? {}), ...fields } as AnyRecord);
const past = new Date(0);
const running = { status: 'running', tokenId: 'tok_x', workerId: 'w', startedAt: new Date() };

/** A run with the fields that the check reads; its job is that of a source. */
function runOf(params: object, fields: Document): AnyRecord {
  const code = { repoUrl: 'https://example.org/g.git', path: '', commit: 'a'.repeat(40) };
  const key = runKey({ documentId: ids.document, code, params });
  const found = { key, current: true, params: JSON.stringify(params), paramsHash: paramsHash(params) };
  return { _id: 'run_x', documentId: ids.document, code, ...found, jobId: ids.job, ...fields };
}

const stray = new ObjectId();

/** All violations in the order of the invariants. */
export const DAMAGE: Damage[] = [
  {
    invariant: 'I1',
    what: 'a document without a main workspace',
    in: 'workspaces',
    id: () => ids.document,
    apply: set(() => ids.workspace, { main: false }),
  },
  {
    invariant: 'I1',
    what: 'a workspace without a draft',
    in: 'versions',
    id: () => ids.workspace,
    apply: drop(() => ids.draft),
  },
  {
    invariant: 'I1',
    what: 'a draft without a workspace',
    in: 'workspaces',
    id: () => ids.draft,
    apply: set(() => ids.workspace, { draftId: 'ver_x' }),
  },
  {
    invariant: 'I2',
    what: 'a document whose number is not registered',
    in: 'numbers',
    id: () => ids.document,
    apply: (numbers) => numbers.deleteOne({ documentId: ids.document }),
  },
  {
    invariant: 'I2',
    what: 'a number registered for no document',
    in: 'numbers',
    id: () => 'X-1',
    apply: (numbers) => numbers.insertOne({ _id: 'X-1', documentId: 'doc_x', deleted: false }),
  },
  {
    invariant: 'I2',
    what: 'a counter behind the highest number',
    in: 'counters',
    id: () => 'PRT',
    apply: set(() => 'PRT', { value: 0 }),
  },
  {
    invariant: 'I3',
    what: 'a missing version number',
    in: 'versions',
    id: () => ids.document,
    apply: set(() => ids.second, { n: 3 }),
  },
  {
    invariant: 'I3',
    what: 'a document with too high a version count',
    in: 'documents',
    id: () => ids.document,
    apply: set(() => ids.document, { lastVersion: 9 }),
  },
  {
    invariant: 'I4',
    what: 'a renamed file of a version',
    in: 'artifacts',
    id: () => ids.first,
    apply: (files) => files.updateOne({ versionId: ids.first }, { $set: { fileName: 'other.stp' } }),
  },
  {
    invariant: 'I4',
    what: 'a changed content hash',
    in: 'versions',
    id: () => ids.second,
    apply: set(() => ids.second, { contentHash: '0'.repeat(64) }),
  },
  {
    invariant: 'I4',
    what: 'a changed BOM digest',
    in: 'versions',
    id: () => ids.table,
    apply: set(() => ids.table, { bomDigest: '0'.repeat(64) }),
  },
  {
    invariant: 'I5',
    what: 'a reference frozen to other content',
    in: 'references',
    id: () => ids.line,
    apply: set(() => ids.line, { 'frozen.sha256': '0'.repeat(64) }),
  },
  {
    invariant: 'I5',
    what: 'a reference frozen to a missing version',
    in: 'versions',
    id: () => ids.line,
    apply: drop(() => ids.second),
  },
  {
    invariant: 'I5',
    what: 'a reference of a version that is not frozen',
    in: 'references',
    id: () => ids.line,
    apply: set(() => ids.line, { frozen: null }),
  },
  {
    invariant: 'I6',
    what: 'a revision whose version is not released',
    in: 'versions',
    id: () => ids.revision,
    apply: set(() => ids.first, { releasedAs: null }),
  },
  {
    invariant: 'I6',
    what: 'a released version without a revision',
    in: 'revisions',
    id: () => ids.first,
    apply: drop(() => ids.revision),
  },
  {
    invariant: 'I6',
    what: 'a reused label of a release that was taken back',
    in: 'revisions',
    id: () => ids.revision,
    apply: set(() => ids.revision, { label: 'A' }),
  },
  {
    invariant: 'I7',
    what: 'a job of a deleted document',
    in: 'jobs',
    id: () => 'job_x',
    apply: async (jobs) => jobs.insertOne({ ...(await jobs.findOne()), _id: 'job_x', documentId: ids.deleted }),
  },
  {
    invariant: 'I7',
    what: 'a reference of a deleted document',
    in: 'references',
    id: () => 'ver_x/1',
    apply: (references) =>
      duplicate(() => ids.line, { _id: 'ver_x/1', versionId: 'ver_x', documentId: ids.deleted })(references),
  },
  {
    invariant: 'I7',
    what: 'a reference to a deleted document',
    in: 'references',
    id: () => ids.line,
    apply: set(() => ids.line, { 'frozen.documentId': ids.deleted }),
  },
  {
    invariant: 'I7',
    what: 'a deleted document without an audit record of the deletion',
    in: 'audit',
    id: () => ids.deleted,
    apply: (audit) => audit.deleteOne({ action: 'document.deleted' }),
  },
  {
    invariant: 'I8',
    what: 'folders that contain each other',
    in: 'folders',
    id: () => ids.outer,
    apply: (folders) => folders.updateOne({ _id: ids.outer }, { $set: { parentId: ids.inner } }),
  },
  {
    invariant: 'I8',
    what: 'a document in a missing folder',
    in: 'folders',
    id: () => ids.document,
    apply: drop(() => ids.inner),
  },
  {
    invariant: 'I9',
    what: 'a reservation that ends before its start',
    in: 'workspaces',
    id: () => ids.workspace,
    apply: set(() => ids.workspace, {
      reservation: { userId: 'usr_editor', since: new Date(), expiresAt: past, note: null },
    }),
  },
  {
    invariant: 'I10',
    what: 'a flipped bit in the bytes of a file',
    in: 'files.chunks',
    id: () => ids.blob,
    apply: flipBit,
  },
  {
    invariant: 'I10',
    what: 'a file with a wrong size',
    in: 'artifacts',
    id: () => ids.source,
    apply: set(() => ids.source, { size: 99 }),
  },
  { invariant: 'I11', what: 'a file without content', in: 'blobs', id: () => ids.source, apply: drop(() => ids.blob) },
  {
    invariant: 'I11',
    what: 'a content without bytes',
    in: 'files.files',
    id: () => ids.blob,
    apply: (files) => files.deleteOne({ filename: ids.blob }),
  },
  {
    invariant: 'I11',
    what: 'a stored file without an owner',
    in: 'files.files',
    id: () => stray.toHexString(),
    apply: (files) => files.insertOne({ _id: stray, length: 1 }),
  },
  {
    invariant: 'I11',
    what: 'chunks without a file',
    in: 'files.chunks',
    id: () => stray.toHexString(),
    apply: (chunks) => chunks.insertOne({ _id: stray, files_id: stray, n: 0, data: new Binary(Buffer.of(1)) }),
  },
  {
    invariant: 'I12',
    what: 'a version without an audit record',
    in: 'versions',
    id: () => 'ver_x',
    apply: duplicate(() => ids.second, { _id: 'ver_x', n: 3 }),
  },
  {
    invariant: 'I12',
    what: 'a document changed without an audit record',
    in: 'documents',
    id: () => ids.document,
    apply: set(() => ids.document, { updatedAt: past }),
  },
  {
    invariant: 'I12',
    what: 'a token without an audit record',
    in: 'tokens',
    id: () => 'tok_x',
    apply: async (tokens) => tokens.insertOne({ ...(await tokens.findOne()), _id: 'tok_x', prefix: 'x' }),
  },
  {
    invariant: 'I12',
    what: 'a folder without an audit record',
    in: 'folders',
    id: () => 'fld_x',
    apply: duplicate(() => ids.outer, { _id: 'fld_x', nameKey: 'x' }),
  },
  {
    invariant: 'I13',
    what: 'a changed audit record',
    in: 'audit',
    id: () => ids.document,
    apply: (audit) => audit.updateOne({ action: 'version.released' }, { $set: { summary: 'x' } }),
  },
  {
    invariant: 'I13',
    what: 'a missing seal',
    in: 'auditSeals',
    id: () => 'seal 3',
    apply: (seals) => seals.deleteOne({ _id: 3 }),
  },
  {
    invariant: 'I13',
    what: 'a moved chain head',
    in: 'chains',
    id: () => 'folders',
    apply: set(() => 'folders', { chainSeq: 9 }),
  },
  {
    invariant: 'I14',
    what: 'a waiting job with an end time',
    in: 'jobs',
    id: () => ids.job,
    apply: set(() => ids.job, { finishedAt: new Date() }),
  },
  {
    invariant: 'I14',
    what: 'a done job that nobody completed',
    in: 'jobs',
    id: () => ids.job,
    apply: set(() => ids.job, { status: 'done', finishedAt: new Date() }),
  },
  {
    invariant: 'I14',
    what: 'a job with too many attempts',
    in: 'jobs',
    id: () => ids.job,
    apply: set(() => ids.job, { attempt: 9 }),
  },
  {
    invariant: 'I15',
    what: 'a running job without a lease',
    in: 'jobs',
    id: () => ids.job,
    apply: set(() => ids.job, running),
  },
  {
    invariant: 'I15',
    what: 'a lease that never expires',
    in: 'jobs',
    id: () => ids.job,
    apply: set(() => ids.job, { ...running, leaseExpiresAt: new Date('9999-01-01') }),
  },
  {
    invariant: 'I16',
    what: 'a source without a job',
    in: 'jobs',
    id: () => ids.source,
    apply: (jobs) => jobs.deleteMany({}),
  },
  {
    invariant: 'I17',
    what: 'a result derived from another source',
    in: 'artifacts',
    id: () => ids.source,
    apply: set(() => ids.source, { generator: 'pdm-occt/1.0.0', inputSha256: '0'.repeat(64) }),
  },
  {
    invariant: 'I18',
    what: 'a run with changed parameters',
    in: 'runs',
    id: () => 'run_x',
    apply: (runs) => runs.insertOne(runOf({ width: 1 }, { params: '{"width":2}' })),
  },
  {
    invariant: 'I18',
    what: 'a run without a job',
    in: 'runs',
    id: () => 'run_x',
    apply: (runs) => runs.insertOne(runOf({}, { jobId: 'job_x' })),
  },
  {
    invariant: 'I19',
    what: 'a token in a description',
    in: 'documents',
    id: () => ids.document,
    apply: (documents) =>
      documents.updateOne({ _id: ids.document }, { $set: { description: `use ${ids.token}, please` } }),
  },
  {
    invariant: 'I20',
    what: 'two versions that contain each other',
    in: 'references',
    id: () => ids.table,
    apply: (references) => references.updateOne({ _id: ids.line }, { $set: { 'frozen.versionId': ids.plant } }),
  },
  { invariant: 'I21', what: 'a missing reference', in: 'references', id: () => ids.table, apply: drop(() => ids.line) },
  {
    invariant: 'I21',
    what: 'a reference with a wrong place',
    in: 'references',
    id: () => ids.line,
    apply: set(() => ids.line, { place: 'earlier' }),
  },
  {
    invariant: 'I21',
    what: 'a reference with a wrong release state',
    in: 'references',
    id: () => ids.line,
    apply: set(() => ids.line, { released: true }),
  },
  {
    invariant: 'I21',
    what: 'a reference without a version',
    in: 'references',
    id: () => 'ver_x/1',
    apply: duplicate(() => ids.line, { _id: 'ver_x/1', versionId: 'ver_x' }),
  },
  {
    invariant: 'I21',
    what: 'an asm.json without a stored structure',
    in: 'structures',
    id: () => ids.asmJson,
    apply: drop(() => ids.structure),
  },
  {
    invariant: 'I21',
    what: 'a structure that does not match its asm.json',
    in: 'structures',
    id: () => ids.structure,
    apply: (structures) => structures.updateOne({ _id: ids.structure }, { $set: { 'lines.0.quantity': 9 } }),
  },
];

async function flipBit(chunks: Collection<AnyRecord>, db: Db): Promise<void> {
  const file = await db.collection('files.files').findOne({ filename: ids.blob });
  const chunk = await chunks.findOne({ files_id: file?._id });
  const bytes = Buffer.from(chunk?.data.buffer);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  await chunks.updateOne({ _id: chunk?._id }, { $set: { data: new Binary(bytes) } });
}
