// Made by `npm run generate`; not to be edited.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** How a verification of the audit log ended; running: it goes on, ask again. */
export type AuditVerdict =
  /** Everything is as it was written. */
  | 'good'
  /** It goes on; ask again. */
  | 'running'
  /** Something is not as it was written; faults tells what. */
  | 'tampered'
  /** Something could not be checked; doubts tells what. */
  | 'unknown';

/** What a document is; fixed when it is created. */
export type DocumentKind =
  /** A structure of other documents, in an asm.json. */
  | 'assembly'
  /** A generator that makes documents, in a git repository. */
  | 'code'
  /** A part, from a CAD file. */
  | 'model';

/** Where a job stands. */
export type JobStatus =
  /** A user cancelled it. */
  | 'cancelled'
  /** It succeeded. */
  | 'done'
  /** It failed, and is not tried again by itself. */
  | 'failed'
  /** A worker has it. */
  | 'running'
  /** It waits for a worker. */
  | 'waiting';

/** What a job is for. */
export type JobType =
  /** An assembly is made of its parts. */
  | 'assemble'
  /** A source is turned into the derived files. */
  | 'convert'
  /** An assembly is exported as one file. */
  | 'export'
  /** A generator runs. */
  | 'run';

/** Whether its content can still be changed. */
export type VersionType =
  /** It can be changed. */
  | 'draft'
  /** It is frozen. */
  | 'version';

export type ReadAuditQueryVariables = Exact<{
  action?: string | null | undefined;
  actor?: string | null | undefined;
  from?: string | null | undefined;
  before?: string | null | undefined;
  cursor?: string | null | undefined;
}>;


export type ReadAuditQuery = { audit: { nextCursor: string | null, items: Array<{ id: string, seq: number | null, at: string, action: string, summary: string, documentId: string | null, versionId: string | null, workspaceId: string | null, folderId: string | null, jobId: string | null, changes: unknown, route: string | null, ip: string | null, requestId: string, chain: string, chainSeq: number, hash: string, by: { id: string, name: string, role: string, via: string, onBehalfOf: string | null } }> } };

export type ReadDocumentAuditQueryVariables = Exact<{
  id: string;
  cursor?: string | null | undefined;
}>;


export type ReadDocumentAuditQuery = { document: { id: string, audit: { nextCursor: string | null, items: Array<{ id: string, seq: number | null, at: string, action: string, summary: string, documentId: string | null, versionId: string | null, workspaceId: string | null, folderId: string | null, jobId: string | null, changes: unknown, route: string | null, ip: string | null, requestId: string, chain: string, chainSeq: number, hash: string, by: { id: string, name: string, role: string, via: string, onBehalfOf: string | null } }> } } | null };

export type AuditLineFragment = { id: string, seq: number | null, at: string, action: string, summary: string, documentId: string | null, versionId: string | null, workspaceId: string | null, folderId: string | null, jobId: string | null, changes: unknown, route: string | null, ip: string | null, requestId: string, chain: string, chainSeq: number, hash: string, by: { id: string, name: string, role: string, via: string, onBehalfOf: string | null } };

export type VerifyAuditQueryVariables = Exact<{
  waitSeconds?: number | null | undefined;
}>;


export type VerifyAuditQuery = { auditVerification: { verdict: AuditVerdict, startedAt: string, endedAt: string | null, records: number | null, sealed: number | null, pending: number | null, chains: number | null, checkpoints: number | null, doubts: Array<string>, root: string | null, faults: Array<{ id: string, says: string }> } };

export type ListJobsQueryVariables = Exact<{
  status?: JobStatus | null | undefined;
  type?: JobType | null | undefined;
  documentId?: string | null | undefined;
  cursor?: string | null | undefined;
}>;


export type ListJobsQuery = { jobs: { nextCursor: string | null, total: number | null, items: Array<{ id: string, type: JobType, format: string | null, status: JobStatus, attempt: number, maxAttempts: number, queuedAt: string, startedAt: string | null, finishedAt: string | null, workerId: string | null, progress: { percent: number, step: string } | null, error: { code: string, message: string, final: boolean } | null, document: { id: string, number: string, name: string, kind: DocumentKind }, version: { id: string, n: number | null, name: string, type: VersionType, thumbnailUrl: string | null } }> } };

export type OneJobQueryVariables = Exact<{
  id: string;
}>;


export type OneJobQuery = { job: { environment: unknown, inputSha256: string | null, leaseExpiresAt: string | null, runId: string | null, id: string, type: JobType, format: string | null, status: JobStatus, attempt: number, maxAttempts: number, queuedAt: string, startedAt: string | null, finishedAt: string | null, workerId: string | null, progress: { percent: number, step: string } | null, error: { code: string, message: string, final: boolean } | null, document: { id: string, number: string, name: string, kind: DocumentKind }, version: { id: string, n: number | null, name: string, type: VersionType, thumbnailUrl: string | null } } | null };

export type JobLineFragment = { id: string, type: JobType, format: string | null, status: JobStatus, attempt: number, maxAttempts: number, queuedAt: string, startedAt: string | null, finishedAt: string | null, workerId: string | null, progress: { percent: number, step: string } | null, error: { code: string, message: string, final: boolean } | null, document: { id: string, number: string, name: string, kind: DocumentKind }, version: { id: string, n: number | null, name: string, type: VersionType, thumbnailUrl: string | null } };

export type CancelJobMutationVariables = Exact<{
  id: string;
}>;


export type CancelJobMutation = { cancelJob: { id: string, status: JobStatus } };

export type RetryJobMutationVariables = Exact<{
  id: string;
}>;


export type RetryJobMutation = { retryJob: { id: string, status: JobStatus } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const AuditLineFragmentDoc = new TypedDocumentString(`
    fragment AuditLine on AuditRecord {
  id
  seq
  at
  action
  summary
  by {
    id
    name
    role
    via
    onBehalfOf
  }
  documentId
  versionId
  workspaceId
  folderId
  jobId
  changes
  route
  ip
  requestId
  chain
  chainSeq
  hash
}
    `, {"fragmentName":"AuditLine"}) as unknown as TypedDocumentString<AuditLineFragment, unknown>;
export const JobLineFragmentDoc = new TypedDocumentString(`
    fragment JobLine on Job {
  id
  type
  format
  status
  attempt
  maxAttempts
  queuedAt
  startedAt
  finishedAt
  workerId
  progress {
    percent
    step
  }
  error {
    code
    message
    final
  }
  document {
    id
    number
    name
    kind
  }
  version {
    id
    n
    name
    type
    thumbnailUrl
  }
}
    `, {"fragmentName":"JobLine"}) as unknown as TypedDocumentString<JobLineFragment, unknown>;
export const ReadAuditDocument = new TypedDocumentString(`
    query ReadAudit($action: String, $actor: ID, $from: DateTime, $before: DateTime, $cursor: String) {
  audit(
    action: $action
    actor: $actor
    from: $from
    before: $before
    cursor: $cursor
    limit: 100
  ) {
    items {
      ...AuditLine
    }
    nextCursor
  }
}
    fragment AuditLine on AuditRecord {
  id
  seq
  at
  action
  summary
  by {
    id
    name
    role
    via
    onBehalfOf
  }
  documentId
  versionId
  workspaceId
  folderId
  jobId
  changes
  route
  ip
  requestId
  chain
  chainSeq
  hash
}`) as unknown as TypedDocumentString<ReadAuditQuery, ReadAuditQueryVariables>;
export const ReadDocumentAuditDocument = new TypedDocumentString(`
    query ReadDocumentAudit($id: ID!, $cursor: String) {
  document(id: $id) {
    id
    audit(cursor: $cursor, limit: 100) {
      items {
        ...AuditLine
      }
      nextCursor
    }
  }
}
    fragment AuditLine on AuditRecord {
  id
  seq
  at
  action
  summary
  by {
    id
    name
    role
    via
    onBehalfOf
  }
  documentId
  versionId
  workspaceId
  folderId
  jobId
  changes
  route
  ip
  requestId
  chain
  chainSeq
  hash
}`) as unknown as TypedDocumentString<ReadDocumentAuditQuery, ReadDocumentAuditQueryVariables>;
export const VerifyAuditDocument = new TypedDocumentString(`
    query VerifyAudit($waitSeconds: Int) {
  auditVerification(waitSeconds: $waitSeconds) {
    verdict
    startedAt
    endedAt
    records
    sealed
    pending
    chains
    checkpoints
    doubts
    faults {
      id
      says
    }
    root
  }
}
    `) as unknown as TypedDocumentString<VerifyAuditQuery, VerifyAuditQueryVariables>;
export const ListJobsDocument = new TypedDocumentString(`
    query ListJobs($status: JobStatus, $type: JobType, $documentId: ID, $cursor: String) {
  jobs(
    status: $status
    type: $type
    documentId: $documentId
    cursor: $cursor
    limit: 100
    total: true
  ) {
    items {
      ...JobLine
    }
    nextCursor
    total
  }
}
    fragment JobLine on Job {
  id
  type
  format
  status
  attempt
  maxAttempts
  queuedAt
  startedAt
  finishedAt
  workerId
  progress {
    percent
    step
  }
  error {
    code
    message
    final
  }
  document {
    id
    number
    name
    kind
  }
  version {
    id
    n
    name
    type
    thumbnailUrl
  }
}`) as unknown as TypedDocumentString<ListJobsQuery, ListJobsQueryVariables>;
export const OneJobDocument = new TypedDocumentString(`
    query OneJob($id: ID!) {
  job(id: $id) {
    ...JobLine
    environment
    inputSha256
    leaseExpiresAt
    runId
  }
}
    fragment JobLine on Job {
  id
  type
  format
  status
  attempt
  maxAttempts
  queuedAt
  startedAt
  finishedAt
  workerId
  progress {
    percent
    step
  }
  error {
    code
    message
    final
  }
  document {
    id
    number
    name
    kind
  }
  version {
    id
    n
    name
    type
    thumbnailUrl
  }
}`) as unknown as TypedDocumentString<OneJobQuery, OneJobQueryVariables>;
export const CancelJobDocument = new TypedDocumentString(`
    mutation CancelJob($id: ID!) {
  cancelJob(id: $id) {
    id
    status
  }
}
    `) as unknown as TypedDocumentString<CancelJobMutation, CancelJobMutationVariables>;
export const RetryJobDocument = new TypedDocumentString(`
    mutation RetryJob($id: ID!) {
  retryJob(id: $id) {
    id
    status
  }
}
    `) as unknown as TypedDocumentString<RetryJobMutation, RetryJobMutationVariables>;