// Reads the documents in the rows of a bill of materials. Not cached, because the newest version and obsolete releases
// change.
import type { BomDocument, BomLine } from '../../domain/assembly/bom-line.ts';
import { resolveAddress } from '../../domain/assembly/reference.ts';
import { readRecords } from '../query/read-records.ts';
import type { Scope } from '../query/scope.ts';
import type { DocumentRecord, RevisionRecord } from '../schema/collections.ts';
import { inChunks } from './resolve-references.ts';

/** The maximum number of records per query. */
export const BATCH_SIZE = 20_000;

// the minimum number of documents to read before the last level is known
const MIN_EARLY_READ = 500;

/** Returns documents by id, with two queries. */
export async function readBomDocuments(
  scope: Scope,
  documentIds: readonly string[],
): Promise<Map<string, BomDocument>> {
  const ids = documentIds.toSorted(); // in index order, which is cheaper for the store
  const [documents, found] = await Promise.all([
    inChunks(
      ids,
      (chunk) => readRecords<Document, 'documents'>(scope, 'documents', { _id: { $in: chunk } }, DOCUMENT),
      BATCH_SIZE,
    ),
    inChunks(
      ids,
      (chunk) => readRecords<Revision, 'revisions'>(scope, 'revisions', { documentId: { $in: chunk } }, REVISION),
      BATCH_SIZE,
    ),
  ]);
  const revisions = Map.groupBy(found, ({ documentId }) => documentId);
  return new Map(
    documents.map((document) => [document._id, bomDocument(document, revisions.get(document._id) ?? NONE)]),
  );
}

/**
 * Collects the documents of a BOM level by level. `addLevel` reads them once there are many, while the caller reads the
 * lines of the next level; `readRemaining` reads the others and returns all.
 */
export function bomDocumentsByLevel(scope: Scope): {
  addLevel(level: Lines): Promise<void>;
  readRemaining(): Promise<Map<string, BomDocument>>;
} {
  const collected = new Set<string>();
  const found = new Map<string, BomDocument>();
  let unread: string[] = [];
  const read = async (): Promise<void> => {
    const ids = unread;
    unread = [];
    for (const [id, document] of await readBomDocuments(scope, ids)) found.set(id, document);
  };
  return {
    async addLevel(level) {
      for (const id of documentsIn(level)) {
        if (collected.has(id)) continue;
        collected.add(id);
        unread.push(id);
      }
      if (unread.length >= MIN_EARLY_READ) await read();
    },
    async readRemaining() {
      if (unread.length) await read();
      return found;
    },
  };
}

type Lines = Iterable<readonly BomLine[]>;

/** Returns the distinct document ids of lines. */
export function documentsIn(lists: Lines): string[] {
  const ids = new Set<string>();
  for (const lines of lists) for (const { documentId } of lines) if (documentId !== null) ids.add(documentId);
  return [...ids];
}

const DOCUMENT = { number: 1, name: 1, kind: 1, lastVersion: 1 } as const;
type Document = Pick<DocumentRecord, '_id' | keyof typeof DOCUMENT>;
const REVISION = { documentId: 1, versionId: 1, versionN: 1, label: 1, ordinal: 1, obsolete: 1 } as const;
type Revision = Pick<RevisionRecord, '_id' | keyof typeof REVISION>;

function bomDocument(document: Document, revisions: readonly Revision[]): BomDocument {
  const { number, name, kind, lastVersion } = document;
  // the id of the newest version is not needed: only a document without releases resolves to it, and n identifies it
  const versions = lastVersion ? [{ _id: '', n: lastVersion }] : [];
  const newest = resolveAddress({ target: number, at: { as: 'newest' } }, { document, versions, revisions }).resolution;
  const obsolete = revisions.some((revision) => revision.obsolete)
    ? new Set(revisions.filter((revision) => revision.obsolete).map(({ versionId }) => versionId))
    : NO_VERSION;
  return { number, name, kind, newest, obsolete };
}

const NONE: readonly Revision[] = [];
const NO_VERSION: ReadonlySet<string> = new Set();
