// Finds the versions of models by their source file.
import { inChunks } from './assembly/resolve-references.ts';
import { findAll } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';

/** A version of a model by its document and number. */
export type ModelVersion = { documentId: string; n: number };

/**
 * Returns for each content hash the version of a model with this source: that of the oldest document, and there the
 * newest version. Skips archived documents, because their parts should not be reused.
 */
export async function versionsOfSources(scope: Scope, hashes: readonly string[]): Promise<Map<string, ModelVersion>> {
  const sources = await inChunks(hashes, (chunk) =>
    collection(scope, 'artifacts')
      .find({ sha256: { $in: chunk }, kind: 'source' }, within(scope))
      .toArray(),
  );
  const versions = await inChunks([...new Set(sources.map(({ versionId }) => versionId))], (chunk) =>
    findAll(scope, 'versions', chunk),
  );
  const documents = await inChunks([...new Set(sources.map(({ documentId }) => documentId))], (chunk) =>
    findAll(scope, 'documents', chunk),
  );
  const [versionOf, documentOf] = [
    new Map(versions.map((record) => [record._id, record])),
    new Map(documents.map((record) => [record._id, record])),
  ];

  const candidates = sources.flatMap(({ sha256, versionId, documentId }) => {
    const [version, document] = [versionOf.get(versionId), documentOf.get(documentId)];
    return version?.n && document?.kind === 'model' && !document.archived
      ? [{ sha256, documentId, n: version.n, createdAt: document.createdAt }]
      : [];
  });
  candidates.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || a.n - b.n);
  // of equal hashes the last one wins
  return new Map(candidates.map(({ sha256, documentId, n }) => [sha256, { documentId, n }]));
}
