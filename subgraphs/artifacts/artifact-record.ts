// Builds artifact records and their audit records.
import type { ArtifactRecord, VersionRecord } from '../core/store/schema/collections.ts';
import type { VersionContext } from '../core/store/versions.ts';
import type { Work } from '../core/work.ts';
import type { StoredFile } from './upload-artifact.ts';

type Origin = Pick<ArtifactRecord, 'generator' | 'inputSha256' | 'jobId'>;

/** Returns the record of a stored file in a draft or version. `origin` names its generator, input and job. */
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

/** Audits that a file was stored, which file it replaced, and for whom if a worker stored it. */
export function auditUpload(
  work: Work,
  { document, workspace, version }: VersionContext,
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
    summary: `File "${artifact.fileName}" (${artifact.kind}, ${artifact.size} bytes) was stored in ${describePlace({ document, workspace, version })}.`,
    changes: { [artifact.kind]: { from: replaced && auditFields(replaced), to: auditFields(artifact) } },
  });
}

/** Returns the fields that identify a file in an audit record. */
export function auditFields({ _id, fileName, size, sha256, generator, inputSha256 }: ArtifactRecord) {
  return { id: _id, fileName, size, sha256, ...(generator === null ? {} : { generator, inputSha256 }) };
}

/** Returns where a file is, as a phrase for a sentence. */
export function describePlace({ document, workspace, version }: VersionContext): string {
  return version.type === 'draft'
    ? `the draft of workspace "${workspace.name}" of ${document.number}`
    : `version ${version.n} of ${document.number}`;
}
