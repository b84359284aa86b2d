// Exports the audit log as JSON lines.

import type { Batches, StoredLog } from './verify-log.ts';

/**
 * Yields the log as JSON lines for independent verifiers: a header with the tree, each checkpoint, head, record, seal
 * and pending record under the name of its kind, and an end marker that reveals truncation. Dates are RFC 3339 strings,
 * as in the hashes.
 */
export async function* exportLog(log: StoredLog): AsyncGenerator<string> {
  const checkpoints: string[] = [];
  for await (const line of linesOf('checkpoint', log.checkpoints())) checkpoints.push(line);
  const tree = await log.tree();
  yield line({
    export: 'pdm audit log',
    version: 1,
    tree: tree && { log: tree.log, size: tree.size, peaks: tree.peaks, note: tree.note },
  });
  yield* checkpoints;
  yield* linesOf('head', log.heads());
  yield* linesOf('record', log.storedRecords());
  yield* linesOf('seal', log.seals(0));
  yield* linesOf('pending', log.pending());
  yield line({ end: true });
}

async function* linesOf(kind: string, batches: Batches<object>): AsyncGenerator<string> {
  for await (const batch of batches) for (const item of batch) yield line({ [kind]: item });
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
