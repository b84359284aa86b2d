// References of assemblies: a line for each address in the asm.json of a draft or version. Those of drafts are resolved
// when they are read, those of versions are frozen.
import type { AssemblyLine } from '../../domain/assembly/asm-references.ts';
import type { FrozenReference } from '../../domain/assembly/bom-digest.ts';
import { listDigest, loggedLine, REFERENCES } from '../../domain/audit/proven-record.ts';
import { change, deleteMany, find, findOfKey, insert, insertAll, updateMany } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { Write } from '../query/write.ts';
import type { ReferenceRecord } from '../schema/collections.ts';
import { inChunks } from './resolve-references.ts';

/** The kind of the file that describes an assembly. */
export const ASM_JSON = 'asm-json';

/** Returns the lines of a draft or version in file order. */
export function referencesOf(scope: Scope, versionId: string): Promise<ReferenceRecord[]> {
  return findOfKey(scope, 'references', referencesOfAll, (line) => line.versionId, versionId);
}

/** Returns the lines of several drafts and versions, those of each in file order. */
export function referencesOfAll(scope: Scope, versionIds: readonly string[]): Promise<ReferenceRecord[]> {
  return inChunks([...new Set(versionIds)], (chunk) =>
    collection(scope, 'references')
      .find({ versionId: { $in: chunk } }, within(scope))
      .sort({ versionId: 1, line: 1 })
      .toArray(),
  );
}

/** Stores the lines of an asm.json under the hash of the file. They never change. */
export async function insertStructure(work: Write, sha256: string, lines: AssemblyLine[]): Promise<void> {
  await collection(work, 'structures').updateOne(
    { _id: sha256 },
    { $setOnInsert: { lines } },
    { upsert: true, ...within(work) },
  );
}

/** Returns the lines of a stored asm.json. */
export async function structureLines(scope: Scope, sha256: string): Promise<AssemblyLine[]> {
  const structure = await find(scope, 'structures', sha256);
  if (!structure) throw new Error(`the structure of ${sha256} is missing in the store`);
  return structure.lines;
}

/** Replaces the lines of a draft. */
export async function replaceLines(
  work: Write,
  draft: { documentId: string; versionId: string },
  lines: readonly AssemblyLine[],
): Promise<void> {
  await removeReferencesOf(work, draft);
  await insertLines(
    work,
    draft,
    lines.map((line) => ({ ...line, place: 'draft', released: false, frozen: null })),
  );
}

/** Inserts the frozen lines of a new version, which becomes the newest of its document. */
export async function insertFrozen(
  work: Write,
  version: { documentId: string; versionId: string },
  lines: readonly (AssemblyLine & { frozen: FrozenReference })[],
): Promise<void> {
  updateMany(
    work,
    'references',
    { documentId: { $eq: version.documentId }, place: 'latest' },
    { $set: { place: 'earlier' } },
  );
  await insertLines(
    work,
    version,
    lines.map((line) => ({ ...line, place: 'latest', released: false })),
  );
}

export async function removeReferencesOf(work: Write, draft: { documentId: string; versionId: string }): Promise<void> {
  deleteMany(work, 'references', { versionId: { $eq: draft.versionId } });
  logReferences(work, draft, []);
}

/** Marks the lines of a version as released or not released. */
export async function markReleased(work: Write, versionId: string, released: boolean): Promise<void> {
  updateMany(work, 'references', { versionId: { $eq: versionId } }, { $set: { released } });
}

/** Serializes transactions that add addresses, delete documents or take releases back: a concurrent one runs again. */
export async function lockStructures(work: Write): Promise<void> {
  const counter = await find(work, 'counters', STRUCTURES);
  if (counter) await change(work, 'counters', STRUCTURES, { value: counter.value + 1 });
  else await insert(work, 'counters', { _id: STRUCTURES, value: 1 });
}

const STRUCTURES = 'structures';

type NewLine = Omit<ReferenceRecord, '_id' | 'documentId' | 'versionId'>;

async function insertLines(
  work: Write,
  { documentId, versionId }: { documentId: string; versionId: string },
  lines: readonly NewLine[],
): Promise<void> {
  const records = lines.map((line) => ({ ...line, _id: `${versionId}/${line.line}`, documentId, versionId }));
  await insertAll(work, 'references', records);
  logReferences(work, { documentId, versionId }, lines);
}

// The log holds the lines of a draft or version as one of its fields.
function logReferences(
  work: Write,
  { documentId, versionId }: { documentId: string; versionId: string },
  lines: readonly object[],
): void {
  const digest = listDigest();
  for (const line of lines) digest.add(loggedLine(line));
  work.changes.push({
    collection: 'versions',
    chain: documentId,
    id: versionId,
    fields: { [REFERENCES]: digest.value() },
  });
}
