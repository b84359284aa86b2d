import { CHAIN_START } from './audit-event.ts';
import type { Seal } from './seal-log.ts';
import type { Counts } from './verify-chains.ts';
import type { Batches, HashedLink, Head, StoredLog } from './verify-log.ts';

/** How far a chain was followed: its last record, and the place of that in the log. */
type Chain = { chainSeq: number; hash: string; seq: number };

/**
 * Reads every record once, beside its seal, both in the order of their ids, and follows each chain as far as record after record is as it
 * must be. Counts what belongs to chains that are; the others are named, to be looked at one by one: they wait to be sealed, were
 * written to meanwhile, are not in the order of their ids, or were tampered with.
 */
export async function scanChains(log: StoredLog): Promise<{ counts: Counts; irregular: Set<string> }> {
  const heads = new Map<string, Head>();
  for await (const batch of log.heads()) for (const head of batch) heads.set(head._id, head);
  const chains = new Map<string, Chain>();
  const irregular = new Set<string>();
  const seals = sealsUpTo(log.sealsById());
  for await (const batch of log.records()) {
    const sealOf = inStep(await seals.upTo(String(batch.at(-1)?._id)));
    for (const record of batch) {
      const seal = sealOf(record._id);
      if (irregular.has(record.chain)) continue;
      const before = chains.get(record.chain) ?? BEGINNING;
      if (seal && follows(before, record, seal))
        chains.set(record.chain, { chainSeq: record.chainSeq, hash: record.hash, seq: seal._id });
      else irregular.add(record.chain);
    }
  }
  await seals.close();
  const counts: Counts = { records: 0, chains: 0, sealed: 0, pending: 0 };
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

const BEGINNING: Chain = { chainSeq: 0, hash: CHAIN_START, seq: 0 };

function follows(before: Chain, record: HashedLink, seal: Seal): boolean {
  const { chainSeq, prevHash, hash, mustBe } = record;
  const linked = chainSeq === before.chainSeq + 1 && prevHash === before.hash;
  return linked && seal._id > before.seq && seal.hash === hash && hash === mustBe;
}

/** The seal of each of these records, asked for in their order. */
function inStep(seals: readonly Seal[]): (auditId: string) => Seal | null {
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
  let kept: readonly Seal[] = [];
  return {
    upTo: async (auditId) => {
      const taken: Seal[] = [];
      for (;;) {
        const end = kept.findIndex((seal) => seal.auditId > auditId);
        taken.push(...kept.slice(0, end < 0 ? kept.length : end));
        kept = end < 0 ? [] : kept.slice(end);
        if (kept.length) return taken;
        const read = await source.next();
        if (read.done) return taken;
        kept = read.value;
      }
    },
    close: async () => source.return?.(),
  };
}
