import { type AnyClientBulkWriteModel, type Filter, MongoClientBulkWriteError, MongoServerError } from 'mongodb';
import { type AuditEvent, auditHash, CHAIN_START, CHAINS_OF_ADMINISTRATORS, chainOf, storedChanges } from '../domain/audit-event.ts';
import type { Pending } from '../domain/seal-log.ts';
import type { Asked, Work } from '../work.ts';
import type { AuditRecord, CollectionName } from './collections.ts';
import { allOf, beyond, inOrder, type Window } from './ordered.ts';
import { collection, countOf, type Scope, within } from './scope.ts';

/** What a command said it did, the id its record will have, and whose request it was for. */
export type IdentifiedEvent = { id: string; event: AuditEvent; by: Asked };

/** Appends the events of one command to their chains, in its transaction. */
export async function appendAudit(work: Work, events: readonly IdentifiedEvent[]): Promise<void> {
  const heads = await chainHeads(work, [...new Set(events.map(({ event }) => chainOf(event)))]);
  const records = events.map(({ id, event, by }) => {
    const chain = chainOf(event);
    const head = heads.get(chain) ?? { chainSeq: 0, hash: CHAIN_START };
    const record = recordOf(work.now, { id, event, by }, chain, head);
    heads.set(chain, { chainSeq: record.chainSeq, hash: record.hash });
    return record;
  });
  const pending = records.map(({ _id, chain, chainSeq, at, hash }) => ({ _id, chain, chainSeq, at, hash }));
  const moves = [...heads].map(([chain, head]) => ({ filter: { _id: chain }, update: { $set: head }, upsert: true }));
  try {
    if (work.services.mongo.oneWord) await storeAtOnce(work, moves, records, pending);
    else await storeInTurn(work, moves, records, pending);
  } catch (error) {
    // Two commands began the chain at once: a conflict like any other.
    if (isDuplicate(error)) error.addErrorLabel('TransientTransactionError');
    // the driver wraps what ended the whole command; its labels, by which a transaction is run again, are on the cause alone
    if (error instanceof MongoClientBulkWriteError && error.cause instanceof MongoServerError) throw error.cause;
    throw error;
  }
}

type Move = { filter: { _id: string }; update: { $set: Head }; upsert: boolean };

// The heads first: two commands on one chain meet there as a write conflict, which runs one of them again, and not as a duplicate record.
async function storeInTurn(work: Work, moves: Move[], records: AuditRecord[], pending: Pending[]): Promise<void> {
  await collection(work, 'chains').bulkWrite(
    moves.map((move) => ({ updateOne: move })),
    within(work),
  );
  await collection(work, 'audit').insertMany(records, within(work));
  await collection(work, 'auditPending').insertMany(pending, within(work));
}

async function storeAtOnce(work: Work, moves: Move[], records: AuditRecord[], pending: Pending[]): Promise<void> {
  const into = (name: CollectionName) => `${work.db.databaseName}.${name}`;
  const adding = (name: CollectionName) => (document: { _id: string }) => ({ name: 'insertOne' as const, namespace: into(name), document });
  const words: AnyClientBulkWriteModel<{ _id: string }>[] = [
    ...moves.map((move) => ({ name: 'updateOne' as const, namespace: into('chains'), ...move })),
    ...records.map(adding('audit')),
    ...pending.map(adding('auditPending')),
  ];
  await work.db.client.bulkWrite<{ [namespace: string]: { _id: string } }>(words, within(work));
}

function isDuplicate(error: unknown): error is MongoServerError {
  if (error instanceof MongoClientBulkWriteError) return [...error.writeErrors.values()].some(({ code }) => code === DUPLICATE);
  return error instanceof MongoServerError && error.code === DUPLICATE;
}

const DUPLICATE = 11000;

type Head = { chainSeq: number; hash: string };

async function chainHeads(scope: Scope, chains: string[]): Promise<Map<string, Head>> {
  const found = await collection(scope, 'chains')
    .find({ _id: { $in: chains } }, within(scope))
    .toArray();
  return new Map(found.map(({ _id, chainSeq, hash }) => [_id, { chainSeq, hash }]));
}

function recordOf(at: Date, { id: _id, event, by: asked }: IdentifiedEvent, chain: string, head: Head): AuditRecord {
  const { id, role, via, tokenId } = asked.actor;
  const { onBehalfOf } = event;
  const record = {
    _id,
    chain,
    chainSeq: head.chainSeq + 1,
    at,
    by: { id, role, via, tokenId, ...(onBehalfOf && onBehalfOf !== id ? { onBehalfOf } : {}) },
    action: event.action,
    documentId: event.documentId ?? null,
    versionId: event.versionId ?? null,
    revisionId: event.revisionId ?? null,
    workspaceId: event.workspaceId ?? null,
    folderId: event.folderId ?? null,
    jobId: event.jobId ?? null,
    summary: event.summary,
    changes: storedChanges(event.changes),
    requestId: asked.requestId,
    ip: asked.ip,
    // Only where there is one, as for whom: records of before this was kept have neither, and the same rule for their hash.
    ...(asked.route ? { route: asked.route } : {}),
  };
  return { ...record, prevHash: head.hash, hash: auditHash(head.hash, record) };
}

/** A part of a chain in its order, newest first unless told otherwise; `after` is the chainSeq of the last record already seen. */
export function ofChain(
  scope: Scope,
  chain: string,
  { limit, descending = true, after }: { limit: number; descending?: boolean; after?: number },
): Promise<AuditRecord[]> {
  const further = after === undefined ? {} : { chainSeq: descending ? { $lt: after } : { $gt: after } };
  return collection(scope, 'audit')
    .find({ chain, ...further }, within(scope))
    .sort({ chainSeq: descending ? -1 : 1 })
    .limit(limit)
    .toArray();
}

/** How many records a chain has: the place of the newest. */
export async function lengthOfChain(scope: Scope, chain: string): Promise<number> {
  return (await chainHeads(scope, [chain])).get(chain)?.chainSeq ?? 0;
}

/** Records about one draft or version, or about one revision. */
export type About = { versionId: string } | { revisionId: string };

/** A part of the records about something, by time. */
export function aboutRecord(scope: Scope, about: About, window: Window): Promise<AuditRecord[]> {
  return byTime(scope, toReaders(about), window);
}

export function countAbout(scope: Scope, about: About): Promise<number> {
  return collection(scope, 'audit').countDocuments(toReaders(about), within(scope));
}

/** All records, or those of an actor, of an action, of a time. */
export type AuditFilter = { actor?: string | null; action?: string | null; from?: Date | null; before?: Date | null };

/** A part of such records, by time. */
export function ofAll(scope: Scope, filter: AuditFilter, window: Window): Promise<AuditRecord[]> {
  return byTime(scope, conditions(filter), window);
}

export function countAll(scope: Scope, filter: AuditFilter): Promise<number> {
  return countOf(scope, 'audit', conditions(filter));
}

function toReaders(about: About): Filter<AuditRecord> {
  return { ...about, chain: { $nin: [...CHAINS_OF_ADMINISTRATORS] } };
}

function conditions({ actor, action, from, before }: AuditFilter): Filter<AuditRecord> {
  const time = { ...(from ? { $gte: from } : {}), ...(before ? { $lt: before } : {}) };
  return {
    ...(actor ? { 'by.id': { $eq: actor } } : {}),
    ...(action ? { action: { $eq: action } } : {}),
    ...(from || before ? { at: time } : {}),
  };
}

function byTime(scope: Scope, filter: Filter<AuditRecord>, window: Window): Promise<AuditRecord[]> {
  return collection(scope, 'audit')
    .find(allOf([filter, ...beyond<AuditRecord>('at', window)]), within(scope))
    .sort(inOrder('at', window))
    .limit(window.limit)
    .toArray();
}
