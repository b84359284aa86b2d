// How a store is broken behind the back of the service, invariant by invariant.
import { Binary, type Collection, type Db, type Document, ObjectId } from 'mongodb';
import { paramsHash, runKey } from '../../domain/jobs/run-key.ts';
import type { Invariant } from '../invariant.ts';

/** A record of any collection. */
export type Anything = Document & { _id: string | number | ObjectId };
/** One way in which a store can be broken: which invariant no longer holds, what was done in which collection, the id that is told, and how it is done. */
export type Seed = {
  invariant: Invariant;
  what: string;
  in: string;
  id(): string;
  seed(records: Collection<Anything>, db: Db): Promise<unknown>;
};

/** The records of the store that is broken, filled in once they are made. */
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
  room: '',
  line: '',
  asmJson: '',
  structure: '',
};

const set = (id: () => string, fields: Document) => (records: Collection<Anything>) =>
  records.updateOne({ _id: id() }, { $set: fields });
const drop = (id: () => string) => (records: Collection<Anything>) => records.deleteOne({ _id: id() });
const again = (id: () => string, fields: Document) => async (records: Collection<Anything>) =>
  records.insertOne({ ...((await records.findOne({ _id: id() })) ?? {}), ...fields } as Anything);
const past = new Date(0);
const running = { status: 'running', tokenId: 'tok_x', workerId: 'w', startedAt: new Date() };

/** A run, as far as the checker looks at one; its job is that of a source. */
function runOf(params: object, fields: Document): Anything {
  const code = { repoUrl: 'https://example.org/g.git', path: '', commit: 'a'.repeat(40) };
  const key = runKey({ documentId: ids.document, code, params });
  const found = { key, current: true, params: JSON.stringify(params), paramsHash: paramsHash(params) };
  return { _id: 'run_x', documentId: ids.document, code, ...found, jobId: ids.job, ...fields };
}

const stray = new ObjectId();

/** Every way, in the order of the invariants. */
export const SEEDS: Seed[] = [
  {
    invariant: 'I1',
    what: 'a workspace is no longer the main one',
    in: 'workspaces',
    id: () => ids.document,
    seed: set(() => ids.workspace, { main: false }),
  },
  { invariant: 'I1', what: 'a draft is gone', in: 'versions', id: () => ids.workspace, seed: drop(() => ids.draft) },
  {
    invariant: 'I1',
    what: 'a draft is that of no workspace',
    in: 'workspaces',
    id: () => ids.draft,
    seed: set(() => ids.workspace, { draftId: 'ver_x' }),
  },
  {
    invariant: 'I2',
    what: 'a number is not held',
    in: 'numbers',
    id: () => ids.document,
    seed: (numbers) => numbers.deleteOne({ documentId: ids.document }),
  },
  {
    invariant: 'I2',
    what: 'a number is held for nobody',
    in: 'numbers',
    id: () => 'X-1',
    seed: (numbers) => numbers.insertOne({ _id: 'X-1', documentId: 'doc_x', deleted: false }),
  },
  {
    invariant: 'I2',
    what: 'a counter is behind',
    in: 'counters',
    id: () => 'PRT',
    seed: set(() => 'PRT', { value: 0 }),
  },
  {
    invariant: 'I3',
    what: 'a version is missing',
    in: 'versions',
    id: () => ids.document,
    seed: set(() => ids.second, { n: 3 }),
  },
  {
    invariant: 'I3',
    what: 'a document counts too far',
    in: 'documents',
    id: () => ids.document,
    seed: set(() => ids.document, { lastVersion: 9 }),
  },
  {
    invariant: 'I4',
    what: 'a file of a version is another one',
    in: 'artifacts',
    id: () => ids.first,
    seed: (files) => files.updateOne({ versionId: ids.first }, { $set: { fileName: 'other.stp' } }),
  },
  {
    invariant: 'I4',
    what: 'a content hash is changed',
    in: 'versions',
    id: () => ids.second,
    seed: set(() => ids.second, { contentHash: '0'.repeat(64) }),
  },
  {
    invariant: 'I4',
    what: 'the digest of a structure is changed',
    in: 'versions',
    id: () => ids.table,
    seed: set(() => ids.table, { bomDigest: '0'.repeat(64) }),
  },
  {
    invariant: 'I5',
    what: 'a reference is frozen to another content',
    in: 'references',
    id: () => ids.line,
    seed: set(() => ids.line, { 'frozen.sha256': '0'.repeat(64) }),
  },
  {
    invariant: 'I5',
    what: 'a version used by others is gone',
    in: 'versions',
    id: () => ids.line,
    seed: drop(() => ids.second),
  },
  {
    invariant: 'I5',
    what: 'a reference is no longer frozen',
    in: 'references',
    id: () => ids.line,
    seed: set(() => ids.line, { frozen: null }),
  },
  {
    invariant: 'I6',
    what: 'a version forgets its release',
    in: 'versions',
    id: () => ids.revision,
    seed: set(() => ids.first, { releasedAs: null }),
  },
  { invariant: 'I6', what: 'a revision is gone', in: 'revisions', id: () => ids.first, seed: drop(() => ids.revision) },
  {
    invariant: 'I6',
    what: 'a label comes back',
    in: 'revisions',
    id: () => ids.revision,
    seed: set(() => ids.revision, { label: 'A' }),
  },
  {
    invariant: 'I7',
    what: 'a job of a deleted document is left',
    in: 'jobs',
    id: () => 'job_x',
    seed: async (jobs) => jobs.insertOne({ ...(await jobs.findOne()), _id: 'job_x', documentId: ids.deleted }),
  },
  {
    invariant: 'I7',
    what: 'a reference of a deleted document is left',
    in: 'references',
    id: () => 'ver_x/1',
    seed: (references) =>
      again(() => ids.line, { _id: 'ver_x/1', versionId: 'ver_x', documentId: ids.deleted })(references),
  },
  {
    invariant: 'I7',
    what: 'a reference leads to a deleted document',
    in: 'references',
    id: () => ids.line,
    seed: set(() => ids.line, { 'frozen.documentId': ids.deleted }),
  },
  {
    invariant: 'I7',
    what: 'a deleted document has no end',
    in: 'audit',
    id: () => ids.deleted,
    seed: (audit) => audit.deleteOne({ action: 'document.deleted' }),
  },
  {
    invariant: 'I8',
    what: 'folders lie in each other',
    in: 'folders',
    id: () => ids.outer,
    seed: (folders) => folders.updateOne({ _id: ids.outer }, { $set: { parentId: ids.inner } }),
  },
  { invariant: 'I8', what: 'a folder is gone', in: 'folders', id: () => ids.document, seed: drop(() => ids.inner) },
  {
    invariant: 'I9',
    what: 'a reservation ends before it began',
    in: 'workspaces',
    id: () => ids.workspace,
    seed: set(() => ids.workspace, {
      reservation: { userId: 'usr_editor', since: new Date(), expiresAt: past, note: null },
    }),
  },
  { invariant: 'I10', what: 'a bit of the bytes flipped', in: 'files.chunks', id: () => ids.blob, seed: flipBit },
  {
    invariant: 'I10',
    what: 'a file is said to be longer',
    in: 'artifacts',
    id: () => ids.source,
    seed: set(() => ids.source, { size: 99 }),
  },
  { invariant: 'I11', what: 'a content is gone', in: 'blobs', id: () => ids.source, seed: drop(() => ids.blob) },
  {
    invariant: 'I11',
    what: 'bytes are gone',
    in: 'files.files',
    id: () => ids.blob,
    seed: (files) => files.deleteOne({ filename: ids.blob }),
  },
  {
    invariant: 'I11',
    what: 'bytes belong to nothing',
    in: 'files.files',
    id: () => stray.toHexString(),
    seed: (files) => files.insertOne({ _id: stray, length: 1 }),
  },
  {
    invariant: 'I11',
    what: 'chunks belong to nothing',
    in: 'files.chunks',
    id: () => stray.toHexString(),
    seed: (chunks) => chunks.insertOne({ _id: stray, files_id: stray, n: 0, data: new Binary(Buffer.of(1)) }),
  },
  {
    invariant: 'I12',
    what: 'a version came from nowhere',
    in: 'versions',
    id: () => 'ver_x',
    seed: again(() => ids.second, { _id: 'ver_x', n: 3 }),
  },
  {
    invariant: 'I12',
    what: 'a document was changed in passing',
    in: 'documents',
    id: () => ids.document,
    seed: set(() => ids.document, { updatedAt: past }),
  },
  {
    invariant: 'I12',
    what: 'a token came from nowhere',
    in: 'tokens',
    id: () => 'tok_x',
    seed: async (tokens) => tokens.insertOne({ ...(await tokens.findOne()), _id: 'tok_x', prefix: 'x' }),
  },
  {
    invariant: 'I12',
    what: 'a folder came from nowhere',
    in: 'folders',
    id: () => 'fld_x',
    seed: again(() => ids.outer, { _id: 'fld_x', nameKey: 'x' }),
  },
  {
    invariant: 'I13',
    what: 'an audit record was changed',
    in: 'audit',
    id: () => ids.document,
    seed: (audit) => audit.updateOne({ action: 'version.released' }, { $set: { summary: 'x' } }),
  },
  {
    invariant: 'I13',
    what: 'a place in the log is gone',
    in: 'auditSeals',
    id: () => 'seal 3',
    seed: (seals) => seals.deleteOne({ _id: 3 }),
  },
  {
    invariant: 'I13',
    what: 'a head is moved',
    in: 'chains',
    id: () => 'folders',
    seed: set(() => 'folders', { chainSeq: 9 }),
  },
  {
    invariant: 'I14',
    what: 'a waiting job has an end',
    in: 'jobs',
    id: () => ids.job,
    seed: set(() => ids.job, { finishedAt: new Date() }),
  },
  {
    invariant: 'I14',
    what: 'a job is done, and nobody completed it',
    in: 'jobs',
    id: () => ids.job,
    seed: set(() => ids.job, { status: 'done', finishedAt: new Date() }),
  },
  {
    invariant: 'I14',
    what: 'a job has too many attempts',
    in: 'jobs',
    id: () => ids.job,
    seed: set(() => ids.job, { attempt: 9 }),
  },
  {
    invariant: 'I15',
    what: 'a running job has no lease',
    in: 'jobs',
    id: () => ids.job,
    seed: set(() => ids.job, running),
  },
  {
    invariant: 'I15',
    what: 'a lease never ends',
    in: 'jobs',
    id: () => ids.job,
    seed: set(() => ids.job, { ...running, leaseExpiresAt: new Date('9999-01-01') }),
  },
  { invariant: 'I16', what: 'a job is gone', in: 'jobs', id: () => ids.source, seed: (jobs) => jobs.deleteMany({}) },
  {
    invariant: 'I17',
    what: 'a result was made from another source',
    in: 'artifacts',
    id: () => ids.source,
    seed: set(() => ids.source, { generator: 'pdm-occt/1.0.0', inputSha256: '0'.repeat(64) }),
  },
  {
    invariant: 'I18',
    what: 'the parameters of a run are changed',
    in: 'runs',
    id: () => 'run_x',
    seed: (runs) => runs.insertOne(runOf({ width: 1 }, { params: '{"width":2}' })),
  },
  {
    invariant: 'I18',
    what: 'a run has no job',
    in: 'runs',
    id: () => 'run_x',
    seed: (runs) => runs.insertOne(runOf({}, { jobId: 'job_x' })),
  },
  {
    invariant: 'I19',
    what: 'somebody wrote a token into a description',
    in: 'documents',
    id: () => ids.document,
    seed: (documents) =>
      documents.updateOne({ _id: ids.document }, { $set: { description: `use ${ids.token}, please` } }),
  },
  {
    invariant: 'I20',
    what: 'two versions contain each other',
    in: 'references',
    id: () => ids.table,
    seed: (references) => references.updateOne({ _id: ids.line }, { $set: { 'frozen.versionId': ids.room } }),
  },
  { invariant: 'I21', what: 'a reference is gone', in: 'references', id: () => ids.table, seed: drop(() => ids.line) },
  {
    invariant: 'I21',
    what: 'a reference stands elsewhere',
    in: 'references',
    id: () => ids.line,
    seed: set(() => ids.line, { place: 'earlier' }),
  },
  {
    invariant: 'I21',
    what: 'a reference says it is released',
    in: 'references',
    id: () => ids.line,
    seed: set(() => ids.line, { released: true }),
  },
  {
    invariant: 'I21',
    what: 'a reference is that of no version',
    in: 'references',
    id: () => 'ver_x/1',
    seed: again(() => ids.line, { _id: 'ver_x/1', versionId: 'ver_x' }),
  },
  {
    invariant: 'I21',
    what: 'nobody knows what a file says',
    in: 'structures',
    id: () => ids.asmJson,
    seed: drop(() => ids.structure),
  },
  {
    invariant: 'I21',
    what: 'what a file says is known wrongly',
    in: 'structures',
    id: () => ids.structure,
    seed: (structures) => structures.updateOne({ _id: ids.structure }, { $set: { 'lines.0.quantity': 9 } }),
  },
];

async function flipBit(chunks: Collection<Anything>, db: Db): Promise<void> {
  const file = await db.collection('files.files').findOne({ filename: ids.blob });
  const chunk = await chunks.findOne({ files_id: file?._id });
  const bytes = Buffer.from(chunk?.data.buffer);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  await chunks.updateOne({ _id: chunk?._id }, { $set: { data: new Binary(bytes) } });
}
