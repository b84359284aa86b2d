// The bill of material: what a draft or version of an assembly consists of, down through the versions it uses.

import { refuse } from '../errors.ts';
import {
  type BomFacts,
  type BomLine,
  type BomStructure,
  bomFacts,
  type FactsOf,
  refuseUncountable,
  timesOf,
} from './bom-line.ts';

export type BomMode = 'indented' | 'flat' | 'top';

/** A line at one place of the tree: `path` its find numbers from the top, as 3.1.2, `totalQuantity` all quantities on that path multiplied. */
export type BomRow = BomFacts & { level: number; path: string; totalQuantity: number };

export const BOM_LIMITS = { depth: 50, rows: 100_000, changes: 40_000 };

/**
 * The rows of a bill of material, to a depth (null: all of it).
 * - indented: every line at every place, each followed by what it consists of;
 * - top: the lines of the assembly itself;
 * - flat: what it consists of in the end, each version once with its quantity over the whole tree, by number. An assembly stands for its parts, so it
 *   is a row itself only where it is not opened: it uses nothing, or lies at the depth asked for. The address is the one that all places use, or else
 *   names the version.
 *
 * Refuses with `validation_failed`, saying what to ask instead, more than 50 levels without a depth, and more than 100,000 rows.
 */
export function bomRows(
  top: string,
  structure: BomStructure,
  asked: { mode: BomMode; depth?: number | null },
): BomRow[] {
  const depth = asked.mode === 'top' ? 1 : (asked.depth ?? null);
  if (depth !== null && !(Number.isInteger(depth) && depth >= 1 && depth <= BOM_LIMITS.depth))
    refuse('validation_failed', `depth must be a number from 1 to ${BOM_LIMITS.depth}.`, {
      errors: [{ path: '/depth', message: `must be from 1 to ${BOM_LIMITS.depth}` }],
    });
  const factsOf = bomFacts(structure);
  return asked.mode === 'flat'
    ? flatRows(top, structure, depth, factsOf)
    : indentedRows(top, structure, depth, factsOf);
}

function indentedRows(top: string, { lines }: BomStructure, depth: number | null, factsOf: FactsOf): BomRow[] {
  refuseTooMany(top, lines, depth);
  const rows: BomRow[] = [];
  const add = (version: string, level: number, above: string, times: number): void => {
    for (const line of lines.get(version) ?? []) {
      const path = above ? `${above}.${line.findNumber}` : String(line.findNumber);
      const totalQuantity = timesOf(line, times);
      rows.push(rowOf(level, path, factsOf(line), totalQuantity));
      if (line.opens && line.resolution && level < (depth ?? BOM_LIMITS.depth))
        add(line.resolution.versionId, level + 1, path, totalQuantity);
    }
  };
  add(top, 1, '', 1);
  return rows;
}

// Field by field: spreading the facts takes several times as long, and there are up to 100,000 rows.
function rowOf(level: number, path: string, facts: BomFacts, totalQuantity: number): BomRow {
  const {
    findNumber,
    documentId,
    number,
    name,
    kind,
    address,
    resolution,
    quantity,
    outdated,
    outdatedBelow,
    status,
    reason,
  } = facts;
  return {
    level,
    path,
    findNumber,
    documentId,
    number,
    name,
    kind,
    address,
    resolution,
    quantity,
    outdated,
    outdatedBelow,
    status,
    reason,
    totalQuantity,
  };
}

// Counted before a row is made: how often each version stands on a level follows from the level above.
function refuseTooMany(top: string, lines: BomStructure['lines'], depth: number | null): void {
  let rows = 0;
  const deepest = eachLevel(top, lines, depth, (_line, times) => {
    rows += times;
    return times;
  });
  if (deepest) refuseTooDeep();
  if (rows > BOM_LIMITS.rows)
    refuse(
      'validation_failed',
      `The bill of material has ${rows} rows, more than ${BOM_LIMITS.rows}. Ask for fewer levels with depth, for the sums with mode=flat, or for its sub-assemblies one by one.`,
      { limit: 'bomRows', allowed: BOM_LIMITS.rows, found: rows },
    );
}

/**
 * Goes down level by level with what `count` makes of each line and how much there is of the assembly it stands in; so the
 * work grows with the versions and not with their places. Answers whether there is more below the deepest level that a bill
 * of material may have, though no depth was given.
 */
function eachLevel(
  top: string,
  lines: BomStructure['lines'],
  depth: number | null,
  count: (line: BomLine, times: number, opened: boolean) => number,
): boolean {
  let level = new Map([[top, 1]]);
  for (let at = 1; level.size && at <= (depth ?? BOM_LIMITS.depth); at++) {
    const below = new Map<string, number>();
    for (const [version, times] of level) {
      for (const line of lines.get(version) ?? []) {
        const opened = line.opens && line.resolution !== null && at < (depth ?? Number.POSITIVE_INFINITY);
        const amount = count(line, times, opened);
        if (opened) below.set(line.resolution!.versionId, (below.get(line.resolution!.versionId) ?? 0) + amount);
      }
    }
    level = below;
  }
  return depth === null && level.size > 0;
}

type Sum = { line: BomLine; alike: boolean; total: number };

function flatRows(top: string, { lines }: BomStructure, depth: number | null, factsOf: FactsOf): BomRow[] {
  const sums = new Map<string, Sum>();
  const tooDeep = eachLevel(top, lines, depth, (line, times, opened) => {
    const quantity = timesOf(line, times);
    if (opened) return quantity;
    const key = line.resolution?.versionId ?? line.key;
    const sum = sums.get(key);
    if (!sum) sums.set(key, { line, alike: true, total: quantity });
    else {
      sum.alike &&= sum.line.key === line.key;
      sum.total += quantity;
    }
    return quantity;
  });
  if (tooDeep) refuseTooDeep();
  return [...sums.values()]
    .map((sum) => ({ sum, facts: factsOf(sum.line) }))
    .sort((a, b) => byNumber(a.facts, b.facts))
    .map(({ sum: { alike, total, line }, facts }, i) => {
      if (!Number.isSafeInteger(total)) refuseUncountable(line);
      const place = { level: 1, path: String(i + 1), findNumber: i + 1, quantity: total, totalQuantity: total };
      return { ...facts, ...(alike ? {} : thatVersion(facts)), ...place };
    });
}

// What is unresolved has no number and comes last.
function byNumber(a: BomFacts, b: BomFacts): number {
  if (a.number === null || b.number === null)
    return Number(a.number === null) - Number(b.number === null) || COLLATOR.compare(a.address, b.address);
  return COLLATOR.compare(a.number, b.number) || (a.resolution?.n ?? 0) - (b.resolution?.n ?? 0);
}
const COLLATOR = new Intl.Collator('en', { numeric: true });

function thatVersion({ number, resolution }: BomFacts): Partial<BomFacts> {
  return resolution
    ? { address: `pdm://documents/${number}@v${resolution.n}`, resolution: { ...resolution, pinned: true } }
    : {};
}

function refuseTooDeep(): never {
  return refuse(
    'validation_failed',
    `The bill of material has more than ${BOM_LIMITS.depth} levels. Ask for some of them with depth (at most ${BOM_LIMITS.depth}), and for the sub-assemblies below one by one.`,
    { limit: 'bomDepth', allowed: BOM_LIMITS.depth },
  );
}
