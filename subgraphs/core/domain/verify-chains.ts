import { auditHash, CHAIN_START } from './audit-event.ts';
import type { Seal } from './seal-log.ts';
import type { Head, Link, Report, StoredLog } from './verify-log.ts';

type Counts = { records: number; chains: number; sealed: number; pending: number };
type Place = Seal | 'pending' | undefined;
/** The chain being read: its last record, the place of its last sealed one, and the id of one since then that waits to be sealed. */
type Chain = { id: string; chainSeq: number; hash: string; seq: number; waiting: string | null };
/** A record that has a place although an earlier one of its chain was seen to wait. */
type Overtaken = { waiting: string; by: Link; place: Seal };

/**
 * Follows every chain record by record: numbers without a gap, each hash over the one before, the last one the head; every record sealed
 * with the hash it has, in the order of the chain, or waiting for it.
 */
export async function verifyChains(log: StoredLog, report: Report): Promise<Counts> {
  const heads = new Map<string, Head>();
  for await (const batch of log.heads()) for (const head of batch) heads.set(head._id, head);
  const counts: Counts = { records: 0, chains: 0, sealed: 0, pending: 0 };
  const unseen = new Set(heads.keys());
  const beyond = new Map<string, Link>();
  const overtaken: Overtaken[] = [];
  let chain = beginning('');

  for await (const { batch, places } of placed(log)) {
    for (const record of batch) {
      if (chain.id !== record.chain) {
        reachesHead(chain, heads.get(chain.id), report);
        chain = beginning(record.chain);
        counts.chains += 1;
        unseen.delete(record.chain);
      }
      const head = heads.get(record.chain);
      if (!head || record.chainSeq > head.chainSeq) beyond.set(record.chain, record);
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
  reachesHead(chain, heads.get(chain.id), report);
  for (const id of unseen) report.fault(id, `The chain ${id} has a head and no records.`);
  for (const [id, last] of beyond) await headHasMoved(log, id, last, report);
  for (const suspect of overtaken) await wasSealedFirst(log, suspect, report);
  return counts;
}

function beginning(id: string): Chain {
  return { id, chainSeq: 0, hash: CHAIN_START, seq: 0, waiting: null };
}

function follows(chain: Chain, record: Link, { fault }: Report): void {
  const { _id, chainSeq, prevHash, hash } = record;
  if (chainSeq !== chain.chainSeq + 1) fault(_id, `Record ${_id} is number ${chainSeq} of ${chain.id}, after number ${chain.chainSeq}.`);
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

function reachesHead(chain: Chain, head: Head | undefined, { fault }: Report): void {
  if (head && chain.chainSeq < head.chainSeq)
    fault(chain.id, `The chain ${chain.id} ends with record ${chain.chainSeq}; its head says ${head.chainSeq}.`);
}

// Records after the head that was read first: written since, or slipped in?
async function headHasMoved(log: StoredLog, id: string, last: Link, { fault }: Report): Promise<void> {
  const head = await log.head(id);
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

// While a batch is hashed, the places of the next one are looked up and the one after that is read.
async function* placed(log: StoredLog): AsyncGenerator<{ batch: readonly Link[]; places: Map<string, Place> }> {
  const records = log.records()[Symbol.asyncIterator]();
  const withPlaces = async (batch: readonly Link[]) => ({ batch, places: await placesOf(log, batch) });
  let reading = ahead(records.next());
  let looking: ReturnType<typeof withPlaces> | null = null;
  for (let read = await reading; !read.done; read = await reading) {
    reading = ahead(records.next());
    const next = ahead(withPlaces(read.value));
    if (looking) yield await looking;
    looking = next;
  }
  if (looking) yield await looking;
}

// Its failure is told when it is waited for.
function ahead<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
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
