import { freezeDraft } from '../core/commands/freeze-draft.ts';
import { digestNow } from '../core/commands/freeze-references.ts';
import { insertMainWorkspace } from '../core/commands/new-workspace.ts';
import { useReferences } from '../core/commands/use-references.ts';
import type { AssemblyLine } from '../core/domain/assembly/asm-references.ts';
import type { MadeDocument, RunResult } from '../core/domain/jobs/run-result.ts';
import { assertWritablePlace } from '../core/domain/versions/lifecycle.ts';
import { newId } from '../core/platform/id.ts';
import { ASM_JSON, keepStructure } from '../core/store/assembly/references.ts';
import { documentRecord } from '../core/store/documents.ts';
import { attachBlob, type StoredBlob } from '../core/store/files/blobs.ts';
import { nextNumber, takeNumber } from '../core/store/numbers.ts';
import { change, insert, insertAll } from '../core/store/query/records.ts';
import type { ArtifactRecord, DocumentRecord, JobRecord } from '../core/store/schema/collections.ts';
import type { VersionInPlace } from '../core/store/versions.ts';
import { lockWorkspace } from '../core/store/workspaces.ts';
import type { Work } from '../core/work.ts';

/**
 * A document to be, by its id: its files, whose bytes are in the store, and what an assembly uses. `n` is the version that its siblings name: 1 of a new one, and of one
 * that is there already (`there`) the one with the same content.
 */
export type GeneratedDocument = {
  id: string;
  n: number;
  there: boolean;
  files: { kind: string; blob: StoredBlob }[];
  lines: AssemblyLine[];
};
/** By key. */
export type GeneratedContent = Map<string, GeneratedDocument>;

/** What a worker delivered, checked and with its bytes in the store, and which worker says so. */
export type Delivered = {
  id: string;
  attempt?: number | null;
  workerId?: string | null;
  result: RunResult;
  contents: GeneratedContent;
};

/** A document that is yet to be made. */
export function freshContent(): GeneratedDocument {
  return { id: newId('doc'), n: 1, there: false, files: [], lines: [] };
}

/** Where documents that are made together come from, and in whose name they are made. */
export type MadeFrom = {
  /** Beside what they are put. */
  place: VersionInPlace;
  createdBy: string;
  job: JobRecord;
  /** What the record of a document says of its origin. */
  originOf(key: string): Pick<DocumentRecord, 'generated' | 'importedFrom'>;
  /** What made their content, e.g. rack/1.2.0, and the hash of what it was made from; what derived the rest of it, e.g. pdm-occt/1.0.0. */
  generator: string;
  inputSha256: string;
  engine: string;
  action: 'document.generated' | 'document.imported';
  /** The end of the sentence "Document … was …". */
  deed: string;
  /** The comment on their first versions. */
  comment: string;
};

/**
 * Creates documents in the folder of what they come from, parts before the assemblies that use them, each with its origin, its files and a first version; answers their
 * ids. They belong to the one who asked for them, with their workspaces and first versions. `place` is locked: while what they come from lies in the folder, it is not deleted.
 * Refuses when the document they come from, or its workspace, is archived.
 */
export async function createGenerated(
  work: Work,
  documents: readonly MadeDocument[],
  contents: GeneratedContent,
  from: MadeFrom,
): Promise<string[]> {
  assertWritablePlace(from.place);
  const ids: string[] = [];
  const asked = inNameOf(work, from.createdBy);
  for (const document of documents) ids.push(await createOne(asked, document, contents.get(document.key)!, from));
  return ids;
}

// The records name who asked; those of the audit log who did it, and for whom.
function inNameOf(work: Work, id: string): Work {
  if (id === work.actor.id) return work;
  return { ...work, actor: { ...work.actor, id }, audit: (event) => work.audit({ ...event, onBehalfOf: id }) };
}

async function createOne(
  work: Work,
  { key, kind, name, description }: MadeDocument,
  { id, files, lines }: GeneratedDocument,
  from: MadeFrom,
): Promise<string> {
  const { job, place } = from;
  const number = await nextNumber(work, kind);
  const origin = from.originOf(key);
  const fields = { _id: id, number, name, kind, description, folderId: place.document.folderId, copiedFrom: null };
  const document: DocumentRecord = { ...documentRecord(work, fields), ...origin };
  await takeNumber(work, number, id);
  await insert(work, 'documents', document);
  const { workspaceId, draftId } = await insertMainWorkspace(work, id);
  const artifacts = await artifactsOf(work, { files, draftId, documentId: id }, from);
  await insertAll(work, 'artifacts', artifacts);
  const asmJson = artifacts.find((artifact) => artifact.kind === ASM_JSON);
  if (asmJson) await useLines(work, asmJson, lines);
  work.audit({
    action: from.action,
    documentId: id,
    workspaceId,
    versionId: draftId,
    jobId: job._id,
    summary: `Document ${number} "${name}" was ${from.deed}.`,
    changes: {
      number: { from: null, to: number },
      name: { from: null, to: name },
      kind: { from: null, to: kind },
      folderId: { from: null, to: document.folderId },
      ...Object.fromEntries(Object.entries(origin).map(([field, to]) => [field, { from: null, to }])),
    },
  });
  await freezeDraft(work, await lockWorkspace(work, workspaceId), { name: null, comment: from.comment });
  return id;
}

// The STEP file of a model is its source as well, the same bytes: what people see as made by the generator, and what a later upload replaces.
async function artifactsOf(
  work: Work,
  { files, draftId, documentId }: { files: GeneratedDocument['files']; draftId: string; documentId: string },
  { job, createdBy, generator, inputSha256, engine }: MadeFrom,
): Promise<ArtifactRecord[]> {
  const main = files.find(({ kind }) => kind === ASM_JSON) ?? files.find(({ kind }) => kind === 'stp');
  const artifacts: ArtifactRecord[] = [];
  for (const { kind, blob } of files) {
    await attachBlob(work, blob);
    const record = (as: string, origin: Pick<ArtifactRecord, 'generator' | 'inputSha256'>): ArtifactRecord => ({
      ...{ _id: work.newId('art'), documentId, versionId: draftId, kind: as, ...NAMES[as]! },
      ...{
        size: blob.size,
        sha256: blob.sha256,
        ...origin,
        jobId: job._id,
        stale: false,
        createdAt: work.now,
        createdBy,
      },
    });
    const ofGenerator = { generator, inputSha256 };
    const derived = { generator: engine, inputSha256: main?.blob.sha256 ?? inputSha256 };
    artifacts.push(record(kind, kind === ASM_JSON ? ofGenerator : derived));
    if (kind === 'stp' && main?.kind === 'stp') artifacts.push(record('source', ofGenerator));
  }
  return artifacts;
}

async function useLines(
  work: Work,
  { versionId, documentId, kind, sha256 }: ArtifactRecord,
  lines: AssemblyLine[],
): Promise<void> {
  await keepStructure(work, sha256, lines);
  await useReferences(work, { versionId, documentId }, [{ kind, sha256 }]);
  await change(work, 'versions', versionId, { bomDigest: await digestNow(work, lines) });
}

/** How files are called that nobody gave a name. */
export const NAMES: Record<string, Pick<ArtifactRecord, 'fileName' | 'contentType'>> = {
  source: { fileName: 'model.stp', contentType: 'model/step' },
  stp: { fileName: 'model.stp', contentType: 'model/step' },
  'asm-json': { fileName: 'asm.json', contentType: 'application/json' },
  glb: { fileName: 'model.glb', contentType: 'model/gltf-binary' },
  properties: { fileName: 'properties.json', contentType: 'application/json' },
  thumbnail: { fileName: 'thumbnail.png', contentType: 'image/png' },
};
