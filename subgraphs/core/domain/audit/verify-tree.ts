import { type Edge, grown, NO_LEAVES, rootOf } from './merkle.ts';
import { edgeOf, type LogTree, leafOf, type Seal } from './seal-log.ts';
import { isGone } from './verify-chains.ts';
import type { Report, StoredLog } from './verify-log.ts';

/** What the root must be at a size, and who says so. */
export type Mark = { id: string; size: number; root: Buffer };

/**
 * Grows the tree again from the seals and compares it with every mark on the way, and with the stored tree at its end. `found` is how
 * many sealed records there are (null: not all were read); where there are more seals, those without a record are named.
 */
export async function verifyTree(
  log: StoredLog,
  tree: LogTree | null,
  marks: readonly Mark[],
  found: Promise<number | null>,
  report: Report,
): Promise<void> {
  const size = tree?.size ?? 0;
  const due = marks.toSorted((a, b) => a.size - b.size);
  const compare = comparison(due, report);
  let edge = NO_LEAVES;
  let last = 0;
  let count = 0;
  for await (const batch of log.seals(0)) {
    count += batch.length;
    for (const seal of batch) {
      if (seal._id !== last + 1) report.fault(`seal ${last + 1}`, gapBetween(last, seal._id));
      last = seal._id;
      if (edge.size >= size) continue;
      edge = grown(edge, leafOf(seal));
      compare(edge);
    }
  }
  const records = await found;
  if (records !== null && count !== records)
    for await (const batch of log.seals(0)) await haveRecords(log, batch, report);
  if (last > size && last > ((await log.tree())?.size ?? 0))
    report.fault(`seal ${size + 1}`, `Record number ${size + 1} is sealed outside the tree.`);
  if (edge.size < size)
    report.fault(`seal ${edge.size + 1}`, `The log ends with record number ${last}; its tree has ${size}.`);
  for (const mark of due.filter((mark) => mark.size > size))
    report.fault(mark.id, `The log was cut off: a checkpoint covers ${mark.size} records, the log has ${size}.`);
  if (tree && edge.size === size && !sameEdge(edge, edgeOf(tree)))
    report.fault('tree', 'The stored tree is not that of the sealed records.');
}

// After the first root that differs all later ones do: one fault tells between which sizes.
function comparison(marks: readonly Mark[], { fault }: Report): (edge: Edge) => void {
  let next = 0;
  let agreed = 0;
  let differs = false;
  return (edge) => {
    for (let mark = marks[next]; mark && mark.size <= edge.size; mark = marks[++next]) {
      if (differs || mark.size !== edge.size) continue;
      differs = !rootOf(edge).equals(mark.root);
      if (differs)
        fault(
          mark.id,
          `Something among the records number ${agreed + 1} to ${mark.size} was changed after it was sealed.`,
        );
      agreed = mark.size;
    }
  };
}

async function haveRecords(log: StoredLog, seals: readonly Seal[], { fault }: Report): Promise<void> {
  const known = new Set((await log.recordsAmong(seals.map(({ auditId }) => auditId))).map(({ _id }) => _id));
  for (const seal of seals) if (!known.has(seal.auditId)) fault(seal.auditId, isGone(seal));
}

function gapBetween(last: number, next: number): string {
  return next <= last
    ? `The place ${next} of the log is taken twice.`
    : `The log has no record ${next - last > 2 ? `${last + 1} to ${next - 1}` : last + 1}.`;
}

function sameEdge(a: Edge, b: Edge): boolean {
  return a.size === b.size && a.peaks.length === b.peaks.length && a.peaks.every((peak, i) => b.peaks[i]?.equals(peak));
}
