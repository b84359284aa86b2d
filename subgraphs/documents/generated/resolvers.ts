// Made by `npm run generate`; not to be edited.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { User as UserSource, Document as DocumentSource, DocumentPermissions as DocumentPermissionsSource, Folder as FolderSource, AuditRecord as AuditRecordSource, AuditActor as AuditActorSource, Me as MeSource, Account as AccountSource, Token as TokenSource, IssuedToken as IssuedTokenSource } from '../sources.ts';
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
  | 'model'
  | 'assembly'
  | 'code';

/** What lists of documents can be sorted by; a leading minus in REST is descending. */
export type DocumentSort =
  | 'number'
  | 'name'
  | 'createdAt'
  | 'updatedAt';

/** Who did something. */
export type User = {
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
};

/** An engineering document: a number, a name, and everything that was ever made of it. */
export type Document = {
  id: Scalars['ID']['output'];
  /** Changes with every write of the document itself. Sent back as If-Match, in double quotes, it lets a write of the document happen only while it is the same. */
  etag: Scalars['String']['output'];
  /** Unique in the whole service, archived and deleted documents included. */
  number: Scalars['String']['output'];
  name: Scalars['String']['output'];
  kind: DocumentKind;
  description?: Maybe<Scalars['String']['output']>;
  /** The folder it lies in; null is Unfiled. */
  folderId?: Maybe<Scalars['ID']['output']>;
  folder?: Maybe<Folder>;
  archived: Scalars['Boolean']['output'];
  /** What it was copied from, if it is a copy. */
  copiedFrom?: Maybe<CopyOrigin>;
  createdAt: Scalars['DateTime']['output'];
  createdBy: User;
  updatedAt: Scalars['DateTime']['output'];
  updatedBy: User;
  /** What the one who asks may do with it now. */
  permissions: DocumentPermissions;
  /** Everything done to the document, newest first. For at most 20 documents in one operation (validation_failed, limit documentAudit). */
  audit: AuditPage;
};


/** An engineering document: a number, a name, and everything that was ever made of it. */
export type DocumentAuditArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};

/** Whether something may be done now; if not, how it would be refused. */
export type Permission = {
  allowed: Scalars['Boolean']['output'];
  /** The code and the words of the refusal; null when it is allowed. */
  code?: Maybe<Scalars['String']['output']>;
  message?: Maybe<Scalars['String']['output']>;
};

export type DocumentPermissions = {
  canEdit: Permission;
  canMove: Permission;
  canArchive: Permission;
  canUnarchive: Permission;
  canDelete: Permission;
  canCopy: Permission;
};

/** Where a copy came from. */
export type CopyOrigin = {
  documentId: Scalars['ID']['output'];
  versionId: Scalars['ID']['output'];
};

export type DocumentPage = {
  items: Array<Document>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A folder; folders form a tree of at most 16 levels. */
export type Folder = {
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  parentId?: Maybe<Scalars['ID']['output']>;
  /** The names from the root, joined by slashes. */
  path: Scalars['String']['output'];
  /** Documents directly inside, archived ones not counted. */
  documentCount: Scalars['Int']['output'];
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
};

/** One write: who, when, what, on which record. */
export type AuditRecord = {
  id: Scalars['ID']['output'];
  /** Place in the whole service's log; null until it is sealed. */
  seq?: Maybe<Scalars['Float']['output']>;
  /** Its document's id, or folders, access, system: each is a chain of hashes of its own. */
  chain: Scalars['String']['output'];
  /** Place in its chain, from 1. */
  chainSeq: Scalars['Float']['output'];
  at: Scalars['DateTime']['output'];
  by: AuditActor;
  /** What was done, e.g. version.created. */
  action: Scalars['String']['output'];
  documentId?: Maybe<Scalars['ID']['output']>;
  versionId?: Maybe<Scalars['ID']['output']>;
  revisionId?: Maybe<Scalars['ID']['output']>;
  workspaceId?: Maybe<Scalars['ID']['output']>;
  folderId?: Maybe<Scalars['ID']['output']>;
  jobId?: Maybe<Scalars['ID']['output']>;
  summary: Scalars['String']['output'];
  /** Field by field: {name: {from, to}}. */
  changes: Scalars['JSON']['output'];
  requestId: Scalars['String']['output'];
  /** The address the request came from; for administrators. */
  ip?: Maybe<Scalars['String']['output']>;
  /** The route the request came by, e.g. POST /api/v1/documents; null: the service itself, or a record of before this was kept. Counts in the hash where it is not null. */
  route?: Maybe<Scalars['String']['output']>;
  /** SHA-256 of the record before it in its chain; 64 zeros for the first. */
  prevHash: Scalars['String']['output'];
  /** SHA-256 over prevHash and the canonical record (RFC 8785). */
  hash: Scalars['String']['output'];
};

export type AuditActor = {
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  /** How the actor came in: token, session or system. */
  via: Scalars['String']['output'];
  /** The role at that time. */
  role: Scalars['String']['output'];
  /** The token it came with; for administrators. */
  tokenId?: Maybe<Scalars['ID']['output']>;
  /** For whom: the user who queued the job that a worker or the service did this to. Counts in the hash where it is not null. */
  onBehalfOf?: Maybe<Scalars['ID']['output']>;
};

/** How a verification of the audit log ended; running: it goes on, ask again. */
export type AuditVerdict =
  | 'good'
  | 'tampered'
  | 'unknown'
  | 'running';

/** The audit log compared with its hashes, its tree and its signed checkpoints, from the first record on. */
export type AuditVerification = {
  verdict: AuditVerdict;
  startedAt: Scalars['DateTime']['output'];
  endedAt?: Maybe<Scalars['DateTime']['output']>;
  /** What is not as it was written, the first found first. */
  faults: Array<AuditFault>;
  /** What could not be checked. */
  doubts: Array<Scalars['String']['output']>;
  records?: Maybe<Scalars['Float']['output']>;
  chains?: Maybe<Scalars['Float']['output']>;
  sealed?: Maybe<Scalars['Float']['output']>;
  /** Records that wait to be sealed, usually for less than a second. */
  pending?: Maybe<Scalars['Float']['output']>;
  checkpoints?: Maybe<Scalars['Float']['output']>;
  /** The name of the log in its checkpoints. */
  origin?: Maybe<Scalars['String']['output']>;
  /** The root of the tree of all sealed records, in base64. */
  root?: Maybe<Scalars['String']['output']>;
};

export type AuditFault = {
  /** The record, seal, chain or checkpoint that is not as it was written. */
  id: Scalars['String']['output'];
  says: Scalars['String']['output'];
};

export type AuditPage = {
  items: Array<AuditRecord>;
  nextCursor?: Maybe<Scalars['String']['output']>;
};

/** viewer reads; editor also writes; admin also administers and may work; worker only works on the jobs it holds. */
export type Role =
  | 'viewer'
  | 'editor'
  | 'admin'
  | 'worker';

/** Whose token this is. */
export type Me = {
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  /** What this token allows: the lesser of its own role and its user's. */
  role: Scalars['String']['output'];
  via: Scalars['String']['output'];
  /** Null when one came in without a token of this service. */
  token?: Maybe<Token>;
};

/** Somebody who may sign in, as administrators see him. */
export type Account = {
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  role: Role;
  /** A disabled user stays, for the records that name him, and cannot sign in. */
  disabled: Scalars['Boolean']['output'];
  /** Who he is to the identity provider, if he signs in there. */
  oidc?: Maybe<OidcIdentity>;
  createdAt: Scalars['DateTime']['output'];
};

export type OidcIdentity = {
  issuer: Scalars['String']['output'];
  subject: Scalars['String']['output'];
};

export type AccountPage = {
  items: Array<Account>;
  nextCursor?: Maybe<Scalars['String']['output']>;
};

/** A token as it is shown: never the token itself. */
export type Token = {
  id: Scalars['ID']['output'];
  /** The 8 characters after pdm_, to know it by. */
  prefix: Scalars['String']['output'];
  name: Scalars['String']['output'];
  role: Role;
  user: User;
  createdAt: Scalars['DateTime']['output'];
  /** Null: never. */
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** To the hour. */
  lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  revokedAt?: Maybe<Scalars['DateTime']['output']>;
};

export type TokenPage = {
  items: Array<Token>;
  nextCursor?: Maybe<Scalars['String']['output']>;
};

/** A token that was just made: the one time it is told. */
export type IssuedToken = {
  /** Keep it; it is stored nowhere. */
  token: Scalars['String']['output'];
  id: Scalars['ID']['output'];
  prefix: Scalars['String']['output'];
  name: Scalars['String']['output'];
  role: Role;
  user: User;
  createdAt: Scalars['DateTime']['output'];
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
};

export type Query = {
  me: Me;
  /** By id or number, the number in any case. */
  document?: Maybe<Document>;
  /** q: exact number, number prefix, name prefix, then words of name and description. folderId: an id, or the word unfiled. */
  documents: DocumentPage;
  /** All folders, ordered by path. */
  folders: Array<Folder>;
  folder?: Maybe<Folder>;
  /** All users, oldest first. For administrators. */
  users: AccountPage;
  /** For administrators. */
  user?: Maybe<Account>;
  /** Newest first: one's own, or as an administrator everybody's or one user's. Revoked and expired ones only with includeEnded. */
  tokens: TokenPage;
  token?: Maybe<Token>;
  /** Everything done to anything, newest first; for administrators. actor: a user's id; from and before: bounds of the time. */
  audit: AuditPage;
  /** Verifies the whole audit log, and waits up to waitSeconds (usually 5, at most 50) for the result; for administrators. */
  auditVerification: AuditVerification;
  /** What was done to a draft or version, newest first. */
  versionAudit: AuditPage;
  /** What was done to a revision, newest first; also after it was taken back. */
  revisionAudit: AuditPage;
};


export type QueryDocumentArgs = {
  id: Scalars['ID']['input'];
};


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


export type QueryFolderArgs = {
  id: Scalars['ID']['input'];
};


export type QueryUsersArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QueryUserArgs = {
  id: Scalars['ID']['input'];
};


export type QueryTokensArgs = {
  userId?: InputMaybe<Scalars['ID']['input']>;
  includeEnded?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QueryTokenArgs = {
  id: Scalars['ID']['input'];
};


export type QueryAuditArgs = {
  actor?: InputMaybe<Scalars['ID']['input']>;
  action?: InputMaybe<Scalars['String']['input']>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  before?: InputMaybe<Scalars['DateTime']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QueryAuditVerificationArgs = {
  waitSeconds?: InputMaybe<Scalars['Int']['input']>;
};


export type QueryVersionAuditArgs = {
  versionId: Scalars['ID']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QueryRevisionAuditArgs = {
  id: Scalars['ID']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};

/** Who a user is to the identity provider. */
export type OidcIdentityInput = {
  issuer: Scalars['String']['input'];
  /** The claim sub of its tokens. */
  subject: Scalars['String']['input'];
};

export type CreateDocumentInput = {
  name: Scalars['String']['input'];
  kind: DocumentKind;
  /** Left out: the next number of the kind. */
  number?: InputMaybe<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
  folderId?: InputMaybe<Scalars['ID']['input']>;
};

export type Mutation = {
  /** Creates a document with its main workspace and an empty draft. */
  createDocument: Document;
  updateDocument: Document;
  archiveDocument: Document;
  unarchiveDocument: Document;
  /** An independent copy: new ids, a new number, one main workspace whose draft holds the content of the version. */
  copyDocument: Document;
  /** folderId null means Unfiled. All documents move or none. */
  moveDocuments: Array<Document>;
  /** Only a document that was never released and that nothing uses. */
  deleteDocument: Scalars['Boolean']['output'];
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
};


export type MutationCreateDocumentArgs = {
  input: CreateDocumentInput;
};


export type MutationUpdateDocumentArgs = {
  id: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
};


export type MutationArchiveDocumentArgs = {
  id: Scalars['ID']['input'];
};


export type MutationUnarchiveDocumentArgs = {
  id: Scalars['ID']['input'];
};


export type MutationCopyDocumentArgs = {
  id: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  number?: InputMaybe<Scalars['String']['input']>;
  versionId?: InputMaybe<Scalars['ID']['input']>;
};


export type MutationMoveDocumentsArgs = {
  ids: Array<Scalars['ID']['input']>;
  folderId?: InputMaybe<Scalars['ID']['input']>;
};


export type MutationDeleteDocumentArgs = {
  id: Scalars['ID']['input'];
};


export type MutationCreateFolderArgs = {
  name: Scalars['String']['input'];
  parentId?: InputMaybe<Scalars['ID']['input']>;
};


export type MutationUpdateFolderArgs = {
  id: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  parentId?: InputMaybe<Scalars['ID']['input']>;
};


export type MutationDeleteFolderArgs = {
  id: Scalars['ID']['input'];
};


export type MutationCreateUserArgs = {
  name: Scalars['String']['input'];
  role: Role;
  oidc?: InputMaybe<OidcIdentityInput>;
};


export type MutationUpdateUserArgs = {
  id: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  role?: InputMaybe<Role>;
  disabled?: InputMaybe<Scalars['Boolean']['input']>;
};


export type MutationCreateTokenArgs = {
  name: Scalars['String']['input'];
  userId?: InputMaybe<Scalars['ID']['input']>;
  role?: InputMaybe<Role>;
  expiresInDays?: InputMaybe<Scalars['Int']['input']>;
};


export type MutationRevokeTokenArgs = {
  id: Scalars['ID']['input'];
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
  AuditPage: ResolverTypeWrapper<Omit<AuditPage, 'items'> & { items: Array<ResolversTypes['AuditRecord']> }>;
  Role: Role;
  Me: ResolverTypeWrapper<MeSource>;
  Account: ResolverTypeWrapper<AccountSource>;
  OidcIdentity: ResolverTypeWrapper<OidcIdentity>;
  AccountPage: ResolverTypeWrapper<Omit<AccountPage, 'items'> & { items: Array<ResolversTypes['Account']> }>;
  Token: ResolverTypeWrapper<TokenSource>;
  TokenPage: ResolverTypeWrapper<Omit<TokenPage, 'items'> & { items: Array<ResolversTypes['Token']> }>;
  IssuedToken: ResolverTypeWrapper<IssuedTokenSource>;
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
  AuditPage: Omit<AuditPage, 'items'> & { items: Array<ResolversParentTypes['AuditRecord']> };
  Me: MeSource;
  Account: AccountSource;
  OidcIdentity: OidcIdentity;
  AccountPage: Omit<AccountPage, 'items'> & { items: Array<ResolversParentTypes['Account']> };
  Token: TokenSource;
  TokenPage: Omit<TokenPage, 'items'> & { items: Array<ResolversParentTypes['Token']> };
  IssuedToken: IssuedTokenSource;
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

export type AuditPageResolvers<ContextType = any, ParentType extends ResolversParentTypes['AuditPage'] = ResolversParentTypes['AuditPage']> = {
  items?: Resolver<Array<ResolversTypes['AuditRecord']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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

export type QueryResolvers<ContextType = any, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  me?: Resolver<ResolversTypes['Me'], ParentType, ContextType>;
  document?: Resolver<Maybe<ResolversTypes['Document']>, ParentType, ContextType, RequireFields<QueryDocumentArgs, 'id'>>;
  documents?: Resolver<ResolversTypes['DocumentPage'], ParentType, ContextType, Partial<QueryDocumentsArgs>>;
  folders?: Resolver<Array<ResolversTypes['Folder']>, ParentType, ContextType>;
  folder?: Resolver<Maybe<ResolversTypes['Folder']>, ParentType, ContextType, RequireFields<QueryFolderArgs, 'id'>>;
  users?: Resolver<ResolversTypes['AccountPage'], ParentType, ContextType, Partial<QueryUsersArgs>>;
  user?: Resolver<Maybe<ResolversTypes['Account']>, ParentType, ContextType, RequireFields<QueryUserArgs, 'id'>>;
  tokens?: Resolver<ResolversTypes['TokenPage'], ParentType, ContextType, Partial<QueryTokensArgs>>;
  token?: Resolver<Maybe<ResolversTypes['Token']>, ParentType, ContextType, RequireFields<QueryTokenArgs, 'id'>>;
  audit?: Resolver<ResolversTypes['AuditPage'], ParentType, ContextType, Partial<QueryAuditArgs>>;
  auditVerification?: Resolver<ResolversTypes['AuditVerification'], ParentType, ContextType, Partial<QueryAuditVerificationArgs>>;
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
  AuditPage?: AuditPageResolvers<ContextType>;
  Me?: MeResolvers<ContextType>;
  Account?: AccountResolvers<ContextType>;
  OidcIdentity?: OidcIdentityResolvers<ContextType>;
  AccountPage?: AccountPageResolvers<ContextType>;
  Token?: TokenResolvers<ContextType>;
  TokenPage?: TokenPageResolvers<ContextType>;
  IssuedToken?: IssuedTokenResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
};

