// Reads the structure of a bill of materials level by level: one query for the lines of all versions of a level.
import { frozenLineCache } from '../../cache/frozen-lines.ts';
import { addressKey, parseAddress } from '../../domain/assembly/address.ts';
import type { FrozenReference } from '../../domain/assembly/bom-digest.ts';
import type { BomLine, BomStructure } from '../../domain/assembly/bom-line.ts';
import { refuse } from '../../domain/errors.ts';
import { readRecords } from '../query/read-records.ts';
import type { Scope } from '../query/scope.ts';
import type { ReferenceRecord } from '../schema/collections.ts';
import { BATCH_SIZE, bomDocumentsByLevel } from './bom-documents.ts';
import { freezeTarget, inChunks, resolveReferences, type Target } from './resolve-references.ts';

/** A draft or version whose structure is requested: frozen, or resolved `now`, as a draft always is. */
export type BomTop = { versionId: string; now: boolean };

/** Returns the key of a top's lines. The same version may also occur below another top, frozen. */
export const topKey = ({ versionId, now }: BomTop): string => (now ? `${versionId} now` : versionId);

// The maximum number of lines to read for one response: far above the row limit, and still safe for the memory.
const MAX_LINES = 500_000;

/**
 * Returns the whole structure below the tops, because `outdated` is computed for every depth. Sends one query for each
 * level that is not cached, up to two for the documents of a level, and four for tops that are resolved now. Needs no
 * transaction: frozen lines never change, and the lines of the tops are one query. Throws `validation_failed` beyond
 * 500,000 different lines.
 */
export async function readStructure(scope: Scope, tops: readonly BomTop[]): Promise<BomStructure> {
  const documents = bomDocumentsByLevel(scope);
  const lines = await readLines(scope, tops);
  await readBelow(scope, lines, documents.addLevel);
  return { lines, documents: await documents.readRemaining() };
}

/** Returns the lines of the tops only, by `topKey`, without tops that have no lines. */
export async function readLines(scope: Scope, tops: readonly BomTop[]): Promise<Map<string, readonly BomLine[]>> {
  const cache = frozenLineCache(scope);
  const found = new Map<string, readonly BomLine[]>();
  for (const top of tops) {
    const cached = top.now ? undefined : cache.get(top.versionId);
    if (cached) found.set(topKey(top), cached);
  }
  const uncached = tops.filter((top) => !found.has(topKey(top)));
  if (!uncached.length) return found;

  const records = await linesByVersion<TopLine>(
    scope,
    [...new Set(uncached.map(({ versionId }) => versionId))].sort(),
    LINE_FIELDS,
  );
  const isResolvedNow = (top: BomTop, { frozen }: TopLine) => top.now || !frozen;
  const linesToResolve = uncached.flatMap((top) =>
    (records.get(top.versionId) ?? []).filter((record) => isResolvedNow(top, record)),
  );
  const targets = await (linesToResolve.length ? resolveReferences(scope, linesToResolve) : new Map<string, Target>());
  for (const top of uncached) {
    const ownLines = records.get(top.versionId);
    if (!ownLines) continue;
    const lines = ownLines.map((record) =>
      lineOf(record, isResolvedNow(top, record) ? targets.get(addressKey(record)) : undefined),
    );
    found.set(topKey(top), lines);
    if (!ownLines.some((record) => isResolvedNow(top, record))) cache.set(top.versionId, lines);
  }
  return found;
}

/**
 * Adds the lines of every version below those in `lines`, with one query for each level. Calls `onLevel` with the lines
 * of each level, starting with those passed in; it runs while the levels below are read.
 */
export async function readBelow(
  scope: Scope,
  lines: Map<string, readonly BomLine[]>,
  onLevel?: (level: Level) => Promise<void>,
): Promise<void> {
  const cache = frozenLineCache(scope);
  let total = 0;

  async function readFrom(level: Level): Promise<void> {
    if (!level.length) return;
    total += level.reduce((sum, { length }) => sum + length, 0);
    if (total > MAX_LINES) refuseTooLarge();
    // starts with the level below, because the following levels depend on it
    await Promise.all([levelBelow(level).then(readFrom), onLevel?.(level)]);
  }

  async function levelBelow(level: Level): Promise<Level> {
    const below: (readonly BomLine[])[] = [];
    const uncached = new Set<string>();
    for (const ownLines of level) {
      for (const { hasLines, resolution } of ownLines) {
        if (!hasLines || !resolution || lines.has(resolution.versionId) || uncached.has(resolution.versionId)) continue;
        const cached = cache.get(resolution.versionId);
        if (!cached) uncached.add(resolution.versionId);
        else {
          lines.set(resolution.versionId, cached);
          below.push(cached);
        }
      }
    }
    for (const [version, records] of await linesByVersion<FrozenLine>(
      scope,
      [...uncached].sort(),
      FROZEN_LINE_FIELDS,
    )) {
      const ownLines = records.map((record) => lineOf(record, undefined));
      lines.set(version, ownLines);
      below.push(ownLines);
      if (records.every(({ frozen }) => frozen)) cache.set(version, ownLines);
    }
    return below;
  }

  await readFrom([...lines.values()]);
}

type Level = readonly (readonly BomLine[])[];

// without the occurrences, which may be many
const LINE_FIELDS = { _id: 0, versionId: 1, line: 1, location: 1, target: 1, at: 1, quantity: 1, frozen: 1 } as const;
type TopLine = Pick<ReferenceRecord, Exclude<keyof typeof LINE_FIELDS, '_id'>>;
const FROZEN_FIELDS = { documentId: 1, versionId: 1, n: 1, as: 1, label: 1, bomDigest: 1 } as const;
type FrozenFields = Pick<FrozenReference, keyof typeof FROZEN_FIELDS>;
// only the fields that rows below a top need, which halves what is read
const FROZEN_LINE_FIELDS = { _id: 0, versionId: 1, line: 1, location: 1, quantity: 1, frozen: FROZEN_FIELDS } as const;
type FrozenLine = Pick<ReferenceRecord, 'versionId' | 'line' | 'location' | 'quantity'> & {
  frozen: FrozenFields | null;
};

// Returns the lines of each version in order.
async function linesByVersion<L extends FrozenLine>(
  scope: Scope,
  versionIds: readonly string[],
  fields: object,
): Promise<Map<string, L[]>> {
  const read = (ids: string[]) =>
    readRecords<L, 'references'>(scope, 'references', { versionId: { $in: ids } }, fields);
  const found = Map.groupBy(await inChunks(versionIds, read, BATCH_SIZE), ({ versionId }) => versionId);
  // nearly sorted, because the index has this order; sorting in the store costs more
  for (const lines of found.values()) lines.sort((a, b) => a.line - b.line);
  return found;
}

function lineOf(record: FrozenLine, target: Target | undefined): BomLine {
  const { line: findNumber, location: address, quantity } = record;
  const parsed = parseAddress(address);
  const key = addressKey(parsed);
  const frozen = target ? freezeTarget(target) : record.frozen;
  if (!frozen) {
    const documentId = target?.document?._id ?? null;
    const reason = target?.resolved.reason ?? `There is no document ${parsed.target}.`;
    return { findNumber, address, key, quantity, documentId, resolution: null, hasLines: false, reason };
  }
  const hasLines = frozen.bomDigest !== null;
  return {
    findNumber,
    address,
    key,
    quantity,
    documentId: frozen.documentId,
    resolution: resolutionOf(frozen, target),
    hasLines,
    reason: null,
  };
}

function resolutionOf(
  { as, label, n, versionId }: FrozenFields,
  target: Target | undefined,
): NonNullable<BomLine['resolution']> {
  const { resolution } = target?.resolved ?? {};
  return { as, n, versionId, label: resolution?.label ?? label, pinned: resolution?.pinned ?? true };
}

function refuseTooLarge(): never {
  return refuse(
    'validation_failed',
    `The structure has more than ${MAX_LINES} different lines. Request the sub-assemblies separately.`,
    { limit: 'bomLines', allowed: MAX_LINES },
  );
}
