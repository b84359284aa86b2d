// Accepts the documents that a STEP assembly was split into.
import { hash } from 'node:crypto';
import { assertDraftWritable } from '../../core/commands/assert-writable.ts';
import { currentDigest } from '../../core/commands/freeze-references.ts';
import { storeReferences } from '../../core/commands/store-references.ts';
import { refuse } from '../../core/domain/errors.ts';
import { holderOf, isRepeatedEnd } from '../../core/domain/jobs/job-fence.ts';
import { assertHolder, complete } from '../../core/domain/jobs/job-lifecycle.ts';
import { assertGenerator, type GeneratedDocument, type RunResult } from '../../core/domain/jobs/run-result.ts';
import { pluralize } from '../../core/domain/text/pluralize.ts';
import { ASM_JSON, insertStructure } from '../../core/store/assembly/references.ts';
import { artifactOfKind, markDerivedStale, replaceArtifact } from '../../core/store/files/artifacts.ts';
import { attachBlob } from '../../core/store/files/blobs.ts';
import { changeJob } from '../../core/store/jobs/jobs.ts';
import { change, lock } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { ArtifactRecord, JobRecord } from '../../core/store/schema/collections.ts';
import { versionsOfSources } from '../../core/store/source-versions.ts';
import { lockVersion, type VersionContext } from '../../core/store/versions.ts';
import type { Work } from '../../core/work.ts';
import {
  createGeneratedDocuments,
  DEFAULT_FILE_NAMES,
  type JobDelivery,
  newStagedDocument,
  type StagedDocument,
  type StagedDocuments,
} from '../create-generated-documents.ts';
import { describeJob, recordTransition } from '../record-transition.ts';

/** The key of the top assembly, which becomes the content of the draft that the file was uploaded to. */
const ROOT_KEY = 'root';

/**
 * Stages the documents of a split STEP assembly by key. A part whose STEP file equals the source of an existing version
 * becomes a reference to that version; equal parts share one new document. Throws `validation_failed` if the result has
 * no top assembly.
 */
export async function stageSplitDocuments(scope: Scope, result: RunResult): Promise<StagedDocuments> {
  const { documents } = result;
  assertGenerator(result, null);
  if (!documents.some(({ key, kind }) => key === ROOT_KEY && kind === 'assembly'))
    refuse('validation_failed', `The result has no assembly with the key ${ROOT_KEY}.`, {
      errors: [{ path: '/documents', message: `must contain ${ROOT_KEY}` }],
    });
  const hashes = new Map(
    documents.flatMap(({ key, kind, files }) =>
      kind === 'model' && files[0] ? [[key, hash('sha256', files[0].bytes)] as const] : [],
    ),
  );
  const versions = await versionsOfSources(scope, [...new Set(hashes.values())]);
  const stagedByHash = new Map<string, StagedDocument>();
  const stagedDocuments: StagedDocuments = new Map();
  for (const { key } of documents) {
    const sha256 = hashes.get(key) ?? '';
    const version = versions.get(sha256);
    const equal = version ? { ...newStagedDocument(), id: version.documentId, n: version.n } : stagedByHash.get(sha256);
    const document: StagedDocument = equal ? { ...equal, exists: true } : newStagedDocument();
    if (sha256 && !equal) stagedByHash.set(sha256, document);
    stagedDocuments.set(key, document);
  }
  return stagedDocuments;
}

/**
 * Creates the documents of a split STEP assembly, stores the asm.json of the top assembly in the draft it was uploaded
 * to, and completes the job, all or nothing. Acts for the user who uploaded the file: throws if another user has
 * reserved the workspace, and `stale_input` if the source or asm.json of the draft was replaced meanwhile.
 */
export async function acceptSplit(
  work: Work,
  { id, attempt, workerId, result, stagedDocuments }: JobDelivery,
): Promise<JobRecord> {
  const holder = holderOf(work.actor, { attempt, workerId });
  const job = await lock(work, 'jobs', id);
  if (isRepeatedEnd(job, holder, 'complete')) {
    work.unchanged();
    return job;
  }
  assertHolder(job, holder);
  const target = await lockVersion(work, job.versionId);
  const source = await artifactOfKind(work, job.versionId, 'source');
  const asmJson = await artifactOfKind(work, job.versionId, ASM_JSON);

  await assertDraftWritable({ ...work, actor: { ...work.actor, id: job.queuedBy } }, target);
  if (source?.sha256 !== job.inputSha256 || (asmJson && asmJson.createdAt > job.queuedAt))
    return refuse('stale_input', 'The source or asm.json of the draft was replaced. No document was created.', {
      expectedSha256: job.inputSha256,
      currentSha256: source?.sha256 ?? null,
    });

  const created = result.documents.filter(({ key }) => key !== ROOT_KEY && !stagedDocuments.get(key)?.exists);
  const importedFrom = {
    documentId: target.document._id,
    versionId: target.version._id,
    jobId: job._id,
    fileName: source.fileName,
    sha256: source.sha256,
  };
  const documentIds = await createGeneratedDocuments(work, created, stagedDocuments, {
    origin: target,
    job,
    createdBy: job.queuedBy,
    originFieldsOf: () => ({ importedFrom }),
    generator: result.engine,
    inputSha256: source.sha256,
    engine: result.engine,
    action: 'document.imported',
    comment: `Imported from ${source.fileName}.`,
    description: `imported from the STEP assembly "${source.fileName}" of ${target.document.number}`,
  });
  await fillDraft(work, target, { job, source, engine: result.engine, root: stagedDocuments.get(ROOT_KEY)! });
  const existing = countExisting(result.documents, stagedDocuments);
  work.audit({
    action: 'assembly.imported',
    documentId: target.document._id,
    workspaceId: target.workspace._id,
    versionId: target.version._id,
    jobId: job._id,
    onBehalfOf: job.queuedBy,
    summary: `The STEP assembly "${source.fileName}" was split into ${pluralize(documentIds.length, 'new document')}; ${pluralize(existing, 'part')} already existed.`,
    changes: {
      [ASM_JSON]: {
        from: asmJson?.sha256 ?? null,
        to: stagedDocuments.get(ROOT_KEY)?.files.find(({ kind }) => kind === ASM_JSON)?.blob.sha256 ?? null,
      },
    },
  });
  const done = await changeJob(work, job, complete(job, work.now), { now: work.now });
  recordTransition(work, job, done, {
    action: 'job.completed',
    summary: `${describeJob(job)} is done: it created ${pluralize(documentIds.length, 'document')}.`,
  });
  return done;
}

type DraftContent = { job: JobRecord; source: ArtifactRecord; engine: string; root: StagedDocument };

/** Stores the asm.json of the top assembly in the draft, as if its user had uploaded it, with its derived files. */
async function fillDraft(
  work: Work,
  { document, version }: VersionContext,
  { job, source, engine, root }: DraftContent,
): Promise<void> {
  const draftIds = { documentId: document._id, versionId: version._id };
  const asmJson = root.files.find(({ kind }) => kind === ASM_JSON);
  if (!asmJson) throw new Error('The top assembly of the result has no asm.json');
  await markDerivedStale(work, version._id);
  for (const { kind, blob } of root.files) {
    await attachBlob(work, blob);
    const origin =
      kind === ASM_JSON
        ? { generator: null, inputSha256: source.sha256 }
        : { generator: engine, inputSha256: asmJson.blob.sha256 };
    await replaceArtifact(work, {
      _id: work.newId('art'),
      ...draftIds,
      kind,
      ...DEFAULT_FILE_NAMES[kind]!,
      size: blob.size,
      sha256: blob.sha256,
      ...origin,
      jobId: job._id,
      stale: false,
      createdAt: work.now,
      createdBy: job.queuedBy,
    });
  }
  await insertStructure(work, asmJson.blob.sha256, root.lines);
  await storeReferences(work, draftIds, [{ kind: ASM_JSON, sha256: asmJson.blob.sha256 }]);
  await change(work, 'versions', version._id, {
    updatedAt: work.now,
    bomDigest: await currentDigest(work, root.lines),
    awaitsJobs: [],
  });
  await change(work, 'documents', document._id, { updatedAt: work.now, updatedBy: job.queuedBy });
}

// equal parts of the file share one document, which is new unless its version existed before
function countExisting(documents: readonly GeneratedDocument[], stagedDocuments: StagedDocuments): number {
  const staged = documents.flatMap(({ key }) => stagedDocuments.get(key) ?? []);
  const created = new Set(staged.flatMap(({ id, exists }) => (exists ? [] : [id])));
  return new Set(staged.flatMap(({ id, exists }) => (exists && !created.has(id) ? [id] : []))).size;
}
