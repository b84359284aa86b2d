import { auditHash, CHAIN_START } from './audit-event.ts';
import { scanChains } from './scan-chains.ts';
import type { Seal } from './seal-log.ts';
import type { Batches, Extent, Head, Link, Report, StoredLog } from './verify-log.ts';

/** Chains that were verified and their records, how many of these are sealed and how many wait to be. */
export type Counts = { records: number; chains: number; sealed: number; pending: number };
type Place = Seal | 'pending' | undefined;
/** The chain being read: its last record, the place of its last sealed one, and the id of one since then that waits to be sealed. */
type Chain = { id: string; chainSeq: number; hash: string; seq: number; waiting: string | null };
/** A record that has a place although an earlier one of its chain was seen to wait. */
type Overtaken = { waiting: string; by: Link; place: Seal };

/** Verifies the chains of this extent; those that one reading of all records leaves in question are followed one by one. */
export async function verifyChains(log: StoredLog, extent: Extent, report: Report): Promise<Counts> {
  const counts: Counts = { records: 0, chains: 0, sealed: 0, pending: 0 };
  let chains: Iterable<string>;
  if (extent.chain !== undefined) chains = [extent.chain];
  else if (extent.since !== undefined) chains = await chainsSince(log, extent.since, report);
  else {
    const scanned = await scanChains(log);
    Object.assign(counts, scanned.counts);
    chains = scanned.irregular;
  }
  for (const id of chains) {
    if (report.full()) break;
    const found = await verifyChain(log, id, report);
    for (const name of ['records', 'chains', 'sealed', 'pending'] as const) counts[name] += found[name];
  }
  return counts;
}

/** The chains with records after this place of the log, or with records that wait for theirs. */
async function chainsSince(log: StoredLog, since: number, { fault }: Report): Promise<Set<string>> {
  const chains = new Set<string>();
  for await (const seals of log.seals(since)) {
    const known = new Map(
      (await log.recordsAmong(seals.map(({ auditId }) => auditId))).map(({ _id, chain }) => [_id, chain]),
    );
    for (const seal of seals) {
      const chain = known.get(seal.auditId);
      if (chain === undefined) fault(seal.auditId, isGone(seal));
      else chains.add(chain);
    }
  }
  for await (const batch of log.pending()) for (const { chain } of batch) chains.add(chain);
  return chains;
}

/** What is said of a seal whose record is not there. */
export function isGone({ _id, auditId }: Seal): string {
  return `Record ${auditId}, number ${_id} of the log, is gone.`;
}

/**
 * Follows one chain record by record: numbers without a gap, each hash over the one before, the last one the head; every record sealed
 * with the hash it has, in the order of the chain, or waiting for it. What is written meanwhile is not mistaken for a fault.
 */
async function verifyChain(log: StoredLog, id: string, report: Report): Promise<Counts> {
  const head = await log.head(id);
  const counts: Counts = { records: 0, chains: 0, sealed: 0, pending: 0 };
  const overtaken: Overtaken[] = [];
  const chain: Chain = { id, chainSeq: 0, hash: CHAIN_START, seq: 0, waiting: null };
  let beyond: Link | null = null;
  for await (const { batch, places } of placed(log, log.recordsOf(id))) {
    for (const record of batch) {
      if (!head || record.chainSeq > head.chainSeq) beyond = record;
      if (record.chainSeq === head?.chainSeq && record.hash !== head.hash)
        report.fault(record._id, `Record ${record._id} is not the one that the head of ${record.chain} names.`);
      follows(chain, record, report);
      const place = places.get(record._id);
      overtaken.push(...isPlaced(chain, record, place, report));
      chain.chainSeq = record.chainSeq;
      chain.hash = record.hash;
      counts.records += 1;
      if (place === 'pending') counts.pending += 1;
      else if (place) counts.sealed += 1;
    }
  }
  if (counts.records) counts.chains = 1;
  else if (head) report.fault(id, `The chain ${id} has a head and no records.`);
  if (head && counts.records && chain.chainSeq < head.chainSeq)
    report.fault(id, `The chain ${id} ends with record ${chain.chainSeq}; its head says ${head.chainSeq}.`);
  if (beyond) await headHasMoved(log, id, beyond, report);
  for (const suspect of overtaken) await wasSealedFirst(log, suspect, report);
  return counts;
}

function follows(chain: Chain, record: Link, { fault }: Report): void {
  const { _id, chainSeq, prevHash, hash } = record;
  if (chainSeq !== chain.chainSeq + 1)
    fault(_id, `Record ${_id} is number ${chainSeq} of ${chain.id}, after number ${chain.chainSeq}.`);
  else if (prevHash !== chain.hash) fault(_id, `Record ${_id} does not follow the record before it in ${chain.id}.`);
  else if (hash !== auditHash(prevHash, record)) fault(_id, `Record ${_id} is not as it was written.`);
}

function isPlaced(chain: Chain, record: Link, place: Place, { fault }: Report): Overtaken[] {
  const { _id, hash } = record;
  const { waiting } = chain;
  if (!place) fault(_id, `Record ${_id} is neither sealed nor waiting to be.`);
  if (place === 'pending') chain.waiting = _id;
  if (!place || place === 'pending') return [];
  if (place.hash !== hash) fault(_id, `Record ${_id} has another hash than when it was sealed as number ${place._id}.`);
  if (place._id <= chain.seq) fault(_id, outOfOrder(record, place));
  chain.seq = place._id;
  chain.waiting = null;
  return waiting ? [{ waiting, by: record, place }] : [];
}

// Records after the head that was read first: written since, or slipped in?
async function headHasMoved(log: StoredLog, id: string, last: Link, { fault }: Report): Promise<void> {
  const head: Head | null = await log.head(id);
  if (!head) fault(last._id, `The chain ${id} has records and no head.`);
  else if (head.chainSeq < last.chainSeq) fault(last._id, `Record ${last._id} lies beyond the head of ${id}.`);
}

// The earlier record waited when it was looked up: sealed since, or never?
async function wasSealedFirst(log: StoredLog, { waiting, by, place }: Overtaken, { fault }: Report): Promise<void> {
  const [earlier] = await log.sealsOf([waiting]);
  if (!earlier || earlier._id >= place._id) fault(waiting, outOfOrder(by, place));
}

function outOfOrder({ _id, chain }: Link, place: Seal): string {
  return `Record ${_id} was sealed as number ${place._id}, against the order of ${chain}.`;
}

async function* placed(
  log: StoredLog,
  records: Batches<Link>,
): AsyncGenerator<{ batch: readonly Link[]; places: Map<string, Place> }> {
  for await (const batch of records) yield { batch, places: await placesOf(log, batch) };
}

async function placesOf(log: StoredLog, records: readonly Link[]): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  const seal = async (ids: readonly string[]) => {
    for (const found of ids.length ? await log.sealsOf(ids) : []) places.set(found.auditId, found);
  };
  const unplaced = () => records.map(({ _id }) => _id).filter((id) => !places.has(id));
  await seal(unplaced());
  const rest = unplaced();
  for (const id of rest.length ? await log.pendingAmong(rest) : []) places.set(id, 'pending');
  // What was sealed between the two questions.
  await seal(unplaced());
  return places;
}
