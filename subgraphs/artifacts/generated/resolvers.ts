// Made by `npm run generate`; not to be edited.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { User as UserSource, Document as DocumentSource, Version as VersionSource, Artifact as ArtifactSource, Reference as ReferenceSource, Resolution as ResolutionSource, Bom as BomSource, BomRow as BomRowSource, BomLine as BomLineSource, BomComparison as BomComparisonSource, ComparedBom as ComparedBomSource, BomChange as BomChangeSource, ResolvedAddress as ResolvedAddressSource } from '../sources.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
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
  /** A file, by the GraphQL multipart request specification; in REST the raw body. */
  Upload: { input: Promise<import('graphql-upload-minimal').FileUpload>; output: never; }
  _FieldSet: { input: string; output: string; }
};

/** Who did something. */
export type User = {
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
};

export type Document = {
  id: Scalars['ID']['output'];
  /** The newest picture of the document. */
  thumbnail?: Maybe<Artifact>;
  /** Where the newest picture can be read; null while there is none. */
  thumbnailUrl?: Maybe<Scalars['String']['output']>;
};

export type Version = {
  id: Scalars['ID']['output'];
  /** Its files, ordered by kind. */
  artifacts: Array<Artifact>;
  /** The file of one kind. */
  artifact?: Maybe<Artifact>;
  /** What an assembly uses, in the order of its asm.json; empty for other kinds. */
  references: Array<Reference>;
  /**
   * One level of its bill of material: a version as it was frozen, a draft resolved now; empty for what uses nothing. Follow version.bomLines for the
   * levels below; each level is a few store queries, however many lines it has.
   */
  bomLines: Array<BomLine>;
  /** Where its picture can be read; null while there is none. */
  thumbnailUrl?: Maybe<Scalars['String']['output']>;
};


export type VersionArtifactArgs = {
  kind: Scalars['String']['input'];
};


export type VersionBomLinesArgs = {
  resolve?: InputMaybe<BomResolve>;
};

/** A file of a draft or version; one for each kind. */
export type Artifact = {
  id: Scalars['ID']['output'];
  versionId: Scalars['ID']['output'];
  version: Version;
  /** source, asm-json, code, manifest, stp, ofb, glb, properties, thumbnail or attachment.<slug> */
  kind: Scalars['String']['output'];
  fileName: Scalars['String']['output'];
  contentType: Scalars['String']['output'];
  /** Bytes. */
  size: Scalars['Float']['output'];
  sha256: Scalars['String']['output'];
  createdAt: Scalars['DateTime']['output'];
  createdBy: User;
  /** What made a derived file, e.g. pdm-occt/1.0.0. */
  generator?: Maybe<Scalars['String']['output']>;
  /** The hash of the input a derived file was made from. */
  inputSha256?: Maybe<Scalars['String']['output']>;
  /** The job that a source queued, or that made a derived file. */
  jobId?: Maybe<Scalars['ID']['output']>;
  /** The input has changed since this file was derived from it. */
  stale: Scalars['Boolean']['output'];
};

/** What a document is; fixed when it is created. */
export type DocumentKind =
  | 'model'
  | 'assembly'
  | 'code';

export type ReferenceStatus =
  | 'resolved'
  | 'unresolved';

/** revision: by a release; version: by its number, or because nothing was ever released. */
export type ResolvedAs =
  | 'revision'
  | 'version';

/** One place in an asm.json that names a document. */
export type Reference = {
  /** JSON pointer into the asm.json. */
  path: Scalars['String']['output'];
  /** The address as it is written there. */
  location: Scalars['String']['output'];
  /** How often it is placed, assemblies inside the file multiplied. */
  quantity: Scalars['Float']['output'];
  documentId?: Maybe<Scalars['ID']['output']>;
  number?: Maybe<Scalars['String']['output']>;
  document?: Maybe<Document>;
  /** The version it means: in a draft now, in a version as it was frozen. Null while it means nothing. */
  resolution?: Maybe<Resolution>;
  status: ReferenceStatus;
  /** Why it means that, or nothing. */
  reason: Scalars['String']['output'];
};

export type Resolution = {
  as: ResolvedAs;
  /** The release, if that version is one. */
  label?: Maybe<Scalars['String']['output']>;
  n: Scalars['Int']['output'];
  versionId: Scalars['ID']['output'];
  version: Version;
  /** That release is obsolete now. */
  obsolete: Scalars['Boolean']['output'];
  /** It cannot move: frozen, or named by the address. */
  pinned: Scalars['Boolean']['output'];
};

/** indented: every line at every place. flat: what it consists of in the end, each version once. top: the lines of the assembly itself. */
export type BomMode =
  | 'indented'
  | 'flat'
  | 'top';

/** frozen: as the version was made. now: as its references mean now, below them as those versions were frozen. */
export type BomResolve =
  | 'frozen'
  | 'now';

/** The bill of material of an assembly's draft or version. */
export type Bom = {
  documentId: Scalars['ID']['output'];
  document: Document;
  number: Scalars['String']['output'];
  name: Scalars['String']['output'];
  versionId: Scalars['ID']['output'];
  version: Version;
  /** Null for a draft. */
  n?: Maybe<Scalars['Int']['output']>;
  mode: BomMode;
  resolve: BomResolve;
  /** indented and top: in the order of the asm.json files, each line followed by what it consists of. flat: by number. */
  items: Array<BomRow>;
};

/** A line at one place of the tree; in a flat bill of material the sum of all places. */
export type BomRow = {
  /** From 1. */
  level: Scalars['Int']['output'];
  /** The find numbers from the top, as 3.1.2. */
  path: Scalars['String']['output'];
  /** The place in its assembly, from 1; in a flat bill of material the place in the list. */
  findNumber: Scalars['Int']['output'];
  documentId?: Maybe<Scalars['ID']['output']>;
  document?: Maybe<Document>;
  number?: Maybe<Scalars['String']['output']>;
  name?: Maybe<Scalars['String']['output']>;
  kind?: Maybe<DocumentKind>;
  /** As it is written in the asm.json; a flat row whose places write it differently names the version. */
  address: Scalars['String']['output'];
  /** The version it means; null while it means nothing. */
  resolution?: Maybe<Resolution>;
  version?: Maybe<Version>;
  /** In one of the assembly it stands in. */
  quantity: Scalars['Float']['output'];
  /** In one of the top: the quantities on its path multiplied. */
  totalQuantity: Scalars['Float']['output'];
  /** It is not what the bare address of its document means now. */
  outdated: Scalars['Boolean']['output'];
  /** Something inside is outdated, however deep, also below the depth asked for. */
  outdatedBelow: Scalars['Boolean']['output'];
  status: ReferenceStatus;
  /** Why it means nothing; null where it means something. */
  reason?: Maybe<Scalars['String']['output']>;
};

/** A line of an assembly, for following the tree level by level. */
export type BomLine = {
  findNumber: Scalars['Int']['output'];
  documentId?: Maybe<Scalars['ID']['output']>;
  document?: Maybe<Document>;
  number?: Maybe<Scalars['String']['output']>;
  name?: Maybe<Scalars['String']['output']>;
  kind?: Maybe<DocumentKind>;
  address: Scalars['String']['output'];
  resolution?: Maybe<Resolution>;
  version?: Maybe<Version>;
  quantity: Scalars['Float']['output'];
  outdated: Scalars['Boolean']['output'];
  outdatedBelow: Scalars['Boolean']['output'];
  status: ReferenceStatus;
  reason?: Maybe<Scalars['String']['output']>;
};

/** What differs from one bill of material to another. */
export type BomComparison = {
  from: ComparedBom;
  to: ComparedBom;
  /** In the order of the second, what only the first has last in each assembly; what differs inside an assembly follows it, one level deeper. */
  changes: Array<BomChange>;
};

export type ComparedBom = {
  documentId: Scalars['ID']['output'];
  document: Document;
  number: Scalars['String']['output'];
  name: Scalars['String']['output'];
  versionId: Scalars['ID']['output'];
  version: Version;
  n?: Maybe<Scalars['Int']['output']>;
  resolve: BomResolve;
};

/**
 * added, removed: only one side has the line; what it consists of is not told again. indirect: quantity and address are the same, but it means another version of
 * the document, and something inside differs, which follows. changed: the line itself differs.
 */
export type BomChangeType =
  | 'added'
  | 'removed'
  | 'changed'
  | 'indirect';

export type BomDifference =
  | 'quantity'
  | 'version'
  | 'address';

/** Lines of both sides are paired by document. */
export type BomChange = {
  change: BomChangeType;
  /** In what the lines of both sides differ; empty when one side has none. */
  differs: Array<BomDifference>;
  /** Something inside differs, and follows, one level deeper. */
  insideChanged: Scalars['Boolean']['output'];
  level: Scalars['Int']['output'];
  from?: Maybe<BomRow>;
  to?: Maybe<BomRow>;
};

/** What an address means now, and why. */
export type ResolvedAddress = {
  /** As the service writes it. */
  address: Scalars['String']['output'];
  documentId?: Maybe<Scalars['ID']['output']>;
  number?: Maybe<Scalars['String']['output']>;
  document?: Maybe<Document>;
  resolution?: Maybe<Resolution>;
  status: ReferenceStatus;
  reason: Scalars['String']['output'];
  /** The other versions of the document, newest first, and why each is not meant. */
  others: Array<LostCandidate>;
};

export type LostCandidate = {
  versionId: Scalars['ID']['output'];
  n: Scalars['Int']['output'];
  label?: Maybe<Scalars['String']['output']>;
  reason: Scalars['String']['output'];
};

export type Query = {
  /** What an assembly's draft or version uses, in the order of its asm.json. */
  references: Array<Reference>;
  /**
   * The bill of material of an assembly, depth levels of it (1 to 50). At most 100000 rows: beyond that ask for less depth, or flat (validation_failed, limits
   * bomRows and bomDepth). A version answers frozen unless asked for now; a draft answers now.
   */
  bom: Bom;
  /** What differs from the bill of material of the draft, version or revision with this id to that of the other one. */
  compareBoms: BomComparison;
  /** pdm://documents/<number or id>[@<revision> | @v<n>] */
  resolveAddress: ResolvedAddress;
  /**
   * The asm.json of an assembly with references turned into addresses that an engine can load: files by hash, through links that need no token and are good for an
   * hour. They begin with PDM_PUBLIC_URL, else with origin. For readers, and for the worker that holds a job for it.
   */
  resolvedAsmJson?: Maybe<Scalars['JSON']['output']>;
  artifact?: Maybe<Artifact>;
  /** The file to send for a download, after the permission check: readers any, a worker those of the job it holds. */
  download?: Maybe<Artifact>;
  /** The newest picture of a document, by id or number. */
  thumbnail?: Maybe<Artifact>;
};


export type QueryReferencesArgs = {
  versionId: Scalars['ID']['input'];
};


export type QueryBomArgs = {
  versionId: Scalars['ID']['input'];
  mode?: InputMaybe<BomMode>;
  depth?: InputMaybe<Scalars['Int']['input']>;
  resolve?: InputMaybe<BomResolve>;
};


export type QueryCompareBomsArgs = {
  id: Scalars['ID']['input'];
  with: Scalars['ID']['input'];
};


export type QueryResolveAddressArgs = {
  address: Scalars['String']['input'];
};


export type QueryResolvedAsmJsonArgs = {
  versionId: Scalars['ID']['input'];
  origin?: InputMaybe<Scalars['String']['input']>;
};


export type QueryArtifactArgs = {
  id: Scalars['ID']['input'];
};


export type QueryDownloadArgs = {
  artifactId?: InputMaybe<Scalars['ID']['input']>;
  versionId?: InputMaybe<Scalars['ID']['input']>;
  kind?: InputMaybe<Scalars['String']['input']>;
};


export type QueryThumbnailArgs = {
  documentId: Scalars['ID']['input'];
};

export type Mutation = {
  /**
   * Stores a file. A user writes into a draft; a source queues a job. A worker stores a result for the job it holds and says
   * what made it (generator) and from which input (inputSha256).
   */
  uploadArtifact: Artifact;
  /** Only from a draft. */
  deleteArtifact: Scalars['Boolean']['output'];
};


export type MutationUploadArtifactArgs = {
  versionId: Scalars['ID']['input'];
  kind: Scalars['String']['input'];
  file: Scalars['Upload']['input'];
  generator?: InputMaybe<Scalars['String']['input']>;
  inputSha256?: InputMaybe<Scalars['String']['input']>;
  attempt?: InputMaybe<Scalars['Int']['input']>;
};


export type MutationDeleteArtifactArgs = {
  versionId: Scalars['ID']['input'];
  kind: Scalars['String']['input'];
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
  Version: Version;
  Artifact: Artifact;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Document:
    ( { __typename: 'Document' }
    & GraphQLRecursivePick<FederationTypes['Document'], {"id":true}> );
  Version:
    ( { __typename: 'Version' }
    & GraphQLRecursivePick<FederationTypes['Version'], {"id":true}> );
  Artifact:
    ( { __typename: 'Artifact' }
    & GraphQLRecursivePick<FederationTypes['Artifact'], {"id":true}> );
};



/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  Upload: ResolverTypeWrapper<Scalars['Upload']['output']>;
  User: ResolverTypeWrapper<UserSource>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Document: ResolverTypeWrapper<DocumentSource>;
  Version: ResolverTypeWrapper<VersionSource>;
  Artifact: ResolverTypeWrapper<ArtifactSource>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  DocumentKind: DocumentKind;
  ReferenceStatus: ReferenceStatus;
  ResolvedAs: ResolvedAs;
  Reference: ResolverTypeWrapper<ReferenceSource>;
  Resolution: ResolverTypeWrapper<ResolutionSource>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  BomMode: BomMode;
  BomResolve: BomResolve;
  Bom: ResolverTypeWrapper<BomSource>;
  BomRow: ResolverTypeWrapper<BomRowSource>;
  BomLine: ResolverTypeWrapper<BomLineSource>;
  BomComparison: ResolverTypeWrapper<BomComparisonSource>;
  ComparedBom: ResolverTypeWrapper<ComparedBomSource>;
  BomChangeType: BomChangeType;
  BomDifference: BomDifference;
  BomChange: ResolverTypeWrapper<BomChangeSource>;
  ResolvedAddress: ResolverTypeWrapper<ResolvedAddressSource>;
  LostCandidate: ResolverTypeWrapper<LostCandidate>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars['DateTime']['output'];
  JSON: Scalars['JSON']['output'];
  Upload: Scalars['Upload']['output'];
  User: UserSource;
  ID: Scalars['ID']['output'];
  String: Scalars['String']['output'];
  Document: DocumentSource;
  Version: VersionSource;
  Artifact: ArtifactSource;
  Float: Scalars['Float']['output'];
  Boolean: Scalars['Boolean']['output'];
  Reference: ReferenceSource;
  Resolution: ResolutionSource;
  Int: Scalars['Int']['output'];
  Bom: BomSource;
  BomRow: BomRowSource;
  BomLine: BomLineSource;
  BomComparison: BomComparisonSource;
  ComparedBom: ComparedBomSource;
  BomChange: BomChangeSource;
  ResolvedAddress: ResolvedAddressSource;
  LostCandidate: LostCandidate;
  Query: Record<PropertyKey, never>;
  Mutation: Record<PropertyKey, never>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export interface UploadScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Upload'], any> {
  name: 'Upload';
}

export type UserResolvers<ContextType = any, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DocumentResolvers<ContextType = any, ParentType extends ResolversParentTypes['Document'] = ResolversParentTypes['Document'], FederationReferenceType extends FederationReferenceTypes['Document'] = FederationReferenceTypes['Document']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Document']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  thumbnail?: Resolver<Maybe<ResolversTypes['Artifact']>, ParentType, ContextType>;
  thumbnailUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type VersionResolvers<ContextType = any, ParentType extends ResolversParentTypes['Version'] = ResolversParentTypes['Version'], FederationReferenceType extends FederationReferenceTypes['Version'] = FederationReferenceTypes['Version']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Version']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  artifacts?: Resolver<Array<ResolversTypes['Artifact']>, ParentType, ContextType>;
  artifact?: Resolver<Maybe<ResolversTypes['Artifact']>, ParentType, ContextType, RequireFields<VersionArtifactArgs, 'kind'>>;
  references?: Resolver<Array<ResolversTypes['Reference']>, ParentType, ContextType>;
  bomLines?: Resolver<Array<ResolversTypes['BomLine']>, ParentType, ContextType, Partial<VersionBomLinesArgs>>;
  thumbnailUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ArtifactResolvers<ContextType = any, ParentType extends ResolversParentTypes['Artifact'] = ResolversParentTypes['Artifact'], FederationReferenceType extends FederationReferenceTypes['Artifact'] = FederationReferenceTypes['Artifact']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Artifact']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Version'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  fileName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  contentType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  size?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  sha256?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  createdBy?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  generator?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  inputSha256?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  jobId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  stale?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ReferenceResolvers<ContextType = any, ParentType extends ResolversParentTypes['Reference'] = ResolversParentTypes['Reference']> = {
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  location?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  quantity?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  documentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  document?: Resolver<Maybe<ResolversTypes['Document']>, ParentType, ContextType>;
  resolution?: Resolver<Maybe<ResolversTypes['Resolution']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ReferenceStatus'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ResolutionResolvers<ContextType = any, ParentType extends ResolversParentTypes['Resolution'] = ResolversParentTypes['Resolution']> = {
  as?: Resolver<ResolversTypes['ResolvedAs'], ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Version'], ParentType, ContextType>;
  obsolete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  pinned?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type BomResolvers<ContextType = any, ParentType extends ResolversParentTypes['Bom'] = ResolversParentTypes['Bom']> = {
  documentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  document?: Resolver<ResolversTypes['Document'], ParentType, ContextType>;
  number?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Version'], ParentType, ContextType>;
  n?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  mode?: Resolver<ResolversTypes['BomMode'], ParentType, ContextType>;
  resolve?: Resolver<ResolversTypes['BomResolve'], ParentType, ContextType>;
  items?: Resolver<Array<ResolversTypes['BomRow']>, ParentType, ContextType>;
};

export type BomRowResolvers<ContextType = any, ParentType extends ResolversParentTypes['BomRow'] = ResolversParentTypes['BomRow']> = {
  level?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  findNumber?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  documentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  document?: Resolver<Maybe<ResolversTypes['Document']>, ParentType, ContextType>;
  number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kind?: Resolver<Maybe<ResolversTypes['DocumentKind']>, ParentType, ContextType>;
  address?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  resolution?: Resolver<Maybe<ResolversTypes['Resolution']>, ParentType, ContextType>;
  version?: Resolver<Maybe<ResolversTypes['Version']>, ParentType, ContextType>;
  quantity?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  totalQuantity?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  outdated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  outdatedBelow?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ReferenceStatus'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type BomLineResolvers<ContextType = any, ParentType extends ResolversParentTypes['BomLine'] = ResolversParentTypes['BomLine']> = {
  findNumber?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  documentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  document?: Resolver<Maybe<ResolversTypes['Document']>, ParentType, ContextType>;
  number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kind?: Resolver<Maybe<ResolversTypes['DocumentKind']>, ParentType, ContextType>;
  address?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  resolution?: Resolver<Maybe<ResolversTypes['Resolution']>, ParentType, ContextType>;
  version?: Resolver<Maybe<ResolversTypes['Version']>, ParentType, ContextType>;
  quantity?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  outdated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  outdatedBelow?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ReferenceStatus'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type BomComparisonResolvers<ContextType = any, ParentType extends ResolversParentTypes['BomComparison'] = ResolversParentTypes['BomComparison']> = {
  from?: Resolver<ResolversTypes['ComparedBom'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['ComparedBom'], ParentType, ContextType>;
  changes?: Resolver<Array<ResolversTypes['BomChange']>, ParentType, ContextType>;
};

export type ComparedBomResolvers<ContextType = any, ParentType extends ResolversParentTypes['ComparedBom'] = ResolversParentTypes['ComparedBom']> = {
  documentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  document?: Resolver<ResolversTypes['Document'], ParentType, ContextType>;
  number?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Version'], ParentType, ContextType>;
  n?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  resolve?: Resolver<ResolversTypes['BomResolve'], ParentType, ContextType>;
};

export type BomChangeResolvers<ContextType = any, ParentType extends ResolversParentTypes['BomChange'] = ResolversParentTypes['BomChange']> = {
  change?: Resolver<ResolversTypes['BomChangeType'], ParentType, ContextType>;
  differs?: Resolver<Array<ResolversTypes['BomDifference']>, ParentType, ContextType>;
  insideChanged?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  level?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  from?: Resolver<Maybe<ResolversTypes['BomRow']>, ParentType, ContextType>;
  to?: Resolver<Maybe<ResolversTypes['BomRow']>, ParentType, ContextType>;
};

export type ResolvedAddressResolvers<ContextType = any, ParentType extends ResolversParentTypes['ResolvedAddress'] = ResolversParentTypes['ResolvedAddress']> = {
  address?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  documentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  document?: Resolver<Maybe<ResolversTypes['Document']>, ParentType, ContextType>;
  resolution?: Resolver<Maybe<ResolversTypes['Resolution']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ReferenceStatus'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  others?: Resolver<Array<ResolversTypes['LostCandidate']>, ParentType, ContextType>;
};

export type LostCandidateResolvers<ContextType = any, ParentType extends ResolversParentTypes['LostCandidate'] = ResolversParentTypes['LostCandidate']> = {
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = any, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  references?: Resolver<Array<ResolversTypes['Reference']>, ParentType, ContextType, RequireFields<QueryReferencesArgs, 'versionId'>>;
  bom?: Resolver<ResolversTypes['Bom'], ParentType, ContextType, RequireFields<QueryBomArgs, 'versionId' | 'mode'>>;
  compareBoms?: Resolver<ResolversTypes['BomComparison'], ParentType, ContextType, RequireFields<QueryCompareBomsArgs, 'id' | 'with'>>;
  resolveAddress?: Resolver<ResolversTypes['ResolvedAddress'], ParentType, ContextType, RequireFields<QueryResolveAddressArgs, 'address'>>;
  resolvedAsmJson?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType, RequireFields<QueryResolvedAsmJsonArgs, 'versionId'>>;
  artifact?: Resolver<Maybe<ResolversTypes['Artifact']>, ParentType, ContextType, RequireFields<QueryArtifactArgs, 'id'>>;
  download?: Resolver<Maybe<ResolversTypes['Artifact']>, ParentType, ContextType, Partial<QueryDownloadArgs>>;
  thumbnail?: Resolver<Maybe<ResolversTypes['Artifact']>, ParentType, ContextType, RequireFields<QueryThumbnailArgs, 'documentId'>>;
};

export type MutationResolvers<ContextType = any, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  uploadArtifact?: Resolver<ResolversTypes['Artifact'], ParentType, ContextType, RequireFields<MutationUploadArtifactArgs, 'versionId' | 'kind' | 'file'>>;
  deleteArtifact?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteArtifactArgs, 'versionId' | 'kind'>>;
};

export type Resolvers<ContextType = any> = {
  DateTime?: GraphQLScalarType;
  JSON?: GraphQLScalarType;
  Upload?: GraphQLScalarType;
  User?: UserResolvers<ContextType>;
  Document?: DocumentResolvers<ContextType>;
  Version?: VersionResolvers<ContextType>;
  Artifact?: ArtifactResolvers<ContextType>;
  Reference?: ReferenceResolvers<ContextType>;
  Resolution?: ResolutionResolvers<ContextType>;
  Bom?: BomResolvers<ContextType>;
  BomRow?: BomRowResolvers<ContextType>;
  BomLine?: BomLineResolvers<ContextType>;
  BomComparison?: BomComparisonResolvers<ContextType>;
  ComparedBom?: ComparedBomResolvers<ContextType>;
  BomChange?: BomChangeResolvers<ContextType>;
  ResolvedAddress?: ResolvedAddressResolvers<ContextType>;
  LostCandidate?: LostCandidateResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
};

