// What assemblies use: a line for each address in the asm.json of a draft or version. Drafts are resolved when read, versions are frozen.
import type { AssemblyLine } from '../../domain/assembly/asm-references.ts';
import type { Frozen } from '../../domain/assembly/bom-digest.ts';
import { find, insertAll } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { Write } from '../query/write.ts';
import type { ReferenceRecord } from '../schema/collections.ts';
import { inChunks } from './resolve-references.ts';

/** The kind of file that says what an assembly uses. */
export const ASM_JSON = 'asm-json';

/** The lines of a draft or version, in the order of its file. */
export function referencesOf(scope: Scope, versionId: string): Promise<ReferenceRecord[]> {
  return referencesOfAll(scope, [versionId]);
}

/** The lines of some drafts and versions, those of each in the order of its file. */
export function referencesOfAll(scope: Scope, versionIds: readonly string[]): Promise<ReferenceRecord[]> {
  return inChunks([...new Set(versionIds)], (some) =>
    collection(scope, 'references')
      .find({ versionId: { $in: some } }, within(scope))
      .sort({ versionId: 1, line: 1 })
      .toArray(),
  );
}

/** Keeps what an asm.json says beside its blob; the same file says the same for ever. */
export async function keepStructure(work: Write, sha256: string, lines: AssemblyLine[]): Promise<void> {
  await collection(work, 'structures').updateOne(
    { _id: sha256 },
    { $setOnInsert: { lines } },
    { upsert: true, ...within(work) },
  );
}

/** What an asm.json that was stored once says. */
export async function structureOf(scope: Scope, sha256: string): Promise<AssemblyLine[]> {
  const structure = await find(scope, 'structures', sha256);
  if (!structure) throw new Error(`The structure of ${sha256} is missing in the store`);
  return structure.lines;
}

/** Gives a draft other lines. */
export async function replaceLines(
  work: Write,
  draft: { documentId: string; versionId: string },
  lines: readonly AssemblyLine[],
): Promise<void> {
  await removeReferencesOf(work, draft.versionId);
  await insertLines(
    work,
    draft,
    lines.map((line) => ({ ...line, place: 'draft', released: false, frozen: null })),
  );
}

/** Gives the newest version of a document the frozen lines of the draft it was made of. */
export async function insertFrozen(
  work: Write,
  version: { documentId: string; versionId: string },
  lines: readonly (AssemblyLine & { frozen: Frozen })[],
): Promise<void> {
  await collection(work, 'references').updateMany(
    { documentId: { $eq: version.documentId }, place: 'latest' },
    { $set: { place: 'earlier' } },
    within(work),
  );
  await insertLines(
    work,
    version,
    lines.map((line) => ({ ...line, place: 'latest', released: false })),
  );
}

export async function removeReferencesOf(work: Write, versionId: string): Promise<void> {
  await collection(work, 'references').deleteMany({ versionId: { $eq: versionId } }, within(work));
}

/** Says of the lines of a version that it is released, or no longer. */
export async function markReleased(work: Write, versionId: string, released: boolean): Promise<void> {
  await collection(work, 'references').updateMany(
    { versionId: { $eq: versionId } },
    { $set: { released } },
    within(work),
  );
}

/** Makes this transaction the only one that adds addresses, deletes documents or takes releases back; another one at the same time runs again. */
export async function lockStructures(work: Write): Promise<void> {
  await collection(work, 'counters').updateOne(
    { _id: 'structures' },
    { $inc: { value: 1 } },
    { upsert: true, ...within(work) },
  );
}

type LineOf = Omit<ReferenceRecord, '_id' | 'documentId' | 'versionId'>;

async function insertLines(
  work: Write,
  { documentId, versionId }: { documentId: string; versionId: string },
  lines: readonly LineOf[],
): Promise<void> {
  const records = lines.map((line) => ({ ...line, _id: `${versionId}/${line.line}`, documentId, versionId }));
  await insertAll(work, 'references', records);
}
