// Builds artifact records and their audit records.
import { describeDraftOrVersion } from '../core/domain/versions/describe-draft-or-version.ts';
import type { ArtifactRecord, VersionRecord } from '../core/store/schema/collections.ts';
import type { VersionContext } from '../core/store/versions.ts';
import type { Work } from '../core/work.ts';
import type { StoredFile } from './upload-artifact.ts';

type Origin = Pick<ArtifactRecord, 'generator' | 'inputSha256' | 'jobId'>;

/** Creates the record of a stored file in a draft or version. `origin`: its generator, input and job. */
export function artifactRecord(
  work: Work,
  { kind, fileName, contentType, stored }: Omit<StoredFile, 'lines' | 'environment'>,
  version: VersionRecord,
  origin: Origin,
): ArtifactRecord {
  return {
    _id: work.newId('art'),
    documentId: version.documentId,
    versionId: version._id,
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

/** Audits that a file was stored, with the file that it replaced and the user whom a worker acted for. */
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
    summary: `File "${artifact.fileName}" (${artifact.kind}, ${artifact.size} bytes) was stored in ${describeDraftOrVersion({ document, workspace, version })}.`,
    changes: { [artifact.kind]: { from: replaced && auditFields(replaced), to: auditFields(artifact) } },
  });
}

/** Returns the fields that identify a file in an audit record. */
export function auditFields({ _id, fileName, size, sha256, generator, inputSha256 }: ArtifactRecord) {
  return { id: _id, fileName, size, sha256, ...(generator === null ? {} : { generator, inputSha256 }) };
}
