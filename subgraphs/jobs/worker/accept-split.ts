import { hash } from 'node:crypto';
import { digestNow } from '../../core/commands/freeze-references.ts';
import { useReferences } from '../../core/commands/use-references.ts';
import { writableDraft } from '../../core/commands/writable.ts';
import { refuse } from '../../core/domain/errors.ts';
import { endedAlready, holderOf } from '../../core/domain/jobs/job-fence.ts';
import { complete, heldBy } from '../../core/domain/jobs/job-lifecycle.ts';
import { type MadeDocument, ofGenerator, type RunResult } from '../../core/domain/jobs/run-result.ts';
import { pluralize } from '../../core/domain/text/pluralize.ts';
import { ASM_JSON, keepStructure } from '../../core/store/assembly/references.ts';
import { artifactOfKind, markDerivedStale, putArtifact } from '../../core/store/files/artifacts.ts';
import { attachBlob } from '../../core/store/files/blobs.ts';
import { changeJob } from '../../core/store/jobs/jobs.ts';
import { change, lock } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { ArtifactRecord, JobRecord } from '../../core/store/schema/collections.ts';
import { versionsOfSources } from '../../core/store/source-versions.ts';
import { lockVersion, type VersionInPlace } from '../../core/store/versions.ts';
import type { Work } from '../../core/work.ts';
import {
  createGenerated,
  type Delivered,
  freshContent,
  type GeneratedContent,
  type GeneratedDocument,
  NAMES,
} from '../create-generated.ts';
import { recordTransition, theJob } from '../record-transition.ts';

/** The assembly that the whole file is: the draft it was uploaded to. */
const ROOT = 'root';

/**
 * What a STEP assembly was taken apart into, by key. A part whose STEP file is, byte for byte, the source of a model's version is that version; of equal parts one is made.
 * Refuses a result without its root.
 */
export async function splitContents(scope: Scope, result: RunResult): Promise<GeneratedContent> {
  const { documents } = result;
  ofGenerator(result, null);
  if (!documents.some(({ key, kind }) => key === ROOT && kind === 'assembly'))
    refuse('validation_failed', `The result has no assembly with the key ${ROOT}.`, {
      errors: [{ path: '/documents', message: `must hold ${ROOT}` }],
    });
  const hashes = new Map(
    documents.flatMap(({ key, kind, files }) =>
      kind === 'model' && files[0] ? [[key, hash('sha256', files[0].bytes)] as const] : [],
    ),
  );
  const there = await versionsOfSources(scope, [...new Set(hashes.values())]);
  const made = new Map<string, GeneratedDocument>();
  const contents: GeneratedContent = new Map();
  for (const { key } of documents) {
    const sha256 = hashes.get(key) ?? '';
    const known = there.get(sha256);
    const equal = known ? { ...freshContent(), id: known.documentId, n: known.n, there: true } : made.get(sha256);
    const content = equal ? { ...equal, there: true } : freshContent();
    if (sha256 && !equal) made.set(sha256, content);
    contents.set(key, content);
  }
  return contents;
}

/**
 * Creates the documents that a STEP assembly was taken apart into, gives the draft it was uploaded to the asm.json of the whole, and ends the job as done: all or nothing. Done in
 * the name of the one who uploaded it: refused when somebody else holds the workspace by now, and as `stale_input` when the draft has got another source or asm.json since.
 */
export async function acceptSplit(
  work: Work,
  { id, attempt, workerId, result, contents }: Delivered,
): Promise<JobRecord> {
  const by = holderOf(work.actor, { attempt, workerId });
  const job = await lock(work, 'jobs', id);
  if (endedAlready(job, by, 'complete')) {
    work.unchanged();
    return job;
  }
  heldBy(job, by);
  const place = await lockVersion(work, job.versionId);
  const source = await artifactOfKind(work, job.versionId, 'source');
  const asmJson = await artifactOfKind(work, job.versionId, ASM_JSON);

  await writableDraft({ ...work, actor: { ...work.actor, id: job.queuedBy } }, place);
  if (source?.sha256 !== job.inputSha256 || (asmJson && asmJson.createdAt > job.queuedAt))
    return refuse('stale_input', 'The draft has got another source or asm.json since; nothing was made.', {
      expectedSha256: job.inputSha256,
      currentSha256: source?.sha256 ?? null,
    });

  const fresh = result.documents.filter(({ key }) => key !== ROOT && !contents.get(key)?.there);
  const origin = {
    documentId: place.document._id,
    versionId: place.version._id,
    jobId: job._id,
    fileName: source.fileName,
    sha256: source.sha256,
  };
  const documentIds = await createGenerated(work, fresh, contents, {
    ...{ place, job, createdBy: job.queuedBy, originOf: () => ({ importedFrom: origin }) },
    ...{ generator: result.engine, inputSha256: source.sha256, engine: result.engine },
    ...{ action: 'document.imported', comment: `Taken out of ${source.fileName}.` },
    deed: `taken out of the STEP assembly "${source.fileName}" of ${place.document.number}`,
  });
  await fillDraft(work, place, { job, source, engine: result.engine, root: contents.get(ROOT)! });
  const used = unmade(result.documents, contents);
  work.audit({
    action: 'assembly.imported',
    documentId: place.document._id,
    workspaceId: place.workspace._id,
    versionId: place.version._id,
    jobId: job._id,
    onBehalfOf: job.queuedBy,
    summary: `The STEP assembly "${source.fileName}" was taken apart into ${pluralize(documentIds.length, 'new document')}; ${pluralize(used, 'part')} of it ${used === 1 ? 'was' : 'were'} there already.`,
    changes: {
      [ASM_JSON]: {
        from: asmJson?.sha256 ?? null,
        to: contents.get(ROOT)?.files.find(({ kind }) => kind === ASM_JSON)?.blob.sha256 ?? null,
      },
    },
  });
  const done = await changeJob(work, job, complete(job, work.now), { now: work.now });
  recordTransition(work, job, done, {
    action: 'job.completed',
    summary: `${theJob(job)} is done: it made ${pluralize(documentIds.length, 'document')}.`,
  });
  return done;
}

type Filling = { job: JobRecord; source: ArtifactRecord; engine: string; root: GeneratedDocument };

/** Gives the draft the asm.json of the whole, as if its user had stored it, with what is shown of it. */
async function fillDraft(
  work: Work,
  { document, version }: VersionInPlace,
  { job, source, engine, root }: Filling,
): Promise<void> {
  const place = { documentId: document._id, versionId: version._id };
  const asmJson = root.files.find(({ kind }) => kind === ASM_JSON);
  if (!asmJson) throw new Error('A result was accepted whose root has no asm.json');
  await markDerivedStale(work, version._id);
  for (const { kind, blob } of root.files) {
    await attachBlob(work, blob);
    const origin =
      kind === ASM_JSON
        ? { generator: null, inputSha256: source.sha256 }
        : { generator: engine, inputSha256: asmJson.blob.sha256 };
    await putArtifact(work, {
      ...{ _id: work.newId('art'), ...place, kind, ...NAMES[kind]!, size: blob.size, sha256: blob.sha256, ...origin },
      ...{ jobId: job._id, stale: false, createdAt: work.now, createdBy: job.queuedBy },
    });
  }
  await keepStructure(work, asmJson.blob.sha256, root.lines);
  await useReferences(work, place, [{ kind: ASM_JSON, sha256: asmJson.blob.sha256 }]);
  await change(work, 'versions', version._id, {
    updatedAt: work.now,
    bomDigest: await digestNow(work, root.lines),
    awaitsJobs: [],
  });
  await change(work, 'documents', document._id, { updatedAt: work.now, updatedBy: job.queuedBy });
}

function unmade(documents: readonly MadeDocument[], contents: GeneratedContent): number {
  return documents.filter(({ key }) => contents.get(key)?.there).length;
}
