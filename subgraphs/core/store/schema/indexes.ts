// The indexes of every collection.
import type { IndexDescription } from 'mongodb';
import type { CollectionName } from './collections.ts';

const unique = { unique: true } as const;

/**
 * Jobs that are not finished or may be retried: the statuses after `done` in alphabetical order. Queries repeat this
 * condition literally, so that any server recognizes that the partial index applies.
 */
export const OPEN_JOBS = { status: { $gt: 'done' } } as const;

/** The indexes of every collection; each query of the store uses one of them. */
export const INDEXES: Record<CollectionName, IndexDescription[]> = {
  documents: [
    { key: { number: 1 }, ...unique },
    // lists sorted by each field: of a folder, of all documents, of a kind; then the same including archived documents
    { key: { folderId: 1, archived: 1, number: 1 } },
    { key: { folderId: 1, archived: 1, nameKey: 1, _id: 1 } },
    { key: { folderId: 1, archived: 1, createdAt: -1, _id: -1 } },
    { key: { folderId: 1, archived: 1, updatedAt: -1, _id: -1 } },
    { key: { archived: 1, number: 1 } },
    { key: { archived: 1, nameKey: 1, _id: 1 } },
    { key: { archived: 1, createdAt: -1, _id: -1 } },
    { key: { archived: 1, updatedAt: -1, _id: -1 } },
    { key: { kind: 1, archived: 1, number: 1 } },
    { key: { kind: 1, archived: 1, nameKey: 1, _id: 1 } },
    { key: { kind: 1, archived: 1, createdAt: -1, _id: -1 } },
    { key: { kind: 1, archived: 1, updatedAt: -1, _id: -1 } },
    { key: { createdBy: 1, archived: 1, updatedAt: -1, _id: -1 } },
    { key: { updatedAt: -1, _id: -1 } },
    { key: { createdAt: -1, _id: -1 } },
    { key: { nameKey: 1, _id: 1 } },
    { key: { words: 1 } },
    { key: { lastRevision: 1 }, partialFilterExpression: { lastRevision: { $gt: 0 } } },
    { key: { takenBackLabels: 1 }, partialFilterExpression: { takenBackLabels: { $exists: true } } },
    { key: { 'generated.generatorId': 1 }, partialFilterExpression: { 'generated.generatorId': { $exists: true } } },
  ],
  numbers: [{ key: { documentId: 1 } }],
  folders: [{ key: { parentId: 1, nameKey: 1 }, ...unique }],
  workspaces: [
    { key: { documentId: 1, nameKey: 1 }, ...unique },
    { key: { draftId: 1 }, ...unique },
    { key: { fromVersionId: 1 } },
    {
      key: { 'reservation.userId': 1, 'reservation.expiresAt': 1 },
      partialFilterExpression: { 'reservation.userId': { $exists: true } },
    },
    {
      key: { 'reservation.asks.userId': 1, 'reservation.expiresAt': 1 },
      partialFilterExpression: { 'reservation.asks.userId': { $exists: true } },
    },
  ],
  versions: [
    { key: { documentId: 1, n: -1 }, unique: true, partialFilterExpression: { type: 'version' } },
    { key: { documentId: 1, type: 1, n: -1 } },
    { key: { workspaceId: 1 }, unique: true, partialFilterExpression: { type: 'draft' } },
    { key: { workspaceId: 1, type: 1, n: -1 } },
    { key: { awaitsJobs: 1 } },
    { key: { parents: 1 } },
  ],
  revisions: [
    { key: { documentId: 1, ordinal: -1 }, ...unique },
    { key: { documentId: 1, label: 1 }, ...unique },
    { key: { versionId: 1 }, ...unique },
  ],
  views: [
    { key: { versionId: 1, _id: 1 } },
    { key: { versionId: 1, nameKey: 1 }, ...unique },
    { key: { documentId: 1 } },
  ],
  artifacts: [
    { key: { versionId: 1, kind: 1 }, ...unique },
    { key: { documentId: 1, kind: 1, createdAt: -1 } },
    { key: { sha256: 1 } },
  ],
  structures: [],
  references: [
    { key: { versionId: 1, line: 1 }, ...unique },
    { key: { documentId: 1, place: 1 } },
    { key: { target: 1, place: 1, _id: -1 } },
    { key: { target: 1, released: 1, _id: -1 } },
    { key: { target: 1, 'at.label': 1, 'at.n': 1, place: 1, _id: -1 } },
    { key: { 'frozen.versionId': 1, place: 1, _id: -1 } },
  ],
  draftBackups: [
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
    { key: { documentId: 1 } },
    { key: { workspaceId: 1 } },
    { key: { 'artifacts.sha256': 1 } },
  ],
  blobs: [{ key: { fileId: 1 }, ...unique }],
  uploads: [{ key: { condemned: 1, startedAt: 1 } }],
  jobs: [
    // partial, because nearly all jobs are finished, and claims and sweeps look for the others only
    { key: { status: -1, type: 1, environmentKey: 1, seq: 1 }, partialFilterExpression: { status: 'waiting' } },
    { key: { light: 1, environmentKey: 1, seq: 1 }, partialFilterExpression: { light: true, status: 'waiting' } },
    { key: { status: -1, leaseExpiresAt: 1 }, partialFilterExpression: { status: 'running' } },
    { key: { status: 1, seq: -1, _id: -1 } },
    { key: { type: 1, seq: -1, _id: -1 } },
    { key: { versionId: 1, seq: -1, _id: -1 } },
    // unfinished and failed jobs: queueing looks for similar ones, and most jobs of a version are done or other runs.
    // Without the status, so that a claim does not change the entry.
    { key: { versionId: 1, type: 1, runId: 1 }, partialFilterExpression: OPEN_JOBS },
    { key: { documentId: 1, seq: -1, _id: -1 } },
    { key: { seq: -1, _id: -1 } },
    { key: { awaits: 1 }, partialFilterExpression: { awaits: { $exists: true } } },
  ],
  jobLogs: [{ key: { jobId: 1, _id: 1 } }, { key: { jobId: 1, first: 1 } }],
  runs: [
    { key: { key: 1 }, unique: true, partialFilterExpression: { current: true } },
    { key: { versionIds: 1, createdAt: -1, _id: -1 } },
    { key: { documentId: 1 } },
  ],
  audit: [
    { key: { chain: 1, chainSeq: -1 }, ...unique },
    { key: { versionId: 1, at: -1, _id: -1 } },
    { key: { revisionId: 1, at: 1, _id: 1 }, partialFilterExpression: { revisionId: { $gt: '' } } },
    { key: { at: -1, _id: -1 } },
    { key: { 'by.id': 1, at: -1, _id: -1 } },
    { key: { action: 1, at: -1, _id: -1 } },
    { key: { 'by.id': 1, action: 1, at: -1, _id: -1 } },
  ],
  chains: [],
  auditPending: [],
  auditSeals: [{ key: { auditId: 1 }, ...unique }],
  auditTree: [],
  auditCheckpoints: [],
  eventCursors: [],
  webhooks: [],
  webhookDeliveries: [
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
    { key: { webhookId: 1, status: 1, forced: 1, nextAt: 1, seq: 1 } },
    { key: { webhookId: 1, createdAt: -1, _id: -1 } },
  ],
  users: [{ key: { createdAt: 1, _id: 1 } }, { key: { name: 1, _id: 1 } }, { key: { role: 1 } }],
  tokens: [
    { key: { prefix: 1 }, ...unique },
    { key: { userId: 1, createdAt: -1, _id: -1 } },
    { key: { createdAt: -1, _id: -1 } },
    { key: { userId: 1, name: 1, _id: 1 } },
    { key: { name: 1, _id: 1 } },
  ],
  sessions: [
    { key: { sha256: 1 }, ...unique },
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
    { key: { createdAt: -1, _id: -1 } },
    { key: { userId: 1, createdAt: -1, _id: -1 } },
  ],
  counters: [],
  idempotency: [{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
};

/**
 * Indexes of earlier versions, by name, that were replaced or are not used any more. They are dropped once the new ones
 * exist. A new index has another key than the one it replaces, because a server ignores a second index with the same
 * key and other options. `versionId_1` of the jobs stays: processes of the earlier version hint it by name until the
 * last of them is replaced, and it is small.
 */
export const OBSOLETE_INDEXES: { [N in CollectionName]?: readonly string[] } = {
  jobs: ['status_1_type_1_environmentKey_1_seq_1', 'status_1_leaseExpiresAt_1'],
  audit: ['revisionId_1_at_-1__id_-1', 'requestId_1'],
  auditPending: ['chain_1_chainSeq_1'],
};
