import type { AssemblyLine } from '../core/domain/asm-references.ts';
import { writablePlace } from '../core/domain/lifecycle.ts';
import type { MadeDocument, RunResult } from '../core/domain/run-result.ts';
import { attachBlob, type StoredBlob } from '../core/store/blobs.ts';
import type { ArtifactRecord, DocumentRecord, GeneratedBy, JobRecord, RunRecord } from '../core/store/collections.ts';
import { documentRecord } from '../core/store/documents.ts';
import { freezeDraft } from '../core/store/freeze-draft.ts';
import { digestNow } from '../core/store/freeze-references.ts';
import { insertMainWorkspace } from '../core/store/new-workspace.ts';
import { nextNumber, takeNumber } from '../core/store/numbers.ts';
import { change, insert, insertAll, lock } from '../core/store/records.ts';
import { ASM_JSON, keepStructure } from '../core/store/references.ts';
import { useReferences } from '../core/store/use-references.ts';
import type { VersionInPlace } from '../core/store/versions.ts';
import { lockWorkspace } from '../core/store/workspaces.ts';
import type { Work } from '../core/work.ts';

/** A document to be, by its id: its files, whose bytes are in the store, and what an assembly uses. */
export type GeneratedDocument = { id: string; files: { kind: string; blob: StoredBlob }[]; lines: AssemblyLine[] };
/** By key. */
export type GeneratedContent = Map<string, GeneratedDocument>;

type Made = { run: RunRecord; job: JobRecord; place: VersionInPlace; result: RunResult; contents: GeneratedContent };

/**
 * Creates the documents of a run in the folder of its generator, parts before the assemblies that use them, each with its origin, its files and a
 * first version; answers their ids. They belong to the one who asked for the run. Refuses when the generator or its workspace is archived.
 */
export async function createGenerated(work: Work, made: Made): Promise<string[]> {
  const { place, result } = made;
  writablePlace(place);
  const { folderId } = place.document;
  if (folderId) await lock(work, 'folders', folderId);
  const ids: string[] = [];
  for (const document of result.documents) ids.push(await createOne(work, document, made));
  return ids;
}

async function createOne(work: Work, { key, kind, name, description }: MadeDocument, { run, job, place, result, contents }: Made): Promise<string> {
  const { id, files, lines } = contents.get(key)!;
  const number = await nextNumber(work, kind);
  const generated: GeneratedBy = {
    ...{ runId: run._id, key, generatorId: run.documentId, versionId: run.versionId },
    ...{ n: place.version.n, commit: run.code.commit },
  };
  const fields = { _id: id, number, name, kind, description, folderId: place.document.folderId, copiedFrom: null };
  const document: DocumentRecord = { ...documentRecord(work, fields), createdBy: run.createdBy, generated };
  await takeNumber(work, number, id);
  await insert(work, 'documents', document);
  const { workspaceId, draftId } = await insertMainWorkspace(work, id);
  const artifacts = await artifactsOf(work, { files, draftId, documentId: id }, { run, job, engine: result.engine });
  await insertAll(work, 'artifacts', artifacts);
  const asmJson = artifacts.find((artifact) => artifact.kind === ASM_JSON);
  if (asmJson) await useLines(work, asmJson, lines);
  work.audit({
    action: 'document.generated',
    documentId: id,
    workspaceId,
    versionId: draftId,
    jobId: job._id,
    summary: `Document ${number} "${name}" was made by ${run.generator.name} ${run.generator.version} (${place.document.number}) at commit ${run.code.commit.slice(0, 12)}.`,
    changes: {
      number: { from: null, to: number },
      name: { from: null, to: name },
      kind: { from: null, to: kind },
      folderId: { from: null, to: document.folderId },
      generated: { from: null, to: generated },
    },
  });
  const comment = `Made by ${run.generator.name} ${run.generator.version}.`;
  await freezeDraft(work, await lockWorkspace(work, workspaceId), { name: null, comment });
  await change(work, 'documents', id, { updatedBy: run.createdBy });
  return id;
}

// The STEP file of a model is its source as well, the same bytes: what people see as made by the generator, and what a later upload replaces.
async function artifactsOf(
  work: Work,
  { files, draftId, documentId }: { files: GeneratedDocument['files']; draftId: string; documentId: string },
  { run, job, engine }: { run: RunRecord; job: JobRecord; engine: string },
): Promise<ArtifactRecord[]> {
  const main = files.find(({ kind }) => kind === ASM_JSON) ?? files.find(({ kind }) => kind === 'stp');
  const made = `${run.generator.name.replaceAll(' ', '-')}/${run.generator.version}`;
  const artifacts: ArtifactRecord[] = [];
  for (const { kind, blob } of files) {
    await attachBlob(work, blob);
    const record = (as: string, origin: Pick<ArtifactRecord, 'generator' | 'inputSha256'>): ArtifactRecord => ({
      ...{ _id: work.newId('art'), documentId, versionId: draftId, kind: as, ...NAMES[as]! },
      ...{ size: blob.size, sha256: blob.sha256, ...origin, jobId: job._id, stale: false, createdAt: work.now, createdBy: run.createdBy },
    });
    const ofGenerator = { generator: made, inputSha256: run.codeSha256 };
    const derived = { generator: engine, inputSha256: main?.blob.sha256 ?? run.codeSha256 };
    artifacts.push(record(kind, kind === ASM_JSON ? ofGenerator : derived));
    if (kind === 'stp' && main?.kind === 'stp') artifacts.push(record('source', ofGenerator));
  }
  return artifacts;
}

async function useLines(work: Work, { versionId, documentId, kind, sha256 }: ArtifactRecord, lines: AssemblyLine[]): Promise<void> {
  await keepStructure(work, sha256, lines);
  await useReferences(work, { versionId, documentId }, [{ kind, sha256 }]);
  await change(work, 'versions', versionId, { bomDigest: await digestNow(work, lines) });
}

const NAMES: Record<string, Pick<ArtifactRecord, 'fileName' | 'contentType'>> = {
  source: { fileName: 'model.stp', contentType: 'model/step' },
  stp: { fileName: 'model.stp', contentType: 'model/step' },
  'asm-json': { fileName: 'asm.json', contentType: 'application/json' },
  glb: { fileName: 'model.glb', contentType: 'model/gltf-binary' },
  properties: { fileName: 'properties.json', contentType: 'application/json' },
  thumbnail: { fileName: 'thumbnail.png', contentType: 'image/png' },
};
