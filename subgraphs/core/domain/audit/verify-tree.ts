// Verifies the tree of the audit log against its seals and checkpoints.

import { appendLeaf, type Edge, EMPTY_TREE, treeRoot } from './merkle.ts';
import { type LogTree, leafOf, type Seal, storedEdge } from './seal-log.ts';
import { missingRecordMessage } from './verify-chains.ts';
import type { Reporter, StoredLog } from './verify-log.ts';

/** The root that a checkpoint, named by `id`, has for a size. */
export type ExpectedRoot = { id: string; size: number; root: Buffer };

/**
 * Rebuilds the tree from the seals and compares it with every expected root and with the stored tree. `sealedCount` is
 * the number of sealed records (null: not all were read); if there are more seals, those without a record are reported.
 */
export async function verifyTree(
  log: StoredLog,
  tree: LogTree | null,
  expectedRoots: readonly ExpectedRoot[],
  sealedCount: Promise<number | null>,
  report: Reporter,
): Promise<void> {
  const size = tree?.size ?? 0;
  const ordered = expectedRoots.toSorted((a, b) => a.size - b.size);
  const compare = rootComparison(ordered, report);
  let edge = EMPTY_TREE;
  let last = 0;
  let count = 0;
  for await (const batch of log.seals(0)) {
    count += batch.length;
    for (const seal of batch) {
      if (seal._id !== last + 1) report.error(`seal ${last + 1}`, gapMessage(last, seal._id));
      last = seal._id;
      if (edge.size >= size) continue;
      edge = appendLeaf(edge, leafOf(seal));
      compare(edge);
    }
  }
  const records = await sealedCount;
  if (records !== null && count !== records)
    for await (const batch of log.seals(0)) await checkRecords(log, batch, report);
  if (last > size && last > ((await log.tree())?.size ?? 0))
    report.error(`seal ${size + 1}`, `The seal at position ${size + 1} is not in the tree.`);
  if (edge.size < size)
    report.error(`seal ${edge.size + 1}`, `The log ends at position ${last}, but its tree has ${size} records.`);
  for (const root of ordered.filter((root) => root.size > size))
    report.error(root.id, `The log was truncated: a checkpoint covers ${root.size} records, but the log has ${size}.`);
  if (tree && edge.size === size && !sameEdge(edge, storedEdge(tree)))
    report.error('tree', 'The stored tree does not match the sealed records.');
}

// Reports only the first root that differs, because all later ones differ too.
function rootComparison(expectedRoots: readonly ExpectedRoot[], { error }: Reporter): (edge: Edge) => void {
  let next = 0;
  let agreed = 0;
  let differs = false;
  return (edge) => {
    for (let expected = expectedRoots[next]; expected && expected.size <= edge.size; expected = expectedRoots[++next]) {
      if (differs || expected.size !== edge.size) continue;
      differs = !treeRoot(edge).equals(expected.root);
      if (differs)
        error(expected.id, `A record at the positions ${agreed + 1} to ${expected.size} was changed after sealing.`);
      agreed = expected.size;
    }
  };
}

async function checkRecords(log: StoredLog, seals: readonly Seal[], { error }: Reporter): Promise<void> {
  const known = new Set((await log.recordsAmong(seals.map(({ auditId }) => auditId))).map(({ _id }) => _id));
  for (const seal of seals) if (!known.has(seal.auditId)) error(seal.auditId, missingRecordMessage(seal));
}

function gapMessage(last: number, next: number): string {
  return next <= last
    ? `The position ${next} of the log occurs twice.`
    : `The log has no record at position ${next - last > 2 ? `${last + 1} to ${next - 1}` : last + 1}.`;
}

function sameEdge(a: Edge, b: Edge): boolean {
  return a.size === b.size && a.peaks.length === b.peaks.length && a.peaks.every((peak, i) => b.peaks[i]?.equals(peak));
}
