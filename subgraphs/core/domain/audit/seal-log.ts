// Sealing: audit records, chained per document when they were written, get their place in the one log of the service.
import { checkpointText, originOf } from './checkpoint.ts';
import { type Edge, grown, leafHash, rootOf } from './merkle.ts';

/** A record that waits for its place, as the log needs to know it. */
export type Pending = { _id: string; chain: string; chainSeq: number; at: Date; hash: string };

/** Records of one transaction that wait for their places. */
export type Waiting = { _id: string; links: Pending[] };

/** A record's place in the log, from 1, and the hash it had when it got it. Never changed, never removed. */
export type Seal = { _id: number; auditId: string; hash: string };

/** The log's tree: its edge in hex, and the signed checkpoint of exactly this size. */
export type LogTree = { log: string; size: number; peaks: string[]; note: string | null };

/**
 * Seals these records after those in the tree. `sign` makes a note of a text under a name. What is pending must be, chain by chain,
 * all of the chain up to some record: the log keeps the order of every chain, and between chains that of time.
 */
export function sealed(
  tree: LogTree,
  pending: readonly Pending[],
  sign: (text: string, name: string) => string,
): { seals: Seal[]; tree: LogTree } {
  const seals = sealingOrder(pending).map(({ _id, hash }, i) => ({ _id: tree.size + i + 1, auditId: _id, hash }));
  const edge = seals.reduce((grows, seal) => grown(grows, leafOf(seal)), edgeOf(tree));
  const origin = originOf(tree.log);
  const note = sign(checkpointText({ origin, size: edge.size, root: rootOf(edge) }), origin);
  return {
    seals,
    tree: { log: tree.log, size: edge.size, peaks: edge.peaks.map((peak) => peak.toString('hex')), note },
  };
}

/**
 * Those of some transactions that can be sealed although others wait too: of each chain all up to some record. `sealedSoFar`: up to which record a chain is sealed, where its
 * first record is not among these.
 */
export function sealable(waiting: readonly Waiting[], sealedSoFar: ReadonlyMap<string, number>): readonly Waiting[] {
  const reached = new Map(sealedSoFar);
  const links = waiting.flatMap((transaction) => transaction.links).sort((a, b) => a.chainSeq - b.chainSeq);
  for (const { chain, chainSeq } of links) if (chainSeq === (reached.get(chain) ?? 0) + 1) reached.set(chain, chainSeq);
  const whole = waiting.filter((transaction) =>
    transaction.links.every(({ chain, chainSeq }) => chainSeq <= (reached.get(chain) ?? 0)),
  );
  // what is left out may have held what others went on from
  return whole.length === waiting.length ? waiting : sealable(whole, sealedSoFar);
}

/** The order in which records are sealed: the places by time, but each chain's places filled in the order of the chain. */
export function sealingOrder(pending: readonly Pending[]): Pending[] {
  const byTime = pending.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a._id < b._id ? -1 : 1));
  const chains = Map.groupBy(pending, ({ chain }) => chain);
  for (const links of chains.values()) links.sort((a, b) => b.chainSeq - a.chainSeq);
  return byTime.map(({ chain }) => chains.get(chain)?.pop() as Pending);
}

/** The leaf of the tree that stands for a sealed record. */
export function leafOf({ hash }: Pick<Seal, 'hash'>): Buffer {
  return leafHash(Buffer.from(hash, 'hex'));
}

/** The edge of a stored tree. */
export function edgeOf({ size, peaks }: LogTree): Edge {
  return { size, peaks: peaks.map((peak) => Buffer.from(peak, 'hex')) };
}
