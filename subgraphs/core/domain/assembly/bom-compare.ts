// Compares two bills of materials, down into the assemblies whose content differs.

import { refuse } from '../errors.ts';
import { BOM_LIMITS, type BomRow } from './bom.ts';
import { type BomLine, type BomStructure, bomLineDetails, multiplyQuantity } from './bom-line.ts';

/** A property that differs between two lines of the same document. */
export type LineDifference = 'quantity' | 'version' | 'address';
/** A line that exists on one side only or differs. */
export type LineChange<L extends Comparable> = { from: L | null; to: L | null; differences: LineDifference[] };
export type Comparable = Pick<BomLine, 'documentId' | 'key' | 'quantity' | 'resolution'>;

export type BomChange = {
  /**
   * - added, removed: the line exists on one side only; its content is not listed.
   * - indirect: only the version of an assembly differs, and its differences follow, one level deeper.
   * - changed: the line itself differs, as listed in `differences`.
   */
  change: 'added' | 'removed' | 'changed' | 'indirect';
  differences: LineDifference[];
  /** Whether the content differs too; the differences follow, one level deeper. */
  contentChanged: boolean;
  level: number;
  from: BomRow | null;
  to: BomRow | null;
};

/**
 * Compares two top versions of one structure. Lines are paired by document and listed in the order of `to`; in each
 * assembly the removed lines come last. Throws `validation_failed` for more than 40,000 changes or 50 levels.
 */
export function compareBoms(from: string, to: string, structure: BomStructure): BomChange[] {
  const detailsOf = bomLineDetails(structure);
  const changesOf = deepChanges(structure.lines);
  const rows: BomChange[] = [];
  const rowFor = (line: BomLine | null, level: number, { path, times }: Parent): BomRow | null =>
    line && { level, path: childPath(path, line), ...detailsOf(line), totalQuantity: multiplyQuantity(line, times) };
  const add = (changes: readonly DeepChange[], level: number, parents: Sides): void => {
    for (const { from, to, differences, contentChanges } of changes) {
      if (level > BOM_LIMITS.depth) refuseTooLarge('bomDepth', BOM_LIMITS.depth, 'levels of differences');
      const [before, after] = [rowFor(from, level, parents.from), rowFor(to, level, parents.to)];
      const indirect = contentChanges.length > 0 && differences.join() === 'version';
      let change: BomChange['change'] = indirect ? 'indirect' : 'changed';
      if (!before) change = 'added';
      else if (!after) change = 'removed';
      rows.push({ change, differences, contentChanged: contentChanges.length > 0, level, from: before, to: after });
      if (before && after) add(contentChanges, level + 1, { from: parentOf(before), to: parentOf(after) });
    }
  };
  const changes = changesOf(from, to);
  if (countOf(changes) > BOM_LIMITS.changes) refuseTooLarge('bomChanges', BOM_LIMITS.changes, 'differing lines');
  add(changes, 1, { from: { path: '', times: 1 }, to: { path: '', times: 1 } });
  return rows;
}

/**
 * Returns the lines that differ. Lines of the same document are paired by equal address first, then by equal version,
 * then in their order.
 */
export function compareLines<L extends Comparable>(from: readonly L[], to: readonly L[]): LineChange<L>[] {
  const unpaired = Map.groupBy(from, pairingKey);
  const partners = new Map<L, L>();
  for (const matches of [sameAddress, sameVersion, () => true]) {
    for (const line of to) {
      const candidates = unpaired.get(pairingKey(line)) ?? [];
      const at = partners.has(line) ? -1 : candidates.findIndex((candidate) => matches(candidate, line));
      if (at < 0) continue;
      partners.set(line, candidates[at]!);
      candidates.splice(at, 1);
    }
  }
  const paired = to.map((line): LineChange<L> => {
    const partner = partners.get(line) ?? null;
    return { from: partner, to: line, differences: partner ? differencesOf(partner, line) : [] };
  });
  const remaining = new Set([...unpaired.values()].flat());
  const removed = from
    .filter((line) => remaining.has(line))
    .map((line): LineChange<L> => ({ from: line, to: null, differences: [] }));
  return [...paired.filter(({ from, differences }) => !from || differences.length), ...removed];
}

type DeepChange = LineChange<BomLine> & { contentChanges: readonly DeepChange[] };
type Parent = { path: string; times: number };
type Sides = { from: Parent; to: Parent };

// Compares each pair of versions once, however often it occurs. Terminates because no version contains itself.
function deepChanges(lines: BomStructure['lines']): (from: string, to: string) => readonly DeepChange[] {
  const cache = new Map<string, readonly DeepChange[]>();
  const changesOf = (from: string, to: string): readonly DeepChange[] => {
    if (from === to) return [];
    const key = `${from} ${to}`;
    let changes = cache.get(key);
    if (!changes) {
      changes = compareLines(lines.get(from) ?? [], lines.get(to) ?? []).map((change) => ({
        ...change,
        contentChanges: contentChangesOf(change),
      }));
      cache.set(key, changes);
    }
    return changes;
  };
  const contentChangesOf = ({ from, to }: LineChange<BomLine>): readonly DeepChange[] =>
    from?.resolution && to?.resolution && (from.hasLines || to.hasLines)
      ? changesOf(from.resolution.versionId, to.resolution.versionId)
      : [];
  return changesOf;
}

// Counts the rows before creating them. A list that occurs several times is one object, so its count is cached.
function countOf(changes: readonly DeepChange[], cache = new Map<readonly DeepChange[], number>()): number {
  let count = cache.get(changes);
  if (count === undefined) {
    count = changes.reduce((sum, { contentChanges }) => sum + 1 + countOf(contentChanges, cache), 0);
    cache.set(changes, count);
  }
  return count;
}

// A line without a document is identified by its address.
const pairingKey = ({ documentId, key }: Comparable): string => documentId ?? key;
const sameAddress = (a: Comparable, b: Comparable): boolean => a.key === b.key;
const sameVersion = (a: Comparable, b: Comparable): boolean => a.resolution?.versionId === b.resolution?.versionId;

function differencesOf(from: Comparable, to: Comparable): LineDifference[] {
  return [
    ...(from.quantity === to.quantity ? [] : ['quantity' as const]),
    ...(sameVersion(from, to) ? [] : ['version' as const]),
    ...(sameAddress(from, to) ? [] : ['address' as const]),
  ];
}

function childPath(path: string, { findNumber }: BomLine): string {
  return path ? `${path}.${findNumber}` : String(findNumber);
}

function parentOf({ path, totalQuantity }: BomRow): Parent {
  return { path, times: totalQuantity };
}

function refuseTooLarge(limit: string, allowed: number, unit: string): never {
  return refuse(
    'validation_failed',
    `The comparison has more than ${allowed} ${unit}. Compare the sub-assemblies separately.`,
    {
      limit,
      allowed,
    },
  );
}
