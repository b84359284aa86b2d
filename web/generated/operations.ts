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

/** How far a delivery is. failed: all of its tries did. */
export type DeliveryStatus =
  /** The receiver took it. */
  | 'delivered'
  /** All of its tries failed. */
  | 'failed'
  /** It is tried again, or for the first time. */
  | 'waiting';

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

/** viewer reads; editor also writes; admin also administers and may work; worker only works on the jobs it holds. */
export type Role =
  /** Everything; also users, tokens and the audit log. */
  | 'admin'
  /** Reads and writes. */
  | 'editor'
  /** Reads. */
  | 'viewer'
  /** Works on the jobs it holds, and sees nothing else. */
  | 'worker';

/** Whether its content can still be changed. */
export type VersionType =
  /** It can be changed. */
  | 'draft'
  /** It is frozen. */
  | 'version';

export type ListUsersQueryVariables = Exact<{
  cursor?: string | null | undefined;
}>;


export type ListUsersQuery = { users: { nextCursor: string | null, items: Array<{ id: string, name: string, role: Role, disabled: boolean, createdAt: string, oidc: { issuer: string, subject: string } | null }> } };

export type CreateUserMutationVariables = Exact<{
  name: string;
  role: Role;
}>;


export type CreateUserMutation = { createUser: { id: string, name: string } };

export type UpdateUserMutationVariables = Exact<{
  id: string;
  name?: string | null | undefined;
  role?: Role | null | undefined;
  disabled?: boolean | null | undefined;
}>;


export type UpdateUserMutation = { updateUser: { id: string, name: string, role: Role, disabled: boolean } };

export type ListTokensQueryVariables = Exact<{
  userId?: string | null | undefined;
  includeEnded?: boolean | null | undefined;
  cursor?: string | null | undefined;
}>;


export type ListTokensQuery = { tokens: { nextCursor: string | null, items: Array<{ id: string, name: string, prefix: string, role: Role, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, revokedAt: string | null, user: { id: string, name: string } }> } };

export type CreateTokenMutationVariables = Exact<{
  name: string;
  userId?: string | null | undefined;
  role?: Role | null | undefined;
  expiresInDays?: number | null | undefined;
}>;


export type CreateTokenMutation = { createToken: { id: string, token: string, prefix: string, name: string } };

export type RevokeTokenMutationVariables = Exact<{
  id: string;
}>;


export type RevokeTokenMutation = { revokeToken: boolean };

export type ListWebhooksQueryVariables = Exact<{ [key: string]: never; }>;


export type ListWebhooksQuery = { webhooks: Array<{ id: string, name: string, url: string, types: Array<string>, enabled: boolean, disabledReason: string | null, updatedAt: string }> };

export type ListDeliveriesQueryVariables = Exact<{
  id: string;
}>;


export type ListDeliveriesQuery = { webhookDeliveries: { items: Array<{ eventId: string, type: string, status: DeliveryStatus, createdAt: string, endedAt: string | null, nextTryAt: string | null, tries: Array<{ at: string, status: number | null, error: string | null, ms: number }> }> } };

export type CreateWebhookMutationVariables = Exact<{
  url: string;
  name?: string | null | undefined;
  types?: Array<string> | string | null | undefined;
}>;


export type CreateWebhookMutation = { createWebhook: { id: string, name: string, secret: string } };

export type EnableWebhookMutationVariables = Exact<{
  id: string;
  enabled?: boolean | null | undefined;
}>;


export type EnableWebhookMutation = { updateWebhook: { id: string, enabled: boolean } };

export type DeleteWebhookMutationVariables = Exact<{
  id: string;
}>;


export type DeleteWebhookMutation = { deleteWebhook: boolean };

export type PingWebhookMutationVariables = Exact<{
  id: string;
}>;


export type PingWebhookMutation = { pingWebhook: { eventId: string } };

export type RedeliverEventMutationVariables = Exact<{
  id: string;
  eventId: string;
}>;


export type RedeliverEventMutation = { redeliverEvent: { eventId: string } };

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
export const ListUsersDocument = new TypedDocumentString(`
    query ListUsers($cursor: String) {
  users(cursor: $cursor, limit: 200) {
    items {
      id
      name
      role
      disabled
      createdAt
      oidc {
        issuer
        subject
      }
    }
    nextCursor
  }
}
    `) as unknown as TypedDocumentString<ListUsersQuery, ListUsersQueryVariables>;
export const CreateUserDocument = new TypedDocumentString(`
    mutation CreateUser($name: String!, $role: Role!) {
  createUser(name: $name, role: $role) {
    id
    name
  }
}
    `) as unknown as TypedDocumentString<CreateUserMutation, CreateUserMutationVariables>;
export const UpdateUserDocument = new TypedDocumentString(`
    mutation UpdateUser($id: ID!, $name: String, $role: Role, $disabled: Boolean) {
  updateUser(id: $id, name: $name, role: $role, disabled: $disabled) {
    id
    name
    role
    disabled
  }
}
    `) as unknown as TypedDocumentString<UpdateUserMutation, UpdateUserMutationVariables>;
export const ListTokensDocument = new TypedDocumentString(`
    query ListTokens($userId: ID, $includeEnded: Boolean, $cursor: String) {
  tokens(
    userId: $userId
    includeEnded: $includeEnded
    cursor: $cursor
    limit: 200
  ) {
    items {
      id
      name
      prefix
      role
      createdAt
      expiresAt
      lastUsedAt
      revokedAt
      user {
        id
        name
      }
    }
    nextCursor
  }
}
    `) as unknown as TypedDocumentString<ListTokensQuery, ListTokensQueryVariables>;
export const CreateTokenDocument = new TypedDocumentString(`
    mutation CreateToken($name: String!, $userId: ID, $role: Role, $expiresInDays: Int) {
  createToken(
    name: $name
    userId: $userId
    role: $role
    expiresInDays: $expiresInDays
  ) {
    id
    token
    prefix
    name
  }
}
    `) as unknown as TypedDocumentString<CreateTokenMutation, CreateTokenMutationVariables>;
export const RevokeTokenDocument = new TypedDocumentString(`
    mutation RevokeToken($id: ID!) {
  revokeToken(id: $id)
}
    `) as unknown as TypedDocumentString<RevokeTokenMutation, RevokeTokenMutationVariables>;
export const ListWebhooksDocument = new TypedDocumentString(`
    query ListWebhooks {
  webhooks {
    id
    name
    url
    types
    enabled
    disabledReason
    updatedAt
  }
}
    `) as unknown as TypedDocumentString<ListWebhooksQuery, ListWebhooksQueryVariables>;
export const ListDeliveriesDocument = new TypedDocumentString(`
    query ListDeliveries($id: ID!) {
  webhookDeliveries(id: $id, limit: 50) {
    items {
      eventId
      type
      status
      createdAt
      endedAt
      nextTryAt
      tries {
        at
        status
        error
        ms
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ListDeliveriesQuery, ListDeliveriesQueryVariables>;
export const CreateWebhookDocument = new TypedDocumentString(`
    mutation CreateWebhook($url: String!, $name: String, $types: [String!]) {
  createWebhook(url: $url, name: $name, types: $types) {
    id
    name
    secret
  }
}
    `) as unknown as TypedDocumentString<CreateWebhookMutation, CreateWebhookMutationVariables>;
export const EnableWebhookDocument = new TypedDocumentString(`
    mutation EnableWebhook($id: ID!, $enabled: Boolean) {
  updateWebhook(id: $id, enabled: $enabled) {
    id
    enabled
  }
}
    `) as unknown as TypedDocumentString<EnableWebhookMutation, EnableWebhookMutationVariables>;
export const DeleteWebhookDocument = new TypedDocumentString(`
    mutation DeleteWebhook($id: ID!) {
  deleteWebhook(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteWebhookMutation, DeleteWebhookMutationVariables>;
export const PingWebhookDocument = new TypedDocumentString(`
    mutation PingWebhook($id: ID!) {
  pingWebhook(id: $id) {
    eventId
  }
}
    `) as unknown as TypedDocumentString<PingWebhookMutation, PingWebhookMutationVariables>;
export const RedeliverEventDocument = new TypedDocumentString(`
    mutation RedeliverEvent($id: ID!, $eventId: ID!) {
  redeliverEvent(id: $id, eventId: $eventId) {
    eventId
  }
}
    `) as unknown as TypedDocumentString<RedeliverEventMutation, RedeliverEventMutationVariables>;
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