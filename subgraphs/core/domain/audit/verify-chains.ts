// Verifies the chains of the audit log.

import { auditHash, CHAIN_START } from './audit-event.ts';
import { scanChains } from './scan-chains.ts';
import type { Seal } from './seal-log.ts';
import type { Batches, ChainHead, ChainLink, Reporter, StoredLog, VerificationScope } from './verify-log.ts';

/** The numbers of verified chains and of their records, of which some are sealed and some pending. */
export type ChainCounts = { records: number; chains: number; sealed: number; pending: number };
type SealState = Seal | 'pending' | undefined;
/**
 * The chain being verified: its last record, the position of its last sealed record, and the id of a pending record
 * after that.
 */
type Chain = { id: string; chainSeq: number; hash: string; seq: number; pendingId: string | null };
/** A sealed record although an earlier one of its chain was pending when it was looked up. */
type Overtaken = { pendingId: string; by: ChainLink; seal: Seal };

/**
 * Verifies the chains in a scope. Without a scope all chains are scanned in one pass, and only irregular ones verified
 * separately.
 */
export async function verifyChains(log: StoredLog, scope: VerificationScope, report: Reporter): Promise<ChainCounts> {
  const counts: ChainCounts = { records: 0, chains: 0, sealed: 0, pending: 0 };
  let chains: Iterable<string>;
  if (scope.chain !== undefined) chains = [scope.chain];
  else if (scope.since !== undefined) chains = await chainsSince(log, scope.since, report);
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

/** Returns the chains with records after a position of the log, or with pending records. */
export async function chainsSince(log: StoredLog, since: number, report?: Reporter): Promise<Set<string>> {
  const chains = new Set<string>();
  for await (const seals of log.seals(since)) {
    const known = new Map(
      (await log.recordsAmong(seals.map(({ auditId }) => auditId))).map(({ _id, chain }) => [_id, chain]),
    );
    for (const seal of seals) {
      const chain = known.get(seal.auditId);
      if (chain === undefined) report?.error(seal.auditId, missingRecordMessage(seal));
      else chains.add(chain);
    }
  }
  for await (const batch of log.pending()) for (const { chain } of batch) chains.add(chain);
  return chains;
}

/** Returns the error message for a seal without a record. */
export function missingRecordMessage({ _id, auditId }: Seal): string {
  return `Record ${auditId} is sealed at position ${_id} but missing.`;
}

/**
 * Verifies one chain record by record: numbers without gaps, hashes that include the previous hash, the last record at
 * the head, and every record pending or sealed with its hash in the order of the chain. Records written meanwhile do
 * not cause errors.
 */
async function verifyChain(log: StoredLog, id: string, report: Reporter): Promise<ChainCounts> {
  const head = await log.head(id);
  const counts: ChainCounts = { records: 0, chains: 0, sealed: 0, pending: 0 };
  const overtaken: Overtaken[] = [];
  const chain: Chain = { id, chainSeq: 0, hash: CHAIN_START, seq: 0, pendingId: null };
  let beyond: ChainLink | null = null;
  for await (const { batch, states } of withSeals(log, log.recordsOf(id))) {
    for (const record of batch) {
      if (!head || record.chainSeq > head.chainSeq) beyond = record;
      if (record.chainSeq === head?.chainSeq && record.hash !== head.hash)
        report.error(record._id, `Record ${record._id} does not match the head of the chain ${record.chain}.`);
      checkLink(chain, record, report);
      const state = states.get(record._id);
      overtaken.push(...checkSeal(chain, record, state, report));
      chain.chainSeq = record.chainSeq;
      chain.hash = record.hash;
      counts.records += 1;
      if (state === 'pending') counts.pending += 1;
      else if (state) counts.sealed += 1;
    }
  }
  if (counts.records) counts.chains = 1;
  else if (head) report.error(id, `The chain ${id} has a head but no records.`);
  if (head && counts.records && chain.chainSeq < head.chainSeq)
    report.error(id, `The chain ${id} ends at record ${chain.chainSeq}, but its head is at ${head.chainSeq}.`);
  if (beyond) await checkBeyondHead(log, id, beyond, report);
  for (const record of overtaken) await checkOvertaken(log, record, report);
  return counts;
}

function checkLink(chain: Chain, record: ChainLink, { error }: Reporter): void {
  const { _id, chainSeq, prevHash, hash } = record;
  if (chainSeq !== chain.chainSeq + 1)
    error(
      _id,
      `Record ${_id} has number ${chainSeq} in the chain ${chain.id}, but number ${chain.chainSeq + 1} was expected.`,
    );
  else if (prevHash !== chain.hash)
    error(_id, `Record ${_id} does not contain the hash of the previous record of the chain ${chain.id}.`);
  else if (hash !== auditHash(prevHash, record)) error(_id, `The hash of record ${_id} does not match its content.`);
}

function checkSeal(chain: Chain, record: ChainLink, state: SealState, { error }: Reporter): Overtaken[] {
  const { _id, hash } = record;
  const { pendingId } = chain;
  if (!state) error(_id, `Record ${_id} is neither sealed nor pending.`);
  if (state === 'pending') chain.pendingId = _id;
  if (!state || state === 'pending') return [];
  if (state.hash !== hash)
    error(_id, `The hash of record ${_id} differs from its hash when it was sealed at position ${state._id}.`);
  if (state._id <= chain.seq) error(_id, outOfOrder(record, state));
  chain.seq = state._id;
  chain.pendingId = null;
  return pendingId ? [{ pendingId, by: record, seal: state }] : [];
}

// Records beyond the head that was read first: either written since, or inserted.
async function checkBeyondHead(log: StoredLog, id: string, last: ChainLink, { error }: Reporter): Promise<void> {
  const head: ChainHead | null = await log.head(id);
  if (!head) error(last._id, `The chain ${id} has records but no head.`);
  else if (head.chainSeq < last.chainSeq) error(last._id, `Record ${last._id} is beyond the head of the chain ${id}.`);
}

// The earlier record was pending when it was looked up: either sealed since, or never.
async function checkOvertaken(log: StoredLog, { pendingId, by, seal }: Overtaken, { error }: Reporter): Promise<void> {
  const [earlier] = await log.sealsOf([pendingId]);
  if (!earlier || earlier._id >= seal._id) error(pendingId, outOfOrder(by, seal));
}

function outOfOrder({ _id, chain }: ChainLink, seal: Seal): string {
  return `Record ${_id} was sealed at position ${seal._id}, out of the order of the chain ${chain}.`;
}

async function* withSeals(
  log: StoredLog,
  records: Batches<ChainLink>,
): AsyncGenerator<{ batch: readonly ChainLink[]; states: Map<string, SealState> }> {
  for await (const batch of records) yield { batch, states: await sealStates(log, batch) };
}

async function sealStates(log: StoredLog, records: readonly ChainLink[]): Promise<Map<string, SealState>> {
  const states = new Map<string, SealState>();
  const readSeals = async (ids: readonly string[]) => {
    for (const seal of ids.length ? await log.sealsOf(ids) : []) states.set(seal.auditId, seal);
  };
  const unknown = () => records.map(({ _id }) => _id).filter((id) => !states.has(id));
  await readSeals(unknown());
  const rest = unknown();
  for (const id of rest.length ? await log.pendingAmong(rest) : []) states.set(id, 'pending');
  // Records sealed between the two reads.
  await readSeals(unknown());
  return states;
}
