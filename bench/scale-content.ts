// The records and files of a large store, written directly: documents with their versions, files and audit records, as
// the service would have stored them. `pdm check` and `pdm audit verify` find nothing wrong in them.
import { createHash, randomBytes } from 'node:crypto';
import { Binary, type Document, ObjectId } from 'mongodb';
import { assemblyLines } from '../subgraphs/core/domain/assembly/asm-references.ts';
import { bomDigest } from '../subgraphs/core/domain/assembly/bom-digest.ts';
import { auditHash, CHAIN_START } from '../subgraphs/core/domain/audit/audit-event.ts';
import {
  listDigest,
  loggedFields,
  loggedLine,
  type ProvenCollection,
  REFERENCES,
} from '../subgraphs/core/domain/audit/proven-record.ts';
import { contentHash } from '../subgraphs/core/domain/versions/version-content.ts';
import { searchFields } from '../subgraphs/core/store/documents.ts';
import type { Mongo } from '../subgraphs/core/store/mongo.ts';
import { asmJson } from '../test/support/assemblies.ts';

/** Versions and audit records of each document. */
export const VERSIONS = 10;
export const RECORDS = 100;
/** Every tenth document is an assembly of the nine documents after it; the others are models. */
export const PARTS = 9;
const DOCUMENTS_PER_INSERT = 10;
const MIB = 2 ** 20;
const FILE_MIB = 10;

const start = new Date(1.7e12);
const by = { createdAt: start, createdBy: 'usr_bench' };
/** The time of the command of a document. */
const timeOf = (n: number, command: number) => new Date(start.getTime() + n * 1000 + command);

type Size = { documents: number; filesMb: number };
type File = { kind: string; fileName: string; contentType: string; sha256: string; size: number; chunks: Buffer[] };
type Stored = { collection: ProvenCollection; record: Document & { _id: string } };
type Content = { files: File[]; references: Document[]; structures: Document[]; bomDigest: string | null };

/** Fills a new database with so many documents, and with files of 10 MiB for the first models, up to `filesMb` in total. */
export async function fillStore({ db }: Mongo, { documents, filesMb }: Size): Promise<void> {
  const insert = async (name: string, records: Document[]) => {
    if (records.length) await db.collection(name).insertMany(records, { ordered: false });
  };
  let missingMb = filesMb;
  for (let from = 0; from < documents; from += DOCUMENTS_PER_INSERT) {
    const batch: { n: number; content: Content }[] = [];
    for (let n = from; n < Math.min(from + DOCUMENTS_PER_INSERT, documents); n++) {
      const isModel = n % (PARTS + 1) > 0;
      batch.push({ n, content: isModel ? modelContent(Math.min(missingMb, FILE_MIB)) : assemblyContent(n, documents) });
      if (isModel) missingMb -= Math.min(missingMb, FILE_MIB);
    }
    // the assembly comes first and uses the models of its batch
    for (const { content } of batch) for (const { frozen } of content.references) freezeTo(frozen, batch);
    for (const { content } of batch) content.bomDigest = bomDigest(content.references as never);

    const histories = batch.map(({ n, content }) => ({ n, content, commands: history(n, content) }));
    const records = histories.flatMap(({ commands }) => commands.flat());
    for (const [name, stored] of Map.groupBy(records, ({ collection }) => collection))
      await insert(
        name,
        stored.map(({ record }) => record),
      );
    const contents = batch.map(({ content }) => content);
    await insert(
      'references',
      contents.flatMap(({ references }) => references),
    );
    await insert(
      'structures',
      contents.flatMap(({ structures }) => structures),
    );
    for (const file of contents.flatMap(({ files }) => files)) await insertFile(insert, file);
    const chains = histories.map(auditRecords);
    await insert('audit', chains.flat());
    await insert(
      'auditPending',
      chains.flat().map(({ _id, chain, chainSeq, at, hash }) => ({ _id, chain, chainSeq, at, hash })),
    );
    await insert(
      'chains',
      chains.map((chain) => ({ _id: chain[0]?.chain, chainSeq: RECORDS, hash: chain.at(-1)?.hash })),
    );
  }
}

/** A source of so many MiB of random bytes. */
function modelContent(mebibytes: number): Content {
  const chunks = Array.from({ length: mebibytes }, () => randomBytes(MIB));
  const files = mebibytes
    ? [fileOf({ kind: 'source', fileName: 'part.bin', contentType: 'application/octet-stream' }, chunks)]
    : [];
  return { files, references: [], structures: [], bomDigest: null };
}

/** The asm.json of an assembly of the next nine documents, with its lines. */
function assemblyContent(n: number, documents: number): Content {
  const targets = Array.from({ length: PARTS }, (_, i) => n + i + 1).filter((target) => target < documents);
  const text = asmJson(targets.map((target) => [`pdm://documents/X-${target}`, 2]));
  const read = assemblyLines(JSON.parse(text));
  if ('errors' in read) throw new Error(read.errors[0]?.message);
  const file = fileOf({ kind: 'asm-json', fileName: 'asm.json', contentType: 'application/json' }, [Buffer.from(text)]);
  const versionId = `ver_${n}_${VERSIONS}`;
  const references = read.lines.map((line, i) => ({
    ...{
      _id: `${versionId}/${line.line}`,
      documentId: `doc_${n}`,
      versionId,
      place: 'latest',
      released: false,
      ...line,
    },
    frozen: { documentId: `doc_${targets[i]}`, number: `X-${targets[i]}`, versionId: `ver_${targets[i]}_${VERSIONS}` },
  }));
  return { files: [file], references, structures: [{ _id: file.sha256, lines: read.lines }], bomDigest: null };
}

function freezeTo(frozen: Document, batch: readonly { n: number; content: Content }[]): void {
  const target = batch.find(({ n }) => `doc_${n}` === frozen.documentId);
  if (!target) throw new Error(`${frozen.number} is in another batch`);
  Object.assign(frozen, {
    n: VERSIONS,
    as: 'version',
    label: null,
    sha256: contentHash(target.content.files),
    bomDigest: null,
  });
}

function fileOf(fields: Pick<File, 'kind' | 'fileName' | 'contentType'>, chunks: Buffer[]): File {
  const digest = createHash('sha256');
  for (const chunk of chunks) digest.update(chunk);
  return { ...fields, chunks, sha256: digest.digest('hex'), size: chunks.reduce((sum, { length }) => sum + length, 0) };
}

async function insertFile(
  insert: (name: string, records: Document[]) => Promise<void>,
  { sha256, size, chunks }: File,
): Promise<void> {
  const fileId = new ObjectId();
  await insert('files.files', [{ _id: fileId, length: size, chunkSize: MIB, uploadDate: start, filename: sha256 }]);
  await insert(
    'files.chunks',
    chunks.map((chunk, n) => ({ files_id: fileId, n, data: new Binary(chunk) })),
  );
  await insert('blobs', [{ _id: sha256, fileId, size, createdAt: start, lock: 0 }]);
}

/** The records that each command of a document writes: the document, then its versions. The last one has the content. */
function history(n: number, content: Content): Stored[][] {
  const documentId = `doc_${n}`;
  const named = { number: `X-${n}`, name: `Part ${n} of series ${n % 997}`, description: null };
  const kind = n % (PARTS + 1) === 0 ? 'assembly' : 'model';
  const versions = Array.from({ length: VERSIONS + 1 }, (_, i): Stored[] => {
    const files = i === VERSIONS ? content.files : [];
    const _id = `ver_${n}_${i}`;
    const record = {
      ...{ _id, documentId, workspaceId: `wsp_${n}`, name: i ? `V${i}` : 'Draft', comment: null, ...by },
      ...{ type: i ? 'version' : 'draft', n: i || null, basedOnVersionId: i > 1 ? `ver_${n}_${i - 1}` : null },
      ...{ parents: i > 1 ? [`ver_${n}_${i - 1}`] : [], releasedAs: null, code: null, awaitsJobs: [] },
      ...{ bomDigest: files.length ? content.bomDigest : null, contentHash: i ? contentHash(files) : null },
      ...{ updatedAt: start, lock: 0 },
    };
    const artifacts = files.map(({ chunks: _chunks, ...file }): Stored => {
      const origin = { generator: null, inputSha256: null, jobId: null, stale: false };
      return {
        collection: 'artifacts',
        record: { _id: `art_${n}_${i}`, documentId, versionId: _id, ...file, ...origin, ...by },
      };
    });
    return [{ collection: 'versions', record }, ...artifacts];
  });
  const document = {
    ...{ _id: documentId, kind, folderId: null, archived: false, copiedFrom: null, lock: 0, ...by, ...named },
    ...{ ...searchFields(named), lastVersion: VERSIONS, lastRevision: 0 },
    ...{ updatedAt: timeOf(n, VERSIONS), updatedBy: 'usr_bench' },
  };
  const workspace = {
    ...{ _id: `wsp_${n}`, documentId, name: 'main', nameKey: 'main', description: null, main: true, archived: false },
    ...{ fromVersionId: null, draftId: `ver_${n}_0`, newestVersionId: `ver_${n}_${VERSIONS}`, reservation: null },
    ...{ lock: 0, ...by },
  };
  const [draft = [], ...others] = versions;
  const created: Stored[] = [
    { collection: 'documents', record: document },
    { collection: 'numbers', record: { _id: named.number, documentId, deleted: false } },
    { collection: 'workspaces', record: workspace },
    ...draft,
  ];
  return [created, ...others];
}

/** The audit records of a document: one for each of its commands, and others up to RECORDS. */
function auditRecords({ n, commands, content }: { n: number; commands: Stored[][]; content: Content }) {
  const [chain, prefix] = [`doc_${n}`, n * RECORDS];
  let prevHash = CHAIN_START;
  return Array.from({ length: RECORDS }, (_, i) => {
    const records = commands[i]?.map(({ collection, record }) => ({
      ...{ collection, id: record._id },
      fields: { ...loggedFields(collection, record), ...loggedReferences(record._id, content.references) },
    }));
    const record = {
      ...{ _id: `aud_${String(prefix + i).padStart(26, '0')}`, action: records ? 'version.created' : 'job.claimed' },
      ...{ at: timeOf(n, i), by: { id: 'usr_bench', role: 'editor' as const, tokenId: null, via: 'token' } },
      ...{ chain, chainSeq: i + 1, changes: {}, documentId: chain, folderId: null, ip: null, jobId: null },
      ...(records && { records }),
      ...{ requestId: `request-${n}-${i}`, revisionId: null, summary: `Command ${i} of X-${n}.` },
      versionId: i > 0 && i <= VERSIONS ? `ver_${n}_${i}` : null,
      workspaceId: i === 0 ? `wsp_${n}` : null,
    };
    const linked = { ...record, prevHash, hash: auditHash(prevHash, record) };
    prevHash = linked.hash;
    return linked;
  });
}

/** The references of a version as the audit log holds them: a field of the record of the version. */
function loggedReferences(versionId: string, references: readonly Document[]): Document {
  if (references[0]?.versionId !== versionId) return {};
  const digest = listDigest();
  for (const line of references) digest.add(loggedLine(line));
  return { [REFERENCES]: digest.value() };
}
