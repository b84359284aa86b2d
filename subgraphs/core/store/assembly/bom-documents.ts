// What the rows of a bill of material say of documents: read each time, because what is newest and what is obsolete changes.
import type { BomDocument, BomLine } from '../../domain/assembly/bom-line.ts';
import { resolveAddress } from '../../domain/assembly/reference.ts';
import { readRecords } from '../query/read-records.ts';
import type { Scope } from '../query/scope.ts';
import type { DocumentRecord, RevisionRecord } from '../schema/collections.ts';
import { inChunks } from './resolve-references.ts';

/** How many records are asked for in one go. */
export const AT_ONCE = 20_000;

// Fewer wait for those of the levels below.
const WORTH_ASKING = 500;

/** Documents by id: two queries. */
export async function readBomDocuments(
  scope: Scope,
  documentIds: readonly string[],
): Promise<Map<string, BomDocument>> {
  const ids = documentIds.toSorted(); // as the indexes have them, so that the store need not
  const [documents, found] = await Promise.all([
    inChunks(
      ids,
      (some) => readRecords<Document, 'documents'>(scope, 'documents', { _id: { $in: some } }, DOCUMENT),
      AT_ONCE,
    ),
    inChunks(
      ids,
      (some) => readRecords<Revision, 'revisions'>(scope, 'revisions', { documentId: { $in: some } }, REVISION),
      AT_ONCE,
    ),
  ]);
  const revisions = Map.groupBy(found, ({ documentId }) => documentId);
  return new Map(
    documents.map((document) => [document._id, bomDocument(document, revisions.get(document._id) ?? NONE)]),
  );
}

/** Documents that become known level by level: as soon as there are many they are read, while the lines of the next level are; `rest` reads what is left. */
export function bomDocumentsByLevel(scope: Scope): {
  see(level: Lines): Promise<void>;
  rest(): Promise<Map<string, BomDocument>>;
} {
  const named = new Set<string>();
  const found = new Map<string, BomDocument>();
  let unread: string[] = [];
  const read = async (): Promise<void> => {
    const ids = unread;
    unread = [];
    for (const [id, document] of await readBomDocuments(scope, ids)) found.set(id, document);
  };
  return {
    async see(level) {
      for (const id of documentsIn(level)) {
        if (named.has(id)) continue;
        named.add(id);
        unread.push(id);
      }
      if (unread.length >= WORTH_ASKING) await read();
    },
    async rest() {
      if (unread.length) await read();
      return found;
    },
  };
}

type Lines = Iterable<readonly BomLine[]>;

/** The documents that lines name, each once. */
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
  // the id of the newest version is not looked up: only a document without releases resolves to it, and there n alone tells versions apart
  const versions = lastVersion ? [{ _id: '', n: lastVersion }] : [];
  const newest = resolveAddress({ target: number, at: { as: 'newest' } }, { document, versions, revisions }).resolution;
  const obsolete = revisions.some((revision) => revision.obsolete)
    ? new Set(revisions.filter((revision) => revision.obsolete).map(({ versionId }) => versionId))
    : NO_VERSION;
  return { number, name, kind, newest, obsolete };
}

const NONE: readonly Revision[] = [];
const NO_VERSION: ReadonlySet<string> = new Set();
