// The records that the audit log proves: which fields it logs, and under which chain.

import { createHash, hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** The new values of fields of a stored record; null: the record was deleted. Logged in the audit record of the write. */
export type RecordChange = { collection: ProvenCollection; id: string; fields: LoggedFields | null };
export type LoggedFields = Record<string, unknown>;
/** A stored record of any collection. */
export type StoredRecord = { _id: unknown; documentId?: unknown };

type Rule = {
  /** The chain of its changes; absent: that of its document. */
  chain?: 'folders' | 'access' | 'system';
  /** Fields, or fields of fields, that are not logged: the log must not hold them, or heartbeats change them. */
  omitted?: readonly string[];
  /** Fields that are computed from others. */
  derived?: readonly string[];
  /** Fields that are logged as a digest, because they are credentials or identities. */
  secret?: readonly string[];
  /** The store deletes its records some time after `expiresAt`. */
  expires?: true;
};

/** The collections whose records the log proves. SECURITY.md lists what it omits, with the reasons. */
export const PROVEN_COLLECTIONS = {
  numbers: {},
  documents: { derived: ['nameKey', 'words', 'text'] },
  folders: { chain: 'folders', derived: ['nameKey'] },
  workspaces: { derived: ['nameKey'], omitted: ['reservation.expiresAt', 'reservation.ttlSeconds'] },
  versions: {},
  revisions: {},
  views: { derived: ['nameKey'] },
  artifacts: {},
  draftBackups: { expires: true },
  runs: {},
  users: { chain: 'access', omitted: ['name'], secret: ['oidc'] },
  tokens: { chain: 'access', omitted: ['name', 'lastUsedAt'], secret: ['sha256'] },
  sessions: { chain: 'access', secret: ['sha256'], expires: true },
  webhooks: { chain: 'system', secret: ['url', 'secrets'] },
} as const satisfies Record<string, Rule>;

export type ProvenCollection = keyof typeof PROVEN_COLLECTIONS;

/** The field of a version in which the log holds its references; they are stored as records of their own. */
export const REFERENCES = 'references';

const rules: Readonly<Record<ProvenCollection, Rule>> = PROVEN_COLLECTIONS;
const NEVER_LOGGED = ['_id', 'lock'];
const unlogged = new Map(
  Object.entries(rules).map(([name, { omitted = [], derived = [] }]) => [
    name,
    new Set([...NEVER_LOGGED, ...omitted, ...derived]),
  ]),
);

/** Returns whether the log proves the records of a collection. */
export function isProvenCollection(name: string): name is ProvenCollection {
  return Object.hasOwn(PROVEN_COLLECTIONS, name);
}

/** Returns the chain of all records of a collection, or null: each belongs to the chain of its document. */
export function sharedChain(collection: ProvenCollection): string | null {
  return rules[collection].chain ?? null;
}

/** Returns the chain that logs the changes of a record: the id of its document, `folders`, `access` or `system`. */
export function chainOfRecord(collection: ProvenCollection, record: StoredRecord): string {
  return sharedChain(collection) ?? String(collection === 'documents' ? record._id : record.documentId);
}

/** Returns whether the store may delete a record with these fields at any time. */
export function isExpired(collection: ProvenCollection, { expiresAt }: { expiresAt?: unknown }, now: Date): boolean {
  return rules[collection].expires === true && expiresAt instanceof Date && expiresAt <= now;
}

/**
 * Returns the fields of a record as they are logged: without omitted and derived ones, secrets as digests, values over
 * 4,096 characters as their length and SHA-256. `names` limits them to these fields.
 */
export function loggedFields(
  collection: ProvenCollection,
  record: object,
  names: readonly string[] = Object.keys(record),
): LoggedFields {
  const fields: LoggedFields = {};
  for (const name of names) {
    const value = (record as Record<string, unknown>)[name];
    if (value === undefined || unlogged.get(collection)?.has(name)) continue;
    fields[name] = loggedValue(collection, name, value);
  }
  return fields;
}

function loggedValue(collection: ProvenCollection, name: string, value: unknown): unknown {
  const { secret = [], omitted = [] } = rules[collection];
  if (secret.includes(name)) return digestOf(value);
  if (typeof value !== 'object' || value === null) return compactValue(value);
  const inside = omitted.flatMap((path) => (path.startsWith(`${name}.`) ? path.slice(name.length + 1) : []));
  return compactValue(
    inside.length ? Object.fromEntries(Object.entries(value).filter(([key]) => !inside.includes(key))) : value,
  );
}

/** A line of an assembly as the log holds it: without the ids and what follows from its version. */
export function loggedLine(line: object): object {
  const {
    _id,
    documentId: _documentId,
    versionId: _versionId,
    place: _place,
    released: _released,
    ...logged
  } = line as Record<string, unknown>;
  return logged;
}

/** The number of characters above which a value is logged as a digest. */
const MAX_CHARACTERS = 4096;

/** Collects a list that may be too long to keep. `value` returns it as it is logged. */
export function listDigest(): { add(item: object): void; value(): unknown } {
  const items: object[] = [];
  const parts: string[] = [];
  let length = 2;
  let count = 0;
  let digest: ReturnType<typeof createHash> | null = null;
  return {
    add: (item) => {
      const text = `${count ? ',' : ''}${canonicalJson(item)}`;
      count += 1;
      length += text.length;
      if (digest) digest.update(text);
      else if (length <= MAX_CHARACTERS) {
        items.push(item);
        parts.push(text);
      } else {
        digest = createHash('sha256').update(`[${parts.join('')}${text}`);
        items.length = 0;
        parts.length = 0;
      }
    },
    value: () => (digest ? { length, sha256: digest.update(']').digest('hex') } : items.length ? items : null),
  };
}

function compactValue(value: unknown): unknown {
  if (typeof value !== 'object' && typeof value !== 'string') return value;
  if (value === null || value instanceof Date) return value;
  const text = canonicalJson(value);
  return text.length <= MAX_CHARACTERS ? value : { length: text.length, sha256: hash('sha256', text) };
}

function digestOf(value: unknown): { sha256: string } | null {
  return value === null ? null : { sha256: hash('sha256', canonicalJson(value)) };
}
