// The sizes of the files of all documents.
import { collection, type Scope } from '../query/scope.ts';
import type { ArtifactRecord, DocumentRecord } from '../schema/collections.ts';

/** The files of a document: how many there are of each kind, and their bytes. */
export type DocumentFiles = { folderId: string | null; kinds: ReadonlyMap<string, Usage> };
export type Usage = { files: number; bytes: number };
type Part = Pick<ArtifactRecord, 'documentId' | 'kind' | 'sha256' | 'size'>;

const DOCUMENTS_PER_READ = 500;

/**
 * Yields the files of every document. A file that several versions of a document share counts once. Reads the artifacts
 * in the order of an index, so that one document at a time is in memory.
 */
export async function* filesOfDocuments(scope: Scope): AsyncGenerator<DocumentFiles> {
  const found = collection(scope, 'artifacts')
    .find({}, { projection: { _id: 0, documentId: 1, kind: 1, sha256: 1, size: 1 } })
    .sort({ documentId: 1, kind: 1, createdAt: -1 })
    .batchSize(10_000);
  let ids = new Map<string, Map<string, Usage>>();
  let seen = new Set<string>();
  for await (const { documentId, kind, sha256, size } of found as AsyncIterable<Part>) {
    let kinds = ids.get(documentId);
    if (!kinds) {
      if (ids.size === DOCUMENTS_PER_READ) {
        yield* withFolders(scope, ids);
        ids = new Map();
      }
      kinds = new Map();
      ids.set(documentId, kinds);
      seen = new Set();
    }
    if (seen.has(sha256)) continue;
    seen.add(sha256);
    const usage = kinds.get(kind) ?? { files: 0, bytes: 0 };
    kinds.set(kind, { files: usage.files + 1, bytes: usage.bytes + size });
  }
  yield* withFolders(scope, ids);
}

async function* withFolders(
  scope: Scope,
  documents: ReadonlyMap<string, ReadonlyMap<string, Usage>>,
): AsyncGenerator<DocumentFiles> {
  const records = await collection(scope, 'documents')
    .find({ _id: { $in: [...documents.keys()] } })
    .project<Pick<DocumentRecord, '_id' | 'folderId'>>({ folderId: 1 })
    .toArray();
  for (const { _id, folderId } of records) yield { folderId, kinds: documents.get(_id) ?? new Map() };
}
