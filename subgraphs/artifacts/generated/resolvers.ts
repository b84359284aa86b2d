// Made by `npm run generate`; not to be edited.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { User as UserSource, Document as DocumentSource, Version as VersionSource, Artifact as ArtifactSource } from '../sources.ts';
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
  /** Where its picture can be read; null while there is none. */
  thumbnailUrl?: Maybe<Scalars['String']['output']>;
};


export type VersionArtifactArgs = {
  kind: Scalars['String']['input'];
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
  /** pdm://documents/<number or id>[@<revision> | @v<n>] */
  resolveAddress: ResolvedAddress;
  artifact?: Maybe<Artifact>;
  /** The file to send for a download, after the permission check: readers any, a worker those of the job it holds. */
  download?: Maybe<Artifact>;
  /** The newest picture of a document, by id or number. */
  thumbnail?: Maybe<Artifact>;
};


export type QueryReferencesArgs = {
  versionId: Scalars['ID']['input'];
};


export type QueryResolveAddressArgs = {
  address: Scalars['String']['input'];
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
  Upload: ResolverTypeWrapper<Scalars['Upload']['output']>;
  User: ResolverTypeWrapper<UserSource>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Document: ResolverTypeWrapper<DocumentSource>;
  Version: ResolverTypeWrapper<VersionSource>;
  Artifact: ResolverTypeWrapper<ArtifactSource>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  ReferenceStatus: ReferenceStatus;
  ResolvedAs: ResolvedAs;
  Reference: ResolverTypeWrapper<Omit<Reference, 'document' | 'resolution'> & { document?: Maybe<ResolversTypes['Document']>, resolution?: Maybe<ResolversTypes['Resolution']> }>;
  Resolution: ResolverTypeWrapper<Omit<Resolution, 'version'> & { version: ResolversTypes['Version'] }>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  ResolvedAddress: ResolverTypeWrapper<Omit<ResolvedAddress, 'document' | 'resolution'> & { document?: Maybe<ResolversTypes['Document']>, resolution?: Maybe<ResolversTypes['Resolution']> }>;
  LostCandidate: ResolverTypeWrapper<LostCandidate>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars['DateTime']['output'];
  Upload: Scalars['Upload']['output'];
  User: UserSource;
  ID: Scalars['ID']['output'];
  String: Scalars['String']['output'];
  Document: DocumentSource;
  Version: VersionSource;
  Artifact: ArtifactSource;
  Float: Scalars['Float']['output'];
  Boolean: Scalars['Boolean']['output'];
  Reference: Omit<Reference, 'document' | 'resolution'> & { document?: Maybe<ResolversParentTypes['Document']>, resolution?: Maybe<ResolversParentTypes['Resolution']> };
  Resolution: Omit<Resolution, 'version'> & { version: ResolversParentTypes['Version'] };
  Int: Scalars['Int']['output'];
  ResolvedAddress: Omit<ResolvedAddress, 'document' | 'resolution'> & { document?: Maybe<ResolversParentTypes['Document']>, resolution?: Maybe<ResolversParentTypes['Resolution']> };
  LostCandidate: LostCandidate;
  Query: Record<PropertyKey, never>;
  Mutation: Record<PropertyKey, never>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
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
  resolveAddress?: Resolver<ResolversTypes['ResolvedAddress'], ParentType, ContextType, RequireFields<QueryResolveAddressArgs, 'address'>>;
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
  Upload?: GraphQLScalarType;
  User?: UserResolvers<ContextType>;
  Document?: DocumentResolvers<ContextType>;
  Version?: VersionResolvers<ContextType>;
  Artifact?: ArtifactResolvers<ContextType>;
  Reference?: ReferenceResolvers<ContextType>;
  Resolution?: ResolutionResolvers<ContextType>;
  ResolvedAddress?: ResolvedAddressResolvers<ContextType>;
  LostCandidate?: LostCandidateResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
};

