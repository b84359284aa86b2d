// Exports the audit log as JSON lines.

import type { RecordChange } from './proven-record.ts';
import type { Batches, StoredLog } from './verify-log.ts';

/** A stored record as the log holds it, and the chain that logs it. */
export type StoredState = RecordChange & { chain: string };

/**
 * Yields the log as JSON lines for independent verifiers: a header with the tree, each checkpoint, head, record, seal
 * and pending record under the name of its kind, and an end marker that reveals truncation. Dates are RFC 3339 strings,
 * as in the hashes. With `stored`, the export also contains the stored records, and the header the time of the export.
 */
export async function* exportLog(
  log: StoredLog,
  stored?: { records: Batches<StoredState>; now: Date },
): AsyncGenerator<string> {
  const checkpoints: string[] = [];
  for await (const line of linesOf('checkpoint', log.checkpoints())) checkpoints.push(line);
  const tree = await log.tree();
  yield line({
    export: 'pdm audit log',
    version: 1,
    ...(stored ? { records: stored.now } : {}),
    tree: tree && { log: tree.log, size: tree.size, peaks: tree.peaks, note: tree.note },
  });
  yield* checkpoints;
  yield* linesOf('head', log.heads());
  yield* linesOf('record', log.storedRecords());
  yield* linesOf('seal', log.seals(0));
  yield* linesOf('pending', log.pending());
  if (stored) yield* linesOf('stored', stored.records);
  yield line({ end: true });
}

async function* linesOf(kind: string, batches: Batches<object>): AsyncGenerator<string> {
  for await (const batch of batches) for (const item of batch) yield line({ [kind]: item });
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
