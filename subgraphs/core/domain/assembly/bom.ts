// The rows of bills of materials: indented, flat or top level.

import { refuse } from '../errors.ts';
import {
  type BomLine,
  type BomLineDetails,
  type BomStructure,
  bomLineDetails,
  type DetailsOf,
  multiplyQuantity,
  refuseQuantity,
} from './bom-line.ts';

export type BomMode = 'indented' | 'flat' | 'top';

/**
 * A line at one position of the tree: `path` is the find numbers from the top, e.g. 3.1.2, `totalQuantity` the product
 * of the quantities on it.
 */
export type BomRow = BomLineDetails & { level: number; path: string; totalQuantity: number };

export const BOM_LIMITS = { depth: 50, rows: 100_000, changes: 40_000 };

/**
 * Returns the rows of a bill of materials down to a depth (null: all levels).
 * - indented: every line, each followed by the lines of its version.
 * - top: the lines of the assembly itself.
 * - flat: each part once with its total quantity, sorted by number. An assembly is a row only if it has no lines or is
 *   at the requested depth. The address is the one that all lines share, or that of the version.
 *
 * Throws `validation_failed` for more than 50 levels without a depth and for more than 100,000 rows.
 */
export function bomRows(
  top: string,
  structure: BomStructure,
  options: { mode: BomMode; depth?: number | null },
): BomRow[] {
  const depth = options.mode === 'top' ? 1 : (options.depth ?? null);
  if (depth !== null && !(Number.isInteger(depth) && depth >= 1 && depth <= BOM_LIMITS.depth))
    refuse('validation_failed', `depth must be an integer from 1 to ${BOM_LIMITS.depth}.`, {
      errors: [{ path: '/depth', message: `must be an integer from 1 to ${BOM_LIMITS.depth}` }],
    });
  const detailsOf = bomLineDetails(structure);
  return options.mode === 'flat'
    ? flatRows(top, structure, depth, detailsOf)
    : indentedRows(top, structure, depth, detailsOf);
}

function indentedRows(top: string, { lines }: BomStructure, depth: number | null, detailsOf: DetailsOf): BomRow[] {
  assertRowLimit(top, lines, depth);
  const rows: BomRow[] = [];
  const add = (version: string, level: number, parentPath: string, times: number): void => {
    for (const line of lines.get(version) ?? []) {
      const path = parentPath ? `${parentPath}.${line.findNumber}` : String(line.findNumber);
      const totalQuantity = multiplyQuantity(line, times);
      rows.push(rowOf(level, path, detailsOf(line), totalQuantity));
      if (line.hasLines && line.resolution && level < (depth ?? BOM_LIMITS.depth))
        add(line.resolution.versionId, level + 1, path, totalQuantity);
    }
  };
  add(top, 1, '', 1);
  return rows;
}

// Copies field by field: spreading is several times slower, and there are up to 100,000 rows.
function rowOf(level: number, path: string, details: BomLineDetails, totalQuantity: number): BomRow {
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
  } = details;
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

// Counts the rows before creating them, level by level.
function assertRowLimit(top: string, lines: BomStructure['lines'], depth: number | null): void {
  let rows = 0;
  const tooDeep = visitLevels(top, lines, depth, (_line, times) => {
    rows += times;
    return times;
  });
  if (tooDeep) refuseTooDeep();
  if (rows > BOM_LIMITS.rows)
    refuse(
      'validation_failed',
      `The bill of materials has ${rows} rows, and the limit is ${BOM_LIMITS.rows}. Request fewer levels with depth, the totals with mode=flat, or the sub-assemblies separately.`,
      { limit: 'bomRows', allowed: BOM_LIMITS.rows, found: rows },
    );
}

/**
 * Visits each line once per level with the number of its assembly on that level, so that the work grows with the
 * versions and not with their occurrences. `count` returns how many of the line's version the next level has. Returns
 * whether the structure exceeds the maximum depth.
 */
function visitLevels(
  top: string,
  lines: BomStructure['lines'],
  depth: number | null,
  count: (line: BomLine, times: number, expanded: boolean) => number,
): boolean {
  let level = new Map([[top, 1]]);
  for (let currentDepth = 1; level.size && currentDepth <= (depth ?? BOM_LIMITS.depth); currentDepth++) {
    const next = new Map<string, number>();
    for (const [version, times] of level) {
      for (const line of lines.get(version) ?? []) {
        const expanded =
          line.hasLines && line.resolution !== null && currentDepth < (depth ?? Number.POSITIVE_INFINITY);
        const amount = count(line, times, expanded);
        if (expanded) next.set(line.resolution!.versionId, (next.get(line.resolution!.versionId) ?? 0) + amount);
      }
    }
    level = next;
  }
  return depth === null && level.size > 0;
}

type Sum = { line: BomLine; sameAddress: boolean; total: number };

function flatRows(top: string, { lines }: BomStructure, depth: number | null, detailsOf: DetailsOf): BomRow[] {
  const sums = new Map<string, Sum>();
  const tooDeep = visitLevels(top, lines, depth, (line, times, expanded) => {
    const quantity = multiplyQuantity(line, times);
    if (expanded) return quantity;
    const key = line.resolution?.versionId ?? line.key;
    const sum = sums.get(key);
    if (!sum) sums.set(key, { line, sameAddress: true, total: quantity });
    else {
      sum.sameAddress &&= sum.line.key === line.key;
      sum.total += quantity;
    }
    return quantity;
  });
  if (tooDeep) refuseTooDeep();
  return [...sums.values()]
    .map((sum) => ({ sum, details: detailsOf(sum.line) }))
    .sort((a, b) => compareNumbers(a.details, b.details))
    .map(({ sum: { sameAddress, total, line }, details }, i) => {
      if (!Number.isSafeInteger(total)) refuseQuantity(line);
      const position = { level: 1, path: String(i + 1), findNumber: i + 1, quantity: total, totalQuantity: total };
      return { ...details, ...(sameAddress ? {} : versionAddress(details)), ...position };
    });
}

// Unresolved lines have no number and come last.
function compareNumbers(a: BomLineDetails, b: BomLineDetails): number {
  if (a.number === null || b.number === null)
    return Number(a.number === null) - Number(b.number === null) || COLLATOR.compare(a.address, b.address);
  return COLLATOR.compare(a.number, b.number) || (a.resolution?.n ?? 0) - (b.resolution?.n ?? 0);
}
const COLLATOR = new Intl.Collator('en', { numeric: true });

function versionAddress({ number, resolution }: BomLineDetails): Partial<BomLineDetails> {
  return resolution
    ? { address: `pdm://documents/${number}@v${resolution.n}`, resolution: { ...resolution, pinned: true } }
    : {};
}

function refuseTooDeep(): never {
  return refuse(
    'validation_failed',
    `The bill of materials has more than ${BOM_LIMITS.depth} levels. Request up to ${BOM_LIMITS.depth} levels with depth, and the sub-assemblies below separately.`,
    { limit: 'bomDepth', allowed: BOM_LIMITS.depth },
  );
}
