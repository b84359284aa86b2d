// Requests exports.
import { queueJob } from '../core/commands/queue-job.ts';
import { notFound, refuse } from '../core/domain/errors.ts';
import { EXPORTS, type ExportFormat, exportSourceOf } from '../core/domain/formats/formats.ts';
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
 * Queues the export of a draft or version to one file. While such a job is waiting or running, returns it.
 * For a version, whose content is frozen, also returns the job of a finished export; a draft is exported again, because
 * its references may have changed. Throws `wrong_kind` if only assemblies are exported in this format, `not_converted`
 * if the file that it is written from does not exist, `needs_classcad` if no engine writes the format.
 */
export async function requestExport(work: Work, { versionId, format }: Input): Promise<JobRecord> {
  const target = await lockVersion(work, versionId);
  const { document, workspace, version } = target;
  const exported = EXPORTS.find((each) => each.format === format)!;
  const from = exportSourceOf(exported, document.kind);
  const source = await artifactOfKind(work, versionId, from);

  if (from === ASM_JSON && document.kind !== 'assembly')
    refuse(
      'wrong_kind',
      `Document ${document.number} is of kind ${document.kind}; only assemblies are exported as ${format}. For a model, download its STEP file.`,
      { kind: document.kind, allowed: ['assembly'] },
    );
  assertNotArchived(target);
  if (!source && from === ASM_JSON) throw notFound('asm-json file in draft or version', versionId);
  if (!source || source.stale)
    refuse('not_converted', `${format} is written from the file of kind ${from}, which does not exist yet.`, {
      artifactKind: from,
    });
  if (format === 'OFB' && work.services.limits.ofbWorker === 'none')
    refuse('needs_classcad', 'No engine writes OFB files. Connect a ClassCAD worker and set PDM_OFB_WORKER=external.');
  const done = await findFinishedExport(work, version, exported.kind);
  if (done) {
    work.unchanged();
    return done;
  }

  const environment = format === 'OFB' ? { engine: 'classcad' } : null;
  const input = {
    inputSha256: source.sha256,
    inputBytes: source.size,
    inputKinds: [from],
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

async function findFinishedExport(scope: Scope, version: VersionRecord, kind: string): Promise<JobRecord | null> {
  if (version.type === 'draft') return null;
  const file = await artifactOfKind(scope, version._id, kind);
  if (!file?.jobId) return null;
  const job = await find(scope, 'jobs', file.jobId);
  // A file copied from the draft contains the references as the draft resolved them, so the version is exported again.
  return job?.status === 'done' && job.versionId === version._id ? job : null;
}
