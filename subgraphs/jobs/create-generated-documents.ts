// Creates the documents that a run or a split assembly produced.
import { freezeDraft } from '../core/commands/freeze-draft.ts';
import { currentDigest } from '../core/commands/freeze-references.ts';
import { insertMainWorkspace } from '../core/commands/insert-main-workspace.ts';
import { storeReferences } from '../core/commands/store-references.ts';
import type { AssemblyLine } from '../core/domain/assembly/asm-references.ts';
import type { GeneratedDocument, RunResult } from '../core/domain/jobs/run-result.ts';
import { assertNotArchived } from '../core/domain/versions/lifecycle.ts';
import { newId } from '../core/platform/id.ts';
import { ASM_JSON, insertStructure } from '../core/store/assembly/references.ts';
import { documentRecord } from '../core/store/documents.ts';
import { attachBlob, type StoredBlob } from '../core/store/files/blobs.ts';
import { assignNumber } from '../core/store/numbers.ts';
import { change, insert, insertAll } from '../core/store/query/records.ts';
import type { ArtifactRecord, DocumentRecord, JobRecord } from '../core/store/schema/collections.ts';
import type { VersionContext } from '../core/store/versions.ts';
import { lockWorkspace } from '../core/store/workspaces.ts';
import type { Work } from '../core/work.ts';

/**
 * A document of a result: its id, which is assigned before it is created, its stored files, and the lines of an
 * assembly. If `exists`, the document already exists with the same content. `n` is the version number that references
 * from the other documents use: 1 for a new document.
 */
export type StagedDocument = {
  id: string;
  n: number;
  exists: boolean;
  files: { kind: string; blob: StoredBlob }[];
  lines: AssemblyLine[];
};
/** The documents by their key in the result. */
export type StagedDocuments = Map<string, StagedDocument>;

/** A validated result whose files are stored, and the worker that submitted it. */
export type JobDelivery = {
  id: string;
  attempt?: number | null;
  workerId?: string | null;
  result: RunResult;
  stagedDocuments: StagedDocuments;
};

/** Returns a new document without files. */
export function newStagedDocument(): StagedDocument {
  return { id: newId('doc'), n: 1, exists: false, files: [], lines: [] };
}

/** The origin of created documents and the fields that they have in common. */
export type GenerationSource = {
  /** The draft or version of the generator or split assembly. The documents are created in the folder of its document. */
  origin: VersionContext;
  createdBy: string;
  job: JobRecord;
  /** Returns the origin fields of the record of a document by its key. */
  originFieldsOf(key: string): Pick<DocumentRecord, 'generated' | 'importedFrom'>;
  /** The name and version of the program that generated the content, e.g. rack/1.2.0. */
  generator: string;
  /** The hash of the generator's input. */
  inputSha256: string;
  /** The name and version of the engine that derived the other files, e.g. pdm-occt/1.0.0. */
  engine: string;
  action: 'document.generated' | 'document.imported';
  /** Completes the audit summary "Document … was …". */
  description: string;
  /** The comment of the first versions. */
  comment: string;
};

/**
 * Creates documents with their files and first versions in the folder of their origin, parts before the assemblies that
 * use them, and returns their ids. The documents belong to the user who requested them. The origin must be locked, so
 * that its folder is not deleted. Throws if the document or workspace of the origin is archived.
 */
export async function createGeneratedDocuments(
  work: Work,
  documents: readonly GeneratedDocument[],
  stagedDocuments: StagedDocuments,
  source: GenerationSource,
): Promise<string[]> {
  assertNotArchived(source.origin);
  const ids: string[] = [];
  const asRequester = onBehalfOf(work, source.createdBy);
  for (const document of documents)
    ids.push(await createGeneratedDocument(asRequester, document, stagedDocuments.get(document.key)!, source));
  return ids;
}

// Records name the user who requested the documents; audit records name the worker and on whose behalf it acted.
function onBehalfOf(work: Work, id: string): Work {
  if (id === work.actor.id) return work;
  return { ...work, actor: { ...work.actor, id }, audit: (event) => work.audit({ ...event, onBehalfOf: id }) };
}

async function createGeneratedDocument(
  work: Work,
  { key, kind, name, description }: GeneratedDocument,
  { id, files, lines }: StagedDocument,
  source: GenerationSource,
): Promise<string> {
  const number = await assignNumber(work, { documentId: id, kind, given: null });
  const originFields = source.originFieldsOf(key);
  const { folderId } = source.origin.document;
  const fields = { _id: id, number, name, kind, description, folderId, copiedFrom: null };
  const document: DocumentRecord = { ...documentRecord(work, fields), ...originFields };
  await insert(work, 'documents', document);
  const { workspaceId, draftId } = await insertMainWorkspace(work, id);
  const artifacts = await createArtifacts(work, { files, draftId, documentId: id }, source);
  await insertAll(work, 'artifacts', artifacts);
  const asmJson = artifacts.find((artifact) => artifact.kind === ASM_JSON);
  if (asmJson) await storeAssemblyLines(work, asmJson, lines);
  work.audit({
    action: source.action,
    documentId: id,
    workspaceId,
    versionId: draftId,
    jobId: source.job._id,
    summary: `Document ${number} "${name}" was ${source.description}.`,
    changes: {
      number: { from: null, to: number },
      name: { from: null, to: name },
      kind: { from: null, to: kind },
      folderId: { from: null, to: document.folderId },
      ...Object.fromEntries(Object.entries(originFields).map(([field, to]) => [field, { from: null, to }])),
    },
  });
  await freezeDraft(work, await lockWorkspace(work, workspaceId), { name: null, comment: source.comment });
  return id;
}

// The STEP file of a model is also stored as its source, which users can replace later.
async function createArtifacts(
  work: Work,
  { files, draftId, documentId }: { files: StagedDocument['files']; draftId: string; documentId: string },
  { job, createdBy, generator, inputSha256, engine }: GenerationSource,
): Promise<ArtifactRecord[]> {
  const main = files.find(({ kind }) => kind === ASM_JSON) ?? files.find(({ kind }) => kind === 'stp');
  const artifacts: ArtifactRecord[] = [];
  for (const { kind, blob } of files) {
    await attachBlob(work, blob);
    const record = (storedAs: string, origin: Pick<ArtifactRecord, 'generator' | 'inputSha256'>): ArtifactRecord => ({
      _id: work.newId('art'),
      documentId,
      versionId: draftId,
      kind: storedAs,
      ...DEFAULT_FILE_NAMES[storedAs]!,
      size: blob.size,
      sha256: blob.sha256,
      ...origin,
      jobId: job._id,
      stale: false,
      createdAt: work.now,
      createdBy,
    });
    const generated = { generator, inputSha256 };
    const derived = { generator: engine, inputSha256: main?.blob.sha256 ?? inputSha256 };
    artifacts.push(record(kind, kind === ASM_JSON ? generated : derived));
    if (kind === 'stp' && main?.kind === 'stp') artifacts.push(record('source', generated));
  }
  return artifacts;
}

async function storeAssemblyLines(
  work: Work,
  { versionId, documentId, kind, sha256 }: ArtifactRecord,
  lines: AssemblyLine[],
): Promise<void> {
  await insertStructure(work, sha256, lines);
  await storeReferences(work, { versionId, documentId }, [{ kind, sha256 }]);
  await change(work, 'versions', versionId, { bomDigest: await currentDigest(work, lines) });
}

/** File names and content types by artifact kind. */
export const DEFAULT_FILE_NAMES: Record<string, Pick<ArtifactRecord, 'fileName' | 'contentType'>> = {
  source: { fileName: 'model.stp', contentType: 'model/step' },
  stp: { fileName: 'model.stp', contentType: 'model/step' },
  'asm-json': { fileName: 'asm.json', contentType: 'application/json' },
  glb: { fileName: 'model.glb', contentType: 'model/gltf-binary' },
  properties: { fileName: 'properties.json', contentType: 'application/json' },
  thumbnail: { fileName: 'thumbnail.png', contentType: 'image/png' },
  measure: { fileName: 'measure.json', contentType: 'application/json' },
};
