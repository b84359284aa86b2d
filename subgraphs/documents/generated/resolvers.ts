// Made by `npm run generate`; not to be edited.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { User as UserSource, Document as DocumentSource, DocumentPermissions as DocumentPermissionsSource, Folder as FolderSource, AuditRecord as AuditRecordSource, AuditActor as AuditActorSource, CloudEvent as CloudEventSource, Webhook as WebhookSource, WebhookWithSecret as WebhookWithSecretSource, WebhookDelivery as WebhookDeliverySource, DeliveryAttempt as DeliveryAttemptSource, Me as MeSource, Account as AccountSource, Token as TokenSource, CreatedToken as CreatedTokenSource } from '../sources.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A point in time: RFC 3339, UTC, with milliseconds. */
  DateTime: { input: Date; output: Date | string; }
  /** Any JSON value. */
  JSON: { input: unknown; output: unknown; }
  _FieldSet: { input: string; output: string; }
};

/** The kind of a document. It is set at creation and never changes. */
export type DocumentKind =
  /** A part from a CAD file. */
  | 'model'
  /** An assembly of other documents, described by an asm.json file. */
  | 'assembly'
  /** A generator that creates documents; its code is in a git repository. */
  | 'code';

/** Sort keys of document lists. In REST, prefix the key with `-` for descending order. */
export type DocumentSort =
  /** The document number. */
  | 'number'
  /** The name, case-insensitive. */
  | 'name'
  /** The time of creation. */
  | 'createdAt'
  /** The time of the last update. */
  | 'updatedAt';

/** A user, as shown with that user's actions. */
export type User = {
  /** The id of the user. */
  id: Scalars['ID']['output'];
  /** The name of the user. */
  name: Scalars['String']['output'];
};

/** An engineering document: a number, a name, and its workspaces, versions and revisions. */
export type Document = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /**
   * Changes with every update of the document itself. Send it in double quotes as If-Match to update the document only if
   * it has not changed.
   */
  etag: Scalars['String']['output'];
  /** The document number, unique in the installation, including archived and deleted documents. */
  number: Scalars['String']['output'];
  /** The name. Several documents may share a name. */
  name: Scalars['String']['output'];
  /** The kind of the document. */
  kind: DocumentKind;
  /** Free text. Null if none was set. */
  description?: Maybe<Scalars['String']['output']>;
  /** The folder that contains the document. Null if Unfiled. */
  folderId?: Maybe<Scalars['ID']['output']>;
  /** The folder that contains the document. Null if Unfiled. */
  folder?: Maybe<Folder>;
  /** Whether the document is archived. An archived document cannot be changed, and lists omit it by default. */
  archived: Scalars['Boolean']['output'];
  /** The origin of a copied document. Null if the document is not a copy. */
  copiedFrom?: Maybe<CopyOrigin>;
  /** When the object was created. */
  createdAt: Scalars['DateTime']['output'];
  /** The user who created the object. */
  createdBy: User;
  /** When the object was last updated. */
  updatedAt: Scalars['DateTime']['output'];
  /** The user who last updated the object. */
  updatedBy: User;
  /** The operations that the current user may perform, given the current state. */
  permissions: DocumentPermissions;
  /**
   * The audit records of the document, newest first. Available for at most 20 documents per operation (validation_failed,
   * limit documentAudit).
   */
  audit: AuditPage;
};


/** An engineering document: a number, a name, and its workspaces, versions and revisions. */
export type DocumentAuditArgs = {
  actor?: InputMaybe<Scalars['ID']['input']>;
  action?: InputMaybe<Scalars['String']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  before?: InputMaybe<Scalars['DateTime']['input']>;
  sort?: InputMaybe<AuditSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Whether an operation is allowed now, and the error that it would fail with otherwise. */
export type Permission = {
  /** Whether the operation is allowed. */
  allowed: Scalars['Boolean']['output'];
  /** The error code that the operation would fail with. Null if the operation is allowed. */
  code?: Maybe<Scalars['String']['output']>;
  /** The error message that the operation would fail with. Null if the operation is allowed. */
  message?: Maybe<Scalars['String']['output']>;
};

/** The operations on a document. */
export type DocumentPermissions = {
  /** Update the name and description. */
  canEdit: Permission;
  /** Move the document to another folder. */
  canMove: Permission;
  /** Archive the document. */
  canArchive: Permission;
  /** Unarchive the document. */
  canUnarchive: Permission;
  /** Delete the document. */
  canDelete: Permission;
  /** Copy the document. */
  canCopy: Permission;
};

/** The origin of a copied document. */
export type CopyOrigin = {
  /** The document that was copied. */
  documentId: Scalars['ID']['output'];
  /** The draft or version whose content was copied. */
  versionId: Scalars['ID']['output'];
};

/** A page of documents. */
export type DocumentPage = {
  /** The items of this page, in list order. */
  items: Array<Document>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** The number of items on all pages. Null unless `total` was requested. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A folder of documents. Folders form a tree of at most 16 levels. */
export type Folder = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** The name, unique among the folders with the same parent. */
  name: Scalars['String']['output'];
  /** The parent folder. Null for a top-level folder. */
  parentId?: Maybe<Scalars['ID']['output']>;
  /** The names of the folders from the top level down, separated by slashes. */
  path: Scalars['String']['output'];
  /** The number of documents directly in the folder, without archived documents. */
  documentCount: Scalars['Int']['output'];
  /** When the object was created. */
  createdAt: Scalars['DateTime']['output'];
  /** When the object was last updated. */
  updatedAt: Scalars['DateTime']['output'];
};

/** A record of one change: who changed what, when, on which object. */
export type AuditRecord = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** The position in the log of the installation. Null until the record is sealed. */
  seq?: Maybe<Scalars['Float']['output']>;
  /** The hash chain of the record: a document id, or `folders`, `access` or `system`. */
  chain: Scalars['String']['output'];
  /** The position in the hash chain, starting at 1. */
  chainSeq: Scalars['Float']['output'];
  /** When the action was performed. */
  at: Scalars['DateTime']['output'];
  /** The user or service that performed the action. */
  by: AuditActor;
  /** The action, e.g. version.created. */
  action: Scalars['String']['output'];
  /** The document that the action concerns. Null if none. */
  documentId?: Maybe<Scalars['ID']['output']>;
  /** The draft or version that the action concerns. Null if none. */
  versionId?: Maybe<Scalars['ID']['output']>;
  /** The revision that the action concerns. Null if none. */
  revisionId?: Maybe<Scalars['ID']['output']>;
  /** The workspace that the action concerns. Null if none. */
  workspaceId?: Maybe<Scalars['ID']['output']>;
  /** The folder that the action concerns. Null if none. */
  folderId?: Maybe<Scalars['ID']['output']>;
  /** The job that the action concerns or that performed it. Null if none. */
  jobId?: Maybe<Scalars['ID']['output']>;
  /** A one-sentence summary of the action. */
  summary: Scalars['String']['output'];
  /** The changed fields: {name: {from, to}}. */
  changes: Scalars['JSON']['output'];
  /** The request id, as in the X-Request-Id response header and in the logs. */
  requestId: Scalars['String']['output'];
  /** The client's IP address (administrators only). Null for other users and if there was no client. */
  ip?: Maybe<Scalars['String']['output']>;
  /**
   * The route of the request, e.g. POST /api/v1/documents. Null if the service itself performed the action, and in old
   * records. Covered by the hash unless null.
   */
  route?: Maybe<Scalars['String']['output']>;
  /** The SHA-256 hash of the previous record in the chain, in hex. 64 zeros for the first record. */
  prevHash: Scalars['String']['output'];
  /** The SHA-256 hash of `prevHash` and the canonical record (RFC 8785), in hex. */
  hash: Scalars['String']['output'];
};

/** The user or service that performed an action, as of that time. */
export type AuditActor = {
  /** The id of the user. */
  id: Scalars['ID']['output'];
  /** The current name of the user. */
  name: Scalars['String']['output'];
  /** How the actor authenticated: token, session, oidc or system. */
  via: Scalars['String']['output'];
  /** The role at that time. */
  role: Scalars['String']['output'];
  /** The token that was used (administrators only). Null for other users and if no token was used. */
  tokenId?: Maybe<Scalars['ID']['output']>;
  /**
   * The user who queued the job that a worker or the service acted on. Null if the actor acted for itself. Covered by the
   * hash unless null.
   */
  onBehalfOf?: Maybe<Scalars['ID']['output']>;
};

/** The result of an audit log verification. */
export type AuditVerdict =
  /** All records match their hashes, the tree and the checkpoints. */
  | 'intact'
  /** At least one record was changed, added or removed; see `errors`. */
  | 'tampered'
  /** The log could not be verified completely; see `warnings`. */
  | 'unknown'
  /** The verification is still running; repeat the query. */
  | 'running';

/**
 * A verification of the audit log against its hashes, its Merkle tree and its signed checkpoints, starting at the first
 * record.
 */
export type AuditVerification = {
  /** The result, or `running`. */
  verdict: AuditVerdict;
  /** When the verification started. */
  startedAt: Scalars['DateTime']['output'];
  /** When the verification finished. Null while it is running. */
  finishedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The discrepancies, in the order in which they were found. */
  errors: Array<AuditError>;
  /** What could not be verified, and why. */
  warnings: Array<Scalars['String']['output']>;
  /** The number of records that were read. Null while the verification is running. */
  records?: Maybe<Scalars['Float']['output']>;
  /** The number of hash chains that were verified. Null while the verification is running. */
  chains?: Maybe<Scalars['Float']['output']>;
  /** The number of records that are sealed in the tree. Null while the verification is running. */
  sealed?: Maybe<Scalars['Float']['output']>;
  /** The number of records that are not sealed yet, usually for less than a second. Null while the verification is running. */
  pending?: Maybe<Scalars['Float']['output']>;
  /** The number of signed checkpoints that were compared. Null while the verification is running. */
  checkpoints?: Maybe<Scalars['Float']['output']>;
  /** The name of the log in its checkpoints. Null while the verification is running. */
  origin?: Maybe<Scalars['String']['output']>;
  /** The root hash of the tree of all sealed records, in base64. Null while the verification is running. */
  root?: Maybe<Scalars['String']['output']>;
};

/** A discrepancy in the audit log. */
export type AuditError = {
  /** The id of the affected record, seal, chain or checkpoint. */
  id: Scalars['String']['output'];
  /** A description of the discrepancy. */
  message: Scalars['String']['output'];
};

/** An action that is recorded in the audit log. */
export type AuditAction = {
  /** The name of the action, e.g. version.released. */
  name: Scalars['String']['output'];
  /** The label of the action. */
  label: Scalars['String']['output'];
};

/** A page of audit records. */
export type AuditPage = {
  /** The items of this page, in list order. */
  items: Array<AuditRecord>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** The number of items on all pages. Null unless `total` was requested. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** An audit record as an event with the attributes of CloudEvents 1.0. */
export type CloudEvent = {
  /** The CloudEvents version, always 1.0. */
  specversion: Scalars['String']['output'];
  /** The id of the audit record. Consumers use it to detect duplicates. */
  id: Scalars['ID']['output'];
  /** The URN of this installation's log. */
  source: Scalars['String']['output'];
  /** The action, e.g. version.released. */
  type: Scalars['String']['output'];
  /** The id of the document or folder that the event concerns. Null if neither. */
  subject?: Maybe<Scalars['ID']['output']>;
  /** When the action was performed. */
  time: Scalars['DateTime']['output'];
  /** The media type of `data`, always application/json. */
  datacontenttype: Scalars['String']['output'];
  /** The position in the log as 16 digits, so that string order is log order. */
  sequence: Scalars['String']['output'];
  /** The audit record. */
  data: AuditRecord;
};

/** A page of events. */
export type EventPage = {
  /** The items of this page, in list order. */
  items: Array<CloudEvent>;
  /** The position after which the next page starts; pass it as `after`. It advances past events that were filtered out. */
  next: Scalars['Float']['output'];
  /** An opaque cursor for the next page. Null if there are no more events now. */
  nextCursor?: Maybe<Scalars['String']['output']>;
};

/** A receiver of events. Each event is sent as a signed POST request (Standard Webhooks). */
export type Webhook = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** A label that describes the purpose. */
  name: Scalars['String']['output'];
  /** The URL that events are sent to. */
  url: Scalars['String']['output'];
  /**
   * The event types that are sent, e.g. version.released or version.*. An empty list selects all types that viewers may
   * read.
   */
  types: Array<Scalars['String']['output']>;
  /** Whether events are sent. */
  enabled: Scalars['Boolean']['output'];
  /** Why the service disabled the webhook. Null if it did not. */
  disabledReason?: Maybe<Scalars['String']['output']>;
  /** When the object was created. */
  createdAt: Scalars['DateTime']['output'];
  /** The user who created the object. */
  createdBy: User;
  /** When the object was last updated. */
  updatedAt: Scalars['DateTime']['output'];
  /** The user who last updated the object. */
  updatedBy: User;
};

/** A webhook with its signing secret. The secret is returned only once. */
export type WebhookWithSecret = {
  /** The signing secret: whsec_ followed by base64. It cannot be read again. */
  secret: Scalars['String']['output'];
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** A label that describes the purpose. */
  name: Scalars['String']['output'];
  /** The URL that events are sent to. */
  url: Scalars['String']['output'];
  /** The event types that are sent. An empty list selects all types that viewers may read. */
  types: Array<Scalars['String']['output']>;
  /** Whether events are sent. */
  enabled: Scalars['Boolean']['output'];
  /** Why the service disabled the webhook. Null if it did not. */
  disabledReason?: Maybe<Scalars['String']['output']>;
  /** When the object was created. */
  createdAt: Scalars['DateTime']['output'];
  /** The user who created the object. */
  createdBy: User;
  /** When the object was last updated. */
  updatedAt: Scalars['DateTime']['output'];
  /** The user who last updated the object. */
  updatedBy: User;
};

/** The status of a delivery. */
export type DeliveryStatus =
  /** The first attempt or a retry is due or scheduled. */
  | 'waiting'
  /** The receiver accepted the event. */
  | 'delivered'
  /** All attempts failed. */
  | 'failed';

/** The delivery of an event to a webhook. */
export type WebhookDelivery = {
  /** The id of the event. */
  eventId: Scalars['ID']['output'];
  /** The id of the webhook. */
  webhookId: Scalars['ID']['output'];
  /** The type of the event. */
  type: Scalars['String']['output'];
  /** The status of the delivery. */
  status: DeliveryStatus;
  /** When the next attempt is due. Null if the delivery has finished. */
  nextAttemptAt?: Maybe<Scalars['DateTime']['output']>;
  /** The newest attempts, at most 10, oldest first. */
  attempts: Array<DeliveryAttempt>;
  /** When the object was created. */
  createdAt: Scalars['DateTime']['output'];
  /** When the event was delivered or the delivery failed permanently. Null if it has not finished. */
  endedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** One attempt of a delivery. */
export type DeliveryAttempt = {
  /** When the attempt started. */
  at: Scalars['DateTime']['output'];
  /** The duration in milliseconds. */
  durationMs: Scalars['Int']['output'];
  /** The HTTP status of the response. Null if there was no response. */
  status?: Maybe<Scalars['Int']['output']>;
  /** Why there was no response. Null if there was one. */
  error?: Maybe<Scalars['String']['output']>;
  /** The first 1 KiB of the response body. Null if there was no response. */
  responseBody?: Maybe<Scalars['String']['output']>;
};

/** A page of deliveries. */
export type WebhookDeliveryPage = {
  /** The items of this page, in list order. */
  items: Array<WebhookDelivery>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** The number of items on all pages. Null unless `total` was requested. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** The role of a user or token. */
export type Role =
  /** May read. */
  | 'viewer'
  /** May read and write. */
  | 'editor'
  /** May do everything, including managing users, tokens and webhooks, reading the audit log and working on jobs. */
  | 'admin'
  /** May claim and process jobs, and nothing else. */
  | 'worker';

/** The current user and how the request was authenticated. */
export type Me = {
  /** The id of the user. */
  id: Scalars['ID']['output'];
  /** The name of the user. */
  name: Scalars['String']['output'];
  /** The effective role: the lower of the token's role and the user's role. */
  role: Scalars['String']['output'];
  /** How the request was authenticated: token, session (a signed-in browser) or oidc (a token of the identity provider). */
  via: Scalars['String']['output'];
  /** The token that was used. Null if the request was authenticated in another way. */
  token?: Maybe<Token>;
};

/** A user as shown to administrators. */
export type Account = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** The display name. */
  name: Scalars['String']['output'];
  /** The role of the user. A token can have a lower role. */
  role: Role;
  /** Whether the user is disabled. A disabled user cannot sign in, but remains for existing records. */
  disabled: Scalars['Boolean']['output'];
  /** The identity at the identity provider. Null if the user does not sign in there. */
  oidc?: Maybe<OidcIdentity>;
  /** When the user was created. */
  createdAt: Scalars['DateTime']['output'];
};

/** A user's identity at the identity provider. */
export type OidcIdentity = {
  /** The issuer URL of the identity provider. */
  issuer: Scalars['String']['output'];
  /** The `sub` claim of the identity provider's tokens. */
  subject: Scalars['String']['output'];
};

/** A page of users. */
export type AccountPage = {
  /** The items of this page, in list order. */
  items: Array<Account>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** The number of items on all pages. Null unless `total` was requested. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** An API token, without its secret. */
export type Token = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** The 8 characters after pdm_, which identify the token. */
  prefix: Scalars['String']['output'];
  /** A label that describes the purpose. */
  name: Scalars['String']['output'];
  /** The role that this token grants, at most that of its user. */
  role: Role;
  /** The owner of the token. */
  user: User;
  /** When the object was created. */
  createdAt: Scalars['DateTime']['output'];
  /** When the token expires. Null if it never expires. */
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** When the token was last used, rounded down to the hour. Null if it was never used. */
  lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  /** When the token was revoked. Null if it was not. */
  revokedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** A page of tokens. */
export type TokenPage = {
  /** The items of this page, in list order. */
  items: Array<Token>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** The number of items on all pages. Null unless `total` was requested. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A newly created API token. The token itself is returned only once. */
export type CreatedToken = {
  /** The token itself. It is not stored and cannot be read again. */
  token: Scalars['String']['output'];
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** The 8 characters after pdm_, which identify the token. */
  prefix: Scalars['String']['output'];
  /** A label that describes the purpose. */
  name: Scalars['String']['output'];
  /** The role that this token grants. */
  role: Role;
  /** The owner of the token. */
  user: User;
  /** When the object was created. */
  createdAt: Scalars['DateTime']['output'];
  /** When the token expires. Null if it never expires. */
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
};

/** Sort keys of audit records. */
export type AuditSort =
  /** The time of the action. */
  | 'createdAt';

/** Sort keys of users. */
export type UserSort =
  /** The name. */
  | 'name'
  /** When the object was created. */
  | 'createdAt';

/** Sort keys of tokens. */
export type TokenSort =
  /** The name. */
  | 'name'
  /** When the object was created. */
  | 'createdAt';

/** Sort keys of folders. */
export type FolderSort =
  /** The path. */
  | 'path'
  /** The name. */
  | 'name'
  /** When the object was created. */
  | 'createdAt'
  /** When the object was last updated. */
  | 'updatedAt';

/** Sort keys of webhooks. */
export type WebhookSort =
  /** The name. */
  | 'name'
  /** When the object was created. */
  | 'createdAt'
  /** When the object was last updated. */
  | 'updatedAt';

/** Sort keys of deliveries. */
export type DeliverySort =
  /** The time at which the delivery was created. */
  | 'createdAt';

/** A page of folders. */
export type FolderPage = {
  /** The items of this page, in list order. */
  items: Array<Folder>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** The number of items on all pages. Null unless `total` was requested. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A page of webhooks. */
export type WebhookPage = {
  /** The items of this page, in list order. */
  items: Array<Webhook>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** The number of items on all pages. Null unless `total` was requested. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** All queries. */
export type Query = {
  /** Returns the current user and token. */
  me: Me;
  /** Returns a document, or null if it does not exist. */
  document?: Maybe<Document>;
  /**
   * Lists documents, most recently updated first. Search results are ranked: exact number, number prefix, name prefix,
   * then words in the name and description.
   */
  documents: DocumentPage;
  /** Lists all folders by path. */
  folders: Array<Folder>;
  /** Returns a page of the folders. */
  folderPage: FolderPage;
  /** Returns a folder, or null if it does not exist. */
  folder?: Maybe<Folder>;
  /** Lists all users, oldest first (administrators only). */
  users: AccountPage;
  /** Returns a user, or null if it does not exist (administrators only). */
  user?: Maybe<Account>;
  /** Lists tokens, newest first: the current user's tokens, for administrators all tokens. */
  tokens: TokenPage;
  /** Returns a token, or null if it does not exist. Other users' tokens are visible to administrators only. */
  token?: Maybe<Token>;
  /** Lists all audit records, newest first (administrators only). */
  audit: AuditPage;
  /** Lists all actions of the audit log, grouped by object. They are also the event types. */
  auditActions: Array<AuditAction>;
  /** Verifies the complete audit log and waits for the result (administrators only). */
  auditVerification: AuditVerification;
  /**
   * Lists events after a position in the log, oldest first, without gaps. Events about access and the system are returned
   * to administrators only.
   */
  events: EventPage;
  /** Lists all webhooks, oldest first (administrators only). */
  webhooks: Array<Webhook>;
  /** Returns a page of the webhooks, of which there are at most 50 (administrators only). */
  webhookPage: WebhookPage;
  /** Returns a webhook, or null if it does not exist (administrators only). */
  webhook?: Maybe<Webhook>;
  /** Lists the deliveries of a webhook within the last 30 days, newest first (administrators only). */
  webhookDeliveries: WebhookDeliveryPage;
  /** Lists the audit records of a draft or version, newest first. */
  versionAudit: AuditPage;
  /** Lists the audit records of a revision, newest first, also after the release was taken back. */
  revisionAudit: AuditPage;
};


/** All queries. */
export type QueryDocumentArgs = {
  id: Scalars['ID']['input'];
};


/** All queries. */
export type QueryDocumentsArgs = {
  q?: InputMaybe<Scalars['String']['input']>;
  folderId?: InputMaybe<Scalars['ID']['input']>;
  recursive?: InputMaybe<Scalars['Boolean']['input']>;
  kind?: InputMaybe<DocumentKind>;
  includeArchived?: InputMaybe<Scalars['Boolean']['input']>;
  sort?: InputMaybe<DocumentSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


/** All queries. */
export type QueryFolderPageArgs = {
  sort?: InputMaybe<FolderSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


/** All queries. */
export type QueryFolderArgs = {
  id: Scalars['ID']['input'];
};


/** All queries. */
export type QueryUsersArgs = {
  sort?: InputMaybe<UserSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


/** All queries. */
export type QueryUserArgs = {
  id: Scalars['ID']['input'];
};


/** All queries. */
export type QueryTokensArgs = {
  userId?: InputMaybe<Scalars['ID']['input']>;
  includeInactive?: InputMaybe<Scalars['Boolean']['input']>;
  sort?: InputMaybe<TokenSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


/** All queries. */
export type QueryTokenArgs = {
  id: Scalars['ID']['input'];
};


/** All queries. */
export type QueryAuditArgs = {
  actor?: InputMaybe<Scalars['ID']['input']>;
  action?: InputMaybe<Scalars['String']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  before?: InputMaybe<Scalars['DateTime']['input']>;
  sort?: InputMaybe<AuditSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


/** All queries. */
export type QueryAuditVerificationArgs = {
  waitSeconds?: InputMaybe<Scalars['Int']['input']>;
};


/** All queries. */
export type QueryEventsArgs = {
  after?: InputMaybe<Scalars['Float']['input']>;
  types?: InputMaybe<Scalars['String']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


/** All queries. */
export type QueryWebhookPageArgs = {
  sort?: InputMaybe<WebhookSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


/** All queries. */
export type QueryWebhookArgs = {
  id: Scalars['ID']['input'];
};


/** All queries. */
export type QueryWebhookDeliveriesArgs = {
  id: Scalars['ID']['input'];
  status?: InputMaybe<DeliveryStatus>;
  sort?: InputMaybe<DeliverySort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


/** All queries. */
export type QueryVersionAuditArgs = {
  versionId: Scalars['ID']['input'];
  sort?: InputMaybe<AuditSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


/** All queries. */
export type QueryRevisionAuditArgs = {
  id: Scalars['ID']['input'];
  sort?: InputMaybe<AuditSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};

/** A user's identity at the identity provider. */
export type OidcIdentityInput = {
  /** The issuer URL of the identity provider. */
  issuer: Scalars['String']['input'];
  /** The `sub` claim of the identity provider's tokens. */
  subject: Scalars['String']['input'];
};

/** The properties of a new document. */
export type CreateDocumentInput = {
  /** The name, 1–200 characters. */
  name: Scalars['String']['input'];
  /** The kind of the document. It cannot be changed later. */
  kind: DocumentKind;
  /** The document number. Default: the next number of the kind. */
  number?: InputMaybe<Scalars['String']['input']>;
  /** Free text. Default: null. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** The folder that will contain the document. Default: null, which means Unfiled. */
  folderId?: InputMaybe<Scalars['ID']['input']>;
};

/** All mutations. */
export type Mutation = {
  /** Creates a document with a main workspace and an empty draft. */
  createDocument: Document;
  /** Updates the name or description of a document. Omitted fields keep their values. */
  updateDocument: Document;
  /** Archives a document: lists omit it by default, and it cannot be changed until it is unarchived. */
  archiveDocument: Document;
  /** Unarchives a document. */
  unarchiveDocument: Document;
  /** Creates an independent copy: new ids, a new number, and one main workspace whose draft has the content of the version. */
  copyDocument: Document;
  /** Moves documents into a folder, all or none. `folderId` is required; null means Unfiled. */
  moveDocuments: Array<Document>;
  /** Deletes a document. Documents that were released or that other documents use cannot be deleted. */
  deleteDocument: Scalars['Boolean']['output'];
  /** Creates a folder. */
  createFolder: Folder;
  /** Renames or moves a folder. Omitted fields keep their values. */
  updateFolder: Folder;
  /** Deletes an empty folder. */
  deleteFolder: Scalars['Boolean']['output'];
  /** Creates a user (administrators only). */
  createUser: Account;
  /** Updates a user (administrators only). The last administrator cannot be disabled or lose the role. */
  updateUser: Account;
  /** Creates a token (administrators only). The token itself is returned only once. */
  createToken: CreatedToken;
  /**
   * Revokes a token: immediately in the API process that handles the request, within 5 seconds in the others. Other users'
   * tokens can be revoked by administrators only.
   */
  revokeToken: Scalars['Boolean']['output'];
  /**
   * Creates a webhook for events from now on (administrators only). The response contains the signing secret, which is
   * returned only once.
   */
  createWebhook: WebhookWithSecret;
  /**
   * Updates a webhook (administrators only). A webhook that is enabled again receives its waiting deliveries, but no
   * events that were recorded while it was disabled.
   */
  updateWebhook: Webhook;
  /** Deletes a webhook (administrators only). Its waiting deliveries are not sent. */
  deleteWebhook: Scalars['Boolean']['output'];
  /**
   * Creates a new signing secret for a webhook (administrators only). Deliveries are also signed with the previous secret
   * for 24 hours.
   */
  rotateWebhookSecret: WebhookWithSecret;
  /** Sends the event webhook.pinged to a webhook, even if it is disabled (administrators only). */
  pingWebhook: WebhookDelivery;
  /** Sends an event to a webhook again, with the same event id (administrators only). */
  redeliverEvent: WebhookDelivery;
};


/** All mutations. */
export type MutationCreateDocumentArgs = {
  input: CreateDocumentInput;
};


/** All mutations. */
export type MutationUpdateDocumentArgs = {
  id: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
};


/** All mutations. */
export type MutationArchiveDocumentArgs = {
  id: Scalars['ID']['input'];
};


/** All mutations. */
export type MutationUnarchiveDocumentArgs = {
  id: Scalars['ID']['input'];
};


/** All mutations. */
export type MutationCopyDocumentArgs = {
  id: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  number?: InputMaybe<Scalars['String']['input']>;
  versionId?: InputMaybe<Scalars['ID']['input']>;
};


/** All mutations. */
export type MutationMoveDocumentsArgs = {
  ids: Array<Scalars['ID']['input']>;
  folderId?: InputMaybe<Scalars['ID']['input']>;
};


/** All mutations. */
export type MutationDeleteDocumentArgs = {
  id: Scalars['ID']['input'];
};


/** All mutations. */
export type MutationCreateFolderArgs = {
  name: Scalars['String']['input'];
  parentId?: InputMaybe<Scalars['ID']['input']>;
};


/** All mutations. */
export type MutationUpdateFolderArgs = {
  id: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  parentId?: InputMaybe<Scalars['ID']['input']>;
};


/** All mutations. */
export type MutationDeleteFolderArgs = {
  id: Scalars['ID']['input'];
};


/** All mutations. */
export type MutationCreateUserArgs = {
  name: Scalars['String']['input'];
  role: Role;
  oidc?: InputMaybe<OidcIdentityInput>;
};


/** All mutations. */
export type MutationUpdateUserArgs = {
  id: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  role?: InputMaybe<Role>;
  disabled?: InputMaybe<Scalars['Boolean']['input']>;
};


/** All mutations. */
export type MutationCreateTokenArgs = {
  name: Scalars['String']['input'];
  userId?: InputMaybe<Scalars['ID']['input']>;
  role?: InputMaybe<Role>;
  expiresInDays?: InputMaybe<Scalars['Int']['input']>;
};


/** All mutations. */
export type MutationRevokeTokenArgs = {
  id: Scalars['ID']['input'];
};


/** All mutations. */
export type MutationCreateWebhookArgs = {
  url: Scalars['String']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  types?: InputMaybe<Array<Scalars['String']['input']>>;
};


/** All mutations. */
export type MutationUpdateWebhookArgs = {
  id: Scalars['ID']['input'];
  url?: InputMaybe<Scalars['String']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  types?: InputMaybe<Array<Scalars['String']['input']>>;
  enabled?: InputMaybe<Scalars['Boolean']['input']>;
};


/** All mutations. */
export type MutationDeleteWebhookArgs = {
  id: Scalars['ID']['input'];
};


/** All mutations. */
export type MutationRotateWebhookSecretArgs = {
  id: Scalars['ID']['input'];
};


/** All mutations. */
export type MutationPingWebhookArgs = {
  id: Scalars['ID']['input'];
};


/** All mutations. */
export type MutationRedeliverEventArgs = {
  id: Scalars['ID']['input'];
  eventId: Scalars['ID']['input'];
};



export type ResolverTypeWrapper<T> = Promise<T> | T;

export type ReferenceResolver<TResult, TReference, TContext> = (
      reference: TReference,
      context: TContext,
      info: GraphQLResolveInfo
    ) => Promise<TResult> | TResult;

      type ScalarCheck<T, S> = S extends true ? T : NullableCheck<T, S>;
      type NullableCheck<T, S> = Maybe<T> extends T ? Maybe<ListCheck<NonNullable<T>, S>> : ListCheck<T, S>;
      type ListCheck<T, S> = T extends (infer U)[] ? NullableCheck<U, S>[] : GraphQLRecursivePick<T, S>;
      export type GraphQLRecursivePick<T, S> = { [K in keyof T & keyof S]: ScalarCheck<T[K], S[K]> };
    

export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

/** Mapping of federation types */
export type FederationTypes = {
  Document: Document;
  Folder: Folder;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Document:
    ( { __typename: 'Document' }
    & GraphQLRecursivePick<FederationTypes['Document'], {"id":true}> );
  Folder:
    ( { __typename: 'Folder' }
    & GraphQLRecursivePick<FederationTypes['Folder'], {"id":true}> );
};



/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  DocumentKind: DocumentKind;
  DocumentSort: DocumentSort;
  User: ResolverTypeWrapper<UserSource>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Document: ResolverTypeWrapper<DocumentSource>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  Permission: ResolverTypeWrapper<Permission>;
  DocumentPermissions: ResolverTypeWrapper<DocumentPermissionsSource>;
  CopyOrigin: ResolverTypeWrapper<CopyOrigin>;
  DocumentPage: ResolverTypeWrapper<Omit<DocumentPage, 'items'> & { items: Array<ResolversTypes['Document']> }>;
  Folder: ResolverTypeWrapper<FolderSource>;
  AuditRecord: ResolverTypeWrapper<AuditRecordSource>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  AuditActor: ResolverTypeWrapper<AuditActorSource>;
  AuditVerdict: AuditVerdict;
  AuditVerification: ResolverTypeWrapper<AuditVerification>;
  AuditError: ResolverTypeWrapper<AuditError>;
  AuditAction: ResolverTypeWrapper<AuditAction>;
  AuditPage: ResolverTypeWrapper<Omit<AuditPage, 'items'> & { items: Array<ResolversTypes['AuditRecord']> }>;
  CloudEvent: ResolverTypeWrapper<CloudEventSource>;
  EventPage: ResolverTypeWrapper<Omit<EventPage, 'items'> & { items: Array<ResolversTypes['CloudEvent']> }>;
  Webhook: ResolverTypeWrapper<WebhookSource>;
  WebhookWithSecret: ResolverTypeWrapper<WebhookWithSecretSource>;
  DeliveryStatus: DeliveryStatus;
  WebhookDelivery: ResolverTypeWrapper<WebhookDeliverySource>;
  DeliveryAttempt: ResolverTypeWrapper<DeliveryAttemptSource>;
  WebhookDeliveryPage: ResolverTypeWrapper<Omit<WebhookDeliveryPage, 'items'> & { items: Array<ResolversTypes['WebhookDelivery']> }>;
  Role: Role;
  Me: ResolverTypeWrapper<MeSource>;
  Account: ResolverTypeWrapper<AccountSource>;
  OidcIdentity: ResolverTypeWrapper<OidcIdentity>;
  AccountPage: ResolverTypeWrapper<Omit<AccountPage, 'items'> & { items: Array<ResolversTypes['Account']> }>;
  Token: ResolverTypeWrapper<TokenSource>;
  TokenPage: ResolverTypeWrapper<Omit<TokenPage, 'items'> & { items: Array<ResolversTypes['Token']> }>;
  CreatedToken: ResolverTypeWrapper<CreatedTokenSource>;
  AuditSort: AuditSort;
  UserSort: UserSort;
  TokenSort: TokenSort;
  FolderSort: FolderSort;
  WebhookSort: WebhookSort;
  DeliverySort: DeliverySort;
  FolderPage: ResolverTypeWrapper<Omit<FolderPage, 'items'> & { items: Array<ResolversTypes['Folder']> }>;
  WebhookPage: ResolverTypeWrapper<Omit<WebhookPage, 'items'> & { items: Array<ResolversTypes['Webhook']> }>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  OidcIdentityInput: OidcIdentityInput;
  CreateDocumentInput: CreateDocumentInput;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars['DateTime']['output'];
  JSON: Scalars['JSON']['output'];
  User: UserSource;
  ID: Scalars['ID']['output'];
  String: Scalars['String']['output'];
  Document: DocumentSource;
  Boolean: Scalars['Boolean']['output'];
  Int: Scalars['Int']['output'];
  Permission: Permission;
  DocumentPermissions: DocumentPermissionsSource;
  CopyOrigin: CopyOrigin;
  DocumentPage: Omit<DocumentPage, 'items'> & { items: Array<ResolversParentTypes['Document']> };
  Folder: FolderSource;
  AuditRecord: AuditRecordSource;
  Float: Scalars['Float']['output'];
  AuditActor: AuditActorSource;
  AuditVerification: AuditVerification;
  AuditError: AuditError;
  AuditAction: AuditAction;
  AuditPage: Omit<AuditPage, 'items'> & { items: Array<ResolversParentTypes['AuditRecord']> };
  CloudEvent: CloudEventSource;
  EventPage: Omit<EventPage, 'items'> & { items: Array<ResolversParentTypes['CloudEvent']> };
  Webhook: WebhookSource;
  WebhookWithSecret: WebhookWithSecretSource;
  WebhookDelivery: WebhookDeliverySource;
  DeliveryAttempt: DeliveryAttemptSource;
  WebhookDeliveryPage: Omit<WebhookDeliveryPage, 'items'> & { items: Array<ResolversParentTypes['WebhookDelivery']> };
  Me: MeSource;
  Account: AccountSource;
  OidcIdentity: OidcIdentity;
  AccountPage: Omit<AccountPage, 'items'> & { items: Array<ResolversParentTypes['Account']> };
  Token: TokenSource;
  TokenPage: Omit<TokenPage, 'items'> & { items: Array<ResolversParentTypes['Token']> };
  CreatedToken: CreatedTokenSource;
  FolderPage: Omit<FolderPage, 'items'> & { items: Array<ResolversParentTypes['Folder']> };
  WebhookPage: Omit<WebhookPage, 'items'> & { items: Array<ResolversParentTypes['Webhook']> };
  Query: Record<PropertyKey, never>;
  OidcIdentityInput: OidcIdentityInput;
  CreateDocumentInput: CreateDocumentInput;
  Mutation: Record<PropertyKey, never>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type UserResolvers<ContextType = any, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DocumentResolvers<ContextType = any, ParentType extends ResolversParentTypes['Document'] = ResolversParentTypes['Document'], FederationReferenceType extends FederationReferenceTypes['Document'] = FederationReferenceTypes['Document']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Document']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  etag?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  number?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['DocumentKind'], ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  folderId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  folder?: Resolver<Maybe<ResolversTypes['Folder']>, ParentType, ContextType>;
  archived?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  copiedFrom?: Resolver<Maybe<ResolversTypes['CopyOrigin']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  createdBy?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedBy?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  permissions?: Resolver<ResolversTypes['DocumentPermissions'], ParentType, ContextType>;
  audit?: Resolver<ResolversTypes['AuditPage'], ParentType, ContextType, Partial<DocumentAuditArgs>>;
};

export type PermissionResolvers<ContextType = any, ParentType extends ResolversParentTypes['Permission'] = ResolversParentTypes['Permission']> = {
  allowed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DocumentPermissionsResolvers<ContextType = any, ParentType extends ResolversParentTypes['DocumentPermissions'] = ResolversParentTypes['DocumentPermissions']> = {
  canEdit?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canMove?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canArchive?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canUnarchive?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canDelete?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canCopy?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
};

export type CopyOriginResolvers<ContextType = any, ParentType extends ResolversParentTypes['CopyOrigin'] = ResolversParentTypes['CopyOrigin']> = {
  documentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type DocumentPageResolvers<ContextType = any, ParentType extends ResolversParentTypes['DocumentPage'] = ResolversParentTypes['DocumentPage']> = {
  items?: Resolver<Array<ResolversTypes['Document']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type FolderResolvers<ContextType = any, ParentType extends ResolversParentTypes['Folder'] = ResolversParentTypes['Folder'], FederationReferenceType extends FederationReferenceTypes['Folder'] = FederationReferenceTypes['Folder']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Folder']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  parentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  documentCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type AuditRecordResolvers<ContextType = any, ParentType extends ResolversParentTypes['AuditRecord'] = ResolversParentTypes['AuditRecord']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  seq?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  chain?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  chainSeq?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  by?: Resolver<ResolversTypes['AuditActor'], ParentType, ContextType>;
  action?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  documentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  versionId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  revisionId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  workspaceId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  folderId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  jobId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  summary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  changes?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ip?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  route?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  prevHash?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  hash?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type AuditActorResolvers<ContextType = any, ParentType extends ResolversParentTypes['AuditActor'] = ResolversParentTypes['AuditActor']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  via?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tokenId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  onBehalfOf?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type AuditVerificationResolvers<ContextType = any, ParentType extends ResolversParentTypes['AuditVerification'] = ResolversParentTypes['AuditVerification']> = {
  verdict?: Resolver<ResolversTypes['AuditVerdict'], ParentType, ContextType>;
  startedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  finishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  errors?: Resolver<Array<ResolversTypes['AuditError']>, ParentType, ContextType>;
  warnings?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  records?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  chains?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  sealed?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  pending?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  checkpoints?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  origin?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  root?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AuditErrorResolvers<ContextType = any, ParentType extends ResolversParentTypes['AuditError'] = ResolversParentTypes['AuditError']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type AuditActionResolvers<ContextType = any, ParentType extends ResolversParentTypes['AuditAction'] = ResolversParentTypes['AuditAction']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  label?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type AuditPageResolvers<ContextType = any, ParentType extends ResolversParentTypes['AuditPage'] = ResolversParentTypes['AuditPage']> = {
  items?: Resolver<Array<ResolversTypes['AuditRecord']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type CloudEventResolvers<ContextType = any, ParentType extends ResolversParentTypes['CloudEvent'] = ResolversParentTypes['CloudEvent']> = {
  specversion?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  source?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  subject?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  time?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  datacontenttype?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sequence?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<ResolversTypes['AuditRecord'], ParentType, ContextType>;
};

export type EventPageResolvers<ContextType = any, ParentType extends ResolversParentTypes['EventPage'] = ResolversParentTypes['EventPage']> = {
  items?: Resolver<Array<ResolversTypes['CloudEvent']>, ParentType, ContextType>;
  next?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WebhookResolvers<ContextType = any, ParentType extends ResolversParentTypes['Webhook'] = ResolversParentTypes['Webhook']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  types?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  enabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  disabledReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  createdBy?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedBy?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
};

export type WebhookWithSecretResolvers<ContextType = any, ParentType extends ResolversParentTypes['WebhookWithSecret'] = ResolversParentTypes['WebhookWithSecret']> = {
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  types?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  enabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  disabledReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  createdBy?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedBy?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
};

export type WebhookDeliveryResolvers<ContextType = any, ParentType extends ResolversParentTypes['WebhookDelivery'] = ResolversParentTypes['WebhookDelivery']> = {
  eventId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  webhookId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['DeliveryStatus'], ParentType, ContextType>;
  nextAttemptAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  attempts?: Resolver<Array<ResolversTypes['DeliveryAttempt']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type DeliveryAttemptResolvers<ContextType = any, ParentType extends ResolversParentTypes['DeliveryAttempt'] = ResolversParentTypes['DeliveryAttempt']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  durationMs?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  responseBody?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WebhookDeliveryPageResolvers<ContextType = any, ParentType extends ResolversParentTypes['WebhookDeliveryPage'] = ResolversParentTypes['WebhookDeliveryPage']> = {
  items?: Resolver<Array<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type MeResolvers<ContextType = any, ParentType extends ResolversParentTypes['Me'] = ResolversParentTypes['Me']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  via?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  token?: Resolver<Maybe<ResolversTypes['Token']>, ParentType, ContextType>;
};

export type AccountResolvers<ContextType = any, ParentType extends ResolversParentTypes['Account'] = ResolversParentTypes['Account']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
  disabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  oidc?: Resolver<Maybe<ResolversTypes['OidcIdentity']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type OidcIdentityResolvers<ContextType = any, ParentType extends ResolversParentTypes['OidcIdentity'] = ResolversParentTypes['OidcIdentity']> = {
  issuer?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  subject?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type AccountPageResolvers<ContextType = any, ParentType extends ResolversParentTypes['AccountPage'] = ResolversParentTypes['AccountPage']> = {
  items?: Resolver<Array<ResolversTypes['Account']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type TokenResolvers<ContextType = any, ParentType extends ResolversParentTypes['Token'] = ResolversParentTypes['Token']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  prefix?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastUsedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  revokedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type TokenPageResolvers<ContextType = any, ParentType extends ResolversParentTypes['TokenPage'] = ResolversParentTypes['TokenPage']> = {
  items?: Resolver<Array<ResolversTypes['Token']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type CreatedTokenResolvers<ContextType = any, ParentType extends ResolversParentTypes['CreatedToken'] = ResolversParentTypes['CreatedToken']> = {
  token?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  prefix?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type FolderPageResolvers<ContextType = any, ParentType extends ResolversParentTypes['FolderPage'] = ResolversParentTypes['FolderPage']> = {
  items?: Resolver<Array<ResolversTypes['Folder']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type WebhookPageResolvers<ContextType = any, ParentType extends ResolversParentTypes['WebhookPage'] = ResolversParentTypes['WebhookPage']> = {
  items?: Resolver<Array<ResolversTypes['Webhook']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = any, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  me?: Resolver<ResolversTypes['Me'], ParentType, ContextType>;
  document?: Resolver<Maybe<ResolversTypes['Document']>, ParentType, ContextType, RequireFields<QueryDocumentArgs, 'id'>>;
  documents?: Resolver<ResolversTypes['DocumentPage'], ParentType, ContextType, Partial<QueryDocumentsArgs>>;
  folders?: Resolver<Array<ResolversTypes['Folder']>, ParentType, ContextType>;
  folderPage?: Resolver<ResolversTypes['FolderPage'], ParentType, ContextType, Partial<QueryFolderPageArgs>>;
  folder?: Resolver<Maybe<ResolversTypes['Folder']>, ParentType, ContextType, RequireFields<QueryFolderArgs, 'id'>>;
  users?: Resolver<ResolversTypes['AccountPage'], ParentType, ContextType, Partial<QueryUsersArgs>>;
  user?: Resolver<Maybe<ResolversTypes['Account']>, ParentType, ContextType, RequireFields<QueryUserArgs, 'id'>>;
  tokens?: Resolver<ResolversTypes['TokenPage'], ParentType, ContextType, Partial<QueryTokensArgs>>;
  token?: Resolver<Maybe<ResolversTypes['Token']>, ParentType, ContextType, RequireFields<QueryTokenArgs, 'id'>>;
  audit?: Resolver<ResolversTypes['AuditPage'], ParentType, ContextType, Partial<QueryAuditArgs>>;
  auditActions?: Resolver<Array<ResolversTypes['AuditAction']>, ParentType, ContextType>;
  auditVerification?: Resolver<ResolversTypes['AuditVerification'], ParentType, ContextType, Partial<QueryAuditVerificationArgs>>;
  events?: Resolver<ResolversTypes['EventPage'], ParentType, ContextType, Partial<QueryEventsArgs>>;
  webhooks?: Resolver<Array<ResolversTypes['Webhook']>, ParentType, ContextType>;
  webhookPage?: Resolver<ResolversTypes['WebhookPage'], ParentType, ContextType, Partial<QueryWebhookPageArgs>>;
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType, RequireFields<QueryWebhookArgs, 'id'>>;
  webhookDeliveries?: Resolver<ResolversTypes['WebhookDeliveryPage'], ParentType, ContextType, RequireFields<QueryWebhookDeliveriesArgs, 'id'>>;
  versionAudit?: Resolver<ResolversTypes['AuditPage'], ParentType, ContextType, RequireFields<QueryVersionAuditArgs, 'versionId'>>;
  revisionAudit?: Resolver<ResolversTypes['AuditPage'], ParentType, ContextType, RequireFields<QueryRevisionAuditArgs, 'id'>>;
};

export type MutationResolvers<ContextType = any, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createDocument?: Resolver<ResolversTypes['Document'], ParentType, ContextType, RequireFields<MutationCreateDocumentArgs, 'input'>>;
  updateDocument?: Resolver<ResolversTypes['Document'], ParentType, ContextType, RequireFields<MutationUpdateDocumentArgs, 'id'>>;
  archiveDocument?: Resolver<ResolversTypes['Document'], ParentType, ContextType, RequireFields<MutationArchiveDocumentArgs, 'id'>>;
  unarchiveDocument?: Resolver<ResolversTypes['Document'], ParentType, ContextType, RequireFields<MutationUnarchiveDocumentArgs, 'id'>>;
  copyDocument?: Resolver<ResolversTypes['Document'], ParentType, ContextType, RequireFields<MutationCopyDocumentArgs, 'id'>>;
  moveDocuments?: Resolver<Array<ResolversTypes['Document']>, ParentType, ContextType, RequireFields<MutationMoveDocumentsArgs, 'ids'>>;
  deleteDocument?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteDocumentArgs, 'id'>>;
  createFolder?: Resolver<ResolversTypes['Folder'], ParentType, ContextType, RequireFields<MutationCreateFolderArgs, 'name'>>;
  updateFolder?: Resolver<ResolversTypes['Folder'], ParentType, ContextType, RequireFields<MutationUpdateFolderArgs, 'id'>>;
  deleteFolder?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteFolderArgs, 'id'>>;
  createUser?: Resolver<ResolversTypes['Account'], ParentType, ContextType, RequireFields<MutationCreateUserArgs, 'name' | 'role'>>;
  updateUser?: Resolver<ResolversTypes['Account'], ParentType, ContextType, RequireFields<MutationUpdateUserArgs, 'id'>>;
  createToken?: Resolver<ResolversTypes['CreatedToken'], ParentType, ContextType, RequireFields<MutationCreateTokenArgs, 'name'>>;
  revokeToken?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationRevokeTokenArgs, 'id'>>;
  createWebhook?: Resolver<ResolversTypes['WebhookWithSecret'], ParentType, ContextType, RequireFields<MutationCreateWebhookArgs, 'url'>>;
  updateWebhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType, RequireFields<MutationUpdateWebhookArgs, 'id'>>;
  deleteWebhook?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteWebhookArgs, 'id'>>;
  rotateWebhookSecret?: Resolver<ResolversTypes['WebhookWithSecret'], ParentType, ContextType, RequireFields<MutationRotateWebhookSecretArgs, 'id'>>;
  pingWebhook?: Resolver<ResolversTypes['WebhookDelivery'], ParentType, ContextType, RequireFields<MutationPingWebhookArgs, 'id'>>;
  redeliverEvent?: Resolver<ResolversTypes['WebhookDelivery'], ParentType, ContextType, RequireFields<MutationRedeliverEventArgs, 'id' | 'eventId'>>;
};

export type Resolvers<ContextType = any> = {
  DateTime?: GraphQLScalarType;
  JSON?: GraphQLScalarType;
  User?: UserResolvers<ContextType>;
  Document?: DocumentResolvers<ContextType>;
  Permission?: PermissionResolvers<ContextType>;
  DocumentPermissions?: DocumentPermissionsResolvers<ContextType>;
  CopyOrigin?: CopyOriginResolvers<ContextType>;
  DocumentPage?: DocumentPageResolvers<ContextType>;
  Folder?: FolderResolvers<ContextType>;
  AuditRecord?: AuditRecordResolvers<ContextType>;
  AuditActor?: AuditActorResolvers<ContextType>;
  AuditVerification?: AuditVerificationResolvers<ContextType>;
  AuditError?: AuditErrorResolvers<ContextType>;
  AuditAction?: AuditActionResolvers<ContextType>;
  AuditPage?: AuditPageResolvers<ContextType>;
  CloudEvent?: CloudEventResolvers<ContextType>;
  EventPage?: EventPageResolvers<ContextType>;
  Webhook?: WebhookResolvers<ContextType>;
  WebhookWithSecret?: WebhookWithSecretResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
  DeliveryAttempt?: DeliveryAttemptResolvers<ContextType>;
  WebhookDeliveryPage?: WebhookDeliveryPageResolvers<ContextType>;
  Me?: MeResolvers<ContextType>;
  Account?: AccountResolvers<ContextType>;
  OidcIdentity?: OidcIdentityResolvers<ContextType>;
  AccountPage?: AccountPageResolvers<ContextType>;
  Token?: TokenResolvers<ContextType>;
  TokenPage?: TokenPageResolvers<ContextType>;
  CreatedToken?: CreatedTokenResolvers<ContextType>;
  FolderPage?: FolderPageResolvers<ContextType>;
  WebhookPage?: WebhookPageResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
};

