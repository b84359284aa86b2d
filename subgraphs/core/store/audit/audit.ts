import type { Filter } from 'mongodb';
import { justWritten } from '../../cache/just-written.ts';
import type { Actor } from '../../domain/access/actor.ts';
import { type AuditAction, storedActions } from '../../domain/audit/audit-action.ts';
import {
  type AuditEvent,
  auditHash,
  CHAIN_START,
  CHAINS_OF_ADMINISTRATORS,
  chainOf,
  storedChanges,
} from '../../domain/audit/audit-event.ts';
import type { Pending, Waiting } from '../../domain/audit/seal-log.ts';
import { beginAgain, isDuplicate, type LastWord, storeLastWords } from '../query/last-words.ts';
import { allOf, beyond, inOrder, type Window } from '../query/ordered.ts';
import { collection, countOf, type Scope, within } from '../query/scope.ts';
import type { DeferredWrite, Write } from '../query/write.ts';
import type { AuditRecord } from '../schema/collections.ts';

/** The place and the hash of the last record of a chain. */
type Head = { chainSeq: number; hash: string };

const movedHeads = justWritten<Head>();

/** The origin of a request, as stored in its audit records. */
export type Origin = { actor: Actor; requestId: string; ip: string | null; route: string | null };

/** What a command said it did, the id its record will have, and whose request it was for. */
export type IdentifiedEvent = { id: string; event: AuditEvent; by: Origin };

/**
 * Appends the events of one command to their chains, in its transaction, and does what was put off until now in the same command. Answers what to do once that is on disk.
 * A head that this process moved a moment ago is not read again; where another process has moved it since, the transaction runs again.
 */
export async function appendAudit(
  work: Write,
  events: readonly IdentifiedEvent[],
  deferred: readonly DeferredWrite[] = [],
): Promise<() => void> {
  const chains = [...new Set(events.map(({ event }) => chainOf(event)))];
  const remembered = work.again ? new Map<string, Head>() : movedHeads.recall(work.db, chains);
  const unknown = chains.filter((chain) => !remembered.has(chain));
  const before = new Map([...remembered, ...(unknown.length ? await chainHeads(work, unknown) : [])]);

  const heads = new Map(before);
  const records = events.map(({ id, event, by }) => {
    const chain = chainOf(event);
    const record = recordOf(work.now, { id, event, by }, chain, heads.get(chain) ?? { chainSeq: 0, hash: CHAIN_START });
    heads.set(chain, { chainSeq: record.chainSeq, hash: record.hash });
    return record;
  });
  const links = records.map(({ _id, chain, chainSeq, at, hash }) => ({ _id, chain, chainSeq, at, hash }));

  // The heads first: two commands on one chain meet there as a write conflict, which runs one of them again, and not as a duplicate record.
  const words: LastWord[] = [
    ...[...heads].map(([chain, head]) => moveOf(chain, before.get(chain), head)),
    ...deferred.map(({ orElse: _, ...word }) => word),
    ...records.map((document) => ({ into: 'audit' as const, document })),
    ...inParts(links).map((document) => ({ into: 'auditPending' as const, document })),
  ];
  if (!(await allFound(work, words))) {
    if (!remembered.size)
      throw (
        deferred.find(({ orElse }) => orElse)?.orElse?.() ?? new Error('the head of a chain moved within a transaction')
      );
    movedHeads.doubt(work.db, remembered.keys());
    throw beginAgain('A record or the head of a chain is no longer as it was a moment ago.');
  }
  return () => movedHeads.keep(work.db, heads);
}

const MOST_LINKS = 250;

// As one record, since most of what a small one costs is that it is one.
function inParts(links: readonly Pending[]): Waiting[] {
  const parts: Waiting[] = [];
  for (let from = 0; from < links.length; from += MOST_LINKS) {
    const part = links.slice(from, from + MOST_LINKS);
    parts.push({ _id: part[0]!._id, links: part });
  }
  return parts;
}

// Two that began a chain at once, or went on from the same head: on a server that does not call it one, this is a conflict like any other.
async function allFound(work: Write, words: readonly LastWord[]): Promise<boolean> {
  try {
    return await storeLastWords(work, words);
  } catch (error) {
    if (isDuplicate(error)) error.addErrorLabel('TransientTransactionError');
    throw error;
  }
}

// The whole head is named: a chain goes on from nothing but its last record.
function moveOf(chain: string, before: Head | undefined, head: Head): LastWord {
  if (!before) return { into: 'chains', filter: { _id: chain }, update: { $set: head }, upsert: true };
  return { into: 'chains', filter: { _id: chain, ...before }, update: { $set: head } };
}

async function chainHeads(scope: Scope, chains: string[]): Promise<Map<string, Head>> {
  const found = await collection(scope, 'chains')
    .find({ _id: { $in: chains } }, within(scope))
    .toArray();
  return new Map(found.map(({ _id, chainSeq, hash }) => [_id, { chainSeq, hash }]));
}

function recordOf(at: Date, { id: _id, event, by: asked }: IdentifiedEvent, chain: string, head: Head): AuditRecord {
  const { id, role, via, tokenId } = asked.actor;
  const { onBehalfOf } = event;
  // In the order in which it is hashed, so that it need not be sorted for it. Whom it was for and the route only where there are such: records of before these were
  // kept have neither, and the same rule for their hash.
  const record = {
    _id,
    action: event.action,
    at,
    by: { id, ...(onBehalfOf && onBehalfOf !== id ? { onBehalfOf } : {}), role, tokenId, via },
    chain,
    chainSeq: head.chainSeq + 1,
    changes: storedChanges(event.changes),
    documentId: event.documentId ?? null,
    folderId: event.folderId ?? null,
    ip: asked.ip,
    jobId: event.jobId ?? null,
    requestId: asked.requestId,
    revisionId: event.revisionId ?? null,
    ...(asked.route ? { route: asked.route } : {}),
    summary: event.summary,
    versionId: event.versionId ?? null,
    workspaceId: event.workspaceId ?? null,
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

/** Returns the newest record of an action on a draft or version, or null. */
export function lastOf(
  scope: Scope,
  { versionId, action }: { versionId: string; action: AuditAction },
): Promise<AuditRecord | null> {
  return collection(scope, 'audit').findOne(
    { versionId: { $eq: versionId }, action: isAction(action) },
    { sort: { at: -1, _id: -1 }, ...within(scope) },
  );
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
    ...(action ? { action: isAction(action) } : {}),
    ...(from || before ? { at: time } : {}),
  };
}

// Records keep the name that their action had when they were stored.
function isAction(action: string): { $eq: string } | { $in: string[] } {
  const names = storedActions(action);
  return names.length === 1 ? { $eq: action } : { $in: names };
}

function byTime(scope: Scope, filter: Filter<AuditRecord>, window: Window): Promise<AuditRecord[]> {
  return collection(scope, 'audit')
    .find(allOf([filter, ...beyond<AuditRecord>('at', window)]), within(scope))
    .sort(inOrder('at', window))
    .limit(window.limit)
    .toArray();
}
