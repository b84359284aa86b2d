// Records of the audit log: events, chain heads, and seals.
import type { Role } from '../../domain/access/permissions.ts';
import type { Changes } from '../../domain/audit/audit-event.ts';
import type { RecordChange } from '../../domain/audit/proven-record.ts';
import type { LogTree, PendingLink, PendingTransaction } from '../../domain/audit/seal-log.ts';

export type AuditRecord = {
  _id: string;
  chain: string;
  chainSeq: number;
  at: Date;
  /**
   * `onBehalfOf`: who queued the job that a worker or the service changed; absent if nobody did, and in older records.
   */
  by: { id: string; role: Role | 'system'; via: string; tokenId: string | null; onBehalfOf?: string };
  action: string;
  documentId: string | null;
  versionId: string | null;
  revisionId: string | null;
  workspaceId: string | null;
  folderId: string | null;
  jobId: string | null;
  /** What was written, for the comparison of the store with the log; absent: nothing that the log proves. */
  records?: RecordChange[];
  summary: string;
  changes: Changes;
  requestId: string;
  /** The IP address of the request; null: the service itself. */
  ip: string | null;
  /** The route of the request; absent for the service itself, and in older records. */
  route?: string;
  prevHash: string;
  hash: string;
};
/** The head of an audit chain. */
export type ChainRecord = { _id: string; chainSeq: number; hash: string };
/**
 * The unsealed records of a transaction, under the id of the first one. In older data, each record has its own entry.
 */
export type PendingRecord = PendingTransaction | (PendingLink & { links?: undefined });
/** The tree of the sealed records, and the process that seals them. There is exactly one such record. */
export type AuditTreeRecord = LogTree & { _id: 'tree'; sealer: string | null; leaseUntil: Date };
/** A signed checkpoint, by the number of records it covers. */
export type CheckpointRecord = { _id: number; note: string; at: Date };
