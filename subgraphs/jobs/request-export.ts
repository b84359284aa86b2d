import { queueJob } from '../core/commands/queue-job.ts';
import { notFound, refuse } from '../core/domain/errors.ts';
import { assertWritablePlace } from '../core/domain/versions/lifecycle.ts';
import { ASM_JSON } from '../core/store/assembly/references.ts';
import { artifactOfKind } from '../core/store/files/artifacts.ts';
import { find } from '../core/store/query/records.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { JobRecord, VersionRecord } from '../core/store/schema/collections.ts';
import { lockVersion } from '../core/store/versions.ts';
import type { Work } from '../core/work.ts';

type Format = 'STP' | 'OFB';
type Input = { versionId: string; format: Format };

/** The kind of file that a format is stored as: never another one under that name. */
const KIND = { STP: 'stp', OFB: 'ofb' } as const;

/**
 * Queues the export of an assembly's draft or version as one file. Origin again while that job waits or runs, it is the same job. A version is frozen: once its export is
 * there and good, the job that made it is the answer. What a draft uses may have moved, so it is exported anew. Refuses other kinds of document with `wrong_kind`.
 */
export async function requestExport(work: Work, { versionId, format }: Input): Promise<JobRecord> {
  const place = await lockVersion(work, versionId);
  const { document, workspace, version } = place;
  const asmJson = await artifactOfKind(work, versionId, ASM_JSON);

  if (document.kind !== 'assembly')
    refuse(
      'wrong_kind',
      `Document ${document.number} is of kind ${document.kind}; only an assembly is exported. A model has its STEP file already.`,
      {
        kind: document.kind,
        allowed: ['assembly'],
      },
    );
  assertWritablePlace(place);
  if (!asmJson) throw notFound('asm-json file in draft or version', versionId);
  const done = await findFinishedExport(work, version, format);
  if (done) {
    work.unchanged();
    return done;
  }

  // the engine that is to write OFB is outside; without one the built-in engine takes the job, and says that it cannot
  const environment = format === 'OFB' && work.services.limits.ofbWorker === 'external' ? { engine: 'classcad' } : null;
  const input = { inputSha256: asmJson.sha256, inputKinds: [ASM_JSON], environment };
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
    summary: `An export of ${version.name} of ${document.number} as ${format} was asked for.`,
    changes: { format: { from: null, to: format } },
  });
  return job;
}

async function findFinishedExport(scope: Scope, version: VersionRecord, format: Format): Promise<JobRecord | null> {
  if (version.type === 'draft') return null;
  const file = await artifactOfKind(scope, version._id, KIND[format]);
  if (!file?.jobId) return null;
  const job = await find(scope, 'jobs', file.jobId);
  // a file that was carried over from the draft shows what that used then
  return job?.status === 'done' && job.versionId === version._id ? job : null;
}
