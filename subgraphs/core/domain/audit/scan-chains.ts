// Verifies all chains of the audit log in one pass over the records.

import { CHAIN_START } from './audit-event.ts';
import type { Seal } from './seal-log.ts';
import type { ChainCounts } from './verify-chains.ts';
import type { Batches, ChainHead, HashedLink, StoredLog } from './verify-log.ts';

/** The last verified record of a chain; `seq` is its position in the log. */
type Chain = { chainSeq: number; hash: string; seq: number };

/**
 * Reads every record with its seal once, both in the order of the record ids, and verifies the chains. Returns the
 * counts of the intact chains, and the ids of the irregular ones, which need a separate check: they have pending
 * records, changed meanwhile, are not in the order of their ids, or were tampered with.
 */
export async function scanChains(log: StoredLog): Promise<{ counts: ChainCounts; irregular: Set<string> }> {
  const heads = new Map<string, ChainHead>();
  for await (const batch of log.heads()) for (const head of batch) heads.set(head._id, head);
  const chains = new Map<string, Chain>();
  const irregular = new Set<string>();
  const seals = sealsUpTo(log.sealsById());
  for await (const batch of log.hashedRecords()) {
    const sealOf = sealLookup(await seals.upTo(String(batch.at(-1)?._id)));
    for (const record of batch) {
      const seal = sealOf(record._id);
      if (irregular.has(record.chain)) continue;
      const before = chains.get(record.chain) ?? EMPTY_CHAIN;
      if (seal && follows(before, record, seal))
        chains.set(record.chain, { chainSeq: record.chainSeq, hash: record.hash, seq: seal._id });
      else irregular.add(record.chain);
    }
  }
  await seals.close();
  const counts: ChainCounts = { records: 0, chains: 0, sealed: 0, pending: 0 };
  for (const id of new Set([...heads.keys(), ...chains.keys()])) {
    const [head, last] = [heads.get(id), chains.get(id)];
    if (!head || !last || head.chainSeq !== last.chainSeq || head.hash !== last.hash) irregular.add(id);
    if (irregular.has(id) || !last) continue;
    counts.chains += 1;
    counts.records += last.chainSeq;
    counts.sealed += last.chainSeq;
  }
  return { counts, irregular };
}

const EMPTY_CHAIN: Chain = { chainSeq: 0, hash: CHAIN_START, seq: 0 };

function follows(before: Chain, record: HashedLink, seal: Seal): boolean {
  const { chainSeq, prevHash, hash, expectedHash } = record;
  const linked = chainSeq === before.chainSeq + 1 && prevHash === before.hash;
  return linked && seal._id > before.seq && seal.hash === hash && hash === expectedHash;
}

/** Returns a function that finds the seal of a record. It must be called in the order of the record ids. */
function sealLookup(seals: readonly Seal[]): (auditId: string) => Seal | null {
  let at = 0;
  return (auditId) => {
    for (let seal = seals[at]; seal && seal.auditId <= auditId; seal = seals[at]) {
      at += 1;
      if (seal.auditId === auditId) return seal;
    }
    return null;
  };
}

function sealsUpTo(batches: Batches<Seal>): {
  upTo(auditId: string): Promise<readonly Seal[]>;
  close(): Promise<unknown>;
} {
  const source = batches[Symbol.asyncIterator]();
  let buffered: readonly Seal[] = [];
  return {
    upTo: async (auditId) => {
      const result: Seal[] = [];
      for (;;) {
        const end = buffered.findIndex((seal) => seal.auditId > auditId);
        result.push(...buffered.slice(0, end < 0 ? buffered.length : end));
        buffered = end < 0 ? [] : buffered.slice(end);
        if (buffered.length) return result;
        const read = await source.next();
        if (read.done) return result;
        buffered = read.value;
      }
    },
    close: async () => source.return?.(),
  };
}
