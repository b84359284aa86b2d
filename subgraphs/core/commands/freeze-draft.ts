import { artifactKind } from '../domain/artifact-kind.ts';
import { bomDigest } from '../domain/assembly/bom-digest.ts';
import { pluralize } from '../domain/text/pluralize.ts';
import { contentHash } from '../domain/versions/version-content.ts';
import { ASM_JSON, insertFrozen, referencesOf } from '../store/assembly/references.ts';
import { artifactsOf, insertCopies, markDerivedStale } from '../store/files/artifacts.ts';
import { change, get, insert } from '../store/query/records.ts';
import type {
  ArtifactRecord,
  DocumentRecord,
  JobRecord,
  VersionRecord,
  WorkspaceRecord,
} from '../store/schema/collections.ts';
import { jobsAwaitedBy } from '../store/versions.ts';
import type { Work } from '../work.ts';
import { assertNoCycle } from './assert-no-cycle.ts';
import { freezeLines } from './freeze-references.ts';
import { queueJob } from './queue-job.ts';

/**
 * Freezes the draft of a workspace as the next version; the caller has locked the workspace and its document. Copies
 * every file, freezes every reference to the version it resolves to now, and bases the draft on the new version.
 * The version also receives the results of the draft's unfinished jobs, unless a reference now resolves to something
 * else, so that both are assembled again. Throws `unresolved_reference` if a reference
 * does not resolve.
 */
export async function freezeDraft(
  work: Work,
  { document, workspace }: { document: DocumentRecord; workspace: WorkspaceRecord },
  { name, comment }: { name: string | null; comment: string | null },
): Promise<VersionRecord> {
  const draft = await get(work, 'versions', workspace.draftId);
  const files = await artifactsOf(work, draft._id);
  const lines = await referencesOf(work, draft._id);

  const frozen = await freezeLines(work, lines);
  await assertNoCycle(work, document._id, lines);
  const structure = bomDigest(frozen);
  // the derived files of the draft show the structure of when it was assembled; if that has changed, assemble again
  const structureChanged = structure !== null && structure !== (draft.bomDigest ?? null);
  const awaitsJobs = structureChanged ? [] : await jobsAwaitedBy(work, draft, files);
  const n = document.lastVersion + 1;
  const version: VersionRecord = {
    _id: work.newId('ver'),
    documentId: document._id,
    workspaceId: workspace._id,
    type: 'version',
    n,
    name: name ?? `V${n}`,
    comment,
    basedOnVersionId: draft.basedOnVersionId,
    parents: draft.parents,
    restoredFromVersionId: draft.restoredFromVersionId ?? null,
    releasedAs: null,
    contentHash: contentHash(files),
    bomDigest: structure,
    code: draft.code ?? null,
    awaitsJobs,
    createdAt: work.now,
    createdBy: work.actor.id,
    updatedAt: work.now,
    lock: 0,
  };

  await insert(work, 'versions', version);
  await insertCopies(work, files, { versionId: version._id, documentId: document._id });
  await insertFrozen(work, { versionId: version._id, documentId: document._id }, frozen);
  await change(work, 'versions', draft._id, {
    basedOnVersionId: version._id,
    parents: [version._id],
    restoredFromVersionId: null,
    updatedAt: work.now,
  });
  const job = structureChanged ? await assembleAgain(work, version, draft, files) : null;
  await change(work, 'workspaces', workspace._id, { newestVersionId: version._id });
  await change(work, 'documents', document._id, { lastVersion: n, updatedAt: work.now, updatedBy: work.actor.id });
  work.audit({
    action: 'version.created',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId: version._id,
    jobId: job?._id ?? null,
    summary: `Version ${n} of ${document.number} was created in workspace "${workspace.name}" with ${pluralize(files.length, 'file')}.`,
    changes: {
      n: { from: null, to: n },
      name: { from: null, to: version.name },
      comment: { from: null, to: version.comment },
      basedOnVersionId: { from: null, to: version.basedOnVersionId },
      contentHash: { from: null, to: version.contentHash },
      ...(draft.code ? { commit: { from: null, to: draft.code.commit } } : {}),
      ...(structure ? { bomDigest: { from: null, to: structure } } : {}),
    },
  });
  return version;
}

// The derived files show another structure than the frozen one: marks them as stale in both, and queues one job for
// both.
async function assembleAgain(
  work: Work,
  version: VersionRecord,
  draft: VersionRecord,
  files: readonly ArtifactRecord[],
): Promise<JobRecord | null> {
  const asmJson = files.find(({ kind }) => kind === ASM_JSON);
  const queues = artifactKind(ASM_JSON).queues;
  if (!asmJson || !queues) return null;
  for (const { _id } of [version, draft]) await markDerivedStale(work, _id);
  const { type, environment } = queues;
  const job = await queueJob(work, {
    type,
    documentId: version.documentId,
    versionId: version._id,
    inputSha256: asmJson.sha256,
    inputBytes: asmJson.size,
    inputKinds: [ASM_JSON],
    environment: [...environment],
  });
  await change(work, 'versions', draft._id, { awaitsJobs: [job._id], bomDigest: version.bomDigest ?? null });
  return job;
}
