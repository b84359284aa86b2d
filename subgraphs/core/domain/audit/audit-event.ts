// Audit records: their events, chains and hashes.

import { createHash, hash } from 'node:crypto';
import type { AuditAction } from './audit-action.ts';
import { canonicalJson } from './canonical-json.ts';
import type { RecordChange } from './proven-record.ts';

/** The changed fields of a write with their old and new values. */
export type Changes = Record<string, { from: unknown; to: unknown }>;

/** The event that a command records. The actor, the time and the chain link are added when it is written. */
export type AuditEvent = {
  action: AuditAction;
  /** One sentence, without names of persons. */
  summary: string;
  documentId?: string | null;
  versionId?: string | null;
  revisionId?: string | null;
  workspaceId?: string | null;
  folderId?: string | null;
  jobId?: string | null;
  /** The user who queued the job, if a worker or the service writes the record. */
  onBehalfOf?: string | null;
  changes?: Changes;
  /** What was written, if it is not what the command wrote: the content of a baseline. */
  records?: RecordChange[] | undefined;
  /** The chain, if it does not follow from the other fields. */
  chain?: string;
};

/** The action and summary of an event. */
export type AuditSummary = Pick<AuditEvent, 'action' | 'summary'>;

/** The `prevHash` of the first record of every chain. */
export const CHAIN_START = '0'.repeat(64);

/** The chains whose records are visible to administrators only. */
export const ADMIN_CHAINS = ['access', 'system'] as const;

/** The chain of all folders. */
export const FOLDER_CHAIN = 'folders';

/** Returns the chain of an event: the id of its document, `folders`, `access` or `system`. */
export function chainOf(event: AuditEvent): string {
  if (event.chain !== undefined) return event.chain;
  if (event.documentId) return event.documentId;
  if (event.folderId) return FOLDER_CHAIN;
  return /^(user|token|session)\./.test(event.action) ? 'access' : 'system';
}

/**
 * Returns the SHA-256 (hex) of the previous hash followed by the RFC 8785 JSON of the record without `seq`, `prevHash`
 * and `hash`. Dates are RFC 3339 strings. All other fields count, so the hash of an older record without newer fields
 * stays valid.
 */
export function auditHash(prevHash: string, record: Record<string, unknown>): string {
  const { seq: _seq, prevHash: _prevHash, hash: _hash, ...hashed } = record;
  return hash('sha256', prevHash + canonicalJson(hashed));
}

const MAX_VALUE_CHARACTERS = 4096;

/**
 * Returns the changes for storage: without equal values, and with values over 4,096 characters replaced by their length
 * and SHA-256.
 */
export function compactChanges(changes: Changes = {}): Changes {
  const differing = Object.entries(changes).filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to));
  return Object.fromEntries(
    differing.map(([field, { from, to }]) => [field, { from: compactValue(from), to: compactValue(to) }]),
  );
}

/** Returns the changes of the given fields between two states of a record. */
export function changesBetween<T extends object>(
  before: Partial<T>,
  after: Partial<T>,
  fields: readonly (keyof T & string)[],
): Changes {
  return Object.fromEntries(fields.map((field) => [field, { from: before[field] ?? null, to: after[field] ?? null }]));
}

function compactValue(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length <= MAX_VALUE_CHARACTERS) return value ?? null;
  return { length: text.length, sha256: createHash('sha256').update(text).digest('hex') };
}
