// Requests the export of an assembly.
import { queueJob } from '../core/commands/queue-job.ts';
import { notFound, refuse } from '../core/domain/errors.ts';
import { EXPORTS, type ExportFormat } from '../core/domain/formats/formats.ts';
import { assertNotArchived } from '../core/domain/versions/lifecycle.ts';
import { ASM_JSON } from '../core/store/assembly/references.ts';
import { artifactOfKind } from '../core/store/files/artifacts.ts';
import { find } from '../core/store/query/records.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { JobRecord, VersionRecord } from '../core/store/schema/collections.ts';
import { lockVersion } from '../core/store/versions.ts';
import type { Work } from '../core/work.ts';

type Input = { versionId: string; format: ExportFormat };

/**
 * Queues the export of an assembly's draft or version to one file. While such a job is waiting or running, returns it.
 * For a version, whose content is frozen, also returns the job of a finished export; a draft is exported again, because
 * its references may have changed. Throws `wrong_kind` if the document is not an assembly, `needs_classcad` if no engine
 * writes the format.
 */
export async function requestExport(work: Work, { versionId, format }: Input): Promise<JobRecord> {
  const target = await lockVersion(work, versionId);
  const { document, workspace, version } = target;
  const asmJson = await artifactOfKind(work, versionId, ASM_JSON);

  if (document.kind !== 'assembly')
    refuse(
      'wrong_kind',
      `Document ${document.number} is of kind ${document.kind}; only assemblies can be exported. For a model, download its STEP file.`,
      { kind: document.kind, allowed: ['assembly'] },
    );
  assertNotArchived(target);
  if (!asmJson) throw notFound('asm-json file in draft or version', versionId);
  if (format === 'OFB' && work.services.limits.ofbWorker === 'none')
    refuse('needs_classcad', 'No engine writes OFB files. Connect a ClassCAD worker and set PDM_OFB_WORKER=external.');
  const done = await findFinishedExport(work, version, format);
  if (done) {
    work.unchanged();
    return done;
  }

  const environment = format === 'OFB' ? { engine: 'classcad' } : null;
  const input = {
    inputSha256: asmJson.sha256,
    inputBytes: asmJson.size,
    inputKinds: [ASM_JSON],
    environment,
  };
  const job = await queueJob(
    work,
    { type: 'export', documentId: document._id, versionId, format, ...input },
    { atEnd: true },
  );
  work.audit({
    action: 'export.requested',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId,
    jobId: job._id,
    summary: `An export of ${version.name} of ${document.number} as ${format} was requested.`,
    changes: { format: { from: null, to: format } },
  });
  return job;
}

async function findFinishedExport(
  scope: Scope,
  version: VersionRecord,
  format: ExportFormat,
): Promise<JobRecord | null> {
  const exported = EXPORTS.find((each) => each.format === format);
  if (version.type === 'draft' || !exported) return null;
  const file = await artifactOfKind(scope, version._id, exported.kind);
  if (!file?.jobId) return null;
  const job = await find(scope, 'jobs', file.jobId);
  // A file copied from the draft contains the references as the draft resolved them, so the version is exported again.
  return job?.status === 'done' && job.versionId === version._id ? job : null;
}
