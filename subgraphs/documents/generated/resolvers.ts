// Made by `npm run generate`; not to be edited.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { User as UserSource, Document as DocumentSource, DocumentPermissions as DocumentPermissionsSource, Folder as FolderSource, AuditRecord as AuditRecordSource, AuditActor as AuditActorSource, CloudEvent as CloudEventSource, Webhook as WebhookSource, WebhookWithSecret as WebhookWithSecretSource, WebhookDelivery as WebhookDeliverySource, Me as MeSource, Account as AccountSource, Token as TokenSource, IssuedToken as IssuedTokenSource } from '../sources.ts';
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
  /** A moment: RFC 3339, UTC, milliseconds. */
  DateTime: { input: Date; output: Date | string; }
  /** Any JSON value. */
  JSON: { input: unknown; output: unknown; }
  _FieldSet: { input: string; output: string; }
};

/** What a document is; fixed when it is created. */
export type DocumentKind =
  /** A part, from a CAD file. */
  | 'model'
  /** A structure of other documents, in an asm.json. */
  | 'assembly'
  /** A generator that makes documents, in a git repository. */
  | 'code';

/** What lists of documents can be sorted by; a leading minus in REST is descending. */
export type DocumentSort =
  /** Its number. */
  | 'number'
  /** Its name, case not counted. */
  | 'name'
  /** When it was made. */
  | 'createdAt'
  /** When it was last changed. */
  | 'updatedAt';

/** Who did something. */
export type User = {
  /** The id of the user. */
  id: Scalars['ID']['output'];
  /** The name of the user. */
  name: Scalars['String']['output'];
};

/** An engineering document: a number, a name, and everything that was ever made of it. */
export type Document = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** Changes with every write of the document itself. Sent back as If-Match, in double quotes, it lets a write of the document happen only while it is the same. */
  etag: Scalars['String']['output'];
  /** Unique in the whole service, archived and deleted documents included. */
  number: Scalars['String']['output'];
  /** Its name; several documents may share one. */
  name: Scalars['String']['output'];
  /** What it is. */
  kind: DocumentKind;
  /** Free text; null while there is none. */
  description?: Maybe<Scalars['String']['output']>;
  /** The folder it lies in; null is Unfiled. */
  folderId?: Maybe<Scalars['ID']['output']>;
  /** That folder; null is Unfiled. */
  folder?: Maybe<Folder>;
  /** An archived document cannot be changed, and lists leave it out unless asked. */
  archived: Scalars['Boolean']['output'];
  /** What it was copied from, if it is a copy. */
  copiedFrom?: Maybe<CopyOrigin>;
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** Who made it. */
  createdBy: User;
  /** When it was last changed. */
  updatedAt: Scalars['DateTime']['output'];
  /** Who changed it last. */
  updatedBy: User;
  /** What the one who asks may do with it now. */
  permissions: DocumentPermissions;
  /** Everything done to the document, newest first. For at most 20 documents in one operation (validation_failed, limit documentAudit). */
  audit: AuditPage;
};


/** An engineering document: a number, a name, and everything that was ever made of it. */
export type DocumentAuditArgs = {
  sort?: InputMaybe<AuditSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Whether something may be done now; if not, how it would be refused. */
export type Permission = {
  /** It may be done now. */
  allowed: Scalars['Boolean']['output'];
  /** The code and the words of the refusal; null when it is allowed. */
  code?: Maybe<Scalars['String']['output']>;
  /** That refusal in a sentence for people; null when it is allowed. */
  message?: Maybe<Scalars['String']['output']>;
};

/** What may be done with a document. */
export type DocumentPermissions = {
  /** Change its name and description. */
  canEdit: Permission;
  /** Put it into another folder. */
  canMove: Permission;
  /** Archive it. */
  canArchive: Permission;
  /** Bring it back. */
  canUnarchive: Permission;
  /** Delete it. */
  canDelete: Permission;
  /** Make a copy of it. */
  canCopy: Permission;
};

/** Where a copy came from. */
export type CopyOrigin = {
  /** The document that was copied. */
  documentId: Scalars['ID']['output'];
  /** The draft or version whose content was copied. */
  versionId: Scalars['ID']['output'];
};

/** A page of documents. */
export type DocumentPage = {
  /** This page, in the order of the list. */
  items: Array<Document>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A folder; folders form a tree of at most 16 levels. */
export type Folder = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** Its name; siblings have different ones. */
  name: Scalars['String']['output'];
  /** The folder it lies in; null at the top. */
  parentId?: Maybe<Scalars['ID']['output']>;
  /** The names from the root, joined by slashes. */
  path: Scalars['String']['output'];
  /** Documents directly inside, archived ones not counted. */
  documentCount: Scalars['Int']['output'];
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** When it was last changed. */
  updatedAt: Scalars['DateTime']['output'];
};

/** One write: who, when, what, on which record. */
export type AuditRecord = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** Place in the whole service's log; null until it is sealed. */
  seq?: Maybe<Scalars['Float']['output']>;
  /** Its document's id, or folders, access, system: each is a chain of hashes of its own. */
  chain: Scalars['String']['output'];
  /** Place in its chain, from 1. */
  chainSeq: Scalars['Float']['output'];
  /** When it was done. */
  at: Scalars['DateTime']['output'];
  /** Who did it. */
  by: AuditActor;
  /** What was done, e.g. version.created. */
  action: Scalars['String']['output'];
  /** The document it was done to; null for what has none. */
  documentId?: Maybe<Scalars['ID']['output']>;
  /** The draft or version it was done to, if it was one. */
  versionId?: Maybe<Scalars['ID']['output']>;
  /** The revision it was done to, if it was one. */
  revisionId?: Maybe<Scalars['ID']['output']>;
  /** The workspace it was done to, if it was one. */
  workspaceId?: Maybe<Scalars['ID']['output']>;
  /** The folder it was done to, if it was one. */
  folderId?: Maybe<Scalars['ID']['output']>;
  /** The job it was done to or by, if there was one. */
  jobId?: Maybe<Scalars['ID']['output']>;
  /** What was done, in a sentence for people. */
  summary: Scalars['String']['output'];
  /** Field by field: {name: {from, to}}. */
  changes: Scalars['JSON']['output'];
  /** The id of the request, as in the answer's X-Request-Id and in the service's log. */
  requestId: Scalars['String']['output'];
  /** The address the request came from; for administrators; null for others, and when there was none. */
  ip?: Maybe<Scalars['String']['output']>;
  /** The route the request came by, e.g. POST /api/v1/documents; null: the service itself, or a record of before this was kept. Counts in the hash where it is not null. */
  route?: Maybe<Scalars['String']['output']>;
  /** SHA-256 of the record before it in its chain; 64 zeros for the first. */
  prevHash: Scalars['String']['output'];
  /** SHA-256 over prevHash and the canonical record (RFC 8785). */
  hash: Scalars['String']['output'];
};

/** Who did it, as he was at that time. */
export type AuditActor = {
  /** The id of the user. */
  id: Scalars['ID']['output'];
  /** The name at that time. */
  name: Scalars['String']['output'];
  /** How the actor came in: token, session or system. */
  via: Scalars['String']['output'];
  /** The role at that time. */
  role: Scalars['String']['output'];
  /** The token it came with; for administrators; null for others, and when there was none. */
  tokenId?: Maybe<Scalars['ID']['output']>;
  /** For whom: the user who queued the job that a worker or the service did this to. Counts in the hash where it is not null. */
  onBehalfOf?: Maybe<Scalars['ID']['output']>;
};

/** How a verification of the audit log ended; running: it goes on, ask again. */
export type AuditVerdict =
  /** Everything is as it was written. */
  | 'good'
  /** Something is not as it was written; faults tells what. */
  | 'tampered'
  /** Something could not be checked; doubts tells what. */
  | 'unknown'
  /** It goes on; ask again. */
  | 'running';

/** The audit log compared with its hashes, its tree and its signed checkpoints, from the first record on. */
export type AuditVerification = {
  /** How it ended, or that it runs. */
  verdict: AuditVerdict;
  /** When it began. */
  startedAt: Scalars['DateTime']['output'];
  /** When it ended; null while it runs. */
  endedAt?: Maybe<Scalars['DateTime']['output']>;
  /** What is not as it was written, the first found first. */
  faults: Array<AuditFault>;
  /** What could not be checked. */
  doubts: Array<Scalars['String']['output']>;
  /** How many records were read; null while it runs. */
  records?: Maybe<Scalars['Float']['output']>;
  /** How many chains were followed; null while it runs. */
  chains?: Maybe<Scalars['Float']['output']>;
  /** How many of them are sealed in the tree; null while it runs. */
  sealed?: Maybe<Scalars['Float']['output']>;
  /** Records that wait to be sealed, usually for less than a second; null while it runs. */
  pending?: Maybe<Scalars['Float']['output']>;
  /** How many signed checkpoints were compared; null while it runs. */
  checkpoints?: Maybe<Scalars['Float']['output']>;
  /** The name of the log in its checkpoints; null while it runs. */
  origin?: Maybe<Scalars['String']['output']>;
  /** The root of the tree of all sealed records, in base64; null while it runs. */
  root?: Maybe<Scalars['String']['output']>;
};

/** Something in the log that is not as it was written. */
export type AuditFault = {
  /** The record, seal, chain or checkpoint that is not as it was written. */
  id: Scalars['String']['output'];
  /** What is wrong with it. */
  says: Scalars['String']['output'];
};

/** Something that is recorded when it is done. */
export type AuditAction = {
  /** As records have it, e.g. version.released. */
  name: Scalars['String']['output'];
  /** The same in words. */
  label: Scalars['String']['output'];
};

/** A page of the audit log. */
export type AuditPage = {
  /** This page, in the order of the list. */
  items: Array<AuditRecord>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** An audit record as an event: the attributes of CloudEvents 1.0 around it. */
export type CloudEvent = {
  /** 1.0 */
  specversion: Scalars['String']['output'];
  /** The record's: by it repetitions are told. */
  id: Scalars['ID']['output'];
  /** The log of this installation, by its own name. */
  source: Scalars['String']['output'];
  /** What was done, e.g. version.released. */
  type: Scalars['String']['output'];
  /** The document or folder it is about; null: neither. */
  subject?: Maybe<Scalars['ID']['output']>;
  /** When it was done. */
  time: Scalars['DateTime']['output'];
  /** application/json */
  datacontenttype: Scalars['String']['output'];
  /** The place in the log, in 16 digits: as texts they have its order. */
  sequence: Scalars['String']['output'];
  /** The audit record. */
  data: AuditRecord;
};

/** A page of events. */
export type EventPage = {
  /** This page, in the order of the list. */
  items: Array<CloudEvent>;
  /** The place to go on from (after), also past records that one does not see or did not want. */
  next: Scalars['Float']['output'];
  /** Null when there is nothing more now. */
  nextCursor?: Maybe<Scalars['String']['output']>;
};

/** What events are sent to, each as a signed POST (Standard Webhooks). */
export type Webhook = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** What it is for. */
  name: Scalars['String']['output'];
  /** Where its events are sent. */
  url: Scalars['String']['output'];
  /** The types of events it gets, e.g. version.released or version.*; none: all that every reader sees. */
  types: Array<Scalars['String']['output']>;
  /** Events are sent to it. */
  enabled: Scalars['Boolean']['output'];
  /** Why the service turned it off; null when it did not. */
  disabledReason?: Maybe<Scalars['String']['output']>;
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** Who made it. */
  createdBy: User;
  /** When it was last changed. */
  updatedAt: Scalars['DateTime']['output'];
  /** Who changed it last. */
  updatedBy: User;
};

/** A webhook and the secret its deliveries are signed with: the one time it is told. */
export type WebhookWithSecret = {
  /** whsec_ and base64; keep it. */
  secret: Scalars['String']['output'];
  /** Its id. */
  id: Scalars['ID']['output'];
  /** What it is for. */
  name: Scalars['String']['output'];
  /** Where its events are sent. */
  url: Scalars['String']['output'];
  /** The types of events it gets; none: all that every reader sees. */
  types: Array<Scalars['String']['output']>;
  /** Events are sent to it. */
  enabled: Scalars['Boolean']['output'];
  /** Why the service turned it off; null when it did not. */
  disabledReason?: Maybe<Scalars['String']['output']>;
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** Who made it. */
  createdBy: User;
  /** When it was last changed. */
  updatedAt: Scalars['DateTime']['output'];
  /** Who changed it last. */
  updatedBy: User;
};

/** How far a delivery is. failed: all of its tries did. */
export type DeliveryStatus =
  /** It is tried again, or for the first time. */
  | 'waiting'
  /** The receiver took it. */
  | 'delivered'
  /** All of its tries failed. */
  | 'failed';

/** An event on its way to a webhook. */
export type WebhookDelivery = {
  /** The id of the event. */
  eventId: Scalars['ID']['output'];
  /** The id of the webhook. */
  webhookId: Scalars['ID']['output'];
  /** The type of the event. */
  type: Scalars['String']['output'];
  /** How far it is. */
  status: DeliveryStatus;
  /** When it is tried next; null once it has ended. */
  nextTryAt?: Maybe<Scalars['DateTime']['output']>;
  /** The newest tries, at most ten. */
  tries: Array<DeliveryTry>;
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** When it was delivered, or failed for good; null while it has not ended. */
  endedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** One try of a delivery. */
export type DeliveryTry = {
  /** When it was tried. */
  at: Scalars['DateTime']['output'];
  /** How long it took, in milliseconds. */
  ms: Scalars['Int']['output'];
  /** The HTTP status of the answer; null when there was none. */
  status?: Maybe<Scalars['Int']['output']>;
  /** Why there was no answer; null when there was one. */
  error?: Maybe<Scalars['String']['output']>;
  /** The first 1 KiB of the answer; null when there was none. */
  answer?: Maybe<Scalars['String']['output']>;
};

/** A page of deliveries. */
export type WebhookDeliveryPage = {
  /** This page, in the order of the list. */
  items: Array<WebhookDelivery>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** viewer reads; editor also writes; admin also administers and may work; worker only works on the jobs it holds. */
export type Role =
  /** Reads. */
  | 'viewer'
  /** Reads and writes. */
  | 'editor'
  /** Everything; also users, tokens and the audit log. */
  | 'admin'
  /** Works on the jobs it holds, and sees nothing else. */
  | 'worker';

/** Whose token this is. */
export type Me = {
  /** The id of the user. */
  id: Scalars['ID']['output'];
  /** The name of the user. */
  name: Scalars['String']['output'];
  /** What this token allows: the lesser of its own role and its user's. */
  role: Scalars['String']['output'];
  /** How one came in: token, session for a browser that is signed in, or oidc for the identity provider's. */
  via: Scalars['String']['output'];
  /** Null when one came in without a token of this service. */
  token?: Maybe<Token>;
};

/** Somebody who may sign in, as administrators see him. */
export type Account = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** The name shown with what the user does. */
  name: Scalars['String']['output'];
  /** What the user may do; a token can allow less. */
  role: Role;
  /** A disabled user stays, for the records that name him, and cannot sign in. */
  disabled: Scalars['Boolean']['output'];
  /** Who he is to the identity provider, if he signs in there. */
  oidc?: Maybe<OidcIdentity>;
  /** When the user was made. */
  createdAt: Scalars['DateTime']['output'];
};

/** Who a user is to the identity provider. */
export type OidcIdentity = {
  /** The address of the identity provider. */
  issuer: Scalars['String']['output'];
  /** The claim sub of its tokens. */
  subject: Scalars['String']['output'];
};

/** A page of users. */
export type AccountPage = {
  /** This page, in the order of the list. */
  items: Array<Account>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A token as it is shown: never the token itself. */
export type Token = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** The 8 characters after pdm_, to know it by. */
  prefix: Scalars['String']['output'];
  /** What it is for. */
  name: Scalars['String']['output'];
  /** What it allows; null: what its user may. */
  role: Role;
  /** Whose it is. */
  user: User;
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** Null: never. */
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** To the hour; null while it never was. */
  lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  /** When it was revoked; null while it was not. */
  revokedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** A page of tokens. */
export type TokenPage = {
  /** This page, in the order of the list. */
  items: Array<Token>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A token that was just made: the one time it is told. */
export type IssuedToken = {
  /** Keep it; it is stored nowhere. */
  token: Scalars['String']['output'];
  /** Its id. */
  id: Scalars['ID']['output'];
  /** The 8 characters after pdm_, to know it by. */
  prefix: Scalars['String']['output'];
  /** What it is for. */
  name: Scalars['String']['output'];
  /** What it allows. */
  role: Role;
  /** Whose it is. */
  user: User;
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** Until when it is good; null: for ever. */
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
};

/** What an audit log is sorted by. */
export type AuditSort =
  /** When it was done. */
  | 'createdAt';

/** What users are sorted by. */
export type UserSort =
  /** Its name. */
  | 'name'
  /** When it was made. */
  | 'createdAt';

/** What tokens are sorted by. */
export type TokenSort =
  /** Its name. */
  | 'name'
  /** When it was made. */
  | 'createdAt';

/** What folders are sorted by. */
export type FolderSort =
  /** The names from the top down to it. */
  | 'path'
  /** Its name. */
  | 'name'
  /** When it was made. */
  | 'createdAt'
  /** When it was last changed. */
  | 'updatedAt';

/** What webhooks are sorted by. */
export type WebhookSort =
  /** Its name. */
  | 'name'
  /** When it was made. */
  | 'createdAt'
  /** When it was last changed. */
  | 'updatedAt';

/** What deliveries are sorted by. */
export type DeliverySort =
  /** When they were decided on. */
  | 'createdAt';

/** A page of folders. */
export type FolderPage = {
  /** This page, in the order of the list. */
  items: Array<Folder>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A page of webhooks. */
export type WebhookPage = {
  /** This page, in the order of the list. */
  items: Array<Webhook>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** Everything that can be read. */
export type Query = {
  /** Who asks, and with which token. */
  me: Me;
  /** By id or number, the number in any case; null when there is none. */
  document?: Maybe<Document>;
  /** q: exact number, number prefix, name prefix, then words of name and description. folderId: an id, or the word unfiled. */
  documents: DocumentPage;
  /** All folders, ordered by path. */
  folders: Array<Folder>;
  /** A page of the folders, or all of them. */
  folderPage: FolderPage;
  /** A folder by its id; null when there is none. */
  folder?: Maybe<Folder>;
  /** All users, oldest first. For administrators. */
  users: AccountPage;
  /** For administrators; null when there is none. */
  user?: Maybe<Account>;
  /** Newest first: one's own, or as an administrator everybody's or one user's. Revoked and expired ones only with includeEnded. */
  tokens: TokenPage;
  /** A token by its id: one's own, or as an administrator anybody's; null when there is none. */
  token?: Maybe<Token>;
  /** Everything done to anything, newest first; for administrators. actor: a user's id; from and before: bounds of the time. */
  audit: AuditPage;
  /** Everything that is recorded: the actions of the audit log, which are the types of events too, each thing's together. */
  auditActions: Array<AuditAction>;
  /** Verifies the whole audit log, and waits up to waitSeconds (usually 5, at most 50) for the result; for administrators. */
  auditVerification: AuditVerification;
  /**
   * What was recorded after a place in the log (or from a cursor on), oldest first, without a gap. types: separated by commas, e.g. version.released,document.*. Records about
   * access and the system are for administrators alone; others go past them.
   */
  events: EventPage;
  /** All webhooks, oldest first; for administrators, like everything about webhooks. */
  webhooks: Array<Webhook>;
  /** A page of the webhooks; there are at most fifty. */
  webhookPage: WebhookPage;
  /** A webhook by its id; null when there is none. */
  webhook?: Maybe<Webhook>;
  /** What was sent to a webhook within 30 days and what waits for it, newest first. */
  webhookDeliveries: WebhookDeliveryPage;
  /** What was done to a draft or version, newest first. */
  versionAudit: AuditPage;
  /** What was done to a revision, newest first; also after it was taken back. */
  revisionAudit: AuditPage;
};


/** Everything that can be read. */
export type QueryDocumentArgs = {
  id: Scalars['ID']['input'];
};


/** Everything that can be read. */
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


/** Everything that can be read. */
export type QueryFolderPageArgs = {
  sort?: InputMaybe<FolderSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Everything that can be read. */
export type QueryFolderArgs = {
  id: Scalars['ID']['input'];
};


/** Everything that can be read. */
export type QueryUsersArgs = {
  sort?: InputMaybe<UserSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Everything that can be read. */
export type QueryUserArgs = {
  id: Scalars['ID']['input'];
};


/** Everything that can be read. */
export type QueryTokensArgs = {
  userId?: InputMaybe<Scalars['ID']['input']>;
  includeEnded?: InputMaybe<Scalars['Boolean']['input']>;
  sort?: InputMaybe<TokenSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Everything that can be read. */
export type QueryTokenArgs = {
  id: Scalars['ID']['input'];
};


/** Everything that can be read. */
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


/** Everything that can be read. */
export type QueryAuditVerificationArgs = {
  waitSeconds?: InputMaybe<Scalars['Int']['input']>;
};


/** Everything that can be read. */
export type QueryEventsArgs = {
  after?: InputMaybe<Scalars['Float']['input']>;
  types?: InputMaybe<Scalars['String']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


/** Everything that can be read. */
export type QueryWebhookPageArgs = {
  sort?: InputMaybe<WebhookSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Everything that can be read. */
export type QueryWebhookArgs = {
  id: Scalars['ID']['input'];
};


/** Everything that can be read. */
export type QueryWebhookDeliveriesArgs = {
  id: Scalars['ID']['input'];
  status?: InputMaybe<DeliveryStatus>;
  sort?: InputMaybe<DeliverySort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Everything that can be read. */
export type QueryVersionAuditArgs = {
  versionId: Scalars['ID']['input'];
  sort?: InputMaybe<AuditSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Everything that can be read. */
export type QueryRevisionAuditArgs = {
  id: Scalars['ID']['input'];
  sort?: InputMaybe<AuditSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Who a user is to the identity provider. */
export type OidcIdentityInput = {
  /** The address of the identity provider. */
  issuer: Scalars['String']['input'];
  /** The claim sub of its tokens. */
  subject: Scalars['String']['input'];
};

/** What a new document is. */
export type CreateDocumentInput = {
  /** Its name, 1 to 200 characters. */
  name: Scalars['String']['input'];
  /** What it is; cannot be changed later. */
  kind: DocumentKind;
  /** Left out: the next number of the kind. */
  number?: InputMaybe<Scalars['String']['input']>;
  /** Free text; null while there is none. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** The folder to put it in; left out: Unfiled. */
  folderId?: InputMaybe<Scalars['ID']['input']>;
};

/** Everything that can be written. */
export type Mutation = {
  /** Creates a document with its main workspace and an empty draft. */
  createDocument: Document;
  /** Changes the name or description of a document. What is left out stays. */
  updateDocument: Document;
  /** Takes a document out of lists and closes it for changes, until it is brought back. */
  archiveDocument: Document;
  /** Brings an archived document back. */
  unarchiveDocument: Document;
  /** An independent copy: new ids, a new number, one main workspace whose draft holds the content of the version. */
  copyDocument: Document;
  /** folderId null means Unfiled, and has to be said. All documents move or none. */
  moveDocuments: Array<Document>;
  /** Only a document that was never released and that nothing uses. */
  deleteDocument: Scalars['Boolean']['output'];
  /** Creates a folder in another one, or at the top. */
  createFolder: Folder;
  /** Rename or move; parentId null moves to the top. */
  updateFolder: Folder;
  /** Only an empty folder. */
  deleteFolder: Scalars['Boolean']['output'];
  /** For administrators, like everything about users. oidc: who he is to the identity provider. */
  createUser: Account;
  /** The last administrator can neither be disabled nor lose the role. */
  updateUser: Account;
  /**
   * For administrators. Without userId it is for the one who asks, without role it has the user's; never more than that.
   * expiresInDays: 1 to 3650, 90 if left out (a worker's 365), null for ever.
   */
  createToken: IssuedToken;
  /** One's own; administrators anybody's. At once here, within 5 seconds everywhere. */
  revokeToken: Scalars['Boolean']['output'];
  /** It gets what is recorded from now on. The answer holds its secret. types: none for all that every reader sees; what only administrators see is sent where it is named. */
  createWebhook: WebhookWithSecret;
  /** enabled: on again it goes on with what waited for it; what was recorded while it was off is not sent. */
  updateWebhook: Webhook;
  /** Deletes a webhook with what waits for it. */
  deleteWebhook: Scalars['Boolean']['output'];
  /** For 24 hours deliveries are signed with the earlier secret too. */
  renewWebhookSecret: WebhookWithSecret;
  /** Sends it the event webhook.pinged. */
  pingWebhook: WebhookDelivery;
  /** Sends it an event again, under the same id. */
  redeliverEvent: WebhookDelivery;
};


/** Everything that can be written. */
export type MutationCreateDocumentArgs = {
  input: CreateDocumentInput;
};


/** Everything that can be written. */
export type MutationUpdateDocumentArgs = {
  id: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
};


/** Everything that can be written. */
export type MutationArchiveDocumentArgs = {
  id: Scalars['ID']['input'];
};


/** Everything that can be written. */
export type MutationUnarchiveDocumentArgs = {
  id: Scalars['ID']['input'];
};


/** Everything that can be written. */
export type MutationCopyDocumentArgs = {
  id: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  number?: InputMaybe<Scalars['String']['input']>;
  versionId?: InputMaybe<Scalars['ID']['input']>;
};


/** Everything that can be written. */
export type MutationMoveDocumentsArgs = {
  ids: Array<Scalars['ID']['input']>;
  folderId?: InputMaybe<Scalars['ID']['input']>;
};


/** Everything that can be written. */
export type MutationDeleteDocumentArgs = {
  id: Scalars['ID']['input'];
};


/** Everything that can be written. */
export type MutationCreateFolderArgs = {
  name: Scalars['String']['input'];
  parentId?: InputMaybe<Scalars['ID']['input']>;
};


/** Everything that can be written. */
export type MutationUpdateFolderArgs = {
  id: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  parentId?: InputMaybe<Scalars['ID']['input']>;
};


/** Everything that can be written. */
export type MutationDeleteFolderArgs = {
  id: Scalars['ID']['input'];
};


/** Everything that can be written. */
export type MutationCreateUserArgs = {
  name: Scalars['String']['input'];
  role: Role;
  oidc?: InputMaybe<OidcIdentityInput>;
};


/** Everything that can be written. */
export type MutationUpdateUserArgs = {
  id: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  role?: InputMaybe<Role>;
  disabled?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Everything that can be written. */
export type MutationCreateTokenArgs = {
  name: Scalars['String']['input'];
  userId?: InputMaybe<Scalars['ID']['input']>;
  role?: InputMaybe<Role>;
  expiresInDays?: InputMaybe<Scalars['Int']['input']>;
};


/** Everything that can be written. */
export type MutationRevokeTokenArgs = {
  id: Scalars['ID']['input'];
};


/** Everything that can be written. */
export type MutationCreateWebhookArgs = {
  url: Scalars['String']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  types?: InputMaybe<Array<Scalars['String']['input']>>;
};


/** Everything that can be written. */
export type MutationUpdateWebhookArgs = {
  id: Scalars['ID']['input'];
  url?: InputMaybe<Scalars['String']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  types?: InputMaybe<Array<Scalars['String']['input']>>;
  enabled?: InputMaybe<Scalars['Boolean']['input']>;
};


/** Everything that can be written. */
export type MutationDeleteWebhookArgs = {
  id: Scalars['ID']['input'];
};


/** Everything that can be written. */
export type MutationRenewWebhookSecretArgs = {
  id: Scalars['ID']['input'];
};


/** Everything that can be written. */
export type MutationPingWebhookArgs = {
  id: Scalars['ID']['input'];
};


/** Everything that can be written. */
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
  AuditFault: ResolverTypeWrapper<AuditFault>;
  AuditAction: ResolverTypeWrapper<AuditAction>;
  AuditPage: ResolverTypeWrapper<Omit<AuditPage, 'items'> & { items: Array<ResolversTypes['AuditRecord']> }>;
  CloudEvent: ResolverTypeWrapper<CloudEventSource>;
  EventPage: ResolverTypeWrapper<Omit<EventPage, 'items'> & { items: Array<ResolversTypes['CloudEvent']> }>;
  Webhook: ResolverTypeWrapper<WebhookSource>;
  WebhookWithSecret: ResolverTypeWrapper<WebhookWithSecretSource>;
  DeliveryStatus: DeliveryStatus;
  WebhookDelivery: ResolverTypeWrapper<WebhookDeliverySource>;
  DeliveryTry: ResolverTypeWrapper<DeliveryTry>;
  WebhookDeliveryPage: ResolverTypeWrapper<Omit<WebhookDeliveryPage, 'items'> & { items: Array<ResolversTypes['WebhookDelivery']> }>;
  Role: Role;
  Me: ResolverTypeWrapper<MeSource>;
  Account: ResolverTypeWrapper<AccountSource>;
  OidcIdentity: ResolverTypeWrapper<OidcIdentity>;
  AccountPage: ResolverTypeWrapper<Omit<AccountPage, 'items'> & { items: Array<ResolversTypes['Account']> }>;
  Token: ResolverTypeWrapper<TokenSource>;
  TokenPage: ResolverTypeWrapper<Omit<TokenPage, 'items'> & { items: Array<ResolversTypes['Token']> }>;
  IssuedToken: ResolverTypeWrapper<IssuedTokenSource>;
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
  AuditFault: AuditFault;
  AuditAction: AuditAction;
  AuditPage: Omit<AuditPage, 'items'> & { items: Array<ResolversParentTypes['AuditRecord']> };
  CloudEvent: CloudEventSource;
  EventPage: Omit<EventPage, 'items'> & { items: Array<ResolversParentTypes['CloudEvent']> };
  Webhook: WebhookSource;
  WebhookWithSecret: WebhookWithSecretSource;
  WebhookDelivery: WebhookDeliverySource;
  DeliveryTry: DeliveryTry;
  WebhookDeliveryPage: Omit<WebhookDeliveryPage, 'items'> & { items: Array<ResolversParentTypes['WebhookDelivery']> };
  Me: MeSource;
  Account: AccountSource;
  OidcIdentity: OidcIdentity;
  AccountPage: Omit<AccountPage, 'items'> & { items: Array<ResolversParentTypes['Account']> };
  Token: TokenSource;
  TokenPage: Omit<TokenPage, 'items'> & { items: Array<ResolversParentTypes['Token']> };
  IssuedToken: IssuedTokenSource;
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
  endedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  faults?: Resolver<Array<ResolversTypes['AuditFault']>, ParentType, ContextType>;
  doubts?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  records?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  chains?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  sealed?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  pending?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  checkpoints?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  origin?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  root?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AuditFaultResolvers<ContextType = any, ParentType extends ResolversParentTypes['AuditFault'] = ResolversParentTypes['AuditFault']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  says?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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
  nextTryAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  tries?: Resolver<Array<ResolversTypes['DeliveryTry']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type DeliveryTryResolvers<ContextType = any, ParentType extends ResolversParentTypes['DeliveryTry'] = ResolversParentTypes['DeliveryTry']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  ms?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  answer?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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

export type IssuedTokenResolvers<ContextType = any, ParentType extends ResolversParentTypes['IssuedToken'] = ResolversParentTypes['IssuedToken']> = {
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
  createToken?: Resolver<ResolversTypes['IssuedToken'], ParentType, ContextType, RequireFields<MutationCreateTokenArgs, 'name'>>;
  revokeToken?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationRevokeTokenArgs, 'id'>>;
  createWebhook?: Resolver<ResolversTypes['WebhookWithSecret'], ParentType, ContextType, RequireFields<MutationCreateWebhookArgs, 'url'>>;
  updateWebhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType, RequireFields<MutationUpdateWebhookArgs, 'id'>>;
  deleteWebhook?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteWebhookArgs, 'id'>>;
  renewWebhookSecret?: Resolver<ResolversTypes['WebhookWithSecret'], ParentType, ContextType, RequireFields<MutationRenewWebhookSecretArgs, 'id'>>;
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
  AuditFault?: AuditFaultResolvers<ContextType>;
  AuditAction?: AuditActionResolvers<ContextType>;
  AuditPage?: AuditPageResolvers<ContextType>;
  CloudEvent?: CloudEventResolvers<ContextType>;
  EventPage?: EventPageResolvers<ContextType>;
  Webhook?: WebhookResolvers<ContextType>;
  WebhookWithSecret?: WebhookWithSecretResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
  DeliveryTry?: DeliveryTryResolvers<ContextType>;
  WebhookDeliveryPage?: WebhookDeliveryPageResolvers<ContextType>;
  Me?: MeResolvers<ContextType>;
  Account?: AccountResolvers<ContextType>;
  OidcIdentity?: OidcIdentityResolvers<ContextType>;
  AccountPage?: AccountPageResolvers<ContextType>;
  Token?: TokenResolvers<ContextType>;
  TokenPage?: TokenPageResolvers<ContextType>;
  IssuedToken?: IssuedTokenResolvers<ContextType>;
  FolderPage?: FolderPageResolvers<ContextType>;
  WebhookPage?: WebhookPageResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
};

