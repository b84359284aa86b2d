// An audit record as it is told outside: an event of CloudEvents 1.0. What is told in the feed, the stream, over NATS and to webhooks is made here.

import { refuse } from '../errors.ts';
import { currentAction } from './audit-action.ts';
import { CHAINS_OF_ADMINISTRATORS, type Changes } from './audit-event.ts';

/** What a record must have to be told. */
export type Recorded = {
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
  requestId: string;
  ip: string | null;
  route?: string;
  prevHash: string;
  hash: string;
};

/** The attributes around a record. `sequence` is its place in the log, 16 digits, so that texts have the order of the places. */
export type EventAttributes = {
  specversion: '1.0';
  id: string;
  /** The log of this installation, by its own name. */
  source: string;
  type: string;
  subject: string | null;
  time: Date;
  datacontenttype: 'application/json';
  sequence: string;
};

/** The attributes of the event that a record with its place in the log is. */
export function eventAttributes(record: Recorded, seq: number, log: string): EventAttributes {
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

/** The event as JSON, its data as the audit routes show the record: the address and the token of the request for administrators alone. */
export function eventText(
  record: Recorded,
  place: { seq: number; log: string },
  told: { name: string; administrator: boolean },
): string {
  const { by, route } = record;
  const data = {
    id: record._id,
    seq: place.seq,
    chain: record.chain,
    chainSeq: record.chainSeq,
    at: record.at,
    by: {
      id: by.id,
      name: told.name,
      via: by.via,
      role: by.role,
      tokenId: told.administrator ? by.tokenId : null,
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
    requestId: record.requestId,
    ip: told.administrator ? record.ip : null,
    route: route ?? null,
    prevHash: record.prevHash,
    hash: record.hash,
  };
  return JSON.stringify({ ...eventAttributes(record, place.seq, place.log), data });
}

/** Whether a record is about access or the system, which only administrators see. */
export function isForAdministrators({ chain }: Pick<Recorded, 'chain'>): boolean {
  return CHAINS_OF_ADMINISTRATORS.some((each) => each === chain);
}

/**
 * Whether the types include the type of the record: `version.released`, or `version.*` for all types of an object. An empty list includes every
 * type. Former names match their current names, in both arguments.
 */
export function isOfTypes(types: readonly string[], { action }: Pick<Recorded, 'action'>): boolean {
  if (types.length === 0) return true;
  const type = currentAction(action);
  const wildcard = `${type.split('.')[0]}.*`;
  return types.some((each) => each === wildcard || currentAction(each) === type);
}

const TYPE = /^[a-z][a-z_-]{0,39}\.(?:[a-z][a-z_-]{0,39}|\*)$/;
const MOST_TYPES = 50;

/** The types that somebody wants, each once. Refuses what no event could have as its type, and more than 50. */
export function checkedTypes(given: readonly string[], path = 'types'): string[] {
  const types = [...new Set(given.map((type) => type.trim()).filter(Boolean))];
  const wrong = types.find((type) => !TYPE.test(type));
  if (wrong !== undefined)
    fault(path, `has "${wrong.slice(0, 80)}"; a type is like version.released, or version.* for all of a thing`);
  if (types.length > MOST_TYPES) fault(path, `has ${types.length} types; at most ${MOST_TYPES}`);
  return types;
}

/** The place after which to go on. Refuses what is no place, or beyond the newest record: then the log is another one than it was. */
export function checkedPlace(after: number, newest: number, path = 'after'): number {
  if (!Number.isSafeInteger(after) || after < 0) fault(path, 'must be a whole number from 0');
  if (after > newest)
    refuse(
      'bad_cursor',
      `The log ends at ${newest}, so there is no place ${after} in it. If the service was restored from a backup, go on from ${newest}.`,
      {
        newest,
      },
    );
  return after;
}

function fault(path: string, message: string): never {
  return refuse('validation_failed', `${path} ${message}.`, { errors: [{ path: `/${path}`, message }] });
}
