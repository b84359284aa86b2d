// Test cases that violate each invariant directly in the database.
import { Binary, type Collection, type Db, type Document, ObjectId } from 'mongodb';
import { paramsHash, runKey } from '../../domain/jobs/run-key.ts';
import type { Invariant } from '../invariant.ts';

/** A record of any collection. */
export type AnyRecord = Document & { _id: string | number | ObjectId };
/** A violation: the invariant, a description, the changed collection, the reported id, and the change. */
export type Damage = {
  invariant: Invariant;
  description: string;
  collection: string;
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

const setFields = (id: () => string, fields: Document) => (records: Collection<AnyRecord>) =>
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
    description: 'a document without a main workspace',
    collection: 'workspaces',
    id: () => ids.document,
    apply: setFields(() => ids.workspace, { main: false }),
  },
  {
    invariant: 'I1',
    description: 'a workspace without a draft',
    collection: 'versions',
    id: () => ids.workspace,
    apply: drop(() => ids.draft),
  },
  {
    invariant: 'I1',
    description: 'a draft without a workspace',
    collection: 'workspaces',
    id: () => ids.draft,
    apply: setFields(() => ids.workspace, { draftId: 'ver_x' }),
  },
  {
    invariant: 'I2',
    description: 'a document whose number is not registered',
    collection: 'numbers',
    id: () => ids.document,
    apply: (numbers) => numbers.deleteOne({ documentId: ids.document }),
  },
  {
    invariant: 'I2',
    description: 'a number registered for no document',
    collection: 'numbers',
    id: () => 'X-1',
    apply: (numbers) => numbers.insertOne({ _id: 'X-1', documentId: 'doc_x', deleted: false }),
  },
  {
    invariant: 'I2',
    description: 'a counter behind the highest number',
    collection: 'counters',
    id: () => 'PRT',
    apply: setFields(() => 'PRT', { value: 0 }),
  },
  {
    invariant: 'I3',
    description: 'a missing version number',
    collection: 'versions',
    id: () => ids.document,
    apply: setFields(() => ids.second, { n: 3 }),
  },
  {
    invariant: 'I3',
    description: 'a document with too high a version count',
    collection: 'documents',
    id: () => ids.document,
    apply: setFields(() => ids.document, { lastVersion: 9 }),
  },
  {
    invariant: 'I4',
    description: 'a renamed file of a version',
    collection: 'artifacts',
    id: () => ids.first,
    apply: (files) => files.updateOne({ versionId: ids.first }, { $set: { fileName: 'other.stp' } }),
  },
  {
    invariant: 'I4',
    description: 'a changed content hash',
    collection: 'versions',
    id: () => ids.second,
    apply: setFields(() => ids.second, { contentHash: '0'.repeat(64) }),
  },
  {
    invariant: 'I4',
    description: 'a changed BOM digest',
    collection: 'versions',
    id: () => ids.table,
    apply: setFields(() => ids.table, { bomDigest: '0'.repeat(64) }),
  },
  {
    invariant: 'I5',
    description: 'a reference frozen to other content',
    collection: 'references',
    id: () => ids.line,
    apply: setFields(() => ids.line, { 'frozen.sha256': '0'.repeat(64) }),
  },
  {
    invariant: 'I5',
    description: 'a reference frozen to a missing version',
    collection: 'versions',
    id: () => ids.line,
    apply: drop(() => ids.second),
  },
  {
    invariant: 'I5',
    description: 'a reference of a version that is not frozen',
    collection: 'references',
    id: () => ids.line,
    apply: setFields(() => ids.line, { frozen: null }),
  },
  {
    invariant: 'I6',
    description: 'a revision whose version is not released',
    collection: 'versions',
    id: () => ids.revision,
    apply: setFields(() => ids.first, { releasedAs: null }),
  },
  {
    invariant: 'I6',
    description: 'a released version without a revision',
    collection: 'revisions',
    id: () => ids.first,
    apply: drop(() => ids.revision),
  },
  {
    invariant: 'I6',
    description: 'a reused label of a release that was taken back',
    collection: 'revisions',
    id: () => ids.revision,
    apply: setFields(() => ids.revision, { label: 'A' }),
  },
  {
    invariant: 'I7',
    description: 'a job of a deleted document',
    collection: 'jobs',
    id: () => 'job_x',
    apply: async (jobs) => jobs.insertOne({ ...(await jobs.findOne()), _id: 'job_x', documentId: ids.deleted }),
  },
  {
    invariant: 'I7',
    description: 'a reference of a deleted document',
    collection: 'references',
    id: () => 'ver_x/1',
    apply: (references) =>
      duplicate(() => ids.line, { _id: 'ver_x/1', versionId: 'ver_x', documentId: ids.deleted })(references),
  },
  {
    invariant: 'I7',
    description: 'a reference to a deleted document',
    collection: 'references',
    id: () => ids.line,
    apply: setFields(() => ids.line, { 'frozen.documentId': ids.deleted }),
  },
  {
    invariant: 'I7',
    description: 'a deleted document without an audit record of the deletion',
    collection: 'audit',
    id: () => ids.deleted,
    apply: (audit) => audit.deleteOne({ action: 'document.deleted' }),
  },
  {
    invariant: 'I8',
    description: 'folders that contain each other',
    collection: 'folders',
    id: () => ids.outer,
    apply: (folders) => folders.updateOne({ _id: ids.outer }, { $set: { parentId: ids.inner } }),
  },
  {
    invariant: 'I8',
    description: 'a document in a missing folder',
    collection: 'folders',
    id: () => ids.document,
    apply: drop(() => ids.inner),
  },
  {
    invariant: 'I9',
    description: 'a reservation that ends before its start',
    collection: 'workspaces',
    id: () => ids.workspace,
    apply: setFields(() => ids.workspace, {
      reservation: { userId: 'usr_editor', since: new Date(), expiresAt: past, note: null },
    }),
  },
  {
    invariant: 'I10',
    description: 'a flipped bit in the bytes of a file',
    collection: 'files.chunks',
    id: () => ids.blob,
    apply: flipBit,
  },
  {
    invariant: 'I10',
    description: 'a file with a wrong size',
    collection: 'artifacts',
    id: () => ids.source,
    apply: setFields(() => ids.source, { size: 99 }),
  },
  {
    invariant: 'I11',
    description: 'a file without content',
    collection: 'blobs',
    id: () => ids.source,
    apply: drop(() => ids.blob),
  },
  {
    invariant: 'I11',
    description: 'a content without bytes',
    collection: 'files.files',
    id: () => ids.blob,
    apply: (files) => files.deleteOne({ filename: ids.blob }),
  },
  {
    invariant: 'I11',
    description: 'a stored file without an owner',
    collection: 'files.files',
    id: () => stray.toHexString(),
    apply: (files) => files.insertOne({ _id: stray, length: 1 }),
  },
  {
    invariant: 'I11',
    description: 'chunks without a file',
    collection: 'files.chunks',
    id: () => stray.toHexString(),
    apply: (chunks) => chunks.insertOne({ _id: stray, files_id: stray, n: 0, data: new Binary(Buffer.of(1)) }),
  },
  {
    invariant: 'I12',
    description: 'a version without an audit record',
    collection: 'versions',
    id: () => 'ver_x',
    apply: duplicate(() => ids.second, { _id: 'ver_x', n: 3 }),
  },
  {
    invariant: 'I12',
    description: 'a document changed without an audit record',
    collection: 'documents',
    id: () => ids.document,
    apply: setFields(() => ids.document, { updatedAt: past }),
  },
  {
    invariant: 'I12',
    description: 'a token without an audit record',
    collection: 'tokens',
    id: () => 'tok_x',
    apply: async (tokens) => tokens.insertOne({ ...(await tokens.findOne()), _id: 'tok_x', prefix: 'x' }),
  },
  {
    invariant: 'I12',
    description: 'a folder without an audit record',
    collection: 'folders',
    id: () => 'fld_x',
    apply: duplicate(() => ids.outer, { _id: 'fld_x', nameKey: 'x' }),
  },
  {
    invariant: 'I13',
    description: 'a changed audit record',
    collection: 'audit',
    id: () => ids.document,
    apply: (audit) => audit.updateOne({ action: 'version.released' }, { $set: { summary: 'x' } }),
  },
  {
    invariant: 'I13',
    description: 'a missing seal',
    collection: 'auditSeals',
    id: () => 'seal 3',
    apply: (seals) => seals.deleteOne({ _id: 3 }),
  },
  {
    invariant: 'I13',
    description: 'a moved chain head',
    collection: 'chains',
    id: () => 'folders',
    apply: setFields(() => 'folders', { chainSeq: 9 }),
  },
  {
    invariant: 'I14',
    description: 'a waiting job with an end time',
    collection: 'jobs',
    id: () => ids.job,
    apply: setFields(() => ids.job, { finishedAt: new Date() }),
  },
  {
    invariant: 'I14',
    description: 'a done job that nobody completed',
    collection: 'jobs',
    id: () => ids.job,
    apply: setFields(() => ids.job, { status: 'done', finishedAt: new Date() }),
  },
  {
    invariant: 'I14',
    description: 'a job with too many attempts',
    collection: 'jobs',
    id: () => ids.job,
    apply: setFields(() => ids.job, { attempt: 9 }),
  },
  {
    invariant: 'I15',
    description: 'a running job without a lease',
    collection: 'jobs',
    id: () => ids.job,
    apply: setFields(() => ids.job, running),
  },
  {
    invariant: 'I15',
    description: 'a lease that never expires',
    collection: 'jobs',
    id: () => ids.job,
    apply: setFields(() => ids.job, { ...running, leaseExpiresAt: new Date('9999-01-01') }),
  },
  {
    invariant: 'I16',
    description: 'a source without a job',
    collection: 'jobs',
    id: () => ids.source,
    apply: (jobs) => jobs.deleteMany({}),
  },
  {
    invariant: 'I17',
    description: 'a result derived from another source',
    collection: 'artifacts',
    id: () => ids.source,
    apply: setFields(() => ids.source, { generator: 'pdm-occt/1.0.0', inputSha256: '0'.repeat(64) }),
  },
  {
    invariant: 'I18',
    description: 'a run with changed parameters',
    collection: 'runs',
    id: () => 'run_x',
    apply: (runs) => runs.insertOne(runOf({ width: 1 }, { params: '{"width":2}' })),
  },
  {
    invariant: 'I18',
    description: 'a run without a job',
    collection: 'runs',
    id: () => 'run_x',
    apply: (runs) => runs.insertOne(runOf({}, { jobId: 'job_x' })),
  },
  {
    invariant: 'I19',
    description: 'a token in a description',
    collection: 'documents',
    id: () => ids.document,
    apply: (documents) =>
      documents.updateOne({ _id: ids.document }, { $set: { description: `use ${ids.token}, please` } }),
  },
  {
    invariant: 'I20',
    description: 'two versions that contain each other',
    collection: 'references',
    id: () => ids.table,
    apply: (references) => references.updateOne({ _id: ids.line }, { $set: { 'frozen.versionId': ids.plant } }),
  },
  {
    invariant: 'I21',
    description: 'a missing reference',
    collection: 'references',
    id: () => ids.table,
    apply: drop(() => ids.line),
  },
  {
    invariant: 'I21',
    description: 'a reference with a wrong place',
    collection: 'references',
    id: () => ids.line,
    apply: setFields(() => ids.line, { place: 'earlier' }),
  },
  {
    invariant: 'I21',
    description: 'a reference with a wrong release state',
    collection: 'references',
    id: () => ids.line,
    apply: setFields(() => ids.line, { released: true }),
  },
  {
    invariant: 'I21',
    description: 'a reference without a version',
    collection: 'references',
    id: () => 'ver_x/1',
    apply: duplicate(() => ids.line, { _id: 'ver_x/1', versionId: 'ver_x' }),
  },
  {
    invariant: 'I21',
    description: 'an asm.json without a stored structure',
    collection: 'structures',
    id: () => ids.asmJson,
    apply: drop(() => ids.structure),
  },
  {
    invariant: 'I21',
    description: 'a structure that does not match its asm.json',
    collection: 'structures',
    id: () => ids.structure,
    apply: (structures) => structures.updateOne({ _id: ids.structure }, { $set: { 'lines.0.quantity': 9 } }),
  },
  {
    invariant: 'I22',
    description: 'a renamed document',
    collection: 'documents',
    id: () => ids.document,
    apply: setFields(() => ids.document, { name: 'Other' }),
  },
];

async function flipBit(chunks: Collection<AnyRecord>, db: Db): Promise<void> {
  const file = await db.collection('files.files').findOne({ filename: ids.blob });
  const chunk = await chunks.findOne({ files_id: file?._id });
  const bytes = Buffer.from(chunk?.data.buffer);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  await chunks.updateOne({ _id: chunk?._id }, { $set: { data: new Binary(bytes) } });
}
