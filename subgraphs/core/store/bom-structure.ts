// What a bill of material is made of, read level by level: one query for the lines of all versions of a level, each version once.
import { addressKey, parseAddress } from '../domain/address.ts';
import type { Frozen } from '../domain/bom-digest.ts';
import type { BomDocument, BomLine, BomStructure } from '../domain/bom-line.ts';
import { refuse } from '../domain/errors.ts';
import { resolveAddress } from '../domain/reference.ts';
import type { DocumentRecord, ReferenceRecord, RevisionRecord } from './collections.ts';
import { frozenTo } from './freeze-references.ts';
import { keptLinesOf } from './frozen-lines.ts';
import { inChunks, resolveReferences, type Target } from './resolve-references.ts';
import { collection, type Scope, within } from './scope.ts';

/** A draft or version whose structure is asked for: a version as it was frozen, or resolved `now`, as a draft always is. */
export type BomTop = { versionId: string; now: boolean };

/** Under which key the lines of a top stand: the same version may also lie below another top, frozen. */
export const topKey = ({ versionId, now }: BomTop): string => (now ? `${versionId} now` : versionId);

// Lines that are read in one go: far more than a bill of material has rows, and still no danger to the memory of the process.
const MOST_LINES = 500_000;
const AT_ONCE = 20_000;

/**
 * The whole structure below some tops, because whether something inside is outdated is asked at every depth: a query for each level that is not in memory,
 * then two for the documents; tops that are resolved now need four more. Not in one transaction: what is frozen never changes, and the lines of a top are one query. Refuses with `validation_failed` more than 500,000 different lines.
 */
export async function readStructure(scope: Scope, tops: readonly BomTop[]): Promise<BomStructure> {
  const lines = await readLines(scope, tops);
  await readBelow(scope, lines);
  return { lines, documents: await readBomDocuments(scope, documentsIn(lines.values())) };
}

/** The lines of some tops alone, by `topKey`; what has none is left out. */
export async function readLines(scope: Scope, tops: readonly BomTop[]): Promise<Map<string, readonly BomLine[]>> {
  const kept = keptLinesOf(scope);
  const found = new Map<string, readonly BomLine[]>();
  for (const top of tops) {
    const own = top.now ? undefined : kept.get(top.versionId);
    if (own) found.set(topKey(top), own);
  }
  const asked = tops.filter((top) => !found.has(topKey(top)));
  if (!asked.length) return found;

  const records = Map.groupBy(
    await recordsOf<TopLine>(scope, [...new Set(asked.map(({ versionId }) => versionId))], LINE),
    ({ versionId }) => versionId,
  );
  const isLive = (top: BomTop, { frozen }: TopLine) => top.now || !frozen;
  const resolved = asked.flatMap((top) => (records.get(top.versionId) ?? []).filter((record) => isLive(top, record)));
  const targets = await (resolved.length ? resolveReferences(scope, resolved) : new Map<string, Target>());
  for (const top of asked) {
    const own = records.get(top.versionId);
    if (!own) continue;
    const lines = own.map((record) => lineOf(record, isLive(top, record) ? targets.get(addressKey(record)) : undefined));
    found.set(topKey(top), lines);
    if (!own.some((record) => isLive(top, record))) kept.keep(top.versionId, lines);
  }
  return found;
}

/** Adds the lines of every version below those that are there: a query for each level with something that was not read before. */
export async function readBelow(scope: Scope, lines: Map<string, readonly BomLine[]>): Promise<void> {
  const kept = keptLinesOf(scope);
  let total = 0;
  let level = [...lines.values()];
  while (level.length) {
    total += level.reduce((sum, { length }) => sum + length, 0);
    if (total > MOST_LINES) refuseTooLarge();
    const next: (readonly BomLine[])[] = [];
    const unknown = new Set<string>();
    for (const own of level) {
      for (const { opens, resolution } of own) {
        if (!opens || !resolution || lines.has(resolution.versionId) || unknown.has(resolution.versionId)) continue;
        const known = kept.get(resolution.versionId);
        if (!known) unknown.add(resolution.versionId);
        else {
          lines.set(resolution.versionId, known);
          next.push(known);
        }
      }
    }
    for (const [version, records] of Map.groupBy(await recordsOf<FrozenLine>(scope, [...unknown], FROZEN_LINE), ({ versionId }) => versionId)) {
      const own = records.map((record) => lineOf(record, undefined));
      lines.set(version, own);
      next.push(own);
      if (records.every(({ frozen }) => frozen)) kept.keep(version, own);
    }
    level = next;
  }
}

/** What rows say of documents: two queries. */
export async function readBomDocuments(scope: Scope, documentIds: readonly string[]): Promise<Map<string, BomDocument>> {
  const [documents, found] = await Promise.all([
    inChunks(documentIds, (some) => documentsOf(scope, some), AT_ONCE),
    inChunks(documentIds, (some) => revisionsIn(scope, some), AT_ONCE),
  ]);
  const revisions = Map.groupBy(found, ({ documentId }) => documentId);
  return new Map(documents.map((document) => [document._id, bomDocument(document, revisions.get(document._id) ?? [])]));
}

/** The documents that lines name, each once. */
export function documentsIn(lists: Iterable<readonly BomLine[]>): string[] {
  const ids = new Set<string>();
  for (const lines of lists) for (const { documentId } of lines) if (documentId !== null) ids.add(documentId);
  return [...ids];
}

const DOCUMENT = { number: 1, name: 1, kind: 1, lastVersion: 1 } as const;
type Document = Pick<DocumentRecord, '_id' | keyof typeof DOCUMENT>;
const REVISION = { documentId: 1, versionId: 1, versionN: 1, label: 1, ordinal: 1, obsolete: 1 } as const;
type Revision = Pick<RevisionRecord, '_id' | keyof typeof REVISION>;
// without the places in the file, which may be many
const LINE = { _id: 0, versionId: 1, line: 1, location: 1, target: 1, at: 1, quantity: 1, frozen: 1 } as const;
type TopLine = Pick<ReferenceRecord, Exclude<keyof typeof LINE, '_id'>>;
const MEANT = { documentId: 1, versionId: 1, n: 1, as: 1, label: 1, bomDigest: 1 } as const;
type Meant = Pick<Frozen, keyof typeof MEANT>;
// of the many lines below a top only what rows need: that halves what is read
const FROZEN_LINE = { _id: 0, versionId: 1, line: 1, location: 1, quantity: 1, frozen: MEANT } as const;
type FrozenLine = Pick<ReferenceRecord, 'versionId' | 'line' | 'location' | 'quantity'> & { frozen: Meant | null };

// in one answer, however many there are
const WHOLE = { batchSize: 1_000_000 };

async function recordsOf<L extends FrozenLine>(scope: Scope, versionIds: readonly string[], fields: object): Promise<L[]> {
  const read = (some: string[]) =>
    collection(scope, 'references')
      .find({ versionId: { $in: some } }, { ...WHOLE, ...within(scope) })
      .project<L>(fields)
      .toArray();
  // the index hands them out in this order, so there is little to sort; to ask the store for it costs more
  return (await inChunks(versionIds, read, AT_ONCE)).sort((a, b) => a.line - b.line);
}

function documentsOf(scope: Scope, ids: string[]): Promise<Document[]> {
  return collection(scope, 'documents')
    .find({ _id: { $in: ids } }, { ...WHOLE, ...within(scope) })
    .project<Document>(DOCUMENT)
    .toArray();
}

function revisionsIn(scope: Scope, documentIds: string[]): Promise<Revision[]> {
  return collection(scope, 'revisions')
    .find({ documentId: { $in: documentIds } }, { ...WHOLE, ...within(scope) })
    .project<Revision>(REVISION)
    .toArray();
}

function bomDocument(document: Document, revisions: readonly Revision[]): BomDocument {
  const { number, name, kind, lastVersion } = document;
  // the id of the newest version is not looked up: only a document without releases resolves to it, and there n alone tells versions apart
  const versions = lastVersion ? [{ _id: '', n: lastVersion }] : [];
  const newest = resolveAddress({ target: number, at: { as: 'newest' } }, { document, versions, revisions }).resolution;
  return { number, name, kind, newest, obsolete: new Set(revisions.filter(({ obsolete }) => obsolete).map(({ versionId }) => versionId)) };
}

function lineOf(record: FrozenLine, target: Target | undefined): BomLine {
  const { line: findNumber, location: address, quantity } = record;
  const named = parseAddress(address);
  const common = { findNumber, address, key: addressKey(named), quantity };
  const meant = target ? frozenTo(target) : record.frozen;
  if (!meant) {
    const reason = target?.resolved.reason ?? `There is no document ${named.target}.`;
    return { ...common, documentId: target?.document?._id ?? null, resolution: null, opens: false, reason };
  }
  return { ...common, documentId: meant.documentId, resolution: resolutionOf(meant, target), opens: meant.bomDigest !== null, reason: null };
}

function resolutionOf({ as, label, n, versionId }: Meant, target: Target | undefined): NonNullable<BomLine['resolution']> {
  const { resolution } = target?.resolved ?? {};
  return { as, n, versionId, label: resolution?.label ?? label, pinned: resolution?.pinned ?? true };
}

function refuseTooLarge(): never {
  return refuse('validation_failed', `The structure has more than ${MOST_LINES} different lines. Ask for the sub-assemblies one by one.`, {
    limit: 'bomLines',
    allowed: MOST_LINES,
  });
}
