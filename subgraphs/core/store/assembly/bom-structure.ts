// What a bill of material is made of, read level by level: one query for the lines of all versions of a level, each version once.

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

/** A draft or version whose structure is asked for: a version as it was frozen, or resolved `now`, as a draft always is. */
export type BomTop = { versionId: string; now: boolean };

/** Under which key the lines of a top stand: the same version may also lie below another top, frozen. */
export const topKey = ({ versionId, now }: BomTop): string => (now ? `${versionId} now` : versionId);

// Lines that are read for one answer: far more than a bill of material has rows, and still no danger to the memory of the process.
const MOST_LINES = 500_000;

/**
 * The whole structure below some tops, because whether something inside is outdated is asked at every depth: a query for each level that is not in memory, and two for
 * documents whenever many are known, never more than for each level; tops that are resolved now need four more. The store reads documents while the next level is made.
 * Not in one transaction: what is frozen never changes, and the lines of a top are one query. Refuses with `validation_failed` more than 500,000 different lines.
 */
export async function readStructure(scope: Scope, tops: readonly BomTop[]): Promise<BomStructure> {
  const documents = bomDocumentsByLevel(scope);
  const lines = await readLines(scope, tops);
  await readBelow(scope, lines, documents.addLevel);
  return { lines, documents: await documents.rest() };
}

/** The lines of some tops alone, by `topKey`; what has none is left out. */
export async function readLines(scope: Scope, tops: readonly BomTop[]): Promise<Map<string, readonly BomLine[]>> {
  const kept = frozenLineCache(scope);
  const found = new Map<string, readonly BomLine[]>();
  for (const top of tops) {
    const own = top.now ? undefined : kept.get(top.versionId);
    if (own) found.set(topKey(top), own);
  }
  const asked = tops.filter((top) => !found.has(topKey(top)));
  if (!asked.length) return found;

  const records = await linesByVersion<TopLine>(
    scope,
    [...new Set(asked.map(({ versionId }) => versionId))].sort(),
    LINE,
  );
  const isLive = (top: BomTop, { frozen }: TopLine) => top.now || !frozen;
  const resolved = asked.flatMap((top) => (records.get(top.versionId) ?? []).filter((record) => isLive(top, record)));
  const targets = await (resolved.length ? resolveReferences(scope, resolved) : new Map<string, Target>());
  for (const top of asked) {
    const own = records.get(top.versionId);
    if (!own) continue;
    const lines = own.map((record) =>
      lineOf(record, isLive(top, record) ? targets.get(addressKey(record)) : undefined),
    );
    found.set(topKey(top), lines);
    if (!own.some((record) => isLive(top, record))) kept.set(top.versionId, lines);
  }
  return found;
}

/**
 * Adds the lines of every version below those that are there: a query for each level with something that was not read before.
 * `see` is shown the lines of each level, those that are there first; what it does goes on beside the reading of all below.
 */
export async function readBelow(
  scope: Scope,
  lines: Map<string, readonly BomLine[]>,
  see?: (level: Level) => Promise<void>,
): Promise<void> {
  const kept = frozenLineCache(scope);
  let total = 0;

  async function readFrom(level: Level): Promise<void> {
    if (!level.length) return;
    total += level.reduce((sum, { length }) => sum + length, 0);
    if (total > MOST_LINES) refuseTooLarge();
    // the level below is asked for first, because the one below that waits for it
    await Promise.all([levelBelow(level).then(readFrom), see?.(level)]);
  }

  async function levelBelow(level: Level): Promise<Level> {
    const below: (readonly BomLine[])[] = [];
    const unknown = new Set<string>();
    for (const own of level) {
      for (const { hasLines, resolution } of own) {
        if (!hasLines || !resolution || lines.has(resolution.versionId) || unknown.has(resolution.versionId)) continue;
        const known = kept.get(resolution.versionId);
        if (!known) unknown.add(resolution.versionId);
        else {
          lines.set(resolution.versionId, known);
          below.push(known);
        }
      }
    }
    for (const [version, records] of await linesByVersion<FrozenLine>(scope, [...unknown].sort(), FROZEN_LINE)) {
      const own = records.map((record) => lineOf(record, undefined));
      lines.set(version, own);
      below.push(own);
      if (records.every(({ frozen }) => frozen)) kept.set(version, own);
    }
    return below;
  }

  await readFrom([...lines.values()]);
}

type Level = readonly (readonly BomLine[])[];

// without the places in the file, which may be many
const LINE = { _id: 0, versionId: 1, line: 1, location: 1, target: 1, at: 1, quantity: 1, frozen: 1 } as const;
type TopLine = Pick<ReferenceRecord, Exclude<keyof typeof LINE, '_id'>>;
const MEANT = { documentId: 1, versionId: 1, n: 1, as: 1, label: 1, bomDigest: 1 } as const;
type Meant = Pick<FrozenReference, keyof typeof MEANT>;
// of the many lines below a top only what rows need: that halves what is read
const FROZEN_LINE = { _id: 0, versionId: 1, line: 1, location: 1, quantity: 1, frozen: MEANT } as const;
type FrozenLine = Pick<ReferenceRecord, 'versionId' | 'line' | 'location' | 'quantity'> & { frozen: Meant | null };

// The lines of each version in their order.
async function linesByVersion<L extends FrozenLine>(
  scope: Scope,
  versionIds: readonly string[],
  fields: object,
): Promise<Map<string, L[]>> {
  const read = (some: string[]) =>
    readRecords<L, 'references'>(scope, 'references', { versionId: { $in: some } }, fields);
  const found = Map.groupBy(await inChunks(versionIds, read, BATCH_SIZE), ({ versionId }) => versionId);
  // the index hands them out in this order, so there is little to sort; to ask the store for it costs more
  for (const lines of found.values()) lines.sort((a, b) => a.line - b.line);
  return found;
}

function lineOf(record: FrozenLine, target: Target | undefined): BomLine {
  const { line: findNumber, location: address, quantity } = record;
  const named = parseAddress(address);
  const key = addressKey(named);
  const meant = target ? freezeTarget(target) : record.frozen;
  if (!meant) {
    const documentId = target?.document?._id ?? null;
    const reason = target?.resolved.reason ?? `There is no document ${named.target}.`;
    return { findNumber, address, key, quantity, documentId, resolution: null, hasLines: false, reason };
  }
  const hasLines = meant.bomDigest !== null;
  return {
    findNumber,
    address,
    key,
    quantity,
    documentId: meant.documentId,
    resolution: resolutionOf(meant, target),
    hasLines,
    reason: null,
  };
}

function resolutionOf(
  { as, label, n, versionId }: Meant,
  target: Target | undefined,
): NonNullable<BomLine['resolution']> {
  const { resolution } = target?.resolved ?? {};
  return { as, n, versionId, label: resolution?.label ?? label, pinned: resolution?.pinned ?? true };
}

function refuseTooLarge(): never {
  return refuse(
    'validation_failed',
    `The structure has more than ${MOST_LINES} different lines. Ask for the sub-assemblies one by one.`,
    {
      limit: 'bomLines',
      allowed: MOST_LINES,
    },
  );
}
