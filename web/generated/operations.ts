// Made by `npm run generate`; not to be edited.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** The form of an address. */
export type AddressForm =
  /** Without a revision or version: resolves to the newest release, otherwise to the newest version. */
  | 'floating'
  /** With a revision label. */
  | 'revision'
  /** With a version number. */
  | 'version';

/** The result of an audit log verification. */
export type AuditVerdict =
  /** All records match their hashes, the tree and the checkpoints. */
  | 'intact'
  /** The verification is still running; repeat the query. */
  | 'running'
  /** At least one record was changed, added or removed; see `errors`. */
  | 'tampered'
  /** The log could not be verified completely; see `warnings`. */
  | 'unknown';

/** How a line differs between two bills of materials. */
export type BomChangeType =
  /** Only `to` contains the line. Its sub-structure is not listed. */
  | 'added'
  /** The line itself differs. */
  | 'changed'
  /** Quantity and address are equal, but the line resolves to another version with differences inside, which follow. */
  | 'indirect'
  /** Only `from` contains the line. Its sub-structure is not listed. */
  | 'removed';

/** A property in which two lines for the same document differ. */
export type BomDifference =
  /** The written address differs. */
  | 'address'
  /** The quantity differs. */
  | 'quantity'
  /** The reference resolves to another version. */
  | 'version';

/** Which rows of a bill of materials are returned. */
export type BomMode =
  /** The parts at the lowest requested level, each version once with its total quantity. */
  | 'flat'
  /** Every line at every position in the structure. */
  | 'indented'
  /** Only the lines of the assembly itself. */
  | 'top';

/** How references are resolved. */
export type BomResolve =
  /** As frozen when the version was created. */
  | 'frozen'
  /** As the references resolve now; lower levels are as frozen. */
  | 'now';

/** The properties of a new document. */
export type CreateDocumentInput = {
  /** Free text. Default: null. */
  description?: string | null | undefined;
  /** The folder that will contain the document. Default: null, which means Unfiled. */
  folderId?: string | null | undefined;
  /** The kind of the document. It cannot be changed later. */
  kind: DocumentKind;
  /** The name, 1–200 characters. */
  name: string;
  /** The document number. Default: the next number of the kind. */
  number?: string | null | undefined;
};

/** The status of a delivery. */
export type DeliveryStatus =
  /** The receiver accepted the event. */
  | 'delivered'
  /** All attempts failed. */
  | 'failed'
  /** The first attempt or a retry is due or scheduled. */
  | 'waiting';

/** The kind of a document. It is set at creation and never changes. */
export type DocumentKind =
  /** An assembly of other documents, described by an asm.json file. */
  | 'assembly'
  /** A generator that creates documents; its code is in a git repository. */
  | 'code'
  /** A part from a CAD file. */
  | 'model';

/** Sort keys of document lists. In REST, prefix the key with `-` for descending order. */
export type DocumentSort =
  /** The time of creation. */
  | 'createdAt'
  /** The name, case-insensitive. */
  | 'name'
  /** The document number. */
  | 'number'
  /** The time of the last update. */
  | 'updatedAt';

/** The engine that writes exports of a format. */
export type ExportEngine =
  /** The built-in engine. */
  | 'builtin'
  /** An external worker. The job waits until one claims it. */
  | 'external'
  /** No engine. The job fails with needs_classcad. */
  | 'none';

/** The format of an exported assembly. */
export type ExportFormat =
  /** The format of ClassCAD. It needs an external ClassCAD worker. */
  | 'OFB'
  /** STEP with product structure, names and shared definitions. */
  | 'STP';

/** How a file differs between two drafts or versions. */
export type FileChangeType =
  /** Only `to` contains it. */
  | 'added'
  /** Both contain the file, with different content or another name. */
  | 'changed'
  /** Only `from` contains it. */
  | 'removed';

/** The relation between parent and child. */
export type GraphEdgeKind =
  /** The child follows the parent in the same workspace. */
  | 'continues'
  /** The child's workspace was created from the parent. */
  | 'fork'
  /** The child has taken over the content of the parent. */
  | 'take_over';

/** The effect of a release action on a user of the document. */
export type ImpactEffect =
  /** The version stays frozen and would be outdated. */
  | 'becomes_outdated'
  /** The draft would resolve to another version immediately. */
  | 'changes'
  /** The version stays frozen and would no longer be outdated. */
  | 'no_longer_outdated';

/** The status of a job. */
export type JobStatus =
  /** The job was cancelled. */
  | 'cancelled'
  /** The job succeeded. */
  | 'done'
  /** The job failed and is not retried automatically. */
  | 'failed'
  /** A worker is processing the job. */
  | 'running'
  /** The job is waiting for a worker. */
  | 'waiting';

/** The type of a job. */
export type JobType =
  /** Builds the derived files of an assembly from its parts. */
  | 'assemble'
  /** Converts a source file into derived files. */
  | 'convert'
  /** Exports an assembly as one file. */
  | 'export'
  /** Runs a generator. */
  | 'run';

/** How a reference differs between two drafts or versions. */
export type ReferenceChangeType =
  /** Only `to` contains it. */
  | 'added'
  /** Both contain the reference, with differences. */
  | 'changed'
  /** Only `from` contains it. */
  | 'removed';

/** A property in which two references to the same document differ. */
export type ReferenceDifference =
  /** The written address differs. */
  | 'address'
  /** The quantity differs. */
  | 'quantity'
  /** The reference resolves to another version. */
  | 'version';

/** Whether a reference is resolved. */
export type ReferenceStatus =
  /** The reference resolves to a version. */
  | 'resolved'
  /** The reference does not resolve to a version; see the reason. */
  | 'unresolved';

/** An action on the release of a version. */
export type ReleaseAction =
  /** Mark the revision obsolete. */
  | 'obsolete'
  /** Release the version. */
  | 'release'
  /** Take the release back. */
  | 'take_back';

/** The result of a replacement in a draft. */
export type ReplacementOutcome =
  /** The asm.json file was rewritten, or would be in a dry run. */
  | 'replaced'
  /** The draft was not changed; see `code` and `message`. */
  | 'skipped';

/** How an address was resolved to a version. */
export type ResolvedAs =
  /** Through a release. */
  | 'revision'
  /** By the version number, or because the document has no release. */
  | 'version';

/** The role of a user or token. */
export type Role =
  /** May do everything, including managing users, tokens and webhooks, reading the audit log and working on jobs. */
  | 'admin'
  /** May read and write. */
  | 'editor'
  /** May read. */
  | 'viewer'
  /** May claim and process jobs, and nothing else. */
  | 'worker';

/** The state that references are updated to. */
export type UpdateTarget =
  /** The newest release that is not obsolete. */
  | 'release'
  /** The newest version. */
  | 'version';

/** Which versions are included in where-used results. */
export type UseScope =
  /** All versions. */
  | 'all'
  /** The newest version of each document. */
  | 'latest'
  /** Released versions. */
  | 'released';

/** Whether the content is editable. */
export type VersionType =
  /** The content is editable. */
  | 'draft'
  /** The content is frozen. */
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
  includeInactive?: boolean | null | undefined;
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


export type ListDeliveriesQuery = { webhookDeliveries: { items: Array<{ eventId: string, type: string, status: DeliveryStatus, createdAt: string, endedAt: string | null, nextAttemptAt: string | null, attempts: Array<{ at: string, status: number | null, error: string | null, durationMs: number }> }> } };

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

export type AuditActionsQueryVariables = Exact<{ [key: string]: never; }>;


export type AuditActionsQuery = { auditActions: Array<{ name: string, label: string }> };

export type ReadDocumentAuditQueryVariables = Exact<{
  id: string;
  cursor?: string | null | undefined;
}>;


export type ReadDocumentAuditQuery = { document: { id: string, audit: { nextCursor: string | null, items: Array<{ id: string, seq: number | null, at: string, action: string, summary: string, documentId: string | null, versionId: string | null, workspaceId: string | null, folderId: string | null, jobId: string | null, changes: unknown, route: string | null, ip: string | null, requestId: string, chain: string, chainSeq: number, hash: string, by: { id: string, name: string, role: string, via: string, onBehalfOf: string | null } }> } } | null };

export type AuditLineFragment = { id: string, seq: number | null, at: string, action: string, summary: string, documentId: string | null, versionId: string | null, workspaceId: string | null, folderId: string | null, jobId: string | null, changes: unknown, route: string | null, ip: string | null, requestId: string, chain: string, chainSeq: number, hash: string, by: { id: string, name: string, role: string, via: string, onBehalfOf: string | null } };

export type VerifyAuditQueryVariables = Exact<{
  waitSeconds?: number | null | undefined;
}>;


export type VerifyAuditQuery = { auditVerification: { verdict: AuditVerdict, startedAt: string, finishedAt: string | null, records: number | null, sealed: number | null, pending: number | null, chains: number | null, checkpoints: number | null, warnings: Array<string>, root: string | null, errors: Array<{ id: string, message: string }> } };

export type ResolvedVersionFragment = { as: ResolvedAs, label: string | null, n: number, versionId: string, obsolete: boolean, pinned: boolean };

export type BomLineFragment = { level: number, path: string, findNumber: number, documentId: string | null, number: string | null, name: string | null, kind: DocumentKind | null, address: string, quantity: number, totalQuantity: number, outdated: boolean, outdatedBelow: boolean, status: ReferenceStatus, reason: string | null, resolution: { as: ResolvedAs, label: string | null, n: number, versionId: string, obsolete: boolean, pinned: boolean } | null, version: { thumbnailUrl: string | null } | null };

export type BomOfVersionQueryVariables = Exact<{
  id: string;
  mode?: BomMode | null | undefined;
  resolve?: BomResolve | null | undefined;
}>;


export type BomOfVersionQuery = { bom: { documentId: string, number: string, name: string, n: number | null, mode: BomMode, resolve: BomResolve, items: Array<{ level: number, path: string, findNumber: number, documentId: string | null, number: string | null, name: string | null, kind: DocumentKind | null, address: string, quantity: number, totalQuantity: number, outdated: boolean, outdatedBelow: boolean, status: ReferenceStatus, reason: string | null, resolution: { as: ResolvedAs, label: string | null, n: number, versionId: string, obsolete: boolean, pinned: boolean } | null, version: { thumbnailUrl: string | null } | null }> } };

export type BomDifferencesQueryVariables = Exact<{
  from: string;
  to: string;
}>;


export type BomDifferencesQuery = { compareBoms: { from: { number: string, name: string, n: number | null, resolve: BomResolve }, to: { number: string, name: string, n: number | null, resolve: BomResolve }, changes: Array<{ change: BomChangeType, differences: Array<BomDifference>, contentChanged: boolean, level: number, from: { path: string, documentId: string | null, number: string | null, name: string | null, kind: DocumentKind | null, address: string, quantity: number, status: ReferenceStatus, reason: string | null, resolution: { as: ResolvedAs, label: string | null, n: number, versionId: string, obsolete: boolean, pinned: boolean } | null, version: { thumbnailUrl: string | null } | null } | null, to: { path: string, documentId: string | null, number: string | null, name: string | null, kind: DocumentKind | null, address: string, quantity: number, status: ReferenceStatus, reason: string | null, resolution: { as: ResolvedAs, label: string | null, n: number, versionId: string, obsolete: boolean, pinned: boolean } | null, version: { thumbnailUrl: string | null } | null } | null }> } };

export type BomSideFragment = { path: string, documentId: string | null, number: string | null, name: string | null, kind: DocumentKind | null, address: string, quantity: number, status: ReferenceStatus, reason: string | null, resolution: { as: ResolvedAs, label: string | null, n: number, versionId: string, obsolete: boolean, pinned: boolean } | null, version: { thumbnailUrl: string | null } | null };

export type UsedDocumentFragment = { id: string, number: string, name: string, kind: DocumentKind, archived: boolean };

export type UsedVersionFragment = { id: string, type: VersionType, n: number | null, thumbnailUrl: string | null, releasedAs: { label: string, obsolete: boolean } | null, workspace: { id: string, name: string } };

export type WhereUsedQueryVariables = Exact<{
  id: string;
  levels?: string | null | undefined;
  scope?: UseScope | null | undefined;
  drafts?: boolean | null | undefined;
  of?: string | null | undefined;
  cursor?: string | null | undefined;
}>;


export type WhereUsedQuery = { whereUsed: { nextCursor: string | null, total: number | null, items: Array<{ level: number, location: string, addressForm: AddressForm, quantity: number, status: ReferenceStatus, reason: string, via: Array<{ id: string, number: string, name: string }>, document: { id: string, number: string, name: string, kind: DocumentKind, archived: boolean }, version: { id: string, type: VersionType, n: number | null, thumbnailUrl: string | null, releasedAs: { label: string, obsolete: boolean } | null, workspace: { id: string, name: string } }, resolution: { as: ResolvedAs, label: string | null, n: number, versionId: string, obsolete: boolean, pinned: boolean } | null }> } };

export type VersionsOfDocumentQueryVariables = Exact<{
  id: string;
}>;


export type VersionsOfDocumentQuery = { document: { id: string, number: string, name: string, kind: DocumentKind, versionPage: { items: Array<{ id: string, n: number | null, releasedAs: { label: string, obsolete: boolean } | null }> } } | null };

export type ReferenceUpdatesQueryVariables = Exact<{
  id: string;
}>;


export type ReferenceUpdatesQuery = { version: { id: string, type: VersionType, workspace: { permissions: { canUpload: { allowed: boolean, message: string | null } } } } | null, referenceUpdates: Array<{ path: string, location: string, quantity: number, number: string | null, pinned: boolean, toRelease: string | null, toVersion: string | null, status: ReferenceStatus, reason: string, document: { thumbnailUrl: string | null, id: string, number: string, name: string, kind: DocumentKind, archived: boolean } | null, current: { as: ResolvedAs, label: string | null, n: number, versionId: string, obsolete: boolean, pinned: boolean } | null, newestRelease: { as: ResolvedAs, label: string | null, n: number, versionId: string, obsolete: boolean, pinned: boolean } | null, newestVersion: { as: ResolvedAs, label: string | null, n: number, versionId: string, obsolete: boolean, pinned: boolean } | null }> };

export type UpdateReferencesMutationVariables = Exact<{
  id: string;
  paths?: Array<string> | string | null | undefined;
  to?: UpdateTarget | null | undefined;
}>;


export type UpdateReferencesMutation = { updateReferences: { changed: Array<{ path: string, from: string, to: string }>, unchanged: Array<{ path: string, code: string, message: string }> } };

export type ReplacementDocumentQueryVariables = Exact<{
  id: string;
}>;


export type ReplacementDocumentQuery = { document: { id: string, number: string, name: string, kind: DocumentKind, archived: boolean } | null };

export type ReplaceInDraftsMutationVariables = Exact<{
  id: string;
  with: string;
  dryRun?: boolean | null | undefined;
  cursor?: string | null | undefined;
}>;


export type ReplaceInDraftsMutation = { replaceInDrafts: { nextCursor: string | null, items: Array<{ outcome: ReplacementOutcome, message: string | null, document: { id: string, number: string, name: string, kind: DocumentKind, archived: boolean }, version: { id: string, type: VersionType, n: number | null, thumbnailUrl: string | null, releasedAs: { label: string, obsolete: boolean } | null, workspace: { id: string, name: string } }, changed: Array<{ path: string, from: string, to: string }> }> } };

export type ImpactOfReleaseQueryVariables = Exact<{
  id: string;
  action?: ReleaseAction | null | undefined;
  cursor?: string | null | undefined;
}>;


export type ImpactOfReleaseQuery = { releaseImpact: { action: ReleaseAction, label: string, nextCursor: string | null, items: Array<{ addressForm: AddressForm, quantity: number, effect: ImpactEffect, document: { id: string, number: string, name: string, kind: DocumentKind, archived: boolean }, version: { id: string, type: VersionType, n: number | null, thumbnailUrl: string | null, releasedAs: { label: string, obsolete: boolean } | null, workspace: { id: string, name: string } }, from: { as: ResolvedAs, label: string | null, n: number, versionId: string, obsolete: boolean, pinned: boolean } | null, to: { as: ResolvedAs, label: string | null, n: number, versionId: string, obsolete: boolean, pinned: boolean } | null }> } };

export type CodeOfVersionQueryVariables = Exact<{
  id: string;
}>;


export type CodeOfVersionQuery = { version: { id: string, n: number | null, type: VersionType, etag: string, documentId: string, code: { repoUrl: string, ref: string, path: string, commit: string | null, syncedAt: string | null } | null, artifact: { id: string, sha256: string } | null, permissions: { canEdit: { allowed: boolean, message: string | null } }, workspace: { id: string, name: string, permissions: { canUpload: { allowed: boolean, message: string | null } } }, newestJob: { id: string, type: JobType, status: JobStatus } | null } | null };

export type ListRunsQueryVariables = Exact<{
  id: string;
  cursor?: string | null | undefined;
}>;


export type ListRunsQuery = { version: { id: string, runs: { nextCursor: string | null, items: Array<{ id: string, createdAt: string, commit: string, forced: boolean, params: unknown, createdBy: { name: string }, generator: { name: string, version: string }, job: { id: string, status: JobStatus, cancelRequested: boolean, progress: { percent: number, step: string } | null, error: { code: string, message: string, final: boolean } | null } | null, documents: Array<{ id: string, number: string, name: string, kind: DocumentKind, thumbnailUrl: string | null }> }> } } | null };

export type RunLineFragment = { id: string, createdAt: string, commit: string, forced: boolean, params: unknown, createdBy: { name: string }, generator: { name: string, version: string }, job: { id: string, status: JobStatus, cancelRequested: boolean, progress: { percent: number, step: string } | null, error: { code: string, message: string, final: boolean } | null } | null, documents: Array<{ id: string, number: string, name: string, kind: DocumentKind, thumbnailUrl: string | null }> };

export type GetRunQueryVariables = Exact<{
  id: string;
}>;


export type GetRunQuery = { run: { isolation: string | null, paramsHash: string, id: string, createdAt: string, commit: string, forced: boolean, params: unknown, document: { id: string, number: string, name: string }, version: { id: string, n: number | null, type: VersionType, code: { repoUrl: string, ref: string, path: string } | null } | null, createdBy: { name: string }, generator: { name: string, version: string }, job: { id: string, status: JobStatus, cancelRequested: boolean, progress: { percent: number, step: string } | null, error: { code: string, message: string, final: boolean } | null } | null, documents: Array<{ id: string, number: string, name: string, kind: DocumentKind, thumbnailUrl: string | null }> } | null };

export type SetCodeMutationVariables = Exact<{
  versionId: string;
  repoUrl: string;
  ref: string;
  path?: string | null | undefined;
}>;


export type SetCodeMutation = { setCode: { id: string } };

export type SyncCodeMutationVariables = Exact<{
  versionId: string;
}>;


export type SyncCodeMutation = { syncCode: { id: string, code: { commit: string | null } | null } };

export type RequestRunMutationVariables = Exact<{
  versionId: string;
  params?: unknown;
  force?: boolean | null | undefined;
}>;


export type RequestRunMutation = { requestRun: { created: boolean, run: { id: string } } };

export type DocumentPageQueryVariables = Exact<{
  id: string;
}>;


export type DocumentPageQuery = { document: { id: string, etag: string, number: string, name: string, kind: DocumentKind, description: string | null, archived: boolean, thumbnailUrl: string | null, createdAt: string, updatedAt: string, workspaces: Array<{ id: string, etag: string, name: string, description: string | null, archived: boolean, draftId: string, newestVersionId: string | null, newestVersion: { id: string, n: number | null } | null, reservation: { since: string, expiresAt: string, note: string | null, by: { id: string, name: string }, checkinRequests: Array<{ at: string, note: string | null, by: { id: string, name: string } }> } | null, permissions: { canArchive: { allowed: boolean, message: string | null }, canRequestCheckin: { allowed: boolean, message: string | null }, canUnarchive: { allowed: boolean, message: string | null }, canCheckin: { allowed: boolean, message: string | null }, canCheckout: { allowed: boolean, message: string | null }, canDelete: { allowed: boolean, message: string | null }, canForceCheckin: { allowed: boolean, message: string | null }, canCreateVersion: { allowed: boolean, message: string | null }, canEdit: { allowed: boolean, message: string | null }, canUpload: { allowed: boolean, message: string | null } } }>, revisions: Array<{ id: string, label: string, obsolete: boolean, versionId: string, versionN: number }>, versionGraph: { rows: number, nodes: Array<{ version: { id: string, type: VersionType, n: number | null, name: string, workspaceId: string, createdAt: string, thumbnailUrl: string | null, releasedAs: { revisionId: string, label: string, obsolete: boolean } | null } }> }, folder: { id: string, name: string, path: string } | null, copiedFrom: { documentId: string, versionId: string } | null, importedFrom: { documentId: string, fileName: string, document: { id: string, number: string, name: string } | null } | null, generator: { id: string, number: string, name: string } | null, generatorVersion: { id: string, n: number | null, commit: string } | null, run: { id: string } | null, createdBy: { id: string, name: string }, updatedBy: { id: string, name: string }, permissions: { canEdit: { allowed: boolean, message: string | null }, canArchive: { allowed: boolean, message: string | null }, canUnarchive: { allowed: boolean, message: string | null }, canDelete: { allowed: boolean, message: string | null }, canCopy: { allowed: boolean, message: string | null } } } | null };

export type SelectedVersionQueryVariables = Exact<{
  id: string;
}>;


export type SelectedVersionQuery = { version: { documentId: string, etag: string, updatedAt: string, comment: string | null, basedOnVersionId: string | null, id: string, type: VersionType, n: number | null, name: string, workspaceId: string, createdAt: string, thumbnailUrl: string | null, workspace: { name: string }, createdBy: { id: string, name: string }, permissions: { canEdit: { allowed: boolean, message: string | null }, canRelease: { allowed: boolean, message: string | null }, canCreateWorkspace: { allowed: boolean, message: string | null } }, artifacts: Array<{ id: string, kind: string, fileName: string, size: number, sha256: string, contentType: string, generator: string | null, stale: boolean, createdAt: string, createdBy: { id: string, name: string } }>, newestJob: { id: string, type: JobType, format: string | null, status: JobStatus, queuedAt: string, progress: { percent: number, step: string } | null, error: { code: string, message: string, final: boolean } | null } | null, releasedAs: { revisionId: string, label: string, obsolete: boolean } | null } | null };

export type DocumentHeadFragment = { id: string, etag: string, number: string, name: string, kind: DocumentKind, description: string | null, archived: boolean, thumbnailUrl: string | null, createdAt: string, updatedAt: string, folder: { id: string, name: string, path: string } | null, copiedFrom: { documentId: string, versionId: string } | null, importedFrom: { documentId: string, fileName: string, document: { id: string, number: string, name: string } | null } | null, generator: { id: string, number: string, name: string } | null, generatorVersion: { id: string, n: number | null, commit: string } | null, run: { id: string } | null, createdBy: { id: string, name: string }, updatedBy: { id: string, name: string }, permissions: { canEdit: { allowed: boolean, message: string | null }, canArchive: { allowed: boolean, message: string | null }, canUnarchive: { allowed: boolean, message: string | null }, canDelete: { allowed: boolean, message: string | null }, canCopy: { allowed: boolean, message: string | null } } };

export type WorkspaceItemFragment = { id: string, etag: string, name: string, description: string | null, archived: boolean, draftId: string, newestVersionId: string | null, newestVersion: { id: string, n: number | null } | null, reservation: { since: string, expiresAt: string, note: string | null, by: { id: string, name: string }, checkinRequests: Array<{ at: string, note: string | null, by: { id: string, name: string } }> } | null, permissions: { canArchive: { allowed: boolean, message: string | null }, canRequestCheckin: { allowed: boolean, message: string | null }, canUnarchive: { allowed: boolean, message: string | null }, canCheckin: { allowed: boolean, message: string | null }, canCheckout: { allowed: boolean, message: string | null }, canDelete: { allowed: boolean, message: string | null }, canForceCheckin: { allowed: boolean, message: string | null }, canCreateVersion: { allowed: boolean, message: string | null }, canEdit: { allowed: boolean, message: string | null }, canUpload: { allowed: boolean, message: string | null } } };

export type VersionLineFragment = { id: string, type: VersionType, n: number | null, name: string, workspaceId: string, createdAt: string, thumbnailUrl: string | null, releasedAs: { revisionId: string, label: string, obsolete: boolean } | null };

export type FileLineFragment = { id: string, kind: string, fileName: string, size: number, sha256: string, contentType: string, generator: string | null, stale: boolean, createdAt: string, createdBy: { id: string, name: string } };

export type DocumentOriginQueryVariables = Exact<{
  id: string;
}>;


export type DocumentOriginQuery = { document: { id: string, number: string, name: string } | null };

export type UpdateDocumentMutationVariables = Exact<{
  id: string;
  name?: string | null | undefined;
  description?: string | null | undefined;
}>;


export type UpdateDocumentMutation = { updateDocument: { id: string, etag: string, name: string, description: string | null } };

export type ArchiveDocumentMutationVariables = Exact<{
  id: string;
}>;


export type ArchiveDocumentMutation = { archiveDocument: { id: string, archived: boolean } };

export type UnarchiveDocumentMutationVariables = Exact<{
  id: string;
}>;


export type UnarchiveDocumentMutation = { unarchiveDocument: { id: string, archived: boolean } };

export type DeleteDocumentMutationVariables = Exact<{
  id: string;
}>;


export type DeleteDocumentMutation = { deleteDocument: boolean };

export type CreateVersionMutationVariables = Exact<{
  workspaceId: string;
  name?: string | null | undefined;
  comment?: string | null | undefined;
}>;


export type CreateVersionMutation = { createVersion: { id: string, n: number | null, name: string } };

export type ReleaseVersionMutationVariables = Exact<{
  versionId: string;
  comment?: string | null | undefined;
}>;


export type ReleaseVersionMutation = { releaseVersion: { id: string, label: string, warnings: Array<{ documentId: string, versionId: string, message: string }> } };

export type ArchiveWorkspaceMutationVariables = Exact<{
  id: string;
}>;


export type ArchiveWorkspaceMutation = { archiveWorkspace: { id: string, archived: boolean } };

export type UnarchiveWorkspaceMutationVariables = Exact<{
  id: string;
}>;


export type UnarchiveWorkspaceMutation = { unarchiveWorkspace: { id: string, archived: boolean } };

export type CheckOutMutationVariables = Exact<{
  id: string;
  ttlSeconds?: number | null | undefined;
  note?: string | null | undefined;
}>;


export type CheckOutMutation = { checkoutWorkspace: { workspaceId: string, expiresAt: string } };

export type ExtendReservationMutationVariables = Exact<{
  id: string;
  ttlSeconds?: number | null | undefined;
}>;


export type ExtendReservationMutation = { heartbeatCheckout: { workspaceId: string, expiresAt: string } };

export type CheckInMutationVariables = Exact<{
  id: string;
  force?: boolean | null | undefined;
}>;


export type CheckInMutation = { checkinWorkspace: { id: string } };

export type RemoveFileMutationVariables = Exact<{
  versionId: string;
  kind: string;
}>;


export type RemoveFileMutation = { deleteArtifact: boolean };

export type ExportVersionMutationVariables = Exact<{
  versionId: string;
  format: ExportFormat;
}>;


export type ExportVersionMutation = { requestExport: { id: string, status: JobStatus } };

export type CopyDocumentMutationVariables = Exact<{
  id: string;
  name?: string | null | undefined;
  number?: string | null | undefined;
  versionId?: string | null | undefined;
}>;


export type CopyDocumentMutation = { copyDocument: { id: string, number: string } };

export type ReleaseOfQueryVariables = Exact<{
  versionId: string;
}>;


export type ReleaseOfQuery = { version: { id: string, n: number | null, name: string, document: { id: string, number: string, name: string, kind: DocumentKind }, references: Array<{ number: string | null, documentId: string | null, resolution: { n: number, label: string | null, obsolete: boolean, versionId: string } | null }> } | null };

export type ExportsOfQueryVariables = Exact<{
  versionId: string;
}>;


export type ExportsOfQuery = { jobs: { items: Array<{ id: string, format: string | null, status: JobStatus }> }, exportFormats: Array<{ format: ExportFormat, engine: ExportEngine }> };

export type RevisionWarningsQueryVariables = Exact<{
  id: string;
}>;


export type RevisionWarningsQuery = { revision: { id: string, warnings: Array<{ documentId: string, versionId: string, message: string }> } | null };

export type FolderTreeQueryVariables = Exact<{ [key: string]: never; }>;


export type FolderTreeQuery = { folders: Array<{ id: string, name: string, parentId: string | null, path: string, documentCount: number }> };

export type FindDocumentsQueryVariables = Exact<{
  q?: string | null | undefined;
  folderId?: string | null | undefined;
  recursive?: boolean | null | undefined;
  kind?: DocumentKind | null | undefined;
  includeArchived?: boolean | null | undefined;
  sort?: DocumentSort | null | undefined;
  descending?: boolean | null | undefined;
  cursor?: string | null | undefined;
  total?: boolean | null | undefined;
}>;


export type FindDocumentsQuery = { documents: { nextCursor: string | null, total: number | null, items: Array<{ id: string, number: string, name: string, kind: DocumentKind, archived: boolean, thumbnailUrl: string | null, updatedAt: string, folder: { id: string, path: string } | null, updatedBy: { name: string }, workspaces: Array<{ id: string, name: string, newestVersion: { n: number | null } | null, reservation: { expiresAt: string, by: { id: string, name: string } } | null }>, revisions: Array<{ label: string, obsolete: boolean, versionN: number }> }> } };

export type FoundDocumentFragment = { id: string, number: string, name: string, kind: DocumentKind, archived: boolean, thumbnailUrl: string | null, updatedAt: string, folder: { id: string, path: string } | null, updatedBy: { name: string }, workspaces: Array<{ id: string, name: string, newestVersion: { n: number | null } | null, reservation: { expiresAt: string, by: { id: string, name: string } } | null }>, revisions: Array<{ label: string, obsolete: boolean, versionN: number }> };

export type SearchDocumentsQueryVariables = Exact<{
  q: string;
}>;


export type SearchDocumentsQuery = { documents: { items: Array<{ id: string, number: string, name: string, kind: DocumentKind, thumbnailUrl: string | null }> } };

export type PaletteFoldersQueryVariables = Exact<{ [key: string]: never; }>;


export type PaletteFoldersQuery = { folders: Array<{ id: string, name: string, path: string }> };

export type CreateFolderMutationVariables = Exact<{
  name: string;
  parentId?: string | null | undefined;
}>;


export type CreateFolderMutation = { createFolder: { id: string, name: string, path: string } };

export type RenameFolderMutationVariables = Exact<{
  id: string;
  name?: string | null | undefined;
}>;


export type RenameFolderMutation = { updateFolder: { id: string, name: string, path: string } };

export type MoveFolderMutationVariables = Exact<{
  id: string;
  parentId?: string | null | undefined;
}>;


export type MoveFolderMutation = { updateFolder: { id: string, name: string, path: string } };

export type DeleteFolderMutationVariables = Exact<{
  id: string;
}>;


export type DeleteFolderMutation = { deleteFolder: boolean };

export type MoveDocumentsMutationVariables = Exact<{
  ids: Array<string> | string;
  folderId?: string | null | undefined;
}>;


export type MoveDocumentsMutation = { moveDocuments: Array<{ id: string }> };

export type HistoryPageQueryVariables = Exact<{
  id: string;
  fromRow?: number | null | undefined;
  limit?: number | null | undefined;
}>;


export type HistoryPageQuery = { document: { id: string, number: string, kind: DocumentKind, run: { id: string } | null, versionGraph: { rows: number, lanes: Array<{ lane: number, workspace: { id: string, name: string, archived: boolean } }>, nodes: Array<{ lane: number, version: { id: string, n: number | null, type: VersionType, name: string, comment: string | null, createdAt: string, updatedAt: string, workspaceId: string, createdBy: { name: string }, releasedAs: { label: string, obsolete: boolean } | null, reservation: { expiresAt: string, by: { id: string, name: string } } | null, newestJob: { id: string, status: JobStatus } | null } }>, edges: Array<{ kind: GraphEdgeKind, child: { row: number, lane: number }, parent: { row: number, lane: number } }> } } | null };

export type HistoryVersionQueryVariables = Exact<{
  id: string;
}>;


export type HistoryVersionQuery = { version: { id: string, n: number | null, type: VersionType, name: string, comment: string | null, createdAt: string, updatedAt: string, workspaceId: string, createdBy: { name: string }, releasedAs: { label: string, obsolete: boolean } | null, reservation: { expiresAt: string, by: { id: string, name: string } } | null, newestJob: { id: string, status: JobStatus } | null } | null };

export type HistoryCheckInRequestsQueryVariables = Exact<{
  id: string;
}>;


export type HistoryCheckInRequestsQuery = { document: { id: string, workspaces: Array<{ id: string, reservation: { checkinRequests: Array<{ by: { id: string, name: string } }> } | null }> } | null };

export type HistoryNodeFragment = { id: string, n: number | null, type: VersionType, name: string, comment: string | null, createdAt: string, updatedAt: string, workspaceId: string, createdBy: { name: string }, releasedAs: { label: string, obsolete: boolean } | null, reservation: { expiresAt: string, by: { id: string, name: string } } | null, newestJob: { id: string, status: JobStatus } | null };

export type HistoryPanelQueryVariables = Exact<{
  id: string;
}>;


export type HistoryPanelQuery = { version: { etag: string, basedOnVersionId: string | null, thumbnailUrl: string | null, id: string, n: number | null, type: VersionType, name: string, comment: string | null, createdAt: string, updatedAt: string, workspaceId: string, document: { kind: DocumentKind, number: string }, artifacts: Array<{ id: string, kind: string, fileName: string, size: number, generator: string | null, createdAt: string, stale: boolean }>, references: Array<{ path: string, number: string | null, reason: string, status: ReferenceStatus, quantity: number, location: string, resolution: { n: number, label: string | null, obsolete: boolean } | null, document: { id: string, name: string } | null }>, jobs: { items: Array<{ id: string, type: JobType, format: string | null, status: JobStatus, queuedAt: string, error: { code: string, message: string } | null }> }, createdBy: { name: string }, releasedAs: { label: string, obsolete: boolean } | null, reservation: { expiresAt: string, by: { id: string, name: string } } | null, newestJob: { id: string, status: JobStatus } | null } | null, versionAudit: { nextCursor: string | null, items: Array<{ id: string, at: string, action: string, summary: string, by: { name: string } }> } };

export type HistoryActionsQueryVariables = Exact<{
  id: string;
}>;


export type HistoryActionsQuery = { version: { id: string, n: number | null, type: VersionType, name: string, comment: string | null, etag: string, releasedAs: { revisionId: string, label: string, obsolete: boolean } | null, permissions: { canEdit: { allowed: boolean, message: string | null }, canRelease: { allowed: boolean, message: string | null }, canCreateWorkspace: { allowed: boolean, message: string | null } }, document: { id: string, number: string, permissions: { canCopy: { allowed: boolean, message: string | null } } }, workspace: { id: string, name: string, description: string | null, etag: string, archived: boolean, reservation: { expiresAt: string, by: { id: string, name: string } } | null, permissions: { canArchive: { allowed: boolean, message: string | null }, canRequestCheckin: { allowed: boolean, message: string | null }, canCheckin: { allowed: boolean, message: string | null }, canCheckout: { allowed: boolean, message: string | null }, canDelete: { allowed: boolean, message: string | null }, canForceCheckin: { allowed: boolean, message: string | null }, canCreateVersion: { allowed: boolean, message: string | null }, canEdit: { allowed: boolean, message: string | null }, canRestore: { allowed: boolean, message: string | null }, canTakeOver: { allowed: boolean, message: string | null }, canUnarchive: { allowed: boolean, message: string | null }, canUpload: { allowed: boolean, message: string | null } } } } | null };

export type HistoryRevisionQueryVariables = Exact<{
  id: string;
}>;


export type HistoryRevisionQuery = { revision: { id: string, label: string, comment: string | null, etag: string, createdAt: string, obsoletedAt: string | null, createdBy: { name: string }, permissions: { canEdit: { allowed: boolean, message: string | null }, canObsolete: { allowed: boolean, message: string | null }, canTakeBack: { allowed: boolean, message: string | null } } } | null };

export type HistoryUndoStateQueryVariables = Exact<{
  versionId: string;
}>;


export type HistoryUndoStateQuery = { versionAudit: { items: Array<{ id: string, at: string, action: string, summary: string, by: { name: string } }> } };

export type HistoryWorkspacesQueryVariables = Exact<{
  id: string;
}>;


export type HistoryWorkspacesQuery = { document: { id: string, workspaces: Array<{ id: string, name: string, archived: boolean, draftId: string, permissions: { canRestore: { allowed: boolean, message: string | null }, canTakeOver: { allowed: boolean, message: string | null } } }> } | null };

export type CompareOptionsQueryVariables = Exact<{
  id: string;
}>;


export type CompareOptionsQuery = { document: { id: string, number: string, kind: DocumentKind, drafts: Array<{ id: string, workspace: { id: string, name: string, archived: boolean } }>, revisions: Array<{ id: string, label: string, obsolete: boolean, versionId: string, versionN: number }>, versionGraph: { nodes: Array<{ version: { id: string, n: number | null, type: VersionType, name: string } }> } } | null };

export type VersionOptionsQueryVariables = Exact<{
  id: string;
  cursor?: string | null | undefined;
}>;


export type VersionOptionsQuery = { document: { id: string, revisions: Array<{ id: string, label: string, obsolete: boolean, versionId: string, versionN: number }>, versionPage: { nextCursor: string | null, items: Array<{ id: string, type: VersionType, n: number | null, name: string, comment: string | null, createdAt: string, createdBy: { name: string }, workspace: { name: string }, releasedAs: { label: string, obsolete: boolean } | null }> } } | null };

export type VersionOptionsFromRowQueryVariables = Exact<{
  id: string;
  fromRow: number;
}>;


export type VersionOptionsFromRowQuery = { document: { id: string, versionGraph: { nodes: Array<{ version: { id: string, type: VersionType, n: number | null, name: string, comment: string | null, createdAt: string, createdBy: { name: string }, workspace: { name: string }, releasedAs: { label: string, obsolete: boolean } | null } }> } } | null };

export type VersionOptionFragment = { id: string, type: VersionType, n: number | null, name: string, comment: string | null, createdAt: string, createdBy: { name: string }, workspace: { name: string }, releasedAs: { label: string, obsolete: boolean } | null };

export type CompareResolveQueryVariables = Exact<{
  address: string;
}>;


export type CompareResolveQuery = { resolveAddress: { status: ReferenceStatus, reason: string, resolution: { versionId: string, n: number } | null } };

export type CompareVersionsQueryVariables = Exact<{
  from: string;
  to: string;
}>;


export type CompareVersionsQuery = { compareVersions: { from: { id: string, n: number | null, type: VersionType, name: string, createdAt: string, createdBy: { name: string }, workspace: { id: string, name: string }, document: { kind: DocumentKind }, releasedAs: { label: string, obsolete: boolean } | null, artifacts: Array<{ id: string, kind: string, fileName: string, size: number, sha256: string, generator: string | null }> }, to: { id: string, n: number | null, type: VersionType, name: string, createdAt: string, createdBy: { name: string }, workspace: { id: string, name: string }, document: { kind: DocumentKind }, releasedAs: { label: string, obsolete: boolean } | null, artifacts: Array<{ id: string, kind: string, fileName: string, size: number, sha256: string, generator: string | null }> }, fields: Array<{ field: string, from: string | null, to: string | null }>, files: Array<{ kind: string, change: FileChangeType, contentDiffers: boolean, from: { id: string, fileName: string, size: number, generator: string | null, sha256: string } | null, to: { id: string, fileName: string, size: number, generator: string | null, sha256: string } | null }>, references: Array<{ change: ReferenceChangeType, differences: Array<ReferenceDifference>, from: { line: number, location: string, documentId: string | null, name: string | null, number: string | null, n: number | null, label: string | null, quantity: number, status: string, reason: string | null } | null, to: { line: number, location: string, documentId: string | null, name: string | null, number: string | null, n: number | null, label: string | null, quantity: number, status: string, reason: string | null } | null }>, measures: { area: { from: number | null, to: number | null, difference: number | null, relative: number | null } | null, volume: { from: number | null, to: number | null, difference: number | null, relative: number | null } | null, boundingBox: { sizeDifference: Array<number>, from: { size: Array<number> }, to: { size: Array<number> } } | null, missing: Array<{ versionId: string, reason: string }> } } };

export type ComparedVersionFragment = { id: string, n: number | null, type: VersionType, name: string, createdAt: string, createdBy: { name: string }, workspace: { id: string, name: string }, document: { kind: DocumentKind }, releasedAs: { label: string, obsolete: boolean } | null, artifacts: Array<{ id: string, kind: string, fileName: string, size: number, sha256: string, generator: string | null }> };

export type ComparedUseFragment = { line: number, location: string, documentId: string | null, name: string | null, number: string | null, n: number | null, label: string | null, quantity: number, status: string, reason: string | null };

export type HistoryCreateVersionMutationVariables = Exact<{
  workspaceId: string;
  name?: string | null | undefined;
  comment?: string | null | undefined;
}>;


export type HistoryCreateVersionMutation = { createVersion: { id: string, n: number | null } };

export type HistoryCreateWorkspaceMutationVariables = Exact<{
  documentId: string;
  fromVersionId: string;
  name: string;
  description?: string | null | undefined;
}>;


export type HistoryCreateWorkspaceMutation = { createWorkspace: { id: string, name: string, draftId: string } };

export type HistoryRestoreMutationVariables = Exact<{
  workspaceId: string;
  versionId: string;
}>;


export type HistoryRestoreMutation = { restoreVersion: { auditId: string, undoExpiresAt: string, draft: { id: string } } };

export type HistoryTakeOverMutationVariables = Exact<{
  workspaceId: string;
  versionId: string;
  force?: boolean | null | undefined;
}>;


export type HistoryTakeOverMutation = { takeOver: { auditId: string, undoExpiresAt: string, draft: { id: string } } };

export type HistoryUndoMutationVariables = Exact<{
  workspaceId: string;
  auditId: string;
}>;


export type HistoryUndoMutation = { undoDraftChange: { auditId: string, draft: { id: string } } };

export type HistoryCheckoutMutationVariables = Exact<{
  id: string;
  note?: string | null | undefined;
}>;


export type HistoryCheckoutMutation = { checkoutWorkspace: { expiresAt: string } };

export type HistoryCheckinMutationVariables = Exact<{
  id: string;
  force?: boolean | null | undefined;
}>;


export type HistoryCheckinMutation = { checkinWorkspace: { id: string } };

export type HistoryUpdateVersionMutationVariables = Exact<{
  id: string;
  name?: string | null | undefined;
  comment?: string | null | undefined;
}>;


export type HistoryUpdateVersionMutation = { updateVersion: { id: string, etag: string } };

export type HistoryUpdateRevisionMutationVariables = Exact<{
  id: string;
  comment?: string | null | undefined;
}>;


export type HistoryUpdateRevisionMutation = { updateRevision: { id: string, etag: string } };

export type HistoryUpdateWorkspaceMutationVariables = Exact<{
  id: string;
  name?: string | null | undefined;
  description?: string | null | undefined;
}>;


export type HistoryUpdateWorkspaceMutation = { updateWorkspace: { id: string, name: string } };

export type HistoryArchiveWorkspaceMutationVariables = Exact<{
  id: string;
}>;


export type HistoryArchiveWorkspaceMutation = { archiveWorkspace: { id: string } };

export type HistoryUnarchiveWorkspaceMutationVariables = Exact<{
  id: string;
}>;


export type HistoryUnarchiveWorkspaceMutation = { unarchiveWorkspace: { id: string } };

export type HistoryDeleteWorkspaceMutationVariables = Exact<{
  id: string;
}>;


export type HistoryDeleteWorkspaceMutation = { deleteWorkspace: boolean };

export type HistoryObsoleteMutationVariables = Exact<{
  id: string;
}>;


export type HistoryObsoleteMutation = { obsoleteRevision: { id: string } };

export type HistoryTakeBackMutationVariables = Exact<{
  id: string;
}>;


export type HistoryTakeBackMutation = { takeBackRevision: boolean };

export type HistoryCopyDocumentMutationVariables = Exact<{
  id: string;
  versionId?: string | null | undefined;
  name?: string | null | undefined;
  number?: string | null | undefined;
}>;


export type HistoryCopyDocumentMutation = { copyDocument: { id: string, number: string } };

export type ListJobsQueryVariables = Exact<{
  status?: JobStatus | null | undefined;
  type?: JobType | null | undefined;
  documentId?: string | null | undefined;
  cursor?: string | null | undefined;
}>;


export type ListJobsQuery = { jobs: { nextCursor: string | null, total: number | null, items: Array<{ id: string, type: JobType, format: string | null, status: JobStatus, attempt: number, maxAttempts: number, queuedAt: string, startedAt: string | null, finishedAt: string | null, workerId: string | null, cancelRequested: boolean, progress: { percent: number, step: string } | null, error: { code: string, message: string, final: boolean } | null, document: { id: string, number: string, name: string, kind: DocumentKind }, version: { id: string, n: number | null, name: string, type: VersionType, thumbnailUrl: string | null } }> } };

export type GetJobQueryVariables = Exact<{
  id: string;
}>;


export type GetJobQuery = { job: { environment: unknown, inputSha256: string | null, leaseExpiresAt: string | null, runId: string | null, id: string, type: JobType, format: string | null, status: JobStatus, attempt: number, maxAttempts: number, queuedAt: string, startedAt: string | null, finishedAt: string | null, workerId: string | null, cancelRequested: boolean, progress: { percent: number, step: string } | null, error: { code: string, message: string, final: boolean } | null, document: { id: string, number: string, name: string, kind: DocumentKind }, version: { id: string, n: number | null, name: string, type: VersionType, thumbnailUrl: string | null } } | null };

export type JobLineFragment = { id: string, type: JobType, format: string | null, status: JobStatus, attempt: number, maxAttempts: number, queuedAt: string, startedAt: string | null, finishedAt: string | null, workerId: string | null, cancelRequested: boolean, progress: { percent: number, step: string } | null, error: { code: string, message: string, final: boolean } | null, document: { id: string, number: string, name: string, kind: DocumentKind }, version: { id: string, n: number | null, name: string, type: VersionType, thumbnailUrl: string | null } };

export type CancelJobMutationVariables = Exact<{
  id: string;
}>;


export type CancelJobMutation = { cancelJob: { id: string, status: JobStatus, cancelRequested: boolean } };

export type RetryJobMutationVariables = Exact<{
  id: string;
}>;


export type RetryJobMutation = { retryJob: { id: string, status: JobStatus } };

export type MyReservationsQueryVariables = Exact<{ [key: string]: never; }>;


export type MyReservationsQuery = { myReservations: { held: Array<{ workspaceId: string, since: string, expiresAt: string, note: string | null, checkinRequests: Array<{ at: string, note: string | null, by: { id: string, name: string } }>, by: { id: string, name: string }, workspace: { id: string, name: string, draftId: string, document: { id: string, number: string, name: string, kind: DocumentKind, thumbnailUrl: string | null } } }>, requested: Array<{ workspaceId: string, since: string, expiresAt: string, note: string | null, checkinRequests: Array<{ at: string, by: { id: string } }>, by: { id: string, name: string }, workspace: { id: string, name: string, draftId: string, document: { id: string, number: string, name: string, kind: DocumentKind, thumbnailUrl: string | null } } }> } };

export type ReservedDraftFragment = { workspaceId: string, since: string, expiresAt: string, note: string | null, by: { id: string, name: string }, workspace: { id: string, name: string, draftId: string, document: { id: string, number: string, name: string, kind: DocumentKind, thumbnailUrl: string | null } } };

export type WorkspaceReservationQueryVariables = Exact<{
  workspaceId: string;
}>;


export type WorkspaceReservationQuery = { workspace: { id: string, archived: boolean, reservation: { since: string, by: { id: string, name: string } } | null, permissions: { canCheckout: { allowed: boolean } } } | null };

export type RequestCheckInMutationVariables = Exact<{
  id: string;
  note?: string | null | undefined;
}>;


export type RequestCheckInMutation = { requestCheckin: { workspaceId: string, since: string, expiresAt: string, note: string | null, checkinRequests: Array<{ at: string, by: { id: string } }>, by: { id: string, name: string }, workspace: { id: string, name: string, draftId: string, document: { id: string, number: string, name: string, kind: DocumentKind, thumbnailUrl: string | null } } } };

export type NewestJobQueryVariables = Exact<{
  id: string;
}>;


export type NewestJobQuery = { version: { id: string, newestJob: { id: string, status: JobStatus, inputSha256: string | null } | null } | null };

export type CreateDocumentMutationVariables = Exact<{
  input: CreateDocumentInput;
}>;


export type CreateDocumentMutation = { createDocument: { id: string, number: string, name: string, kind: DocumentKind, etag: string, workspaces: Array<{ draftId: string }> } };

export type DeleteNewDocumentMutationVariables = Exact<{
  id: string;
}>;


export type DeleteNewDocumentMutation = { deleteDocument: boolean };

export type ModelOfVersionQueryVariables = Exact<{
  id: string;
}>;


export type ModelOfVersionQuery = { version: { id: string, type: VersionType, n: number | null, thumbnailUrl: string | null, document: { id: string, number: string, name: string, kind: DocumentKind }, glb: { id: string, sha256: string, size: number, stale: boolean } | null, properties: { id: string, stale: boolean } | null } | null, jobs: { items: Array<{ id: string, type: JobType, status: JobStatus, progress: { percent: number, step: string } | null, error: { code: string, message: string } | null }> } };

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
export const ResolvedVersionFragmentDoc = new TypedDocumentString(`
    fragment ResolvedVersion on Resolution {
  as
  label
  n
  versionId
  obsolete
  pinned
}
    `, {"fragmentName":"ResolvedVersion"}) as unknown as TypedDocumentString<ResolvedVersionFragment, unknown>;
export const BomLineFragmentDoc = new TypedDocumentString(`
    fragment BomLine on BomRow {
  level
  path
  findNumber
  documentId
  number
  name
  kind
  address
  resolution {
    ...ResolvedVersion
  }
  version {
    thumbnailUrl
  }
  quantity
  totalQuantity
  outdated
  outdatedBelow
  status
  reason
}
    fragment ResolvedVersion on Resolution {
  as
  label
  n
  versionId
  obsolete
  pinned
}`, {"fragmentName":"BomLine"}) as unknown as TypedDocumentString<BomLineFragment, unknown>;
export const BomSideFragmentDoc = new TypedDocumentString(`
    fragment BomSide on BomRow {
  path
  documentId
  number
  name
  kind
  address
  quantity
  resolution {
    ...ResolvedVersion
  }
  version {
    thumbnailUrl
  }
  status
  reason
}
    fragment ResolvedVersion on Resolution {
  as
  label
  n
  versionId
  obsolete
  pinned
}`, {"fragmentName":"BomSide"}) as unknown as TypedDocumentString<BomSideFragment, unknown>;
export const UsedDocumentFragmentDoc = new TypedDocumentString(`
    fragment UsedDocument on Document {
  id
  number
  name
  kind
  archived
}
    `, {"fragmentName":"UsedDocument"}) as unknown as TypedDocumentString<UsedDocumentFragment, unknown>;
export const UsedVersionFragmentDoc = new TypedDocumentString(`
    fragment UsedVersion on Version {
  id
  type
  n
  thumbnailUrl
  releasedAs {
    label
    obsolete
  }
  workspace {
    id
    name
  }
}
    `, {"fragmentName":"UsedVersion"}) as unknown as TypedDocumentString<UsedVersionFragment, unknown>;
export const RunLineFragmentDoc = new TypedDocumentString(`
    fragment RunLine on Run {
  id
  createdAt
  createdBy {
    name
  }
  commit
  forced
  params
  generator {
    name
    version
  }
  job {
    id
    status
    cancelRequested
    progress {
      percent
      step
    }
    error {
      code
      message
      final
    }
  }
  documents {
    id
    number
    name
    kind
    thumbnailUrl
  }
}
    `, {"fragmentName":"RunLine"}) as unknown as TypedDocumentString<RunLineFragment, unknown>;
export const DocumentHeadFragmentDoc = new TypedDocumentString(`
    fragment DocumentHead on Document {
  id
  etag
  number
  name
  kind
  description
  archived
  thumbnailUrl
  folder {
    id
    name
    path
  }
  copiedFrom {
    documentId
    versionId
  }
  importedFrom {
    documentId
    fileName
    document {
      id
      number
      name
    }
  }
  generator {
    id
    number
    name
  }
  generatorVersion {
    id
    n
    commit
  }
  run {
    id
  }
  createdAt
  createdBy {
    id
    name
  }
  updatedAt
  updatedBy {
    id
    name
  }
  permissions {
    canEdit {
      allowed
      message
    }
    canArchive {
      allowed
      message
    }
    canUnarchive {
      allowed
      message
    }
    canDelete {
      allowed
      message
    }
    canCopy {
      allowed
      message
    }
  }
}
    `, {"fragmentName":"DocumentHead"}) as unknown as TypedDocumentString<DocumentHeadFragment, unknown>;
export const WorkspaceItemFragmentDoc = new TypedDocumentString(`
    fragment WorkspaceItem on Workspace {
  id
  etag
  name
  description
  archived
  draftId
  newestVersionId
  newestVersion {
    id
    n
  }
  reservation {
    by {
      id
      name
    }
    since
    expiresAt
    note
    checkinRequests {
      by {
        id
        name
      }
      at
      note
    }
  }
  permissions {
    canArchive {
      allowed
      message
    }
    canRequestCheckin {
      allowed
      message
    }
    canUnarchive {
      allowed
      message
    }
    canCheckin {
      allowed
      message
    }
    canCheckout {
      allowed
      message
    }
    canDelete {
      allowed
      message
    }
    canForceCheckin {
      allowed
      message
    }
    canCreateVersion {
      allowed
      message
    }
    canEdit {
      allowed
      message
    }
    canUpload {
      allowed
      message
    }
  }
}
    `, {"fragmentName":"WorkspaceItem"}) as unknown as TypedDocumentString<WorkspaceItemFragment, unknown>;
export const VersionLineFragmentDoc = new TypedDocumentString(`
    fragment VersionLine on Version {
  id
  type
  n
  name
  workspaceId
  createdAt
  releasedAs {
    revisionId
    label
    obsolete
  }
  thumbnailUrl
}
    `, {"fragmentName":"VersionLine"}) as unknown as TypedDocumentString<VersionLineFragment, unknown>;
export const FileLineFragmentDoc = new TypedDocumentString(`
    fragment FileLine on Artifact {
  id
  kind
  fileName
  size
  sha256
  contentType
  generator
  stale
  createdAt
  createdBy {
    id
    name
  }
}
    `, {"fragmentName":"FileLine"}) as unknown as TypedDocumentString<FileLineFragment, unknown>;
export const FoundDocumentFragmentDoc = new TypedDocumentString(`
    fragment FoundDocument on Document {
  id
  number
  name
  kind
  archived
  thumbnailUrl
  folder {
    id
    path
  }
  updatedAt
  updatedBy {
    name
  }
  workspaces {
    id
    name
    newestVersion {
      n
    }
    reservation {
      by {
        id
        name
      }
      expiresAt
    }
  }
  revisions {
    label
    obsolete
    versionN
  }
}
    `, {"fragmentName":"FoundDocument"}) as unknown as TypedDocumentString<FoundDocumentFragment, unknown>;
export const HistoryNodeFragmentDoc = new TypedDocumentString(`
    fragment HistoryNode on Version {
  id
  n
  type
  name
  comment
  createdAt
  updatedAt
  workspaceId
  createdBy {
    name
  }
  releasedAs {
    label
    obsolete
  }
  reservation {
    by {
      id
      name
    }
    expiresAt
  }
  newestJob {
    id
    status
  }
}
    `, {"fragmentName":"HistoryNode"}) as unknown as TypedDocumentString<HistoryNodeFragment, unknown>;
export const VersionOptionFragmentDoc = new TypedDocumentString(`
    fragment VersionOption on Version {
  id
  type
  n
  name
  comment
  createdAt
  createdBy {
    name
  }
  workspace {
    name
  }
  releasedAs {
    label
    obsolete
  }
}
    `, {"fragmentName":"VersionOption"}) as unknown as TypedDocumentString<VersionOptionFragment, unknown>;
export const ComparedVersionFragmentDoc = new TypedDocumentString(`
    fragment ComparedVersion on Version {
  id
  n
  type
  name
  createdAt
  createdBy {
    name
  }
  workspace {
    id
    name
  }
  document {
    kind
  }
  releasedAs {
    label
    obsolete
  }
  artifacts {
    id
    kind
    fileName
    size
    sha256
    generator
  }
}
    `, {"fragmentName":"ComparedVersion"}) as unknown as TypedDocumentString<ComparedVersionFragment, unknown>;
export const ComparedUseFragmentDoc = new TypedDocumentString(`
    fragment ComparedUse on ComparedReference {
  line
  location
  documentId
  name
  number
  n
  label
  quantity
  status
  reason
}
    `, {"fragmentName":"ComparedUse"}) as unknown as TypedDocumentString<ComparedUseFragment, unknown>;
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
  cancelRequested
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
export const ReservedDraftFragmentDoc = new TypedDocumentString(`
    fragment ReservedDraft on Reservation {
  workspaceId
  by {
    id
    name
  }
  since
  expiresAt
  note
  workspace {
    id
    name
    draftId
    document {
      id
      number
      name
      kind
      thumbnailUrl
    }
  }
}
    `, {"fragmentName":"ReservedDraft"}) as unknown as TypedDocumentString<ReservedDraftFragment, unknown>;
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
    query ListTokens($userId: ID, $includeInactive: Boolean, $cursor: String) {
  tokens(
    userId: $userId
    includeInactive: $includeInactive
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
      nextAttemptAt
      attempts {
        at
        status
        error
        durationMs
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
export const AuditActionsDocument = new TypedDocumentString(`
    query AuditActions {
  auditActions {
    name
    label
  }
}
    `) as unknown as TypedDocumentString<AuditActionsQuery, AuditActionsQueryVariables>;
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
    finishedAt
    records
    sealed
    pending
    chains
    checkpoints
    warnings
    errors {
      id
      message
    }
    root
  }
}
    `) as unknown as TypedDocumentString<VerifyAuditQuery, VerifyAuditQueryVariables>;
export const BomOfVersionDocument = new TypedDocumentString(`
    query BomOfVersion($id: ID!, $mode: BomMode, $resolve: BomResolve) {
  bom(versionId: $id, mode: $mode, resolve: $resolve) {
    documentId
    number
    name
    n
    mode
    resolve
    items {
      ...BomLine
    }
  }
}
    fragment ResolvedVersion on Resolution {
  as
  label
  n
  versionId
  obsolete
  pinned
}
fragment BomLine on BomRow {
  level
  path
  findNumber
  documentId
  number
  name
  kind
  address
  resolution {
    ...ResolvedVersion
  }
  version {
    thumbnailUrl
  }
  quantity
  totalQuantity
  outdated
  outdatedBelow
  status
  reason
}`) as unknown as TypedDocumentString<BomOfVersionQuery, BomOfVersionQueryVariables>;
export const BomDifferencesDocument = new TypedDocumentString(`
    query BomDifferences($from: ID!, $to: ID!) {
  compareBoms(id: $from, with: $to) {
    from {
      number
      name
      n
      resolve
    }
    to {
      number
      name
      n
      resolve
    }
    changes {
      change
      differences
      contentChanged
      level
      from {
        ...BomSide
      }
      to {
        ...BomSide
      }
    }
  }
}
    fragment ResolvedVersion on Resolution {
  as
  label
  n
  versionId
  obsolete
  pinned
}
fragment BomSide on BomRow {
  path
  documentId
  number
  name
  kind
  address
  quantity
  resolution {
    ...ResolvedVersion
  }
  version {
    thumbnailUrl
  }
  status
  reason
}`) as unknown as TypedDocumentString<BomDifferencesQuery, BomDifferencesQueryVariables>;
export const WhereUsedDocument = new TypedDocumentString(`
    query WhereUsed($id: ID!, $levels: String, $scope: UseScope, $drafts: Boolean, $of: String, $cursor: String) {
  whereUsed(
    documentId: $id
    levels: $levels
    scope: $scope
    drafts: $drafts
    of: $of
    limit: 200
    cursor: $cursor
    total: true
  ) {
    items {
      level
      via {
        id
        number
        name
      }
      document {
        ...UsedDocument
      }
      version {
        ...UsedVersion
      }
      location
      addressForm
      quantity
      resolution {
        ...ResolvedVersion
      }
      status
      reason
    }
    nextCursor
    total
  }
}
    fragment ResolvedVersion on Resolution {
  as
  label
  n
  versionId
  obsolete
  pinned
}
fragment UsedDocument on Document {
  id
  number
  name
  kind
  archived
}
fragment UsedVersion on Version {
  id
  type
  n
  thumbnailUrl
  releasedAs {
    label
    obsolete
  }
  workspace {
    id
    name
  }
}`) as unknown as TypedDocumentString<WhereUsedQuery, WhereUsedQueryVariables>;
export const VersionsOfDocumentDocument = new TypedDocumentString(`
    query VersionsOfDocument($id: ID!) {
  document(id: $id) {
    id
    number
    name
    kind
    versionPage(limit: 200) {
      items {
        id
        n
        releasedAs {
          label
          obsolete
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<VersionsOfDocumentQuery, VersionsOfDocumentQueryVariables>;
export const ReferenceUpdatesDocument = new TypedDocumentString(`
    query ReferenceUpdates($id: ID!) {
  version(id: $id) {
    id
    type
    workspace {
      permissions {
        canUpload {
          allowed
          message
        }
      }
    }
  }
  referenceUpdates(versionId: $id) {
    path
    location
    quantity
    document {
      ...UsedDocument
      thumbnailUrl
    }
    number
    current {
      ...ResolvedVersion
    }
    newestRelease {
      ...ResolvedVersion
    }
    newestVersion {
      ...ResolvedVersion
    }
    pinned
    toRelease
    toVersion
    status
    reason
  }
}
    fragment ResolvedVersion on Resolution {
  as
  label
  n
  versionId
  obsolete
  pinned
}
fragment UsedDocument on Document {
  id
  number
  name
  kind
  archived
}`) as unknown as TypedDocumentString<ReferenceUpdatesQuery, ReferenceUpdatesQueryVariables>;
export const UpdateReferencesDocument = new TypedDocumentString(`
    mutation UpdateReferences($id: ID!, $paths: [String!], $to: UpdateTarget) {
  updateReferences(versionId: $id, paths: $paths, to: $to) {
    changed {
      path
      from
      to
    }
    unchanged {
      path
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateReferencesMutation, UpdateReferencesMutationVariables>;
export const ReplacementDocumentDocument = new TypedDocumentString(`
    query ReplacementDocument($id: ID!) {
  document(id: $id) {
    ...UsedDocument
  }
}
    fragment UsedDocument on Document {
  id
  number
  name
  kind
  archived
}`) as unknown as TypedDocumentString<ReplacementDocumentQuery, ReplacementDocumentQueryVariables>;
export const ReplaceInDraftsDocument = new TypedDocumentString(`
    mutation ReplaceInDrafts($id: ID!, $with: ID!, $dryRun: Boolean, $cursor: String) {
  replaceInDrafts(
    documentId: $id
    with: $with
    dryRun: $dryRun
    limit: 200
    cursor: $cursor
  ) {
    items {
      document {
        ...UsedDocument
      }
      version {
        ...UsedVersion
      }
      outcome
      changed {
        path
        from
        to
      }
      message
    }
    nextCursor
  }
}
    fragment UsedDocument on Document {
  id
  number
  name
  kind
  archived
}
fragment UsedVersion on Version {
  id
  type
  n
  thumbnailUrl
  releasedAs {
    label
    obsolete
  }
  workspace {
    id
    name
  }
}`) as unknown as TypedDocumentString<ReplaceInDraftsMutation, ReplaceInDraftsMutationVariables>;
export const ImpactOfReleaseDocument = new TypedDocumentString(`
    query ImpactOfRelease($id: ID!, $action: ReleaseAction, $cursor: String) {
  releaseImpact(versionId: $id, action: $action, limit: 200, cursor: $cursor) {
    action
    label
    items {
      document {
        ...UsedDocument
      }
      version {
        ...UsedVersion
      }
      addressForm
      quantity
      effect
      from {
        ...ResolvedVersion
      }
      to {
        ...ResolvedVersion
      }
    }
    nextCursor
  }
}
    fragment ResolvedVersion on Resolution {
  as
  label
  n
  versionId
  obsolete
  pinned
}
fragment UsedDocument on Document {
  id
  number
  name
  kind
  archived
}
fragment UsedVersion on Version {
  id
  type
  n
  thumbnailUrl
  releasedAs {
    label
    obsolete
  }
  workspace {
    id
    name
  }
}`) as unknown as TypedDocumentString<ImpactOfReleaseQuery, ImpactOfReleaseQueryVariables>;
export const CodeOfVersionDocument = new TypedDocumentString(`
    query CodeOfVersion($id: ID!) {
  version(id: $id) {
    id
    n
    type
    etag
    documentId
    code {
      repoUrl
      ref
      path
      commit
      syncedAt
    }
    artifact(kind: "manifest") {
      id
      sha256
    }
    permissions {
      canEdit {
        allowed
        message
      }
    }
    workspace {
      id
      name
      permissions {
        canUpload {
          allowed
          message
        }
      }
    }
    newestJob {
      id
      type
      status
    }
  }
}
    `) as unknown as TypedDocumentString<CodeOfVersionQuery, CodeOfVersionQueryVariables>;
export const ListRunsDocument = new TypedDocumentString(`
    query ListRuns($id: ID!, $cursor: String) {
  version(id: $id) {
    id
    runs(limit: 20, cursor: $cursor) {
      items {
        ...RunLine
      }
      nextCursor
    }
  }
}
    fragment RunLine on Run {
  id
  createdAt
  createdBy {
    name
  }
  commit
  forced
  params
  generator {
    name
    version
  }
  job {
    id
    status
    cancelRequested
    progress {
      percent
      step
    }
    error {
      code
      message
      final
    }
  }
  documents {
    id
    number
    name
    kind
    thumbnailUrl
  }
}`) as unknown as TypedDocumentString<ListRunsQuery, ListRunsQueryVariables>;
export const GetRunDocument = new TypedDocumentString(`
    query GetRun($id: ID!) {
  run(id: $id) {
    ...RunLine
    isolation
    paramsHash
    document {
      id
      number
      name
    }
    version {
      id
      n
      type
      code {
        repoUrl
        ref
        path
      }
    }
  }
}
    fragment RunLine on Run {
  id
  createdAt
  createdBy {
    name
  }
  commit
  forced
  params
  generator {
    name
    version
  }
  job {
    id
    status
    cancelRequested
    progress {
      percent
      step
    }
    error {
      code
      message
      final
    }
  }
  documents {
    id
    number
    name
    kind
    thumbnailUrl
  }
}`) as unknown as TypedDocumentString<GetRunQuery, GetRunQueryVariables>;
export const SetCodeDocument = new TypedDocumentString(`
    mutation SetCode($versionId: ID!, $repoUrl: String!, $ref: String!, $path: String) {
  setCode(versionId: $versionId, repoUrl: $repoUrl, ref: $ref, path: $path) {
    id
  }
}
    `) as unknown as TypedDocumentString<SetCodeMutation, SetCodeMutationVariables>;
export const SyncCodeDocument = new TypedDocumentString(`
    mutation SyncCode($versionId: ID!) {
  syncCode(versionId: $versionId) {
    id
    code {
      commit
    }
  }
}
    `) as unknown as TypedDocumentString<SyncCodeMutation, SyncCodeMutationVariables>;
export const RequestRunDocument = new TypedDocumentString(`
    mutation RequestRun($versionId: ID!, $params: JSON, $force: Boolean) {
  requestRun(versionId: $versionId, params: $params, force: $force) {
    created
    run {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<RequestRunMutation, RequestRunMutationVariables>;
export const DocumentPageDocument = new TypedDocumentString(`
    query DocumentPage($id: ID!) {
  document(id: $id) {
    ...DocumentHead
    workspaces {
      ...WorkspaceItem
    }
    revisions {
      id
      label
      obsolete
      versionId
      versionN
    }
    versionGraph(limit: 100) {
      nodes {
        version {
          ...VersionLine
        }
      }
      rows
    }
  }
}
    fragment DocumentHead on Document {
  id
  etag
  number
  name
  kind
  description
  archived
  thumbnailUrl
  folder {
    id
    name
    path
  }
  copiedFrom {
    documentId
    versionId
  }
  importedFrom {
    documentId
    fileName
    document {
      id
      number
      name
    }
  }
  generator {
    id
    number
    name
  }
  generatorVersion {
    id
    n
    commit
  }
  run {
    id
  }
  createdAt
  createdBy {
    id
    name
  }
  updatedAt
  updatedBy {
    id
    name
  }
  permissions {
    canEdit {
      allowed
      message
    }
    canArchive {
      allowed
      message
    }
    canUnarchive {
      allowed
      message
    }
    canDelete {
      allowed
      message
    }
    canCopy {
      allowed
      message
    }
  }
}
fragment WorkspaceItem on Workspace {
  id
  etag
  name
  description
  archived
  draftId
  newestVersionId
  newestVersion {
    id
    n
  }
  reservation {
    by {
      id
      name
    }
    since
    expiresAt
    note
    checkinRequests {
      by {
        id
        name
      }
      at
      note
    }
  }
  permissions {
    canArchive {
      allowed
      message
    }
    canRequestCheckin {
      allowed
      message
    }
    canUnarchive {
      allowed
      message
    }
    canCheckin {
      allowed
      message
    }
    canCheckout {
      allowed
      message
    }
    canDelete {
      allowed
      message
    }
    canForceCheckin {
      allowed
      message
    }
    canCreateVersion {
      allowed
      message
    }
    canEdit {
      allowed
      message
    }
    canUpload {
      allowed
      message
    }
  }
}
fragment VersionLine on Version {
  id
  type
  n
  name
  workspaceId
  createdAt
  releasedAs {
    revisionId
    label
    obsolete
  }
  thumbnailUrl
}`) as unknown as TypedDocumentString<DocumentPageQuery, DocumentPageQueryVariables>;
export const SelectedVersionDocument = new TypedDocumentString(`
    query SelectedVersion($id: ID!) {
  version(id: $id) {
    ...VersionLine
    documentId
    etag
    workspace {
      name
    }
    updatedAt
    comment
    createdBy {
      id
      name
    }
    basedOnVersionId
    permissions {
      canEdit {
        allowed
        message
      }
      canRelease {
        allowed
        message
      }
      canCreateWorkspace {
        allowed
        message
      }
    }
    artifacts {
      ...FileLine
    }
    newestJob {
      id
      type
      format
      status
      queuedAt
      progress {
        percent
        step
      }
      error {
        code
        message
        final
      }
    }
  }
}
    fragment VersionLine on Version {
  id
  type
  n
  name
  workspaceId
  createdAt
  releasedAs {
    revisionId
    label
    obsolete
  }
  thumbnailUrl
}
fragment FileLine on Artifact {
  id
  kind
  fileName
  size
  sha256
  contentType
  generator
  stale
  createdAt
  createdBy {
    id
    name
  }
}`) as unknown as TypedDocumentString<SelectedVersionQuery, SelectedVersionQueryVariables>;
export const DocumentOriginDocument = new TypedDocumentString(`
    query DocumentOrigin($id: ID!) {
  document(id: $id) {
    id
    number
    name
  }
}
    `) as unknown as TypedDocumentString<DocumentOriginQuery, DocumentOriginQueryVariables>;
export const UpdateDocumentDocument = new TypedDocumentString(`
    mutation UpdateDocument($id: ID!, $name: String, $description: String) {
  updateDocument(id: $id, name: $name, description: $description) {
    id
    etag
    name
    description
  }
}
    `) as unknown as TypedDocumentString<UpdateDocumentMutation, UpdateDocumentMutationVariables>;
export const ArchiveDocumentDocument = new TypedDocumentString(`
    mutation ArchiveDocument($id: ID!) {
  archiveDocument(id: $id) {
    id
    archived
  }
}
    `) as unknown as TypedDocumentString<ArchiveDocumentMutation, ArchiveDocumentMutationVariables>;
export const UnarchiveDocumentDocument = new TypedDocumentString(`
    mutation UnarchiveDocument($id: ID!) {
  unarchiveDocument(id: $id) {
    id
    archived
  }
}
    `) as unknown as TypedDocumentString<UnarchiveDocumentMutation, UnarchiveDocumentMutationVariables>;
export const DeleteDocumentDocument = new TypedDocumentString(`
    mutation DeleteDocument($id: ID!) {
  deleteDocument(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteDocumentMutation, DeleteDocumentMutationVariables>;
export const CreateVersionDocument = new TypedDocumentString(`
    mutation CreateVersion($workspaceId: ID!, $name: String, $comment: String) {
  createVersion(workspaceId: $workspaceId, name: $name, comment: $comment) {
    id
    n
    name
  }
}
    `) as unknown as TypedDocumentString<CreateVersionMutation, CreateVersionMutationVariables>;
export const ReleaseVersionDocument = new TypedDocumentString(`
    mutation ReleaseVersion($versionId: ID!, $comment: String) {
  releaseVersion(versionId: $versionId, comment: $comment) {
    id
    label
    warnings {
      documentId
      versionId
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ReleaseVersionMutation, ReleaseVersionMutationVariables>;
export const ArchiveWorkspaceDocument = new TypedDocumentString(`
    mutation ArchiveWorkspace($id: ID!) {
  archiveWorkspace(id: $id) {
    id
    archived
  }
}
    `) as unknown as TypedDocumentString<ArchiveWorkspaceMutation, ArchiveWorkspaceMutationVariables>;
export const UnarchiveWorkspaceDocument = new TypedDocumentString(`
    mutation UnarchiveWorkspace($id: ID!) {
  unarchiveWorkspace(id: $id) {
    id
    archived
  }
}
    `) as unknown as TypedDocumentString<UnarchiveWorkspaceMutation, UnarchiveWorkspaceMutationVariables>;
export const CheckOutDocument = new TypedDocumentString(`
    mutation CheckOut($id: ID!, $ttlSeconds: Int, $note: String) {
  checkoutWorkspace(id: $id, ttlSeconds: $ttlSeconds, note: $note) {
    workspaceId
    expiresAt
  }
}
    `) as unknown as TypedDocumentString<CheckOutMutation, CheckOutMutationVariables>;
export const ExtendReservationDocument = new TypedDocumentString(`
    mutation ExtendReservation($id: ID!, $ttlSeconds: Int) {
  heartbeatCheckout(id: $id, ttlSeconds: $ttlSeconds) {
    workspaceId
    expiresAt
  }
}
    `) as unknown as TypedDocumentString<ExtendReservationMutation, ExtendReservationMutationVariables>;
export const CheckInDocument = new TypedDocumentString(`
    mutation CheckIn($id: ID!, $force: Boolean) {
  checkinWorkspace(id: $id, force: $force) {
    id
  }
}
    `) as unknown as TypedDocumentString<CheckInMutation, CheckInMutationVariables>;
export const RemoveFileDocument = new TypedDocumentString(`
    mutation RemoveFile($versionId: ID!, $kind: String!) {
  deleteArtifact(versionId: $versionId, kind: $kind)
}
    `) as unknown as TypedDocumentString<RemoveFileMutation, RemoveFileMutationVariables>;
export const ExportVersionDocument = new TypedDocumentString(`
    mutation ExportVersion($versionId: ID!, $format: ExportFormat!) {
  requestExport(versionId: $versionId, format: $format) {
    id
    status
  }
}
    `) as unknown as TypedDocumentString<ExportVersionMutation, ExportVersionMutationVariables>;
export const CopyDocumentDocument = new TypedDocumentString(`
    mutation CopyDocument($id: ID!, $name: String, $number: String, $versionId: ID) {
  copyDocument(id: $id, name: $name, number: $number, versionId: $versionId) {
    id
    number
  }
}
    `) as unknown as TypedDocumentString<CopyDocumentMutation, CopyDocumentMutationVariables>;
export const ReleaseOfDocument = new TypedDocumentString(`
    query ReleaseOf($versionId: ID!) {
  version(id: $versionId) {
    id
    n
    name
    document {
      id
      number
      name
      kind
    }
    references {
      number
      documentId
      resolution {
        n
        label
        obsolete
        versionId
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ReleaseOfQuery, ReleaseOfQueryVariables>;
export const ExportsOfDocument = new TypedDocumentString(`
    query ExportsOf($versionId: ID!) {
  jobs(versionId: $versionId, type: export, limit: 10) {
    items {
      id
      format
      status
    }
  }
  exportFormats {
    format
    engine
  }
}
    `) as unknown as TypedDocumentString<ExportsOfQuery, ExportsOfQueryVariables>;
export const RevisionWarningsDocument = new TypedDocumentString(`
    query RevisionWarnings($id: ID!) {
  revision(id: $id) {
    id
    warnings {
      documentId
      versionId
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RevisionWarningsQuery, RevisionWarningsQueryVariables>;
export const FolderTreeDocument = new TypedDocumentString(`
    query FolderTree {
  folders {
    id
    name
    parentId
    path
    documentCount
  }
}
    `) as unknown as TypedDocumentString<FolderTreeQuery, FolderTreeQueryVariables>;
export const FindDocumentsDocument = new TypedDocumentString(`
    query FindDocuments($q: String, $folderId: ID, $recursive: Boolean, $kind: DocumentKind, $includeArchived: Boolean, $sort: DocumentSort, $descending: Boolean, $cursor: String, $total: Boolean) {
  documents(
    q: $q
    folderId: $folderId
    recursive: $recursive
    kind: $kind
    includeArchived: $includeArchived
    sort: $sort
    descending: $descending
    cursor: $cursor
    limit: 80
    total: $total
  ) {
    items {
      ...FoundDocument
    }
    nextCursor
    total
  }
}
    fragment FoundDocument on Document {
  id
  number
  name
  kind
  archived
  thumbnailUrl
  folder {
    id
    path
  }
  updatedAt
  updatedBy {
    name
  }
  workspaces {
    id
    name
    newestVersion {
      n
    }
    reservation {
      by {
        id
        name
      }
      expiresAt
    }
  }
  revisions {
    label
    obsolete
    versionN
  }
}`) as unknown as TypedDocumentString<FindDocumentsQuery, FindDocumentsQueryVariables>;
export const SearchDocumentsDocument = new TypedDocumentString(`
    query SearchDocuments($q: String!) {
  documents(q: $q, limit: 8) {
    items {
      id
      number
      name
      kind
      thumbnailUrl
    }
  }
}
    `) as unknown as TypedDocumentString<SearchDocumentsQuery, SearchDocumentsQueryVariables>;
export const PaletteFoldersDocument = new TypedDocumentString(`
    query PaletteFolders {
  folders {
    id
    name
    path
  }
}
    `) as unknown as TypedDocumentString<PaletteFoldersQuery, PaletteFoldersQueryVariables>;
export const CreateFolderDocument = new TypedDocumentString(`
    mutation CreateFolder($name: String!, $parentId: ID) {
  createFolder(name: $name, parentId: $parentId) {
    id
    name
    path
  }
}
    `) as unknown as TypedDocumentString<CreateFolderMutation, CreateFolderMutationVariables>;
export const RenameFolderDocument = new TypedDocumentString(`
    mutation RenameFolder($id: ID!, $name: String) {
  updateFolder(id: $id, name: $name) {
    id
    name
    path
  }
}
    `) as unknown as TypedDocumentString<RenameFolderMutation, RenameFolderMutationVariables>;
export const MoveFolderDocument = new TypedDocumentString(`
    mutation MoveFolder($id: ID!, $parentId: ID) {
  updateFolder(id: $id, parentId: $parentId) {
    id
    name
    path
  }
}
    `) as unknown as TypedDocumentString<MoveFolderMutation, MoveFolderMutationVariables>;
export const DeleteFolderDocument = new TypedDocumentString(`
    mutation DeleteFolder($id: ID!) {
  deleteFolder(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteFolderMutation, DeleteFolderMutationVariables>;
export const MoveDocumentsDocument = new TypedDocumentString(`
    mutation MoveDocuments($ids: [ID!]!, $folderId: ID) {
  moveDocuments(ids: $ids, folderId: $folderId) {
    id
  }
}
    `) as unknown as TypedDocumentString<MoveDocumentsMutation, MoveDocumentsMutationVariables>;
export const HistoryPageDocument = new TypedDocumentString(`
    query HistoryPage($id: ID!, $fromRow: Int, $limit: Int) {
  document(id: $id) {
    id
    number
    kind
    run {
      id
    }
    versionGraph(fromRow: $fromRow, limit: $limit) {
      rows
      lanes {
        lane
        workspace {
          id
          name
          archived
        }
      }
      nodes {
        lane
        version {
          ...HistoryNode
        }
      }
      edges {
        kind
        child {
          row
          lane
        }
        parent {
          row
          lane
        }
      }
    }
  }
}
    fragment HistoryNode on Version {
  id
  n
  type
  name
  comment
  createdAt
  updatedAt
  workspaceId
  createdBy {
    name
  }
  releasedAs {
    label
    obsolete
  }
  reservation {
    by {
      id
      name
    }
    expiresAt
  }
  newestJob {
    id
    status
  }
}`) as unknown as TypedDocumentString<HistoryPageQuery, HistoryPageQueryVariables>;
export const HistoryVersionDocument = new TypedDocumentString(`
    query HistoryVersion($id: ID!) {
  version(id: $id) {
    ...HistoryNode
  }
}
    fragment HistoryNode on Version {
  id
  n
  type
  name
  comment
  createdAt
  updatedAt
  workspaceId
  createdBy {
    name
  }
  releasedAs {
    label
    obsolete
  }
  reservation {
    by {
      id
      name
    }
    expiresAt
  }
  newestJob {
    id
    status
  }
}`) as unknown as TypedDocumentString<HistoryVersionQuery, HistoryVersionQueryVariables>;
export const HistoryCheckInRequestsDocument = new TypedDocumentString(`
    query HistoryCheckInRequests($id: ID!) {
  document(id: $id) {
    id
    workspaces {
      id
      reservation {
        checkinRequests {
          by {
            id
            name
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<HistoryCheckInRequestsQuery, HistoryCheckInRequestsQueryVariables>;
export const HistoryPanelDocument = new TypedDocumentString(`
    query HistoryPanel($id: ID!) {
  version(id: $id) {
    ...HistoryNode
    etag
    basedOnVersionId
    thumbnailUrl
    document {
      kind
      number
    }
    artifacts {
      id
      kind
      fileName
      size
      generator
      createdAt
      stale
    }
    references {
      path
      number
      reason
      status
      quantity
      location
      resolution {
        n
        label
        obsolete
      }
      document {
        id
        name
      }
    }
    jobs(limit: 5) {
      items {
        id
        type
        format
        status
        queuedAt
        error {
          code
          message
        }
      }
    }
  }
  versionAudit(versionId: $id, limit: 20) {
    items {
      id
      at
      action
      summary
      by {
        name
      }
    }
    nextCursor
  }
}
    fragment HistoryNode on Version {
  id
  n
  type
  name
  comment
  createdAt
  updatedAt
  workspaceId
  createdBy {
    name
  }
  releasedAs {
    label
    obsolete
  }
  reservation {
    by {
      id
      name
    }
    expiresAt
  }
  newestJob {
    id
    status
  }
}`) as unknown as TypedDocumentString<HistoryPanelQuery, HistoryPanelQueryVariables>;
export const HistoryActionsDocument = new TypedDocumentString(`
    query HistoryActions($id: ID!) {
  version(id: $id) {
    id
    n
    type
    name
    comment
    etag
    releasedAs {
      revisionId
      label
      obsolete
    }
    permissions {
      canEdit {
        allowed
        message
      }
      canRelease {
        allowed
        message
      }
      canCreateWorkspace {
        allowed
        message
      }
    }
    document {
      id
      number
      permissions {
        canCopy {
          allowed
          message
        }
      }
    }
    workspace {
      id
      name
      description
      etag
      archived
      reservation {
        by {
          id
          name
        }
        expiresAt
      }
      permissions {
        canArchive {
          allowed
          message
        }
        canRequestCheckin {
          allowed
          message
        }
        canCheckin {
          allowed
          message
        }
        canCheckout {
          allowed
          message
        }
        canDelete {
          allowed
          message
        }
        canForceCheckin {
          allowed
          message
        }
        canCreateVersion {
          allowed
          message
        }
        canEdit {
          allowed
          message
        }
        canRestore {
          allowed
          message
        }
        canTakeOver {
          allowed
          message
        }
        canUnarchive {
          allowed
          message
        }
        canUpload {
          allowed
          message
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<HistoryActionsQuery, HistoryActionsQueryVariables>;
export const HistoryRevisionDocument = new TypedDocumentString(`
    query HistoryRevision($id: ID!) {
  revision(id: $id) {
    id
    label
    comment
    etag
    createdAt
    createdBy {
      name
    }
    obsoletedAt
    permissions {
      canEdit {
        allowed
        message
      }
      canObsolete {
        allowed
        message
      }
      canTakeBack {
        allowed
        message
      }
    }
  }
}
    `) as unknown as TypedDocumentString<HistoryRevisionQuery, HistoryRevisionQueryVariables>;
export const HistoryUndoStateDocument = new TypedDocumentString(`
    query HistoryUndoState($versionId: ID!) {
  versionAudit(versionId: $versionId, limit: 50) {
    items {
      id
      at
      action
      summary
      by {
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<HistoryUndoStateQuery, HistoryUndoStateQueryVariables>;
export const HistoryWorkspacesDocument = new TypedDocumentString(`
    query HistoryWorkspaces($id: ID!) {
  document(id: $id) {
    id
    workspaces {
      id
      name
      archived
      draftId
      permissions {
        canRestore {
          allowed
          message
        }
        canTakeOver {
          allowed
          message
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<HistoryWorkspacesQuery, HistoryWorkspacesQueryVariables>;
export const CompareOptionsDocument = new TypedDocumentString(`
    query CompareOptions($id: ID!) {
  document(id: $id) {
    id
    number
    kind
    drafts {
      id
      workspace {
        id
        name
        archived
      }
    }
    revisions {
      id
      label
      obsolete
      versionId
      versionN
    }
    versionGraph(limit: 60) {
      nodes {
        version {
          id
          n
          type
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CompareOptionsQuery, CompareOptionsQueryVariables>;
export const VersionOptionsDocument = new TypedDocumentString(`
    query VersionOptions($id: ID!, $cursor: String) {
  document(id: $id) {
    id
    revisions {
      id
      label
      obsolete
      versionId
      versionN
    }
    versionPage(limit: 100, cursor: $cursor) {
      items {
        ...VersionOption
      }
      nextCursor
    }
  }
}
    fragment VersionOption on Version {
  id
  type
  n
  name
  comment
  createdAt
  createdBy {
    name
  }
  workspace {
    name
  }
  releasedAs {
    label
    obsolete
  }
}`) as unknown as TypedDocumentString<VersionOptionsQuery, VersionOptionsQueryVariables>;
export const VersionOptionsFromRowDocument = new TypedDocumentString(`
    query VersionOptionsFromRow($id: ID!, $fromRow: Int!) {
  document(id: $id) {
    id
    versionGraph(fromRow: $fromRow, limit: 50) {
      nodes {
        version {
          ...VersionOption
        }
      }
    }
  }
}
    fragment VersionOption on Version {
  id
  type
  n
  name
  comment
  createdAt
  createdBy {
    name
  }
  workspace {
    name
  }
  releasedAs {
    label
    obsolete
  }
}`) as unknown as TypedDocumentString<VersionOptionsFromRowQuery, VersionOptionsFromRowQueryVariables>;
export const CompareResolveDocument = new TypedDocumentString(`
    query CompareResolve($address: String!) {
  resolveAddress(address: $address) {
    status
    reason
    resolution {
      versionId
      n
    }
  }
}
    `) as unknown as TypedDocumentString<CompareResolveQuery, CompareResolveQueryVariables>;
export const CompareVersionsDocument = new TypedDocumentString(`
    query CompareVersions($from: ID!, $to: ID!) {
  compareVersions(id: $from, with: $to) {
    from {
      ...ComparedVersion
    }
    to {
      ...ComparedVersion
    }
    fields {
      field
      from
      to
    }
    files {
      kind
      change
      contentDiffers
      from {
        id
        fileName
        size
        generator
        sha256
      }
      to {
        id
        fileName
        size
        generator
        sha256
      }
    }
    references {
      change
      differences
      from {
        ...ComparedUse
      }
      to {
        ...ComparedUse
      }
    }
    measures {
      area {
        from
        to
        difference
        relative
      }
      volume {
        from
        to
        difference
        relative
      }
      boundingBox {
        from {
          size
        }
        to {
          size
        }
        sizeDifference
      }
      missing {
        versionId
        reason
      }
    }
  }
}
    fragment ComparedVersion on Version {
  id
  n
  type
  name
  createdAt
  createdBy {
    name
  }
  workspace {
    id
    name
  }
  document {
    kind
  }
  releasedAs {
    label
    obsolete
  }
  artifacts {
    id
    kind
    fileName
    size
    sha256
    generator
  }
}
fragment ComparedUse on ComparedReference {
  line
  location
  documentId
  name
  number
  n
  label
  quantity
  status
  reason
}`) as unknown as TypedDocumentString<CompareVersionsQuery, CompareVersionsQueryVariables>;
export const HistoryCreateVersionDocument = new TypedDocumentString(`
    mutation HistoryCreateVersion($workspaceId: ID!, $name: String, $comment: String) {
  createVersion(workspaceId: $workspaceId, name: $name, comment: $comment) {
    id
    n
  }
}
    `) as unknown as TypedDocumentString<HistoryCreateVersionMutation, HistoryCreateVersionMutationVariables>;
export const HistoryCreateWorkspaceDocument = new TypedDocumentString(`
    mutation HistoryCreateWorkspace($documentId: ID!, $fromVersionId: ID!, $name: String!, $description: String) {
  createWorkspace(
    documentId: $documentId
    fromVersionId: $fromVersionId
    name: $name
    description: $description
  ) {
    id
    name
    draftId
  }
}
    `) as unknown as TypedDocumentString<HistoryCreateWorkspaceMutation, HistoryCreateWorkspaceMutationVariables>;
export const HistoryRestoreDocument = new TypedDocumentString(`
    mutation HistoryRestore($workspaceId: ID!, $versionId: ID!) {
  restoreVersion(workspaceId: $workspaceId, versionId: $versionId) {
    auditId
    undoExpiresAt
    draft {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<HistoryRestoreMutation, HistoryRestoreMutationVariables>;
export const HistoryTakeOverDocument = new TypedDocumentString(`
    mutation HistoryTakeOver($workspaceId: ID!, $versionId: ID!, $force: Boolean) {
  takeOver(workspaceId: $workspaceId, versionId: $versionId, force: $force) {
    auditId
    undoExpiresAt
    draft {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<HistoryTakeOverMutation, HistoryTakeOverMutationVariables>;
export const HistoryUndoDocument = new TypedDocumentString(`
    mutation HistoryUndo($workspaceId: ID!, $auditId: ID!) {
  undoDraftChange(workspaceId: $workspaceId, auditId: $auditId) {
    auditId
    draft {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<HistoryUndoMutation, HistoryUndoMutationVariables>;
export const HistoryCheckoutDocument = new TypedDocumentString(`
    mutation HistoryCheckout($id: ID!, $note: String) {
  checkoutWorkspace(id: $id, note: $note) {
    expiresAt
  }
}
    `) as unknown as TypedDocumentString<HistoryCheckoutMutation, HistoryCheckoutMutationVariables>;
export const HistoryCheckinDocument = new TypedDocumentString(`
    mutation HistoryCheckin($id: ID!, $force: Boolean) {
  checkinWorkspace(id: $id, force: $force) {
    id
  }
}
    `) as unknown as TypedDocumentString<HistoryCheckinMutation, HistoryCheckinMutationVariables>;
export const HistoryUpdateVersionDocument = new TypedDocumentString(`
    mutation HistoryUpdateVersion($id: ID!, $name: String, $comment: String) {
  updateVersion(id: $id, name: $name, comment: $comment) {
    id
    etag
  }
}
    `) as unknown as TypedDocumentString<HistoryUpdateVersionMutation, HistoryUpdateVersionMutationVariables>;
export const HistoryUpdateRevisionDocument = new TypedDocumentString(`
    mutation HistoryUpdateRevision($id: ID!, $comment: String) {
  updateRevision(id: $id, comment: $comment) {
    id
    etag
  }
}
    `) as unknown as TypedDocumentString<HistoryUpdateRevisionMutation, HistoryUpdateRevisionMutationVariables>;
export const HistoryUpdateWorkspaceDocument = new TypedDocumentString(`
    mutation HistoryUpdateWorkspace($id: ID!, $name: String, $description: String) {
  updateWorkspace(id: $id, name: $name, description: $description) {
    id
    name
  }
}
    `) as unknown as TypedDocumentString<HistoryUpdateWorkspaceMutation, HistoryUpdateWorkspaceMutationVariables>;
export const HistoryArchiveWorkspaceDocument = new TypedDocumentString(`
    mutation HistoryArchiveWorkspace($id: ID!) {
  archiveWorkspace(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<HistoryArchiveWorkspaceMutation, HistoryArchiveWorkspaceMutationVariables>;
export const HistoryUnarchiveWorkspaceDocument = new TypedDocumentString(`
    mutation HistoryUnarchiveWorkspace($id: ID!) {
  unarchiveWorkspace(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<HistoryUnarchiveWorkspaceMutation, HistoryUnarchiveWorkspaceMutationVariables>;
export const HistoryDeleteWorkspaceDocument = new TypedDocumentString(`
    mutation HistoryDeleteWorkspace($id: ID!) {
  deleteWorkspace(id: $id)
}
    `) as unknown as TypedDocumentString<HistoryDeleteWorkspaceMutation, HistoryDeleteWorkspaceMutationVariables>;
export const HistoryObsoleteDocument = new TypedDocumentString(`
    mutation HistoryObsolete($id: ID!) {
  obsoleteRevision(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<HistoryObsoleteMutation, HistoryObsoleteMutationVariables>;
export const HistoryTakeBackDocument = new TypedDocumentString(`
    mutation HistoryTakeBack($id: ID!) {
  takeBackRevision(id: $id)
}
    `) as unknown as TypedDocumentString<HistoryTakeBackMutation, HistoryTakeBackMutationVariables>;
export const HistoryCopyDocumentDocument = new TypedDocumentString(`
    mutation HistoryCopyDocument($id: ID!, $versionId: ID, $name: String, $number: String) {
  copyDocument(id: $id, versionId: $versionId, name: $name, number: $number) {
    id
    number
  }
}
    `) as unknown as TypedDocumentString<HistoryCopyDocumentMutation, HistoryCopyDocumentMutationVariables>;
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
  cancelRequested
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
export const GetJobDocument = new TypedDocumentString(`
    query GetJob($id: ID!) {
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
  cancelRequested
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
}`) as unknown as TypedDocumentString<GetJobQuery, GetJobQueryVariables>;
export const CancelJobDocument = new TypedDocumentString(`
    mutation CancelJob($id: ID!) {
  cancelJob(id: $id) {
    id
    status
    cancelRequested
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
export const MyReservationsDocument = new TypedDocumentString(`
    query MyReservations {
  myReservations {
    held {
      ...ReservedDraft
      checkinRequests {
        by {
          id
          name
        }
        at
        note
      }
    }
    requested {
      ...ReservedDraft
      checkinRequests {
        by {
          id
        }
        at
      }
    }
  }
}
    fragment ReservedDraft on Reservation {
  workspaceId
  by {
    id
    name
  }
  since
  expiresAt
  note
  workspace {
    id
    name
    draftId
    document {
      id
      number
      name
      kind
      thumbnailUrl
    }
  }
}`) as unknown as TypedDocumentString<MyReservationsQuery, MyReservationsQueryVariables>;
export const WorkspaceReservationDocument = new TypedDocumentString(`
    query WorkspaceReservation($workspaceId: ID!) {
  workspace(id: $workspaceId) {
    id
    archived
    reservation {
      by {
        id
        name
      }
      since
    }
    permissions {
      canCheckout {
        allowed
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WorkspaceReservationQuery, WorkspaceReservationQueryVariables>;
export const RequestCheckInDocument = new TypedDocumentString(`
    mutation RequestCheckIn($id: ID!, $note: String) {
  requestCheckin(id: $id, note: $note) {
    ...ReservedDraft
    checkinRequests {
      by {
        id
      }
      at
    }
  }
}
    fragment ReservedDraft on Reservation {
  workspaceId
  by {
    id
    name
  }
  since
  expiresAt
  note
  workspace {
    id
    name
    draftId
    document {
      id
      number
      name
      kind
      thumbnailUrl
    }
  }
}`) as unknown as TypedDocumentString<RequestCheckInMutation, RequestCheckInMutationVariables>;
export const NewestJobDocument = new TypedDocumentString(`
    query NewestJob($id: ID!) {
  version(id: $id) {
    id
    newestJob {
      id
      status
      inputSha256
    }
  }
}
    `) as unknown as TypedDocumentString<NewestJobQuery, NewestJobQueryVariables>;
export const CreateDocumentDocument = new TypedDocumentString(`
    mutation CreateDocument($input: CreateDocumentInput!) {
  createDocument(input: $input) {
    id
    number
    name
    kind
    etag
    workspaces {
      draftId
    }
  }
}
    `) as unknown as TypedDocumentString<CreateDocumentMutation, CreateDocumentMutationVariables>;
export const DeleteNewDocumentDocument = new TypedDocumentString(`
    mutation DeleteNewDocument($id: ID!) {
  deleteDocument(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteNewDocumentMutation, DeleteNewDocumentMutationVariables>;
export const ModelOfVersionDocument = new TypedDocumentString(`
    query ModelOfVersion($id: ID!) {
  version(id: $id) {
    id
    type
    n
    thumbnailUrl
    document {
      id
      number
      name
      kind
    }
    glb: artifact(kind: "glb") {
      id
      sha256
      size
      stale
    }
    properties: artifact(kind: "properties") {
      id
      stale
    }
  }
  jobs(versionId: $id, limit: 1) {
    items {
      id
      type
      status
      progress {
        percent
        step
      }
      error {
        code
        message
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ModelOfVersionQuery, ModelOfVersionQueryVariables>;