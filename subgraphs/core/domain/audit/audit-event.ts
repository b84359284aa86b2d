import { createHash, hash } from 'node:crypto';
import type { AuditAction } from './audit-action.ts';
import { canonicalJson } from './canonical-json.ts';

/** Field by field what a write changed. */
export type Changes = Record<string, { from: unknown; to: unknown }>;

/** What a command says it did; the work adds who, when and the place in the chain. */
export type AuditEvent = {
  action: AuditAction;
  /** One sentence that names no person. */
  summary: string;
  documentId?: string | null;
  versionId?: string | null;
  revisionId?: string | null;
  workspaceId?: string | null;
  folderId?: string | null;
  jobId?: string | null;
  /** Who queued the job, when it is a worker or the service that does it. */
  onBehalfOf?: string | null;
  changes?: Changes;
};

/** What was done, and the sentence about it. */
export type Deed = Pick<AuditEvent, 'action' | 'summary'>;

/** The first `prevHash` of every chain. */
export const CHAIN_START = '0'.repeat(64);

/** The chains whose records only administrators see. */
export const CHAINS_OF_ADMINISTRATORS = ['access', 'system'] as const;

/** The chain a record belongs to: its document's, or that of the folders, of access, or of the system. */
export function chainOf(event: AuditEvent): string {
  if (event.documentId) return event.documentId;
  if (event.folderId) return 'folders';
  return /^(user|token|session)\./.test(event.action) ? 'access' : 'system';
}

/**
 * SHA-256 (hex) of the previous hash followed by the RFC 8785 JSON of the record without `seq`, `prevHash`, `hash`.
 * Dates count as RFC 3339 texts, as they are shown. Whatever fields a record was written with count: one of before a field was thought of has
 * it not, and its hash stays what it was.
 */
export function auditHash(prevHash: string, record: Record<string, unknown>): string {
  const { seq: _seq, prevHash: _prevHash, hash: _hash, ...hashed } = record;
  return hash('sha256', prevHash + canonicalJson(hashed));
}

const LARGE = 4096;

/** The changes as they are stored: equal values left out, values over 4 KiB as their length and SHA-256. */
export function storedChanges(changes: Changes = {}): Changes {
  const differing = Object.entries(changes).filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to));
  return Object.fromEntries(differing.map(([field, { from, to }]) => [field, { from: small(from), to: small(to) }]));
}

/** The changes between two states of a record, for the given fields. */
export function changesBetween<T extends object>(
  before: Partial<T>,
  after: Partial<T>,
  fields: readonly (keyof T & string)[],
): Changes {
  return Object.fromEntries(fields.map((field) => [field, { from: before[field] ?? null, to: after[field] ?? null }]));
}

function small(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length <= LARGE) return value ?? null;
  return { length: text.length, sha256: createHash('sha256').update(text).digest('hex') };
}
