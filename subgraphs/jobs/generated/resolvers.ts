// Made by `npm run generate`; not to be edited.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Version as VersionSource, Document as DocumentSource, User as UserSource, GeneratorVersion as GeneratorVersionSource, Run as RunSource, RunPage as RunPageSource, RequestRunResult as RequestRunResultSource, Job as JobSource, JobPage as JobPageSource, ContextDocument as ContextDocumentSource, ContextVersion as ContextVersionSource, ContextFile as ContextFileSource } from '../sources.ts';
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
  /** A file, uploaded as defined by the GraphQL multipart request specification. REST uses the raw request body. */
  Upload: { input: Promise<import('graphql-upload-minimal').FileUpload>; output: never; }
  _FieldSet: { input: string; output: string; }
};

/** Sort keys of jobs. */
export type JobSort =
  /** The time at which the job was queued. */
  | 'createdAt';

/** Sort keys of runs. */
export type RunSort =
  /** The time at which the run was requested. */
  | 'createdAt';

export type Version = {
  id: Scalars['ID']['output'];
  /**
   * A page of the jobs. Pages that are sorted, counted or continued by a cursor are available at most 20 times per
   * operation (validation_failed, limit jobLists).
   */
  jobs: JobPage;
  /**
   * A page of the runs that were requested for this draft or version. Fails with wrong_kind for documents that are not
   * code. Available for at most 20 drafts and versions per operation (validation_failed, limit runLists).
   */
  runs: RunPage;
  /** The newest job. Null if there is none. */
  newestJob?: Maybe<Job>;
};


export type VersionJobsArgs = {
  sort?: InputMaybe<JobSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


export type VersionRunsArgs = {
  sort?: InputMaybe<RunSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};

export type Document = {
  id: Scalars['ID']['output'];
  /** The code document whose generator created the document. Null if no run created it. */
  generator?: Maybe<Document>;
  /** The draft or version of the generator that created the document, and its commit. Null if no run created it. */
  generatorVersion?: Maybe<GeneratorVersion>;
  /** The run that created the document. Null if no run created it. */
  run?: Maybe<Run>;
  /** The parameters of the run. Null if no run created the document. */
  runParameters?: Maybe<Scalars['JSON']['output']>;
  /** The STEP assembly that the document was imported from. Null if it was not imported. */
  importedFrom?: Maybe<ImportedFrom>;
};

/** A STEP file that was split into documents. */
export type ImportedFrom = {
  /** The id of the assembly that the file was uploaded to. */
  documentId: Scalars['ID']['output'];
  /** The assembly that the file was uploaded to. Null if it was deleted. */
  document?: Maybe<Document>;
  /** The sanitized name of the uploaded file. */
  fileName: Scalars['String']['output'];
  /** The SHA-256 hash of the content, in hex. */
  sha256: Scalars['String']['output'];
  /** The id of the job that split the file. */
  jobId: Scalars['ID']['output'];
};

/** A user, as shown with that user's actions. */
export type User = {
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
};

/** The version of the code that created a document. */
export type GeneratorVersion = {
  /** The id of the draft or version. */
  id: Scalars['ID']['output'];
  /** The version number. Null for a draft. */
  n?: Maybe<Scalars['Int']['output']>;
  /** The commit that was run. */
  commit: Scalars['String']['output'];
  /** The draft or version. Null if it was deleted with its workspace. */
  version?: Maybe<Version>;
};

/** An execution of a generator with a set of parameters. It is done when its job is done. */
export type Run = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** The id of the draft or version that the run was first requested for. */
  versionId: Scalars['ID']['output'];
  /** The draft or version. Null if it was deleted with its workspace. */
  version?: Maybe<Version>;
  /** The id of the code document. */
  documentId: Scalars['ID']['output'];
  /** The code document. */
  document: Document;
  /** The parameters, completed with the defaults of the manifest. */
  params: Scalars['JSON']['output'];
  /** The SHA-256 hash of the parameters in canonical form (RFC 8785), in hex. */
  paramsHash: Scalars['String']['output'];
  /** The commit that was run. */
  commit: Scalars['String']['output'];
  /** The generator. */
  generator: RunGenerator;
  /** Whether the run was forced although an equal run existed. */
  forced: Scalars['Boolean']['output'];
  /** How the generator was isolated, e.g. strict. Null until it has run. */
  isolation?: Maybe<Scalars['String']['output']>;
  /** The job of the run, which streams its log. Null if the job was deleted. */
  job?: Maybe<Job>;
  /** The created documents, parts before the assemblies that use them. Empty until the run is done. */
  documents: Array<Document>;
  /**
   * The provenance of the created documents, as an in-toto statement with an SLSA provenance v1 predicate. Null until the
   * run is done.
   */
  provenance?: Maybe<Scalars['JSON']['output']>;
  /** When the run was requested. */
  createdAt: Scalars['DateTime']['output'];
  /** The user who requested the run. */
  createdBy: User;
};

/** A generator as described by its manifest. */
export type RunGenerator = {
  /** The name. */
  name: Scalars['String']['output'];
  /** The version. */
  version: Scalars['String']['output'];
};

/** A page of runs. */
export type RunPage = {
  /** The items of this page, in list order. */
  items: Array<Run>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** The number of items on all pages. Null unless `total` was requested. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** The requested run. */
export type RequestRunResult = {
  /** The run. */
  run: Run;
  /** Whether a new run was created. False if an equal run existed. */
  created: Scalars['Boolean']['output'];
};

/** The status of a job. */
export type JobStatus =
  /** The job is waiting for a worker. */
  | 'waiting'
  /** A worker is processing the job. */
  | 'running'
  /** The job succeeded. */
  | 'done'
  /** The job failed and is not retried automatically. */
  | 'failed'
  /** The job was cancelled. */
  | 'cancelled';

/** The type of a job. */
export type JobType =
  /** Converts a source file into derived files. */
  | 'convert'
  /** Builds the derived files of an assembly from its parts. */
  | 'assemble'
  /** Exports an assembly as one file. */
  | 'export'
  /** Runs a generator. */
  | 'run';

/** The format of an exported assembly. */
export type ExportFormat =
  /** STEP with product structure, names and shared definitions. */
  | 'STP'
  /** The format of ClassCAD. It needs an external ClassCAD worker. */
  | 'OFB';

/** The engine that writes exports of a format. */
export type ExportEngine =
  /** The built-in engine. */
  | 'builtin'
  /** An external worker. The job waits until one claims it. */
  | 'external'
  /** No engine. The job fails with needs_classcad. */
  | 'none';

/** An export format and the engine that writes it. */
export type ExportFormatInfo = {
  /** The format. */
  format: ExportFormat;
  /** The engine that writes the format. */
  engine: ExportEngine;
};

/** A unit of work for an engine. */
export type Job = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** The id of the draft or version. */
  versionId: Scalars['ID']['output'];
  /** The draft or version. */
  version: Version;
  /** The id of the document. */
  documentId: Scalars['ID']['output'];
  /** The document. */
  document: Document;
  /** The type of the job. */
  type: JobType;
  /** The status of the job. */
  status: JobStatus;
  /** The capabilities that the worker's environment has to include. */
  environment: Scalars['JSON']['output'];
  /**
   * The number of times that the job was claimed. It serves as a fencing token: requests with an older attempt are
   * refused.
   */
  attempt: Scalars['Int']['output'];
  /** The maximum number of attempts. */
  maxAttempts: Scalars['Int']['output'];
  /** The worker that holds the job or held it last. Null if the job was never claimed. */
  workerId?: Maybe<Scalars['String']['output']>;
  /** When the lease expires unless the worker sends a heartbeat. Null if the job is not running. */
  leaseExpiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** The SHA-256 hash of the input file, in hex. Null if there is none. */
  inputSha256?: Maybe<Scalars['String']['output']>;
  /** The target format of a conversion or export. Null for other jobs. */
  format?: Maybe<Scalars['String']['output']>;
  /** The id of the run. Null for other jobs. */
  runId?: Maybe<Scalars['ID']['output']>;
  /** Whether a user has requested cancellation and the worker has not stopped yet. */
  cancelRequested: Scalars['Boolean']['output'];
  /** The progress. Null until the worker has reported it. */
  progress?: Maybe<JobProgress>;
  /**
   * The complete log, oldest line first, up to a million characters. One operation may read at most 5,000,000 characters
   * of logs, counting each line end as one (validation_failed, limit logCharacters); in lists, request few jobs at a time.
   */
  log: Array<JobLogLine>;
  /** Why the job failed. Null if it did not fail. */
  error?: Maybe<JobError>;
  /** When the job was queued. */
  queuedAt: Scalars['DateTime']['output'];
  /** When the job was last claimed. Null if it was never claimed. */
  startedAt?: Maybe<Scalars['DateTime']['output']>;
  /** When the job finished. Null if it has not finished. */
  finishedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** The progress of a running job, as reported by its worker. */
export type JobProgress = {
  /** The percentage, 0–100. */
  percent: Scalars['Float']['output'];
  /** The current step. */
  step: Scalars['String']['output'];
};

/** A line of a job's log. */
export type JobLogLine = {
  /** When the line was written. */
  at: Scalars['DateTime']['output'];
  /** The text. */
  line: Scalars['String']['output'];
};

/** A range of a job's log. Lines are indexed from 0. */
export type JobLogChunk = {
  /** The lines, oldest first. */
  lines: Array<IndexedLogLine>;
  /** The index of the first line of the next range. */
  nextIndex: Scalars['Int']['output'];
  /** The final status of the job. Null if more lines may follow. */
  finalStatus?: Maybe<JobStatus>;
};

/** A line of a job's log with its index. */
export type IndexedLogLine = {
  /** The index of the line, starting at 0. */
  index: Scalars['Int']['output'];
  /** When the line was written. */
  at: Scalars['DateTime']['output'];
  /** The text. */
  line: Scalars['String']['output'];
};

/** Why a job failed. */
export type JobError = {
  /** The error code. */
  code: Scalars['String']['output'];
  /** The error message. */
  message: Scalars['String']['output'];
  /** Whether a retry cannot succeed. */
  final: Scalars['Boolean']['output'];
};

/** A page of jobs. */
export type JobPage = {
  /** The items of this page, in list order. */
  items: Array<Job>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** The number of items on all pages. Null unless `total` was requested. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A job that was handed to a worker. */
export type ClaimedJob = {
  /** The job. */
  job: Job;
  /** The duration of the lease in seconds. Each heartbeat renews it. */
  leaseSeconds: Scalars['Int']['output'];
  /** The recommended interval between heartbeats, in seconds. */
  heartbeatSeconds: Scalars['Int']['output'];
};

/** Everything that a worker needs to process the job. */
export type JobContext = {
  /** The job. */
  job: Job;
  /** The document of the job. */
  document: ContextDocument;
  /** The draft or version of the job. */
  version: ContextVersion;
  /** The files of the draft or version that the worker may download. */
  files: Array<ContextFile>;
  /** The parameters of a run. Null for other jobs. */
  params?: Maybe<Scalars['JSON']['output']>;
};

/** The document of a job, as shown to its worker. */
export type ContextDocument = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** The number of the document. */
  number: Scalars['String']['output'];
  /** The name of the document. */
  name: Scalars['String']['output'];
  /** model, assembly or code. */
  kind: Scalars['String']['output'];
};

/** The draft or version of a job, as shown to its worker. */
export type ContextVersion = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** draft or version. */
  type: Scalars['String']['output'];
  /** The version number. Null for a draft. */
  n?: Maybe<Scalars['Int']['output']>;
  /** The name of the draft or version. */
  name: Scalars['String']['output'];
  /** When the object was created. */
  createdAt: Scalars['DateTime']['output'];
};

/** A file that a worker may download for its job. */
export type ContextFile = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** The kind of the file; see Artifact.kind. */
  kind: Scalars['String']['output'];
  /** The sanitized name of the uploaded file. */
  fileName: Scalars['String']['output'];
  /** The media type given at upload. */
  contentType: Scalars['String']['output'];
  /** The size in bytes. */
  size: Scalars['Float']['output'];
  /** The SHA-256 hash of the content, in hex. */
  sha256: Scalars['String']['output'];
  /** The URL path of the content. */
  url: Scalars['String']['output'];
};

/** The response to a heartbeat. */
export type Heartbeat = {
  /** When the lease expires without another heartbeat. */
  leaseExpiresAt: Scalars['DateTime']['output'];
  /** Whether a user has requested cancellation. The worker should stop and report the job as failed. */
  cancelRequested: Scalars['Boolean']['output'];
};

export type Query = {
  /** Returns a job, or null if it does not exist. */
  job?: Maybe<Job>;
  /** Lists jobs, newest first. */
  jobs: JobPage;
  /**
   * Returns up to 2,000 lines of a job's log, starting at an index. Waits for a line while the job has not finished. Null
   * if the job does not exist.
   */
  jobLog?: Maybe<JobLogChunk>;
  /** Lists the export formats and their engines. An export in a format without an engine is queued and fails. */
  exportFormats: Array<ExportFormatInfo>;
  /** Returns a run, or null if it does not exist. */
  run?: Maybe<Run>;
  /** Returns the context of a job to the worker that holds it. Null if the job does not exist. */
  jobContext?: Maybe<JobContext>;
};


export type QueryJobArgs = {
  id: Scalars['ID']['input'];
};


export type QueryJobsArgs = {
  versionId?: InputMaybe<Scalars['ID']['input']>;
  documentId?: InputMaybe<Scalars['ID']['input']>;
  status?: InputMaybe<JobStatus>;
  type?: InputMaybe<JobType>;
  sort?: InputMaybe<JobSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


export type QueryJobLogArgs = {
  id: Scalars['ID']['input'];
  from?: InputMaybe<Scalars['Int']['input']>;
  waitSeconds?: InputMaybe<Scalars['Int']['input']>;
};


export type QueryRunArgs = {
  id: Scalars['ID']['input'];
};


export type QueryJobContextArgs = {
  id: Scalars['ID']['input'];
};

/** Why a job failed, as reported by its worker. */
export type JobErrorInput = {
  /** The error code. Default: failed. */
  code?: InputMaybe<Scalars['String']['input']>;
  /** The error message. */
  message: Scalars['String']['input'];
};

export type Mutation = {
  /**
   * Sets the generator location of a code draft. The generator cannot run, and no version can be created, until the code
   * has been synchronized.
   */
  setCode: Version;
  /** Fetches the code of a draft: resolves the ref to a commit and stores its files and manifest. */
  syncCode: Version;
  /**
   * Requests a run of a code draft or version. If a run with equal parameters on the same commit exists and has not
   * failed, it is returned, unless `force` is set. Omitted parameters get the defaults of the manifest.
   */
  requestRun: RequestRunResult;
  /**
   * Submits the result of a run: a tar archive with result.json and the files <key>/<kind>. Creates the documents and
   * marks the job as done, in one transaction. Only for the worker that holds the job.
   */
  submitJobResult: Job;
  /**
   * Queues the export of an assembly's draft or version as one file. If the same export is waiting or running, or a
   * version has already been exported, the existing job is returned.
   */
  requestExport: Job;
  /** Retries a failed job with three more attempts. */
  retryJob: Job;
  /** Cancels a job. A waiting job is cancelled immediately, a running job when its worker responds. */
  cancelJob: Job;
  /** Hands the oldest matching job to exactly one worker. Null if no job becomes available within `waitSeconds`. */
  claimJob?: Maybe<ClaimedJob>;
  /** Renews the lease and optionally reports progress and log lines. */
  heartbeatJob: Heartbeat;
  /** Marks the job as done. Upload its results first. */
  completeJob: Job;
  /** Marks the job as failed, or returns it to the queue if `retryable` is set. */
  failJob: Job;
  /** Returns the job to the queue without using up an attempt, e.g. when the worker shuts down. */
  giveBackJob: Job;
};


export type MutationSetCodeArgs = {
  versionId: Scalars['ID']['input'];
  repoUrl: Scalars['String']['input'];
  ref: Scalars['String']['input'];
  path?: InputMaybe<Scalars['String']['input']>;
};


export type MutationSyncCodeArgs = {
  versionId: Scalars['ID']['input'];
  waitSeconds?: InputMaybe<Scalars['Int']['input']>;
};


export type MutationRequestRunArgs = {
  versionId: Scalars['ID']['input'];
  params?: InputMaybe<Scalars['JSON']['input']>;
  force?: InputMaybe<Scalars['Boolean']['input']>;
};


export type MutationSubmitJobResultArgs = {
  id: Scalars['ID']['input'];
  file: Scalars['Upload']['input'];
  attempt?: InputMaybe<Scalars['Int']['input']>;
  workerId?: InputMaybe<Scalars['String']['input']>;
};


export type MutationRequestExportArgs = {
  versionId: Scalars['ID']['input'];
  format: ExportFormat;
};


export type MutationRetryJobArgs = {
  id: Scalars['ID']['input'];
};


export type MutationCancelJobArgs = {
  id: Scalars['ID']['input'];
};


export type MutationClaimJobArgs = {
  workerId: Scalars['String']['input'];
  types?: InputMaybe<Array<JobType>>;
  environment?: InputMaybe<Scalars['JSON']['input']>;
  waitSeconds?: InputMaybe<Scalars['Int']['input']>;
};


export type MutationHeartbeatJobArgs = {
  id: Scalars['ID']['input'];
  attempt?: InputMaybe<Scalars['Int']['input']>;
  workerId?: InputMaybe<Scalars['String']['input']>;
  percent?: InputMaybe<Scalars['Float']['input']>;
  step?: InputMaybe<Scalars['String']['input']>;
  log?: InputMaybe<Array<Scalars['String']['input']>>;
};


export type MutationCompleteJobArgs = {
  id: Scalars['ID']['input'];
  attempt?: InputMaybe<Scalars['Int']['input']>;
  workerId?: InputMaybe<Scalars['String']['input']>;
  log?: InputMaybe<Array<Scalars['String']['input']>>;
};


export type MutationFailJobArgs = {
  id: Scalars['ID']['input'];
  attempt?: InputMaybe<Scalars['Int']['input']>;
  workerId?: InputMaybe<Scalars['String']['input']>;
  error: JobErrorInput;
  final?: InputMaybe<Scalars['Boolean']['input']>;
  retryable?: InputMaybe<Scalars['Boolean']['input']>;
  log?: InputMaybe<Array<Scalars['String']['input']>>;
};


export type MutationGiveBackJobArgs = {
  id: Scalars['ID']['input'];
  attempt?: InputMaybe<Scalars['Int']['input']>;
  workerId?: InputMaybe<Scalars['String']['input']>;
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
  Version: Version;
  Document: Document;
  Run: Run;
  Job: Job;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Version:
    ( { __typename: 'Version' }
    & GraphQLRecursivePick<FederationTypes['Version'], {"id":true}> );
  Document:
    ( { __typename: 'Document' }
    & GraphQLRecursivePick<FederationTypes['Document'], {"id":true}> );
  Run:
    ( { __typename: 'Run' }
    & GraphQLRecursivePick<FederationTypes['Run'], {"id":true}> );
  Job:
    ( { __typename: 'Job' }
    & GraphQLRecursivePick<FederationTypes['Job'], {"id":true}> );
};



/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  JobSort: JobSort;
  RunSort: RunSort;
  Version: ResolverTypeWrapper<VersionSource>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Document: ResolverTypeWrapper<DocumentSource>;
  ImportedFrom: ResolverTypeWrapper<Omit<ImportedFrom, 'document'> & { document?: Maybe<ResolversTypes['Document']> }>;
  User: ResolverTypeWrapper<UserSource>;
  Upload: ResolverTypeWrapper<Scalars['Upload']['output']>;
  GeneratorVersion: ResolverTypeWrapper<GeneratorVersionSource>;
  Run: ResolverTypeWrapper<RunSource>;
  RunGenerator: ResolverTypeWrapper<RunGenerator>;
  RunPage: ResolverTypeWrapper<RunPageSource>;
  RequestRunResult: ResolverTypeWrapper<RequestRunResultSource>;
  JobStatus: JobStatus;
  JobType: JobType;
  ExportFormat: ExportFormat;
  ExportEngine: ExportEngine;
  ExportFormatInfo: ResolverTypeWrapper<ExportFormatInfo>;
  Job: ResolverTypeWrapper<JobSource>;
  JobProgress: ResolverTypeWrapper<JobProgress>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  JobLogLine: ResolverTypeWrapper<JobLogLine>;
  JobLogChunk: ResolverTypeWrapper<JobLogChunk>;
  IndexedLogLine: ResolverTypeWrapper<IndexedLogLine>;
  JobError: ResolverTypeWrapper<JobError>;
  JobPage: ResolverTypeWrapper<JobPageSource>;
  ClaimedJob: ResolverTypeWrapper<Omit<ClaimedJob, 'job'> & { job: ResolversTypes['Job'] }>;
  JobContext: ResolverTypeWrapper<Omit<JobContext, 'job' | 'document' | 'version' | 'files'> & { job: ResolversTypes['Job'], document: ResolversTypes['ContextDocument'], version: ResolversTypes['ContextVersion'], files: Array<ResolversTypes['ContextFile']> }>;
  ContextDocument: ResolverTypeWrapper<ContextDocumentSource>;
  ContextVersion: ResolverTypeWrapper<ContextVersionSource>;
  ContextFile: ResolverTypeWrapper<ContextFileSource>;
  Heartbeat: ResolverTypeWrapper<Heartbeat>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  JobErrorInput: JobErrorInput;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars['DateTime']['output'];
  JSON: Scalars['JSON']['output'];
  Version: VersionSource;
  ID: Scalars['ID']['output'];
  Boolean: Scalars['Boolean']['output'];
  Int: Scalars['Int']['output'];
  String: Scalars['String']['output'];
  Document: DocumentSource;
  ImportedFrom: Omit<ImportedFrom, 'document'> & { document?: Maybe<ResolversParentTypes['Document']> };
  User: UserSource;
  Upload: Scalars['Upload']['output'];
  GeneratorVersion: GeneratorVersionSource;
  Run: RunSource;
  RunGenerator: RunGenerator;
  RunPage: RunPageSource;
  RequestRunResult: RequestRunResultSource;
  ExportFormatInfo: ExportFormatInfo;
  Job: JobSource;
  JobProgress: JobProgress;
  Float: Scalars['Float']['output'];
  JobLogLine: JobLogLine;
  JobLogChunk: JobLogChunk;
  IndexedLogLine: IndexedLogLine;
  JobError: JobError;
  JobPage: JobPageSource;
  ClaimedJob: Omit<ClaimedJob, 'job'> & { job: ResolversParentTypes['Job'] };
  JobContext: Omit<JobContext, 'job' | 'document' | 'version' | 'files'> & { job: ResolversParentTypes['Job'], document: ResolversParentTypes['ContextDocument'], version: ResolversParentTypes['ContextVersion'], files: Array<ResolversParentTypes['ContextFile']> };
  ContextDocument: ContextDocumentSource;
  ContextVersion: ContextVersionSource;
  ContextFile: ContextFileSource;
  Heartbeat: Heartbeat;
  Query: Record<PropertyKey, never>;
  JobErrorInput: JobErrorInput;
  Mutation: Record<PropertyKey, never>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type VersionResolvers<ContextType = any, ParentType extends ResolversParentTypes['Version'] = ResolversParentTypes['Version'], FederationReferenceType extends FederationReferenceTypes['Version'] = FederationReferenceTypes['Version']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Version']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  jobs?: Resolver<ResolversTypes['JobPage'], ParentType, ContextType, Partial<VersionJobsArgs>>;
  runs?: Resolver<ResolversTypes['RunPage'], ParentType, ContextType, Partial<VersionRunsArgs>>;
  newestJob?: Resolver<Maybe<ResolversTypes['Job']>, ParentType, ContextType>;
};

export type DocumentResolvers<ContextType = any, ParentType extends ResolversParentTypes['Document'] = ResolversParentTypes['Document'], FederationReferenceType extends FederationReferenceTypes['Document'] = FederationReferenceTypes['Document']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Document']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  generator?: Resolver<Maybe<ResolversTypes['Document']>, ParentType, ContextType>;
  generatorVersion?: Resolver<Maybe<ResolversTypes['GeneratorVersion']>, ParentType, ContextType>;
  run?: Resolver<Maybe<ResolversTypes['Run']>, ParentType, ContextType>;
  runParameters?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  importedFrom?: Resolver<Maybe<ResolversTypes['ImportedFrom']>, ParentType, ContextType>;
};

export type ImportedFromResolvers<ContextType = any, ParentType extends ResolversParentTypes['ImportedFrom'] = ResolversParentTypes['ImportedFrom']> = {
  documentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  document?: Resolver<Maybe<ResolversTypes['Document']>, ParentType, ContextType>;
  fileName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sha256?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  jobId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type UserResolvers<ContextType = any, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export interface UploadScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Upload'], any> {
  name: 'Upload';
}

export type GeneratorVersionResolvers<ContextType = any, ParentType extends ResolversParentTypes['GeneratorVersion'] = ResolversParentTypes['GeneratorVersion']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  n?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  commit?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<Maybe<ResolversTypes['Version']>, ParentType, ContextType>;
};

export type RunResolvers<ContextType = any, ParentType extends ResolversParentTypes['Run'] = ResolversParentTypes['Run'], FederationReferenceType extends FederationReferenceTypes['Run'] = FederationReferenceTypes['Run']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Run']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version?: Resolver<Maybe<ResolversTypes['Version']>, ParentType, ContextType>;
  documentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  document?: Resolver<ResolversTypes['Document'], ParentType, ContextType>;
  params?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  paramsHash?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  commit?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  generator?: Resolver<ResolversTypes['RunGenerator'], ParentType, ContextType>;
  forced?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  isolation?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  job?: Resolver<Maybe<ResolversTypes['Job']>, ParentType, ContextType>;
  documents?: Resolver<Array<ResolversTypes['Document']>, ParentType, ContextType>;
  provenance?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  createdBy?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
};

export type RunGeneratorResolvers<ContextType = any, ParentType extends ResolversParentTypes['RunGenerator'] = ResolversParentTypes['RunGenerator']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RunPageResolvers<ContextType = any, ParentType extends ResolversParentTypes['RunPage'] = ResolversParentTypes['RunPage']> = {
  items?: Resolver<Array<ResolversTypes['Run']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type RequestRunResultResolvers<ContextType = any, ParentType extends ResolversParentTypes['RequestRunResult'] = ResolversParentTypes['RequestRunResult']> = {
  run?: Resolver<ResolversTypes['Run'], ParentType, ContextType>;
  created?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ExportFormatInfoResolvers<ContextType = any, ParentType extends ResolversParentTypes['ExportFormatInfo'] = ResolversParentTypes['ExportFormatInfo']> = {
  format?: Resolver<ResolversTypes['ExportFormat'], ParentType, ContextType>;
  engine?: Resolver<ResolversTypes['ExportEngine'], ParentType, ContextType>;
};

export type JobResolvers<ContextType = any, ParentType extends ResolversParentTypes['Job'] = ResolversParentTypes['Job'], FederationReferenceType extends FederationReferenceTypes['Job'] = FederationReferenceTypes['Job']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Job']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Version'], ParentType, ContextType>;
  documentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  document?: Resolver<ResolversTypes['Document'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['JobType'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['JobStatus'], ParentType, ContextType>;
  environment?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  attempt?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  maxAttempts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  workerId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  leaseExpiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  inputSha256?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  format?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  runId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  cancelRequested?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  progress?: Resolver<Maybe<ResolversTypes['JobProgress']>, ParentType, ContextType>;
  log?: Resolver<Array<ResolversTypes['JobLogLine']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['JobError']>, ParentType, ContextType>;
  queuedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  finishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type JobProgressResolvers<ContextType = any, ParentType extends ResolversParentTypes['JobProgress'] = ResolversParentTypes['JobProgress']> = {
  percent?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  step?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type JobLogLineResolvers<ContextType = any, ParentType extends ResolversParentTypes['JobLogLine'] = ResolversParentTypes['JobLogLine']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  line?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type JobLogChunkResolvers<ContextType = any, ParentType extends ResolversParentTypes['JobLogChunk'] = ResolversParentTypes['JobLogChunk']> = {
  lines?: Resolver<Array<ResolversTypes['IndexedLogLine']>, ParentType, ContextType>;
  nextIndex?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  finalStatus?: Resolver<Maybe<ResolversTypes['JobStatus']>, ParentType, ContextType>;
};

export type IndexedLogLineResolvers<ContextType = any, ParentType extends ResolversParentTypes['IndexedLogLine'] = ResolversParentTypes['IndexedLogLine']> = {
  index?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  line?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type JobErrorResolvers<ContextType = any, ParentType extends ResolversParentTypes['JobError'] = ResolversParentTypes['JobError']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  final?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type JobPageResolvers<ContextType = any, ParentType extends ResolversParentTypes['JobPage'] = ResolversParentTypes['JobPage']> = {
  items?: Resolver<Array<ResolversTypes['Job']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type ClaimedJobResolvers<ContextType = any, ParentType extends ResolversParentTypes['ClaimedJob'] = ResolversParentTypes['ClaimedJob']> = {
  job?: Resolver<ResolversTypes['Job'], ParentType, ContextType>;
  leaseSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  heartbeatSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type JobContextResolvers<ContextType = any, ParentType extends ResolversParentTypes['JobContext'] = ResolversParentTypes['JobContext']> = {
  job?: Resolver<ResolversTypes['Job'], ParentType, ContextType>;
  document?: Resolver<ResolversTypes['ContextDocument'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['ContextVersion'], ParentType, ContextType>;
  files?: Resolver<Array<ResolversTypes['ContextFile']>, ParentType, ContextType>;
  params?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
};

export type ContextDocumentResolvers<ContextType = any, ParentType extends ResolversParentTypes['ContextDocument'] = ResolversParentTypes['ContextDocument']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  number?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ContextVersionResolvers<ContextType = any, ParentType extends ResolversParentTypes['ContextVersion'] = ResolversParentTypes['ContextVersion']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  n?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ContextFileResolvers<ContextType = any, ParentType extends ResolversParentTypes['ContextFile'] = ResolversParentTypes['ContextFile']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  fileName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  contentType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  size?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  sha256?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type HeartbeatResolvers<ContextType = any, ParentType extends ResolversParentTypes['Heartbeat'] = ResolversParentTypes['Heartbeat']> = {
  leaseExpiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cancelRequested?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = any, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  job?: Resolver<Maybe<ResolversTypes['Job']>, ParentType, ContextType, RequireFields<QueryJobArgs, 'id'>>;
  jobs?: Resolver<ResolversTypes['JobPage'], ParentType, ContextType, Partial<QueryJobsArgs>>;
  jobLog?: Resolver<Maybe<ResolversTypes['JobLogChunk']>, ParentType, ContextType, RequireFields<QueryJobLogArgs, 'id'>>;
  exportFormats?: Resolver<Array<ResolversTypes['ExportFormatInfo']>, ParentType, ContextType>;
  run?: Resolver<Maybe<ResolversTypes['Run']>, ParentType, ContextType, RequireFields<QueryRunArgs, 'id'>>;
  jobContext?: Resolver<Maybe<ResolversTypes['JobContext']>, ParentType, ContextType, RequireFields<QueryJobContextArgs, 'id'>>;
};

export type MutationResolvers<ContextType = any, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  setCode?: Resolver<ResolversTypes['Version'], ParentType, ContextType, RequireFields<MutationSetCodeArgs, 'versionId' | 'repoUrl' | 'ref'>>;
  syncCode?: Resolver<ResolversTypes['Version'], ParentType, ContextType, RequireFields<MutationSyncCodeArgs, 'versionId'>>;
  requestRun?: Resolver<ResolversTypes['RequestRunResult'], ParentType, ContextType, RequireFields<MutationRequestRunArgs, 'versionId'>>;
  submitJobResult?: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<MutationSubmitJobResultArgs, 'id' | 'file'>>;
  requestExport?: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<MutationRequestExportArgs, 'versionId' | 'format'>>;
  retryJob?: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<MutationRetryJobArgs, 'id'>>;
  cancelJob?: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<MutationCancelJobArgs, 'id'>>;
  claimJob?: Resolver<Maybe<ResolversTypes['ClaimedJob']>, ParentType, ContextType, RequireFields<MutationClaimJobArgs, 'workerId'>>;
  heartbeatJob?: Resolver<ResolversTypes['Heartbeat'], ParentType, ContextType, RequireFields<MutationHeartbeatJobArgs, 'id'>>;
  completeJob?: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<MutationCompleteJobArgs, 'id'>>;
  failJob?: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<MutationFailJobArgs, 'id' | 'error'>>;
  giveBackJob?: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<MutationGiveBackJobArgs, 'id'>>;
};

export type Resolvers<ContextType = any> = {
  DateTime?: GraphQLScalarType;
  JSON?: GraphQLScalarType;
  Version?: VersionResolvers<ContextType>;
  Document?: DocumentResolvers<ContextType>;
  ImportedFrom?: ImportedFromResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  Upload?: GraphQLScalarType;
  GeneratorVersion?: GeneratorVersionResolvers<ContextType>;
  Run?: RunResolvers<ContextType>;
  RunGenerator?: RunGeneratorResolvers<ContextType>;
  RunPage?: RunPageResolvers<ContextType>;
  RequestRunResult?: RequestRunResultResolvers<ContextType>;
  ExportFormatInfo?: ExportFormatInfoResolvers<ContextType>;
  Job?: JobResolvers<ContextType>;
  JobProgress?: JobProgressResolvers<ContextType>;
  JobLogLine?: JobLogLineResolvers<ContextType>;
  JobLogChunk?: JobLogChunkResolvers<ContextType>;
  IndexedLogLine?: IndexedLogLineResolvers<ContextType>;
  JobError?: JobErrorResolvers<ContextType>;
  JobPage?: JobPageResolvers<ContextType>;
  ClaimedJob?: ClaimedJobResolvers<ContextType>;
  JobContext?: JobContextResolvers<ContextType>;
  ContextDocument?: ContextDocumentResolvers<ContextType>;
  ContextVersion?: ContextVersionResolvers<ContextType>;
  ContextFile?: ContextFileResolvers<ContextType>;
  Heartbeat?: HeartbeatResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
};

