import { isDeepStrictEqual } from 'node:util';
import type { AssemblyLine } from '../domain/assembly/asm-references.ts';
import { bomDigest } from '../domain/assembly/bom-digest.ts';
import { readStoredAsmJson } from '../domain/assembly/read-asm-json.ts';
import { DomainError } from '../domain/errors.ts';
import { ASM_JSON, referencesOfAll } from '../store/assembly/references.ts';
import { inChunks } from '../store/assembly/resolve-references.ts';
import { artifactsOfKind } from '../store/files/artifacts.ts';
import { readBlob } from '../store/files/blobs.ts';
import { find, findAll } from '../store/query/records.ts';
import type { Scope } from '../store/query/scope.ts';
import { everyRecord, knownIds } from '../store/query/whole-collections.ts';
import type { ArtifactRecord, DocumentRecord, ReferenceRecord, VersionRecord } from '../store/schema/collections.ts';
import type { CheckOptions, Violation } from './invariant.ts';

// an assembly may have 20,000 references
const AT_ONCE = 25;

/** What assemblies use: frozen to versions that exist, as they are; in no circle; and as their asm.json says it. Reads the files when asked to. */
export async function* checkReferences(scope: Scope, { readData }: CheckOptions): AsyncGenerator<Violation> {
  for await (const versions of everyRecord(scope, 'versions'))
    for (let i = 0; i < versions.length; i += AT_ONCE) yield* linesOf(scope, versions.slice(i, i + AT_ONCE));
  yield* strayLines(scope);
  for await (const kept of everyRecord(scope, 'draftBackups'))
    yield* unread(
      scope,
      kept.flatMap(({ artifacts }) => artifacts.filter(({ kind }) => kind === ASM_JSON)),
    );
  if (readData) yield* misread(scope);
}

async function* linesOf(scope: Scope, versions: readonly VersionRecord[]): AsyncGenerator<Violation> {
  const ids = versions.map(({ _id }) => _id);
  const files = new Map((await artifactsOfKind(scope, ids, ASM_JSON)).map((file) => [file.versionId, file]));
  const read = new Map(
    (await findAll(scope, 'structures', [...new Set([...files.values()].map(({ sha256 }) => sha256))])).map((it) => [
      it._id,
      it,
    ]),
  );
  const lines = Map.groupBy(await referencesOfAll(scope, ids), ({ versionId }) => versionId);
  const frozen = [...lines.values()].flat().flatMap((line) => line.frozen ?? []);
  const used = new Map(
    (
      await inChunks([...new Set(frozen.map(({ versionId }) => versionId))], (some) => findAll(scope, 'versions', some))
    ).map((it) => [it._id, it]),
  );
  const documentIds = new Set([...versions, ...frozen].map(({ documentId }) => documentId));
  const documents = new Map(
    (await inChunks([...documentIds], (some) => findAll(scope, 'documents', some))).map((it) => [it._id, it]),
  );

  yield* unread(scope, [...files.values()]);
  for (const version of versions) {
    const document = documents.get(version.documentId);
    const own = lines.get(version._id) ?? [];
    const name = nameOf(version, document);
    const file = files.get(version._id);
    const said = file ? (read.get(file.sha256)?.lines ?? []) : [];
    if (!isDeepStrictEqual(own.map(asSaid), said))
      yield { invariant: 'I21', id: version._id, message: `The references of ${name} are not those of its asm.json.` };
    yield* placeFaults(version, own, document, name);
    yield* frozenFaults(version, own, used, documents, name);
    for (const line of own)
      if (line.frozen && line.frozen.versionId >= version._id)
        yield* circleFaults(scope, version._id, line.frozen.versionId, name);
  }
}

function nameOf({ _id, n }: VersionRecord, document: DocumentRecord | undefined): string {
  return document ? (n === null ? `draft ${_id} of ${document.number}` : `version ${n} of ${document.number}`) : _id;
}

function asSaid({ line, location, target, at, quantity, occurrences }: ReferenceRecord): AssemblyLine {
  return { line, location, target, at, quantity, occurrences };
}

/** Where each line stands, by which who uses a document is found. */
function* placeFaults(
  version: VersionRecord,
  lines: readonly ReferenceRecord[],
  document: DocumentRecord | undefined,
  name: string,
): Generator<Violation> {
  const place = version.type === 'draft' ? 'draft' : version.n === document?.lastVersion ? 'latest' : 'earlier';
  const released = version.releasedAs !== null;
  const wrong = lines.filter(
    (line) => line.place !== place || line.released !== released || line.documentId !== version.documentId,
  );
  for (const line of wrong)
    yield {
      invariant: 'I21',
      id: line._id,
      message: `Reference ${line._id} says that ${name} stands elsewhere, or is released when it is not, or the other way round.`,
    };
}

function* frozenFaults(
  version: VersionRecord,
  lines: readonly ReferenceRecord[],
  used: ReadonlyMap<string, VersionRecord>,
  documents: ReadonlyMap<string, DocumentRecord>,
  name: string,
): Generator<Violation> {
  const isVersion = version.type === 'version';
  for (const { _id, frozen } of lines) {
    if ((frozen !== null) !== isVersion)
      yield {
        invariant: 'I5',
        id: _id,
        message: `Reference ${_id} of ${name} is ${frozen ? 'frozen in a draft' : 'not frozen'}.`,
      };
    if (!frozen) continue;
    if (!documents.has(frozen.documentId))
      yield {
        invariant: 'I7',
        id: _id,
        message: `Reference ${_id} of ${name} is frozen to ${frozen.number}, which does not exist.`,
      };
    const meant = used.get(frozen.versionId);
    const same =
      meant?.documentId === frozen.documentId &&
      meant.n === frozen.n &&
      meant.contentHash === frozen.sha256 &&
      (meant.bomDigest ?? null) === frozen.bomDigest;
    if (!same)
      yield {
        invariant: 'I5',
        id: _id,
        message: `Reference ${_id} of ${name} is frozen to what version ${frozen.n} of ${frozen.number} is not.`,
      };
  }
  if (!isVersion) return;
  const frozen = lines.flatMap((line) => (line.frozen ? [{ ...line, frozen: line.frozen }] : []));
  if (bomDigest(frozen) !== (version.bomDigest ?? null))
    yield {
      invariant: 'I4',
      id: version._id,
      message: `The digest of what ${name} uses is not that of its references.`,
    };
}

/**
 * Ids rise with time, and a version uses what was there before: a circle holds at least one step that goes up. From each such step, which
 * two processes whose clocks differ may make innocently, the way down is followed to its end.
 */
async function* circleFaults(scope: Scope, from: string, to: string, name: string): AsyncGenerator<Violation> {
  const seen = new Set<string>();
  for (let level = [to]; level.length; ) {
    if (level.includes(from)) {
      yield {
        invariant: 'I20',
        id: from,
        message: `What ${name} uses contains it again: its bill of material has no end.`,
      };
      return;
    }
    for (const id of level) seen.add(id);
    const below = (await referencesOfAll(scope, level)).flatMap(({ frozen }) => frozen?.versionId ?? []);
    level = [...new Set(below)].filter((id) => !seen.has(id));
  }
}

async function* strayLines(scope: Scope): AsyncGenerator<Violation> {
  for await (const lines of everyRecord(scope, 'references')) {
    const known = new Set(
      await knownIds(
        scope,
        'versions',
        lines.map(({ versionId }) => versionId),
      ),
    );
    for (const { _id, versionId } of lines)
      if (!known.has(versionId))
        yield { invariant: 'I21', id: _id, message: `Reference ${_id} belongs to ${versionId}, which does not exist.` };
  }
}

/** What an asm.json says is kept beside it, for whoever takes it over. */
async function* unread(scope: Scope, files: readonly ArtifactRecord[]): AsyncGenerator<Violation> {
  const known = new Set(
    await knownIds(
      scope,
      'structures',
      files.map(({ sha256 }) => sha256),
    ),
  );
  for (const { _id, sha256 } of files)
    if (!known.has(sha256))
      yield { invariant: 'I21', id: _id, message: `What asm.json ${_id} says is not in the store.` };
}

async function* misread(scope: Scope): AsyncGenerator<Violation> {
  for await (const structures of everyRecord(scope, 'structures'))
    for (const { _id, lines } of structures) {
      // what nothing names any more may have been swept; that bytes are missing is told elsewhere
      if (!(await find(scope, 'blobs', _id))) continue;
      const says = await linesSaid(scope, _id);
      if (says && !isDeepStrictEqual(says, lines))
        yield { invariant: 'I21', id: _id, message: `What is kept of the asm.json ${_id} is not what it says.` };
    }
}

// null: its bytes are damaged, which is told elsewhere; nothing: it is no asm.json
async function linesSaid(scope: Scope, sha256: string): Promise<AssemblyLine[] | null> {
  const text = await readBlob(scope, sha256).catch(() => null);
  if (text === null) return null;
  try {
    return readStoredAsmJson(text);
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}
