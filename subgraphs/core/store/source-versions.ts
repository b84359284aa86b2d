import { inChunks } from './assembly/resolve-references.ts';
import { findAll } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';

/** A version of a model by its document and number. */
export type ModelVersion = { documentId: string; n: number };

/**
 * For each of some contents the version of a model that has it as its source, by hash; of several the one of the oldest document, there the newest.
 * Archived documents do not count: nobody would look for a part there.
 */
export async function versionsOfSources(scope: Scope, hashes: readonly string[]): Promise<Map<string, ModelVersion>> {
  const sources = await inChunks(hashes, (some) =>
    collection(scope, 'artifacts')
      .find({ sha256: { $in: some }, kind: 'source' }, within(scope))
      .toArray(),
  );
  const versions = await inChunks([...new Set(sources.map(({ versionId }) => versionId))], (some) =>
    findAll(scope, 'versions', some),
  );
  const documents = await inChunks([...new Set(sources.map(({ documentId }) => documentId))], (some) =>
    findAll(scope, 'documents', some),
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
  // the last one put in stays
  return new Map(candidates.map(({ sha256, documentId, n }) => [sha256, { documentId, n }]));
}
