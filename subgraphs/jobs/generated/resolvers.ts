// Made by `npm run generate`; not to be edited.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Version as VersionSource, Document as DocumentSource, User as UserSource, GeneratorVersion as GeneratorVersionSource, Run as RunSource, RunPage as RunPageSource, RunAnswer as RunAnswerSource, Job as JobSource, JobPage as JobPageSource, ContextDocument as ContextDocumentSource, ContextVersion as ContextVersionSource, ContextFile as ContextFileSource } from '../sources.ts';
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
  /** A file, by the GraphQL multipart request specification; in REST the raw body. */
  Upload: { input: Promise<import('graphql-upload-minimal').FileUpload>; output: never; }
  _FieldSet: { input: string; output: string; }
};

/** What jobs are sorted by. */
export type JobSort =
  /** When it was queued. */
  | 'createdAt';

/** What runs are sorted by. */
export type RunSort =
  /** When it was asked for. */
  | 'createdAt';

export type Version = {
  id: Scalars['ID']['output'];
  /** Newest first unless told otherwise; sorted, counted or further pages at most 20 in one operation (validation_failed, limit jobLists). */
  jobs: JobPage;
  /** The runs that were asked for here, newest first; wrong_kind where there is no code. For at most 20 drafts and versions in one operation (validation_failed, limit runLists). */
  runs: RunPage;
  /** The newest job, if there ever was one. */
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
  /** The code document whose generator made it; null for what people made. */
  generator?: Maybe<Document>;
  /** The draft or version of the generator that made it, and its commit; null for what people made. */
  generatorVersion?: Maybe<GeneratorVersion>;
  /** The run that made it; null for what people made. */
  run?: Maybe<Run>;
  /** The parameters of that run; null for what people made. */
  runParameters?: Maybe<Scalars['JSON']['output']>;
  /** The STEP assembly it was taken out of; null for all others. */
  importedFrom?: Maybe<ImportedFrom>;
};

/** A STEP file that was taken apart. */
export type ImportedFrom = {
  /** The assembly it was uploaded to. */
  documentId: Scalars['ID']['output'];
  /** Null when it was deleted since. */
  document?: Maybe<Document>;
  /** The name it was uploaded under, made harmless. */
  fileName: Scalars['String']['output'];
  /** SHA-256 of the content, in hex. */
  sha256: Scalars['String']['output'];
  /** The job that did it. */
  jobId: Scalars['ID']['output'];
};

/** Who did something. */
export type User = {
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
};

/** The code that made a document. */
export type GeneratorVersion = {
  /** Of the draft or version. */
  id: Scalars['ID']['output'];
  /** Null when it was a draft. */
  n?: Maybe<Scalars['Int']['output']>;
  /** The commit that was run. */
  commit: Scalars['String']['output'];
  /** Null when it was deleted with its workspace. */
  version?: Maybe<Version>;
};

/** One execution of a generator with certain parameters. It is done when its job is. */
export type Run = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** The draft or version it was first asked for in. */
  versionId: Scalars['ID']['output'];
  /** Null when it was deleted with its workspace. */
  version?: Maybe<Version>;
  /** The code document. */
  documentId: Scalars['ID']['output'];
  /** The code document. */
  document: Document;
  /** All of them, those that were left out as the manifest has them. */
  params: Scalars['JSON']['output'];
  /** SHA-256 of the parameters in canonical form (RFC 8785). */
  paramsHash: Scalars['String']['output'];
  /** The commit that was run. */
  commit: Scalars['String']['output'];
  /** What was run. */
  generator: RunGenerator;
  /** Asked for although an equal run was there. */
  forced: Scalars['Boolean']['output'];
  /** How the generator was kept apart from the machine, e.g. strict; null until it has run. */
  isolation?: Maybe<Scalars['String']['output']>;
  /** Its log streams while it runs; null when it was removed since. */
  job?: Maybe<Job>;
  /** What it made, parts before the assemblies that use them; empty until it is done. */
  documents: Array<Document>;
  /** How its documents came about, as an in-toto statement with SLSA provenance v1; null until it is done. */
  provenance?: Maybe<Scalars['JSON']['output']>;
  /** When it was asked for. */
  createdAt: Scalars['DateTime']['output'];
  /** Who asked for it. */
  createdBy: User;
};

/** As the manifest says it. */
export type RunGenerator = {
  /** Its name. */
  name: Scalars['String']['output'];
  /** Its version. */
  version: Scalars['String']['output'];
};

/** A page of runs. */
export type RunPage = {
  /** This page, in the order of the list. */
  items: Array<Run>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** The run that was asked for. */
export type RunAnswer = {
  /** The run. */
  run: Run;
  /** False when an equal run was there already. */
  created: Scalars['Boolean']['output'];
};

/** Where a job stands. */
export type JobStatus =
  /** It waits for a worker. */
  | 'waiting'
  /** A worker has it. */
  | 'running'
  /** It succeeded. */
  | 'done'
  /** It failed, and is not tried again by itself. */
  | 'failed'
  /** A user cancelled it. */
  | 'cancelled';

/** What a job is for. */
export type JobType =
  /** A source is turned into the derived files. */
  | 'convert'
  /** An assembly is made of its parts. */
  | 'assemble'
  /** An assembly is exported as one file. */
  | 'export'
  /** A generator runs. */
  | 'run';

/** The format of an exported assembly. */
export type ExportFormat =
  /** STEP with product structure, names and shared definitions. */
  | 'STP'
  /** The format of ClassCAD; needs an engine of that kind. */
  | 'OFB';

/** Who writes the exports of a format. */
export type ExportEngine =
  /** The engine of the service. */
  | 'builtin'
  /** A worker outside; the job waits for one. */
  | 'external'
  /** Nobody here: the job fails with needs_classcad. */
  | 'none';

/** A format, and who writes it here. */
export type ExportOffer = {
  /** The format. */
  format: ExportFormat;
  /** Who writes it. */
  engine: ExportEngine;
};

/** Work for an engine. */
export type Job = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** The id of the draft or version it is about. */
  versionId: Scalars['ID']['output'];
  /** The draft or version it is about. */
  version: Version;
  /** The id of the document it is about. */
  documentId: Scalars['ID']['output'];
  /** The document it is about. */
  document: Document;
  /** What it is for. */
  type: JobType;
  /** Where it stands. */
  status: JobStatus;
  /** What the worker's environment must contain. */
  environment: Scalars['JSON']['output'];
  /** How often it was handed out; the fence against workers that come back from the dead. */
  attempt: Scalars['Int']['output'];
  /** How many tries it has. */
  maxAttempts: Scalars['Int']['output'];
  /** The worker that has, or had, it; null when none had. */
  workerId?: Maybe<Scalars['String']['output']>;
  /** Until when its worker has it without a heartbeat; null while it waits and when it has ended. */
  leaseExpiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** SHA-256 of the file it starts from; null when there is none. */
  inputSha256?: Maybe<Scalars['String']['output']>;
  /** The format to be made, of a conversion or an export; null for others. */
  format?: Maybe<Scalars['String']['output']>;
  /** The run it is for, of a run; null for others. */
  runId?: Maybe<Scalars['ID']['output']>;
  /** A user cancelled it while it ran, and its worker has not stopped yet. */
  cancelAsked: Scalars['Boolean']['output'];
  /** How far it is; null before its worker has told. */
  progress?: Maybe<JobProgress>;
  /**
   * All lines, oldest first: up to a million characters. One operation reads at most 5,000,000 characters of logs, a line end counted as one, and is
   * refused beyond (validation_failed, limit logCharacters): in a list ask for few jobs at once.
   */
  log: Array<JobLogLine>;
  /** Why it failed; null when it did not. */
  error?: Maybe<JobError>;
  /** When it was queued. */
  queuedAt: Scalars['DateTime']['output'];
  /** When it was handed out last; null while it never was. */
  startedAt?: Maybe<Scalars['DateTime']['output']>;
  /** When it ended; null while it has not. */
  finishedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** How far a running job is, as its worker tells it. */
export type JobProgress = {
  /** 0 to 100. */
  percent: Scalars['Float']['output'];
  /** What is being done. */
  step: Scalars['String']['output'];
};

/** A line of a job's log. */
export type JobLogLine = {
  /** When it was written. */
  at: Scalars['DateTime']['output'];
  /** The text. */
  line: Scalars['String']['output'];
};

/** A part of a job's log. Lines are counted from 0. */
export type JobLogPart = {
  /** The lines, oldest first. */
  lines: Array<PlacedLogLine>;
  /** The place to read on from. */
  next: Scalars['Int']['output'];
  /** How the job ended; null while more lines may come. */
  ended?: Maybe<JobStatus>;
};

/** A line of a job's log with its place. */
export type PlacedLogLine = {
  /** Its place in the log, from 0. */
  place: Scalars['Int']['output'];
  /** When it was written. */
  at: Scalars['DateTime']['output'];
  /** The text. */
  line: Scalars['String']['output'];
};

/** Why a job failed. */
export type JobError = {
  /** What went wrong, for programs. */
  code: Scalars['String']['output'];
  /** What went wrong, for people. */
  message: Scalars['String']['output'];
  /** A retry cannot help. */
  final: Scalars['Boolean']['output'];
};

/** A page of jobs. */
export type JobPage = {
  /** This page, in the order of the list. */
  items: Array<Job>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A job in a worker's hands. */
export type ClaimedJob = {
  /** The job. */
  job: Job;
  /** How long the job is the worker's without a heartbeat. */
  leaseSeconds: Scalars['Int']['output'];
  /** How often the worker should show that it lives. */
  heartbeatSeconds: Scalars['Int']['output'];
};

/** Everything a worker needs to do the job. */
export type JobContext = {
  /** The job. */
  job: Job;
  /** Its document. */
  document: ContextDocument;
  /** Its draft or version. */
  version: ContextVersion;
  /** The files of the draft or version that the worker may fetch. */
  files: Array<ContextFile>;
  /** The parameters of a run; null for other jobs. */
  params?: Maybe<Scalars['JSON']['output']>;
};

/** The document of a job, as its worker sees it. */
export type ContextDocument = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** The number of the document. */
  number: Scalars['String']['output'];
  /** The name of the document. */
  name: Scalars['String']['output'];
  /** model, assembly or code. */
  kind: Scalars['String']['output'];
};

/** The draft or version of a job, as its worker sees it. */
export type ContextVersion = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** draft or version. */
  type: Scalars['String']['output'];
  /** The number of the version; null for a draft. */
  n?: Maybe<Scalars['Int']['output']>;
  /** The name of the draft or version. */
  name: Scalars['String']['output'];
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
};

/** A file that a worker may fetch for its job. */
export type ContextFile = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** The kind of file, as in Artifact.kind. */
  kind: Scalars['String']['output'];
  /** The name it was uploaded under, made harmless. */
  fileName: Scalars['String']['output'];
  /** The media type it was uploaded with. */
  contentType: Scalars['String']['output'];
  /** Bytes. */
  size: Scalars['Float']['output'];
  /** SHA-256 of the content, in hex. */
  sha256: Scalars['String']['output'];
  /** Where its content is, below the address of the API. */
  url: Scalars['String']['output'];
};

/** What a worker is told when it shows that it lives. */
export type Heartbeat = {
  /** Until when the job is the worker's without another heartbeat. */
  leaseExpiresAt: Scalars['DateTime']['output'];
  /** The worker is asked to stop: a user cancelled the job. */
  cancel: Scalars['Boolean']['output'];
};

export type Query = {
  /** A job by its id; null when there is none. */
  job?: Maybe<Job>;
  /** Jobs, newest first. */
  jobs: JobPage;
  /** Lines of a job's log from a place on, up to 2,000; waits up to waitSeconds (at most 30) for one while the job has not ended; null when there is no such job. */
  jobLog?: Maybe<JobLogPart>;
  /** The formats of exports, and whether there is an engine for each: what is asked for all the same is queued, and fails. */
  exportOffers: Array<ExportOffer>;
  /** A run by its id; null when there is none. */
  run?: Maybe<Run>;
  /** For the worker that holds the job; null when there is no such job. */
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

/** Why a job failed, as its worker tells it. */
export type JobErrorInput = {
  /** What went wrong, for programs; left out: failed. */
  code?: InputMaybe<Scalars['String']['input']>;
  /** What went wrong, for people. */
  message: Scalars['String']['input'];
};

export type Mutation = {
  /**
   * Names where the generator of a code draft lives: an https repository, a branch, tag or commit, a folder (absent: the root). Until it is
   * synchronised it neither runs nor is frozen in a version.
   */
  setCode: Version;
  /** Fetches the code that a draft names: the ref becomes a commit, its files and its manifest are stored. */
  syncCode: Version;
  /**
   * Asks for a run of a code draft or version. Equal parameters on the same commit are the run that is there already, unless it failed, or force is
   * set. Left-out parameters get the defaults of the manifest.
   */
  requestRun: RunAnswer;
  /**
   * What the generator of a run made, from the worker that holds its job: a tar archive with result.json and the files <key>/<kind>. Creates the documents
   * and ends the job as done, in one step.
   */
  deliverRun: Job;
  /**
   * Queues the export of an assembly's draft or version as one file: STP with product structure, names and shared definitions, OFB by an engine outside. Asked again, it
   * is the job that waits or runs, or, of a version, the one that made the file that is there.
   */
  requestExport: Job;
  /** Runs a failed job again: three more attempts. */
  retryJob: Job;
  /** A waiting job ends at once; a running one when its worker answers. */
  cancelJob: Job;
  /**
   * Hands the oldest fitting job to exactly one worker; null when there is none within waitSeconds (at most 50). environment is an object or a
   * list of words and must contain what the job requires; without it any job fits.
   */
  claimJob?: Maybe<ClaimedJob>;
  /** Keeps the lease, and may carry progress and log lines. */
  heartbeatJob: Heartbeat;
  /** Ends the job as done; its results were uploaded before. */
  completeJob: Job;
  /**
   * Ends it as failed; final says that a retry with the same input cannot help. again: the fault was not the job's (the engine died,
   * a download was not whole); it is tried again after a pause, as if its worker had disappeared, and fails at the third time. With the code
   * not_converted an input is still being made by another job: that charges no try, and goes on for about an hour.
   */
  failJob: Job;
  /** Hands the job back unharmed: a worker that shuts down. */
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


export type MutationDeliverRunArgs = {
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
  again?: InputMaybe<Scalars['Boolean']['input']>;
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
  RunAnswer: ResolverTypeWrapper<RunAnswerSource>;
  JobStatus: JobStatus;
  JobType: JobType;
  ExportFormat: ExportFormat;
  ExportEngine: ExportEngine;
  ExportOffer: ResolverTypeWrapper<ExportOffer>;
  Job: ResolverTypeWrapper<JobSource>;
  JobProgress: ResolverTypeWrapper<JobProgress>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  JobLogLine: ResolverTypeWrapper<JobLogLine>;
  JobLogPart: ResolverTypeWrapper<JobLogPart>;
  PlacedLogLine: ResolverTypeWrapper<PlacedLogLine>;
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
  RunAnswer: RunAnswerSource;
  ExportOffer: ExportOffer;
  Job: JobSource;
  JobProgress: JobProgress;
  Float: Scalars['Float']['output'];
  JobLogLine: JobLogLine;
  JobLogPart: JobLogPart;
  PlacedLogLine: PlacedLogLine;
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

export type RunAnswerResolvers<ContextType = any, ParentType extends ResolversParentTypes['RunAnswer'] = ResolversParentTypes['RunAnswer']> = {
  run?: Resolver<ResolversTypes['Run'], ParentType, ContextType>;
  created?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ExportOfferResolvers<ContextType = any, ParentType extends ResolversParentTypes['ExportOffer'] = ResolversParentTypes['ExportOffer']> = {
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
  cancelAsked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
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

export type JobLogPartResolvers<ContextType = any, ParentType extends ResolversParentTypes['JobLogPart'] = ResolversParentTypes['JobLogPart']> = {
  lines?: Resolver<Array<ResolversTypes['PlacedLogLine']>, ParentType, ContextType>;
  next?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  ended?: Resolver<Maybe<ResolversTypes['JobStatus']>, ParentType, ContextType>;
};

export type PlacedLogLineResolvers<ContextType = any, ParentType extends ResolversParentTypes['PlacedLogLine'] = ResolversParentTypes['PlacedLogLine']> = {
  place?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
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
  cancel?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = any, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  job?: Resolver<Maybe<ResolversTypes['Job']>, ParentType, ContextType, RequireFields<QueryJobArgs, 'id'>>;
  jobs?: Resolver<ResolversTypes['JobPage'], ParentType, ContextType, Partial<QueryJobsArgs>>;
  jobLog?: Resolver<Maybe<ResolversTypes['JobLogPart']>, ParentType, ContextType, RequireFields<QueryJobLogArgs, 'id'>>;
  exportOffers?: Resolver<Array<ResolversTypes['ExportOffer']>, ParentType, ContextType>;
  run?: Resolver<Maybe<ResolversTypes['Run']>, ParentType, ContextType, RequireFields<QueryRunArgs, 'id'>>;
  jobContext?: Resolver<Maybe<ResolversTypes['JobContext']>, ParentType, ContextType, RequireFields<QueryJobContextArgs, 'id'>>;
};

export type MutationResolvers<ContextType = any, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  setCode?: Resolver<ResolversTypes['Version'], ParentType, ContextType, RequireFields<MutationSetCodeArgs, 'versionId' | 'repoUrl' | 'ref'>>;
  syncCode?: Resolver<ResolversTypes['Version'], ParentType, ContextType, RequireFields<MutationSyncCodeArgs, 'versionId'>>;
  requestRun?: Resolver<ResolversTypes['RunAnswer'], ParentType, ContextType, RequireFields<MutationRequestRunArgs, 'versionId'>>;
  deliverRun?: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<MutationDeliverRunArgs, 'id' | 'file'>>;
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
  RunAnswer?: RunAnswerResolvers<ContextType>;
  ExportOffer?: ExportOfferResolvers<ContextType>;
  Job?: JobResolvers<ContextType>;
  JobProgress?: JobProgressResolvers<ContextType>;
  JobLogLine?: JobLogLineResolvers<ContextType>;
  JobLogPart?: JobLogPartResolvers<ContextType>;
  PlacedLogLine?: PlacedLogLineResolvers<ContextType>;
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

