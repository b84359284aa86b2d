// What differs between two bills of material, from the lines of the tops down into the assemblies whose inside differs.

import { refuse } from '../errors.ts';
import { BOM_LIMITS, type BomRow } from './bom.ts';
import { type BomLine, type BomStructure, bomFacts, timesOf } from './bom-line.ts';

/** In what two lines for the same document differ. */
export type LineDifference = 'quantity' | 'version' | 'address';
/** A line that only one side has, or that differs. */
export type LineChange<L extends Comparable> = { from: L | null; to: L | null; differences: LineDifference[] };
export type Comparable = Pick<BomLine, 'documentId' | 'key' | 'quantity' | 'resolution'>;

export type BomChange = {
  /**
   * - added, removed: only one side has the line; what the line consists of is not told again;
   * - indirect: the line is the same but means another version of an assembly, in which something differs; that follows, one level deeper;
   * - changed: the line itself differs (`differs`): in its quantity, its address, or in a version whose difference lies in itself.
   */
  change: 'added' | 'removed' | 'changed' | 'indirect';
  differences: LineDifference[];
  /** Something inside differs too, and follows, one level deeper. */
  contentChanged: boolean;
  level: number;
  from: BomRow | null;
  to: BomRow | null;
};

/**
 * What differs from one top to another, of one structure that holds both, in the order of the second; what only the first has comes last in each
 * assembly. Lines are paired by document. Refuses with `validation_failed` more than 40,000 changes or 50 levels of them.
 */
export function compareBoms(from: string, to: string, structure: BomStructure): BomChange[] {
  const factsOf = bomFacts(structure);
  const changesOf = deepChanges(structure.lines);
  const rows: BomChange[] = [];
  const rowOf = (line: BomLine | null, level: number, { path, times }: Above): BomRow | null =>
    line && { level, path: below(path, line), ...factsOf(line), totalQuantity: timesOf(line, times) };
  const add = (changes: readonly DeepChange[], level: number, above: Sides): void => {
    for (const { from, to, differences: differs, inside } of changes) {
      if (level > BOM_LIMITS.depth) refuseTooLarge('bomDepth', BOM_LIMITS.depth, 'levels of differences');
      const [before, after] = [rowOf(from, level, above.from), rowOf(to, level, above.to)];
      const change = !before
        ? 'added'
        : !after
          ? 'removed'
          : inside.length && differs.join() === 'version'
            ? 'indirect'
            : 'changed';
      rows.push({ change, differences: differs, contentChanged: inside.length > 0, level, from: before, to: after });
      if (before && after) add(inside, level + 1, { from: aboveOf(before), to: aboveOf(after) });
    }
  };
  const changes = changesOf(from, to);
  if (countOf(changes) > BOM_LIMITS.changes) refuseTooLarge('bomChanges', BOM_LIMITS.changes, 'lines that differ');
  add(changes, 1, { from: { path: '', times: 1 }, to: { path: '', times: 1 } });
  return rows;
}

/** The lines that differ, paired by document: of one document first those with one address, then those that mean one version, then in their order. */
export function compareLines<L extends Comparable>(from: readonly L[], to: readonly L[]): LineChange<L>[] {
  const waiting = Map.groupBy(from, nameOf);
  const partners = new Map<L, L>();
  for (const alike of [sameAddress, sameVersion, () => true]) {
    for (const line of to) {
      const candidates = waiting.get(nameOf(line)) ?? [];
      const at = partners.has(line) ? -1 : candidates.findIndex((candidate) => alike(candidate, line));
      if (at < 0) continue;
      partners.set(line, candidates[at]!);
      candidates.splice(at, 1);
    }
  }
  const paired = to.map((line): LineChange<L> => {
    const partner = partners.get(line) ?? null;
    return { from: partner, to: line, differences: partner ? differences(partner, line) : [] };
  });
  const left = new Set([...waiting.values()].flat());
  const removed = from
    .filter((line) => left.has(line))
    .map((line): LineChange<L> => ({ from: line, to: null, differences: [] }));
  return [...paired.filter(({ from, differences: differs }) => !from || differs.length), ...removed];
}

type DeepChange = LineChange<BomLine> & { inside: readonly DeepChange[] };
type Above = { path: string; times: number };
type Sides = { from: Above; to: Above };

// Each pair of versions is compared once, wherever it stands. A version is never inside itself, so this ends.
function deepChanges(lines: BomStructure['lines']): (from: string, to: string) => readonly DeepChange[] {
  const known = new Map<string, readonly DeepChange[]>();
  const changesOf = (from: string, to: string): readonly DeepChange[] => {
    if (from === to) return [];
    const key = `${from} ${to}`;
    let changes = known.get(key);
    if (!changes) {
      changes = compareLines(lines.get(from) ?? [], lines.get(to) ?? []).map((change) => ({
        ...change,
        inside: insideOf(change),
      }));
      known.set(key, changes);
    }
    return changes;
  };
  const insideOf = ({ from, to }: LineChange<BomLine>): readonly DeepChange[] =>
    from?.resolution && to?.resolution && (from.opens || to.opens)
      ? changesOf(from.resolution.versionId, to.resolution.versionId)
      : [];
  return changesOf;
}

// Counted before a row is made: a list that stands at many places is one object.
function countOf(changes: readonly DeepChange[], known = new Map<readonly DeepChange[], number>()): number {
  let count = known.get(changes);
  if (count === undefined) {
    count = changes.reduce((sum, { inside }) => sum + 1 + countOf(inside, known), 0);
    known.set(changes, count);
  }
  return count;
}

// What means nothing yet is only its address.
const nameOf = ({ documentId, key }: Comparable): string => documentId ?? key;
const sameAddress = (a: Comparable, b: Comparable): boolean => a.key === b.key;
const sameVersion = (a: Comparable, b: Comparable): boolean => a.resolution?.versionId === b.resolution?.versionId;

function differences(from: Comparable, to: Comparable): LineDifference[] {
  return [
    ...(from.quantity === to.quantity ? [] : ['quantity' as const]),
    ...(sameVersion(from, to) ? [] : ['version' as const]),
    ...(sameAddress(from, to) ? [] : ['address' as const]),
  ];
}

function below(path: string, { findNumber }: BomLine): string {
  return path ? `${path}.${findNumber}` : String(findNumber);
}

function aboveOf({ path, totalQuantity }: BomRow): Above {
  return { path, times: totalQuantity };
}

function refuseTooLarge(limit: string, allowed: number, what: string): never {
  return refuse('validation_failed', `There are more than ${allowed} ${what}. Compare the sub-assemblies one by one.`, {
    limit,
    allowed,
  });
}
