import { isDeepStrictEqual } from 'node:util';
import type { AssemblyLine } from '../domain/assembly/asm-references.ts';
import { bomDigest } from '../domain/assembly/bom-digest.ts';
import { parseStoredAsmJson } from '../domain/assembly/parse-asm-json.ts';
import { DomainError } from '../domain/errors.ts';
import { ASM_JSON, referencesOfAll } from '../store/assembly/references.ts';
import { inChunks } from '../store/assembly/resolve-references.ts';
import { artifactsOfKind } from '../store/files/artifacts.ts';
import { readBlob } from '../store/files/blobs.ts';
import { find, findAll } from '../store/query/records.ts';
import { existingIds, scanCollection } from '../store/query/scan.ts';
import type { Scope } from '../store/query/scope.ts';
import type { ArtifactRecord, DocumentRecord, ReferenceRecord, VersionRecord } from '../store/schema/collections.ts';
import type { CheckOptions, Violation } from './invariant.ts';

// versions per query; an assembly may have 20,000 references
const BATCH_SIZE = 25;

/** Checks references: frozen to existing versions and contents, without cycles, and matching their asm.json. */
export async function* checkReferences(scope: Scope, { readData }: CheckOptions): AsyncGenerator<Violation> {
  for await (const versions of scanCollection(scope, 'versions'))
    for (let i = 0; i < versions.length; i += BATCH_SIZE) yield* checkLines(scope, versions.slice(i, i + BATCH_SIZE));
  yield* orphanedLines(scope);
  for await (const backups of scanCollection(scope, 'draftBackups'))
    yield* missingStructures(
      scope,
      backups.flatMap(({ artifacts }) => artifacts.filter(({ kind }) => kind === ASM_JSON)),
    );
  if (readData) yield* wrongStructures(scope);
}

async function* checkLines(scope: Scope, versions: readonly VersionRecord[]): AsyncGenerator<Violation> {
  const ids = versions.map(({ _id }) => _id);
  const files = new Map((await artifactsOfKind(scope, ids, ASM_JSON)).map((file) => [file.versionId, file]));
  const structures = new Map(
    (await findAll(scope, 'structures', [...new Set([...files.values()].map(({ sha256 }) => sha256))])).map(
      (structure) => [structure._id, structure],
    ),
  );
  const lines = Map.groupBy(await referencesOfAll(scope, ids), ({ versionId }) => versionId);
  const frozen = [...lines.values()].flat().flatMap((line) => line.frozen ?? []);
  const used = new Map(
    (
      await inChunks([...new Set(frozen.map(({ versionId }) => versionId))], (chunk) =>
        findAll(scope, 'versions', chunk),
      )
    ).map((target) => [target._id, target]),
  );
  const documentIds = new Set([...versions, ...frozen].map(({ documentId }) => documentId));
  const documents = new Map(
    (await inChunks([...documentIds], (chunk) => findAll(scope, 'documents', chunk))).map((it) => [it._id, it]),
  );

  yield* missingStructures(scope, [...files.values()]);
  for (const version of versions) {
    const document = documents.get(version.documentId);
    const ownLines = lines.get(version._id) ?? [];
    const name = nameOf(version, document);
    const file = files.get(version._id);
    const expected = file ? (structures.get(file.sha256)?.lines ?? []) : [];
    if (!isDeepStrictEqual(ownLines.map(asAssemblyLine), expected))
      yield { invariant: 'I21', id: version._id, message: `The references of ${name} do not match its asm.json.` };
    yield* placeViolations(version, ownLines, document, name);
    yield* frozenViolations(version, ownLines, used, documents, name);
    for (const line of ownLines)
      if (line.frozen && line.frozen.versionId >= version._id)
        yield* cycleViolations(scope, version._id, line.frozen.versionId, name);
  }
}

function nameOf({ _id, n }: VersionRecord, document: DocumentRecord | undefined): string {
  if (!document) return _id;
  return n === null ? `draft ${_id} of ${document.number}` : `version ${n} of ${document.number}`;
}

function asAssemblyLine({ line, location, target, at, quantity, occurrences }: ReferenceRecord): AssemblyLine {
  return { line, location, target, at, quantity, occurrences };
}

/** Checks the place and state of each line, which where-used queries rely on. */
function* placeViolations(
  version: VersionRecord,
  lines: readonly ReferenceRecord[],
  document: DocumentRecord | undefined,
  name: string,
): Generator<Violation> {
  const versionPlace = version.n === document?.lastVersion ? 'latest' : 'earlier';
  const place = version.type === 'draft' ? 'draft' : versionPlace;
  const released = version.releasedAs !== null;
  const wrong = lines.filter(
    (line) => line.place !== place || line.released !== released || line.documentId !== version.documentId,
  );
  for (const line of wrong)
    yield {
      invariant: 'I21',
      id: line._id,
      message: `Reference ${line._id} does not have the document, place or release state of ${name}.`,
    };
}

function* frozenViolations(
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
    const target = used.get(frozen.versionId);
    const isSame =
      target?.documentId === frozen.documentId &&
      target.n === frozen.n &&
      target.contentHash === frozen.sha256 &&
      (target.bomDigest ?? null) === frozen.bomDigest;
    if (!isSame)
      yield {
        invariant: 'I5',
        id: _id,
        message: `Reference ${_id} of ${name} does not match version ${frozen.n} of ${frozen.number}, to which it is frozen.`,
      };
  }
  if (!isVersion) return;
  const frozen = lines.flatMap((line) => (line.frozen ? [{ ...line, frozen: line.frozen }] : []));
  if (bomDigest(frozen) !== (version.bomDigest ?? null))
    yield {
      invariant: 'I4',
      id: version._id,
      message: `The BOM digest of ${name} does not match its references.`,
    };
}

/**
 * Checks for a cycle through a reference to a version with a higher id. Ids rise with time and a version uses older
 * ones, so that each cycle has such a reference. Clock differences between processes also cause them.
 */
async function* cycleViolations(scope: Scope, from: string, to: string, name: string): AsyncGenerator<Violation> {
  const seen = new Set<string>();
  for (let level = [to]; level.length; ) {
    if (level.includes(from)) {
      yield {
        invariant: 'I20',
        id: from,
        message: `The bill of materials of ${name} contains that version itself.`,
      };
      return;
    }
    for (const id of level) seen.add(id);
    const below = (await referencesOfAll(scope, level)).flatMap(({ frozen }) => frozen?.versionId ?? []);
    level = [...new Set(below)].filter((id) => !seen.has(id));
  }
}

async function* orphanedLines(scope: Scope): AsyncGenerator<Violation> {
  for await (const lines of scanCollection(scope, 'references')) {
    const known = new Set(
      await existingIds(
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

/** Checks that the structure of each asm.json is stored. */
async function* missingStructures(scope: Scope, files: readonly ArtifactRecord[]): AsyncGenerator<Violation> {
  const known = new Set(
    await existingIds(
      scope,
      'structures',
      files.map(({ sha256 }) => sha256),
    ),
  );
  for (const { _id, sha256 } of files)
    if (!known.has(sha256))
      yield { invariant: 'I21', id: _id, message: `The structure of asm.json ${_id} is missing.` };
}

async function* wrongStructures(scope: Scope): AsyncGenerator<Violation> {
  for await (const structures of scanCollection(scope, 'structures'))
    for (const { _id, lines } of structures) {
      // unreferenced blobs may have been deleted; another check reports missing bytes
      if (!(await find(scope, 'blobs', _id))) continue;
      const expected = await parseLines(scope, _id);
      if (expected && !isDeepStrictEqual(expected, lines))
        yield {
          invariant: 'I21',
          id: _id,
          message: `The stored structure of asm.json ${_id} does not match the file.`,
        };
    }
}

// Returns null if the bytes are damaged, which another check reports, and no lines if the file is not an asm.json.
async function parseLines(scope: Scope, sha256: string): Promise<AssemblyLine[] | null> {
  const text = await readBlob(scope, sha256).catch(() => null);
  if (text === null) return null;
  try {
    return parseStoredAsmJson(text);
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}
