// Audit logs in memory and arbitrary manipulations by someone with write access to the database.
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { auditHash, CHAIN_START } from '../../subgraphs/core/domain/audit/audit-event.ts';
import { type LogTree, type PendingLink, type Seal, sealRecords } from '../../subgraphs/core/domain/audit/seal-log.ts';
import { createVerifier, signNote, type Verifier } from '../../subgraphs/core/domain/audit/signed-note.ts';
import type { ChainHead, ChainLink, StoredLog } from '../../subgraphs/core/domain/audit/verify-log.ts';

export type Entry = ChainLink & { at: Date; action: string; summary: string };
/** A log in memory. */
export type Log = {
  records: Entry[];
  seals: Seal[];
  pending: PendingLink[];
  heads: ChainHead[];
  checkpoints: { _id: number; note: string }[];
  tree: LogTree;
};

export const key = generateKeyPairSync('ed25519').privateKey;
const attackerKey = generateKeyPairSync('ed25519').privateKey;
export const trusted = (origin: string): Verifier[] => [createVerifier(origin, key)];
const signWith = (by: typeof key) => (text: string, name: string) => signNote(text, name, by);

export const emptyLog = (): Log => ({
  records: [],
  seals: [],
  pending: [],
  heads: [],
  checkpoints: [],
  tree: { log: 'test', size: 0, peaks: [], note: null },
});

export function write(log: Log, chain: string, summary: string): void {
  const head = log.heads.find(({ _id }) => _id === chain) ?? { _id: chain, chainSeq: 0, hash: CHAIN_START };
  const fresh = {
    _id: `aud_${log.records.length}_${summary}`,
    chain,
    chainSeq: head.chainSeq + 1,
    at: new Date(log.records.length),
    action: 'x.done',
    summary,
  };
  const record = { ...fresh, prevHash: head.hash, hash: auditHash(head.hash, fresh) };
  log.records.push(record);
  log.pending.push(record);
  log.heads = [
    ...log.heads.filter(({ _id }) => _id !== chain),
    { _id: chain, chainSeq: record.chainSeq, hash: record.hash },
  ];
}

export function seal(log: Log, by = key): void {
  if (!log.pending.length) return;
  const { seals, tree } = sealRecords(log.tree, log.pending, signWith(by));
  log.seals.push(...seals);
  log.tree = tree;
  log.pending = [];
}

export function checkpoint(log: Log): void {
  const { size, note } = log.tree;
  if (note && log.checkpoints.at(-1)?._id !== size) log.checkpoints.push({ _id: size, note });
}

export const copyOf = (log: Log): Log => structuredClone(log);

export function stored(log: Log): StoredLog {
  const by =
    <T>(field: keyof T) =>
    (a: T, b: T) =>
      a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : 0;
  return {
    tree: async () => log.tree,
    checkpoints: () => batches(log.checkpoints.toSorted((a, b) => a._id - b._id)),
    heads: () => batches(log.heads),
    head: async (chain) => log.heads.find(({ _id }) => _id === chain) ?? null,
    hashedRecords: () =>
      batches(
        log.records
          .toSorted(by('_id'))
          .map((record) => ({ ...record, expectedHash: auditHash(record.prevHash, record) })),
      ),
    storedRecords: () => batches(log.records),
    recordsOf: (chain) => batches(log.records.filter((record) => record.chain === chain).sort(by('chainSeq'))),
    seals: (after) => batches(log.seals.filter(({ _id }) => _id > after).sort(by('_id'))),
    sealsById: () => batches(log.seals.toSorted(by('auditId'))),
    sealsOf: async (ids) => log.seals.filter(({ auditId }) => ids.includes(auditId)),
    pending: () => batches(log.pending),
    pendingAmong: async (ids) => log.pending.map(({ _id }) => _id).filter((id) => ids.includes(id)),
    recordsAmong: async (ids) => log.records.filter(({ _id }) => ids.includes(_id)),
  };
}

async function* batches<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let i = 0; i < items.length; i += 7) yield items.slice(i, i + 7);
}

// Arbitrary logs: writes in several chains, seals and checkpoints between them. At least two records are sealed.
export const steps = fc.array(fc.constantFrom('a', 'b', 'c', 'folders', 'seal', 'seal and checkpoint'), {
  minLength: 3,
  maxLength: 30,
  size: 'max',
});
export const logs = steps.map((taken) => {
  const log = emptyLog();
  write(log, 'a', 'first');
  write(log, 'b', 'second');
  taken.forEach((step, i) => {
    if (step.startsWith('seal')) seal(log);
    else write(log, step, `step ${i}`);
    if (step.endsWith('checkpoint')) checkpoint(log);
  });
  if (!log.tree.size) seal(log);
  return log;
});

/** Recomputes every hash, head, seal and peak, as an attacker could who has the data but not the key. */
function rehash(log: Log, by: typeof key | null): void {
  const heads = new Map<string, ChainHead>();
  log.records.sort((a, b) => a.chainSeq - b.chainSeq);
  for (const record of log.records) {
    record.prevHash = heads.get(record.chain)?.hash ?? CHAIN_START;
    record.chainSeq = (heads.get(record.chain)?.chainSeq ?? 0) + 1;
    record.hash = auditHash(record.prevHash, record);
    heads.set(record.chain, { _id: record.chain, chainSeq: record.chainSeq, hash: record.hash });
  }
  log.heads = [...heads.values()];
  const byId = new Map(log.records.map((record) => [record._id, record]));
  const sealed = log.seals.filter(({ auditId }) => byId.has(auditId)).map(({ auditId }) => byId.get(auditId) as Entry);
  log.pending = log.records.filter(({ _id }) => !sealed.some((record) => record._id === _id));
  const { note } = log.tree;
  const empty = { log: log.tree.log, size: 0, peaks: [], note: null };
  // sequentially, to keep the order of the seals
  let tree: LogTree = empty;
  log.seals = [];
  for (const record of sealed) {
    const next = sealRecords(tree, [record], signWith(by ?? attackerKey));
    log.seals.push(...next.seals);
    tree = next.tree;
  }
  log.tree = { ...tree, note: by ? tree.note : note };
}

type Draw = (below: number) => number;
const some = <T>(items: readonly T[], draw: Draw): T => items[draw(items.length)] as T;
const recordOf = (log: Log, id: string) => log.records.find(({ _id }) => _id === id) as Entry;
const sealedRecord = (log: Log, draw: Draw) => recordOf(log, some(log.seals, draw).auditId);

/** Manipulations by someone who can write to the database but does not have the key. */
export const TAMPERINGS: Record<string, (log: Log, draw: Draw) => void> = {
  'edit a record': (log, draw) => {
    sealedRecord(log, draw).summary = 'nothing happened';
  },
  'edit a record that waits to be sealed': (log, draw) => {
    write(log, 'a', 'late');
    recordOf(log, some(log.pending, draw)._id).summary = 'nothing happened';
  },
  'edit a record and its hash': (log, draw) => {
    const record = sealedRecord(log, draw);
    record.summary = 'nothing happened';
    record.hash = auditHash(record.prevHash, record);
  },
  'edit a record and all hashes': (log, draw) => {
    sealedRecord(log, draw).at = new Date(12345);
    rehash(log, null);
  },
  'edit a record, all hashes, and sign with another key': (log, draw) => {
    sealedRecord(log, draw).action = 'y.done';
    rehash(log, attackerKey);
    log.checkpoints = [];
  },
  'delete a record': (log, draw) => {
    log.records.splice(log.records.indexOf(sealedRecord(log, draw)), 1);
  },
  'delete a record and its seal': (log, draw) => {
    const { _id } = sealedRecord(log, draw);
    log.records = log.records.filter((record) => record._id !== _id);
    log.seals = log.seals.filter(({ auditId }) => auditId !== _id);
  },
  'delete a record and close the gap everywhere': (log, draw) => {
    const { _id } = sealedRecord(log, draw);
    log.records = log.records.filter((record) => record._id !== _id);
    rehash(log, null);
  },
  'delete a whole chain': (log, draw) => {
    const { chain } = sealedRecord(log, draw);
    log.records = log.records.filter((record) => record.chain !== chain);
    rehash(log, null);
  },
  'insert a record': (log, draw) => {
    const record = sealedRecord(log, draw);
    log.records.push({
      ...record,
      _id: 'aud_invented',
      summary: 'invented',
      hash: auditHash(record.prevHash, { ...record, _id: 'aud_invented' }),
    });
  },
  'insert a record and all hashes': (log, draw) => {
    const record = sealedRecord(log, draw);
    log.records.push({ ...record, _id: 'aud_invented', chainSeq: record.chainSeq - 0.5 });
    log.seals.splice(draw(log.seals.length), 0, { _id: 0, auditId: 'aud_invented', hash: '' });
    rehash(log, null);
  },
  'insert a seal': (log) => {
    log.seals.push({ ...(log.seals.at(-1) as Seal), _id: log.tree.size + 1, auditId: 'aud_invented' });
  },
  'swap two records of a chain': (log) => {
    write(log, 'b', 'one');
    write(log, 'b', 'two');
    seal(log);
    const [one, two] = log.records.slice(-2) as [Entry, Entry];
    [one.chainSeq, two.chainSeq] = [two.chainSeq, one.chainSeq];
  },
  'swap two places of the log': (log, draw) => {
    const [one, two] = [log.seals[0], log.seals[1 + draw(log.seals.length - 1)]] as [Seal, Seal];
    [one._id, two._id] = [two._id, one._id];
  },
  'swap two places of the log and grow the tree again': (log, draw) => {
    const at = 1 + draw(log.seals.length - 1);
    [log.seals[0], log.seals[at]] = [log.seals[at], log.seals[0]] as [Seal, Seal];
    rehash(log, null);
  },
  'cut the last records off': (log) => {
    const { auditId } = log.seals.at(-1) as Seal;
    log.records = log.records.filter(({ _id }) => _id !== auditId);
  },
  'cut the last records off, with seals and heads': (log) => {
    const { auditId } = log.seals.at(-1) as Seal;
    const { chain, chainSeq } = recordOf(log, auditId);
    log.records = log.records.filter((record) => record.chain !== chain || record.chainSeq < chainSeq);
    rehash(log, null);
  },
  'move a head back': (log, draw) => {
    const { chain, chainSeq } = sealedRecord(log, draw);
    const head = log.heads.find(({ _id }) => _id === chain) as ChainHead;
    head.chainSeq = chainSeq - 1;
  },
  'remove a head': (log, draw) => {
    log.heads.splice(draw(log.heads.length), 1);
  },
  'change the stored tree': (log) => {
    log.tree.peaks[0] = '0'.repeat(64);
  },
  'forge a checkpoint': (log) => {
    log.checkpoints.push({
      _id: 1,
      note: signNote(`pdm/audit/test\n1\n${Buffer.alloc(32).toString('base64')}\n`, 'pdm/audit/test', attackerKey),
    });
  },
  'give the log another name': (log) => {
    log.tree.log = 'other';
  },
  'take the sealing back': (log, draw) => {
    const record = sealedRecord(log, draw);
    log.seals = log.seals.filter(({ auditId }) => auditId !== record._id);
    log.pending.push(record);
  },
};

/**
 * Manipulations that only an external checkpoint reveals: an old state of the log, or changes by someone who also has
 * the key.
 */
export const SEEN_FROM_OUTSIDE: Record<string, (log: Log, draw: Draw, older: Log) => void> = {
  'put an old backup back': (log, _draw, older) => void Object.assign(log, older),
  'put an old backup back and go on': (log, draw, older) => {
    Object.assign(log, older);
    for (let more = draw(8) + 6; more > 0; more--) write(log, 'a', `another history ${more}`);
    seal(log);
    checkpoint(log);
  },
  'rewrite everything with the key': (log, draw) => {
    sealedRecord(log, draw).summary = 'nothing happened';
    rehash(log, key);
    log.checkpoints = [];
  },
  'throw everything away': (log) => void Object.assign(log, emptyLog()),
  'throw everything away and begin a new log': (log) => {
    Object.assign(log, emptyLog());
    for (let more = 60; more > 0; more--) write(log, 'a', `a new history ${more}`);
    seal(log);
  },
};

export const anySeed = fc.infiniteStream(fc.nat());
export const drawFrom =
  (seeds: Iterator<number>): Draw =>
  (below) =>
    below < 1 ? 0 : Number(seeds.next().value) % below;
