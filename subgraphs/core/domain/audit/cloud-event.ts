// Audit records as CloudEvents 1.0, for the feed, the stream, NATS and webhooks.

import { refuse, refuseField } from '../errors.ts';
import { currentAction } from './audit-action.ts';
import { ADMIN_CHAINS, type Changes } from './audit-event.ts';
import type { RecordChange } from './proven-record.ts';
import { BASELINE } from './replay.ts';

/** The fields of an audit record that events use. */
export type EventRecord = {
  _id: string;
  chain: string;
  chainSeq: number;
  at: Date;
  by: { id: string; role: string; via: string; tokenId: string | null; onBehalfOf?: string };
  action: string;
  documentId: string | null;
  versionId: string | null;
  revisionId: string | null;
  workspaceId: string | null;
  folderId: string | null;
  jobId: string | null;
  summary: string;
  changes: Changes;
  records?: readonly RecordChange[];
  requestId: string;
  ip: string | null;
  route?: string;
  prevHash: string;
  hash: string;
};

/** The attributes of an event. `sequence` is its position in the log with 16 digits, so that it sorts as text. */
export type EventAttributes = {
  specversion: '1.0';
  id: string;
  /** The URN of the log of this installation. */
  source: string;
  type: string;
  subject: string | null;
  time: Date;
  datacontenttype: 'application/json';
  sequence: string;
};

/** Returns the attributes of the event for a record at a position of the log. */
export function eventAttributes(record: EventRecord, seq: number, log: string): EventAttributes {
  return {
    specversion: '1.0',
    id: record._id,
    source: `urn:uuid:${log}`,
    type: currentAction(record.action),
    subject: record.documentId ?? record.folderId,
    time: record.at,
    datacontenttype: 'application/json',
    sequence: String(seq).padStart(16, '0'),
  };
}

/**
 * Returns the event as JSON. Its data is the record as the audit routes show it, with the IP address and token id for
 * administrators only.
 */
export function formatEvent(
  record: EventRecord,
  position: { seq: number; log: string },
  viewer: { name: string; administrator: boolean },
): string {
  const { by, route } = record;
  const data = {
    id: record._id,
    seq: position.seq,
    chain: record.chain,
    chainSeq: record.chainSeq,
    at: record.at,
    by: {
      id: by.id,
      name: viewer.name,
      via: by.via,
      role: by.role,
      tokenId: viewer.administrator ? by.tokenId : null,
      onBehalfOf: by.onBehalfOf ?? null,
    },
    action: currentAction(record.action),
    documentId: record.documentId,
    versionId: record.versionId,
    revisionId: record.revisionId,
    workspaceId: record.workspaceId,
    folderId: record.folderId,
    jobId: record.jobId,
    summary: record.summary,
    changes: record.changes,
    records: viewer.administrator ? (record.records ?? null) : null,
    requestId: record.requestId,
    ip: viewer.administrator ? record.ip : null,
    route: route ?? null,
    prevHash: record.prevHash,
    hash: record.hash,
  };
  return JSON.stringify({ ...eventAttributes(record, position.seq, position.log), data });
}

/** Returns whether a record is visible to administrators only: it is about access, the system or the log itself. */
export function isAdminOnly({ chain, action }: Pick<EventRecord, 'chain' | 'action'>): boolean {
  return action === BASELINE || ADMIN_CHAINS.some((each) => each === chain);
}

/**
 * Returns whether the types include the type of the record: `version.released`, or `version.*` for all types of an
 * object. An empty list includes every type. Former names match their current names, in both arguments.
 */
export function matchesTypes(types: readonly string[], { action }: Pick<EventRecord, 'action'>): boolean {
  if (types.length === 0) return true;
  const type = currentAction(action);
  const wildcard = `${type.split('.')[0]}.*`;
  return types.some((each) => each === wildcard || currentAction(each) === type);
}

const TYPE = /^[a-z][a-z_-]{0,39}\.(?:[a-z][a-z_-]{0,39}|\*)$/;
const MAX_TYPES = 50;

/**
 * Returns the requested event types without duplicates. Throws `validation_failed` for malformed types and for more
 * than 50.
 */
export function validateEventTypes(requested: readonly string[], path = 'types'): string[] {
  const types = [...new Set(requested.map((type) => type.trim()).filter(Boolean))];
  const malformed = types.find((type) => !TYPE.test(type));
  if (malformed !== undefined)
    refuseField(
      path,
      `must not contain "${malformed.slice(0, 80)}": use a type like version.released, or version.* for all types`,
    );
  if (types.length > MAX_TYPES) refuseField(path, `must have at most ${MAX_TYPES} types, not ${types.length}`);
  return types;
}

/**
 * Returns the position after which to continue. Throws `validation_failed` for an invalid one, `bad_cursor` if it is
 * beyond the newest record.
 */
export function validateEventPosition(after: number, newest: number, path = 'after'): number {
  if (!Number.isSafeInteger(after) || after < 0) refuseField(path, 'must be an integer of at least 0');
  if (after > newest)
    refuse(
      'bad_cursor',
      `The log ends at ${newest}, before the requested position ${after}. If the service was restored from a backup, continue from ${newest}.`,
      {
        newest,
      },
    );
  return after;
}
