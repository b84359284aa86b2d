import type { ArtifactRecord, VersionRecord } from '../core/store/schema/collections.ts';
import type { VersionInPlace } from '../core/store/versions.ts';
import type { Work } from '../core/work.ts';
import type { StoredFile } from './upload-artifact.ts';

type Origin = Pick<ArtifactRecord, 'generator' | 'inputSha256' | 'jobId'>;

/** The record of a stored file in a draft or version; `origin` says what derived it, and from which input. */
export function artifactRecord(
  work: Work,
  { kind, fileName, contentType, stored }: Omit<StoredFile, 'lines' | 'environment'>,
  into: VersionRecord,
  origin: Origin,
): ArtifactRecord {
  return {
    _id: work.newId('art'),
    documentId: into.documentId,
    versionId: into._id,
    kind,
    fileName,
    contentType,
    size: stored.size,
    sha256: stored.sha256,
    ...origin,
    stale: false,
    createdAt: work.now,
    createdBy: work.actor.id,
  };
}

/** Records that a file was stored, which one it took the place of, and for whom a worker did it. */
export function auditStored(
  work: Work,
  { document, workspace, version }: VersionInPlace,
  artifact: ArtifactRecord,
  replaced: ArtifactRecord | null,
  jobId: string | null,
  onBehalfOf: string | null = null,
): void {
  work.audit({
    action: 'artifact.uploaded',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId: version._id,
    jobId,
    onBehalfOf,
    summary: `File "${artifact.fileName}" (${artifact.kind}, ${artifact.size} bytes) was stored in ${placeName({ document, workspace, version })}.`,
    changes: { [artifact.kind]: { from: replaced && identity(replaced), to: identity(artifact) } },
  });
}

/** What identifies a file in an audit record. */
export function identity({ _id, fileName, size, sha256, generator, inputSha256 }: ArtifactRecord) {
  return { id: _id, fileName, size, sha256, ...(generator === null ? {} : { generator, inputSha256 }) };
}

/** Where a file is, in words. */
export function placeName({ document, workspace, version }: VersionInPlace): string {
  return version.type === 'draft'
    ? `the draft of workspace "${workspace.name}" of ${document.number}`
    : `version ${version.n} of ${document.number}`;
}
