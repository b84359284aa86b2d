// Finds documents by their source file.
import { inChunks } from './assembly/resolve-references.ts';
import { findAll } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { ArtifactRecord, DocumentRecord, VersionRecord } from './schema/collections.ts';

/** A version of a model by its document and number. */
export type ModelVersion = { documentId: string; n: number };

type Source = { artifact: ArtifactRecord; version: VersionRecord; document: DocumentRecord };

/**
 * Returns for each content hash the version of a model with this source: that of the oldest document, and there the
 * newest version. Skips archived documents, because their parts should not be reused.
 */
export async function versionsOfSources(scope: Scope, hashes: readonly string[]): Promise<Map<string, ModelVersion>> {
  const sources = await sourcesByHash(scope, hashes);
  return new Map(
    sources.flatMap(({ artifact: { sha256, documentId }, version: { n }, document: { kind } }) =>
      n && kind === 'model' ? [[sha256, { documentId, n }] as const] : [],
    ),
  );
}

/**
 * Returns for each content hash the source file of a draft or version with this content: that of the oldest document,
 * and there the newest version, or the draft if no version has it. Skips archived documents.
 */
export async function filesOfSources(scope: Scope, hashes: readonly string[]): Promise<Map<string, ArtifactRecord>> {
  const sources = await sourcesByHash(scope, hashes);
  return new Map(sources.map(({ artifact }) => [artifact.sha256, artifact]));
}

/** Returns all source files with the hashes; of equal hashes, the one that is preferred is the last. */
async function sourcesByHash(scope: Scope, hashes: readonly string[]): Promise<Source[]> {
  const artifacts = await inChunks(hashes, (chunk) =>
    collection(scope, 'artifacts')
      .find({ sha256: { $in: chunk }, kind: 'source' }, within(scope))
      .toArray(),
  );
  const versions = await inChunks([...new Set(artifacts.map(({ versionId }) => versionId))], (chunk) =>
    findAll(scope, 'versions', chunk),
  );
  const documents = await inChunks([...new Set(artifacts.map(({ documentId }) => documentId))], (chunk) =>
    findAll(scope, 'documents', chunk),
  );
  const [versionOf, documentOf] = [
    new Map(versions.map((record) => [record._id, record])),
    new Map(documents.map((record) => [record._id, record])),
  ];
  return artifacts
    .flatMap((artifact) => {
      const [version, document] = [versionOf.get(artifact.versionId), documentOf.get(artifact.documentId)];
      return version && document && !document.archived ? [{ artifact, version, document }] : [];
    })
    .toSorted(
      (a, b) =>
        b.document.createdAt.getTime() - a.document.createdAt.getTime() || (a.version.n ?? 0) - (b.version.n ?? 0),
    );
}
