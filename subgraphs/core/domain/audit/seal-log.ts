// Sealing: gives chained audit records their position in the sealed audit log.

import { formatCheckpoint, logOrigin } from './checkpoint.ts';
import { appendLeaf, type Edge, leafHash, treeRoot } from './merkle.ts';

/** A record to seal. */
export type PendingLink = { _id: string; chain: string; chainSeq: number; at: Date; hash: string };

/** The records of one transaction to seal. */
export type PendingTransaction = { _id: string; links: PendingLink[] };

/** The position of a record in the log (`_id`, from 1) and its hash when it was sealed. Never changed or removed. */
export type Seal = { _id: number; auditId: string; hash: string };

/** The tree of the log: its edge in hex, and the signed checkpoint of this size. */
export type LogTree = { log: string; size: number; peaks: string[]; note: string | null };

/**
 * Seals the records after those in the tree. `sign` returns a signed note of a text under a name. The records of each
 * chain must continue its sealed part without gaps. The log keeps the order of every chain, and orders chains among
 * each other by time.
 */
export function sealRecords(
  tree: LogTree,
  pending: readonly PendingLink[],
  sign: (text: string, name: string) => string,
): { seals: Seal[]; tree: LogTree } {
  const seals = sealingOrder(pending).map(({ _id, hash }, i) => ({ _id: tree.size + i + 1, auditId: _id, hash }));
  const edge = seals.reduce((tree, seal) => appendLeaf(tree, leafOf(seal)), storedEdge(tree));
  const origin = logOrigin(tree.log);
  const note = sign(formatCheckpoint({ origin, size: edge.size, root: treeRoot(edge) }), origin);
  return {
    seals,
    tree: { log: tree.log, size: edge.size, peaks: edge.peaks.map((peak) => peak.toString('hex')), note },
  };
}

/**
 * Returns the transactions that can be sealed now: their records continue the sealed part of each chain without gaps.
 * `sealedSoFar` is the `chainSeq` of the last sealed record by chain.
 */
export function selectSealable(
  pending: readonly PendingTransaction[],
  sealedSoFar: ReadonlyMap<string, number>,
): readonly PendingTransaction[] {
  const reached = new Map(sealedSoFar);
  const links = pending.flatMap((transaction) => transaction.links).sort((a, b) => a.chainSeq - b.chainSeq);
  for (const { chain, chainSeq } of links) if (chainSeq === (reached.get(chain) ?? 0) + 1) reached.set(chain, chainSeq);
  const complete = pending.filter((transaction) =>
    transaction.links.every(({ chain, chainSeq }) => chainSeq <= (reached.get(chain) ?? 0)),
  );
  // A transaction that was excluded may contain records that others continue.
  return complete.length === pending.length ? pending : selectSealable(complete, sealedSoFar);
}

/** Returns the records in sealing order: by time, but with the records of each chain in the order of the chain. */
export function sealingOrder(pending: readonly PendingLink[]): PendingLink[] {
  const byTime = pending.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a._id < b._id ? -1 : 1));
  const chains = Map.groupBy(pending, ({ chain }) => chain);
  for (const links of chains.values()) links.sort((a, b) => b.chainSeq - a.chainSeq);
  return byTime.map(({ chain }) => chains.get(chain)?.pop() as PendingLink);
}

/** Returns the leaf hash of a sealed record. */
export function leafOf({ hash }: Pick<Seal, 'hash'>): Buffer {
  return leafHash(Buffer.from(hash, 'hex'));
}

/** Returns the edge of a stored tree. */
export function storedEdge({ size, peaks }: LogTree): Edge {
  return { size, peaks: peaks.map((peak) => Buffer.from(peak, 'hex')) };
}
