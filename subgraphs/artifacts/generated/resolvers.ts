// Made by `npm run generate`; not to be edited.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { User as UserSource, Document as DocumentSource, Version as VersionSource, Artifact as ArtifactSource, Reference as ReferenceSource, Resolution as ResolutionSource, Bom as BomSource, BomRow as BomRowSource, BomLine as BomLineSource, BomComparison as BomComparisonSource, ComparedBom as ComparedBomSource, BomChange as BomChangeSource, ReferenceUpdate as ReferenceUpdateSource, DraftReplacement as DraftReplacementSource, Use as UseSource, Impact as ImpactSource, ResolvedAddress as ResolvedAddressSource } from '../sources.ts';
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

/** A user, as shown with that user's actions. */
export type User = {
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
};

export type Document = {
  id: Scalars['ID']['output'];
  /** The newest thumbnail of the document. Null if there is none. */
  thumbnail?: Maybe<Artifact>;
  /** The URL path of the newest thumbnail. Null if there is none. */
  thumbnailUrl?: Maybe<Scalars['String']['output']>;
  /**
   * The drafts and versions that use the document; see Query.whereUsed. Available for at most 20 documents per operation
   * (validation_failed, limit whereUsed).
   */
  whereUsed: UsePage;
};


export type DocumentWhereUsedArgs = {
  levels?: InputMaybe<Scalars['String']['input']>;
  scope?: InputMaybe<UseScope>;
  drafts?: InputMaybe<Scalars['Boolean']['input']>;
  of?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<UseSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Sort keys of where-used lists. */
export type UseSort =
  /** The time at which the draft or version was created. */
  | 'createdAt';

/** Sort keys of files. */
export type ArtifactSort =
  /** The kind. */
  | 'kind'
  /** The file name. */
  | 'name'
  /** When the object was created. */
  | 'createdAt';

/** Sort keys of references. */
export type ReferenceSort =
  /** The position in the asm.json file. */
  | 'position'
  /** The number of the used document. */
  | 'number';

/** A page of files. */
export type ArtifactPage = {
  /** The items of this page, in list order. */
  items: Array<Artifact>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** The number of items on all pages. Null unless `total` was requested. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A page of references. */
export type ReferencePage = {
  /** The items of this page, in list order. */
  items: Array<Reference>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** The number of items on all pages. Null unless `total` was requested. */
  total?: Maybe<Scalars['Int']['output']>;
};

export type Version = {
  id: Scalars['ID']['output'];
  /** The files, ordered by kind. */
  artifacts: Array<Artifact>;
  /** A page of the files. */
  artifactPage: ArtifactPage;
  /** The file of a kind. Null if there is none. */
  artifact?: Maybe<Artifact>;
  /** The references of an assembly, in the order of its asm.json file. Empty for other kinds. */
  references: Array<Reference>;
  /**
   * One level of the bill of materials: as frozen for a version, resolved now for a draft. Empty if nothing is used. To
   * read deeper levels, nest version.bomLines; each level needs a constant number of store queries. At most 20000 lines
   * per operation (validation_failed, limit bomLines).
   */
  bomLines: Array<BomLine>;
  /** The URL path of the thumbnail. Null if there is none. */
  thumbnailUrl?: Maybe<Scalars['String']['output']>;
};


export type VersionArtifactPageArgs = {
  sort?: InputMaybe<ArtifactSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


export type VersionArtifactArgs = {
  kind: Scalars['String']['input'];
};


export type VersionBomLinesArgs = {
  resolve?: InputMaybe<BomResolve>;
};

/** A file of a draft or version. There is at most one file of each kind. */
export type Artifact = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** The id of the draft or version. */
  versionId: Scalars['ID']['output'];
  /** The draft or version that the file belongs to. */
  version: Version;
  /** source, asm-json, code, manifest, stp, ofb, glb, properties, thumbnail or attachment.<slug> */
  kind: Scalars['String']['output'];
  /** The sanitized name of the uploaded file. */
  fileName: Scalars['String']['output'];
  /** The media type given at upload. */
  contentType: Scalars['String']['output'];
  /** The size in bytes. */
  size: Scalars['Float']['output'];
  /** The SHA-256 hash of the content, in hex. */
  sha256: Scalars['String']['output'];
  /** When the file was stored. */
  createdAt: Scalars['DateTime']['output'];
  /** The user who stored the file. */
  createdBy: User;
  /** The software that derived the file, e.g. pdm-occt/1.0.0. Null if a user uploaded it. */
  generator?: Maybe<Scalars['String']['output']>;
  /** The SHA-256 hash of the input that the file was derived from, in hex. Null if a user uploaded the file. */
  inputSha256?: Maybe<Scalars['String']['output']>;
  /** The job that the upload queued or that derived the file. Null if there is none. */
  jobId?: Maybe<Scalars['ID']['output']>;
  /** Whether the input has changed since the file was derived from it. */
  stale: Scalars['Boolean']['output'];
};

/** The kind of a document. It is set at creation and never changes. */
export type DocumentKind =
  | 'model'
  | 'assembly'
  | 'code';

/** Whether a reference is resolved. */
export type ReferenceStatus =
  /** The reference resolves to a version. */
  | 'resolved'
  /** The reference does not resolve to a version; see the reason. */
  | 'unresolved';

/** How an address was resolved to a version. */
export type ResolvedAs =
  /** Through a release. */
  | 'revision'
  /** By the version number, or because the document has no release. */
  | 'version';

/** An occurrence of a document in an asm.json file. */
export type Reference = {
  /** The JSON pointer into the asm.json file. */
  path: Scalars['String']['output'];
  /** The address as written. */
  location: Scalars['String']['output'];
  /** The quantity, multiplied through the assemblies within the file. */
  quantity: Scalars['Float']['output'];
  /** The id of the document. Null if the document does not exist. */
  documentId?: Maybe<Scalars['ID']['output']>;
  /** The number of the document. Null if the document does not exist. */
  number?: Maybe<Scalars['String']['output']>;
  /** The document that the address refers to. Null if it does not exist. */
  document?: Maybe<Document>;
  /** The version that the address resolves to: now for a draft, as frozen for a version. Null if unresolved. */
  resolution?: Maybe<Resolution>;
  /** Whether the reference is resolved. */
  status: ReferenceStatus;
  /** Why the address resolves to that version, or why it is unresolved. */
  reason: Scalars['String']['output'];
};

/** The version that an address resolves to. */
export type Resolution = {
  /** How the address was resolved. */
  as: ResolvedAs;
  /** The label of the release. Null if the version is not released. */
  label?: Maybe<Scalars['String']['output']>;
  /** The version number. */
  n: Scalars['Int']['output'];
  /** The id of the version. */
  versionId: Scalars['ID']['output'];
  /** The version. */
  version: Version;
  /** Whether that release is obsolete now. */
  obsolete: Scalars['Boolean']['output'];
  /** Whether the resolution is fixed, because it is frozen or the address names a revision or version. */
  pinned: Scalars['Boolean']['output'];
};

/** Which rows of a bill of materials are returned. */
export type BomMode =
  /** Every line at every position in the structure. */
  | 'indented'
  /** The parts at the lowest requested level, each version once with its total quantity. */
  | 'flat'
  /** Only the lines of the assembly itself. */
  | 'top';

/** How references are resolved. */
export type BomResolve =
  /** As frozen when the version was created. */
  | 'frozen'
  /** As the references resolve now; lower levels are as frozen. */
  | 'now';

/** The bill of materials of an assembly's draft or version. */
export type Bom = {
  /** The id of the assembly. */
  documentId: Scalars['ID']['output'];
  /** The assembly. */
  document: Document;
  /** The number of the assembly. */
  number: Scalars['String']['output'];
  /** The name of the assembly. */
  name: Scalars['String']['output'];
  /** The id of the draft or version. */
  versionId: Scalars['ID']['output'];
  /** The draft or version of the assembly. */
  version: Version;
  /** The version number. Null for a draft. */
  n?: Maybe<Scalars['Int']['output']>;
  /** Which rows are returned. */
  mode: BomMode;
  /** How the references were resolved. */
  resolve: BomResolve;
  /**
   * The rows. In the modes indented and top, they are in the order of the asm.json files, each line followed by its
   * sub-structure. In the mode flat, they are ordered by document number.
   */
  items: Array<BomRow>;
};

/** A line at one position in the structure; in the mode flat, the sum of all positions of a version. */
export type BomRow = {
  /** The level, starting at 1. */
  level: Scalars['Int']['output'];
  /** The find numbers from the top level down, e.g. 3.1.2. */
  path: Scalars['String']['output'];
  /** The position in the parent assembly, starting at 1; in the mode flat, the position in the list. */
  findNumber: Scalars['Int']['output'];
  /** The id of the document. Null if the document does not exist. */
  documentId?: Maybe<Scalars['ID']['output']>;
  /** The used document. Null if it does not exist. */
  document?: Maybe<Document>;
  /** The number of the document. Null if the document does not exist. */
  number?: Maybe<Scalars['String']['output']>;
  /** The name of the document. Null if the document does not exist. */
  name?: Maybe<Scalars['String']['output']>;
  /** The kind of the document. Null if the document does not exist. */
  kind?: Maybe<DocumentKind>;
  /**
   * The address as written in the asm.json file. A flat row whose positions use different addresses has the address of the
   * version.
   */
  address: Scalars['String']['output'];
  /** The version that the address resolves to. Null if unresolved. */
  resolution?: Maybe<Resolution>;
  /** The version that the address resolves to. Null if unresolved. */
  version?: Maybe<Version>;
  /** The quantity in one parent assembly. */
  quantity: Scalars['Float']['output'];
  /** The quantity in one top-level assembly: the product of the quantities along the path. */
  totalQuantity: Scalars['Float']['output'];
  /** Whether the address without a revision or version would resolve to another version now. */
  outdated: Scalars['Boolean']['output'];
  /** Whether anything at a lower level is outdated, including levels below the requested depth. */
  outdatedBelow: Scalars['Boolean']['output'];
  /** Whether the reference is resolved. */
  status: ReferenceStatus;
  /** Why the address is unresolved. Null if it is resolved. */
  reason?: Maybe<Scalars['String']['output']>;
};

/** A line of an assembly, for reading the structure level by level. */
export type BomLine = {
  /** The position in the assembly, starting at 1. */
  findNumber: Scalars['Int']['output'];
  /** The id of the document. Null if the document does not exist. */
  documentId?: Maybe<Scalars['ID']['output']>;
  /** The used document. Null if it does not exist. */
  document?: Maybe<Document>;
  /** The number of the document. Null if the document does not exist. */
  number?: Maybe<Scalars['String']['output']>;
  /** The name of the document. Null if the document does not exist. */
  name?: Maybe<Scalars['String']['output']>;
  /** The kind of the document. Null if the document does not exist. */
  kind?: Maybe<DocumentKind>;
  /** The address as written in the asm.json file. */
  address: Scalars['String']['output'];
  /** The version that the address resolves to. Null if unresolved. */
  resolution?: Maybe<Resolution>;
  /** The version that the address resolves to, with its own bomLines. Null if unresolved. */
  version?: Maybe<Version>;
  /** The quantity in the assembly. */
  quantity: Scalars['Float']['output'];
  /** Whether the address without a revision or version would resolve to another version now. */
  outdated: Scalars['Boolean']['output'];
  /** Whether anything at a lower level is outdated. */
  outdatedBelow: Scalars['Boolean']['output'];
  /** Whether the reference is resolved. */
  status: ReferenceStatus;
  /** Why the address is unresolved. Null if it is resolved. */
  reason?: Maybe<Scalars['String']['output']>;
};

/** The differences between two bills of materials. */
export type BomComparison = {
  /** The BOM to compare from. */
  from: ComparedBom;
  /** The BOM compared against `from`. */
  to: ComparedBom;
  /**
   * The differences in the order of `to`, followed by lines that only `from` contains, for each assembly. Differences
   * inside an assembly follow its line, one level deeper.
   */
  changes: Array<BomChange>;
};

/** One side of a comparison: a draft or version, and how its references were resolved. */
export type ComparedBom = {
  /** The id of the assembly. */
  documentId: Scalars['ID']['output'];
  /** The assembly. */
  document: Document;
  /** The number of the assembly. */
  number: Scalars['String']['output'];
  /** The name of the assembly. */
  name: Scalars['String']['output'];
  /** The id of the draft or version. */
  versionId: Scalars['ID']['output'];
  /** The id of the draft or version. */
  version: Version;
  /** The version number. Null for a draft. */
  n?: Maybe<Scalars['Int']['output']>;
  /** How the references were resolved. */
  resolve: BomResolve;
};

/** How a line differs between two bills of materials. */
export type BomChangeType =
  /** Only `to` contains the line. Its sub-structure is not listed. */
  | 'added'
  /** Only `from` contains the line. Its sub-structure is not listed. */
  | 'removed'
  /** The line itself differs. */
  | 'changed'
  /** Quantity and address are equal, but the line resolves to another version with differences inside, which follow. */
  | 'indirect';

/** A property in which two lines for the same document differ. */
export type BomDifference =
  /** The quantity differs. */
  | 'quantity'
  /** The reference resolves to another version. */
  | 'version'
  /** The written address differs. */
  | 'address';

/** A difference between two bills of materials. Lines of both sides are paired by document. */
export type BomChange = {
  /** The type of the difference. */
  change: BomChangeType;
  /** The properties that differ. Empty if only one side has the line. */
  differences: Array<BomDifference>;
  /** Whether the content of the used assembly differs as well. These differences follow, one level deeper. */
  contentChanged: Scalars['Boolean']['output'];
  /** The level in the structure, starting at 1. */
  level: Scalars['Int']['output'];
  /** The line in `from`. Null if it was added. */
  from?: Maybe<BomRow>;
  /** The line in `to`. Null if it was removed. */
  to?: Maybe<BomRow>;
};

/** The state that references are updated to. */
export type UpdateTarget =
  /** The newest release that is not obsolete. */
  | 'release'
  /** The newest version. */
  | 'version';

/** A reference with the newest states of its document. */
export type ReferenceUpdate = {
  /** The JSON pointer into the asm.json file. */
  path: Scalars['String']['output'];
  /** The address as written in the asm.json file. */
  location: Scalars['String']['output'];
  /** The quantity, multiplied through the assemblies within the file. */
  quantity: Scalars['Float']['output'];
  /** The id of the document. Null if the document does not exist. */
  documentId?: Maybe<Scalars['ID']['output']>;
  /** The number of the document. Null if the document does not exist. */
  number?: Maybe<Scalars['String']['output']>;
  /** The document that the address refers to. Null if it does not exist. */
  document?: Maybe<Document>;
  /** The version that the address resolves to: now for a draft, as frozen for a version. Null if unresolved. */
  current?: Maybe<Resolution>;
  /** The newest release that is not obsolete. Null if there is none. */
  newestRelease?: Maybe<Resolution>;
  /** The newest version. Null if there is none. */
  newestVersion?: Maybe<Resolution>;
  /** Whether the address names a revision or version. Other addresses follow their document automatically. */
  pinned: Scalars['Boolean']['output'];
  /** The address that an update to the newest release would write. Null if it would not change. */
  toRelease?: Maybe<Scalars['String']['output']>;
  /** The address that an update to the newest version would write. Null if it would not change. */
  toVersion?: Maybe<Scalars['String']['output']>;
  /** Whether the reference is resolved. */
  status: ReferenceStatus;
  /** Why the address resolves to that version, or why it is unresolved. */
  reason: Scalars['String']['output'];
};

/** A rewritten address of an asm.json file. */
export type AddressChange = {
  /** The JSON pointer into the asm.json file. */
  path: Scalars['String']['output'];
  /** The previous address. */
  from: Scalars['String']['output'];
  /** The new address. */
  to: Scalars['String']['output'];
};

/** A reference that an update did not change. */
export type UnchangedReference = {
  /** The JSON pointer into the asm.json file. */
  path: Scalars['String']['output'];
  /** The address as written in the asm.json file. */
  location: Scalars['String']['output'];
  /** The reason code: floating, up_to_date, no_release, no_version or no_such_document. */
  code: Scalars['String']['output'];
  /** The reason message. */
  message: Scalars['String']['output'];
};

/** The result of updating references. */
export type ReferenceUpdateResult = {
  /** The rewritten addresses. */
  changed: Array<AddressChange>;
  /** The selected references that were not changed, with reasons. */
  unchanged: Array<UnchangedReference>;
  /** The new asm.json file of the draft. Null if nothing changed. */
  artifact?: Maybe<Artifact>;
};

/** The result of a replacement in a draft. */
export type ReplacementOutcome =
  /** The asm.json file was rewritten, or would be in a dry run. */
  | 'replaced'
  /** The draft was not changed; see `code` and `message`. */
  | 'skipped';

/** The result of a replacement in one draft that uses the document. */
export type DraftReplacement = {
  /** The id of the assembly. */
  documentId: Scalars['ID']['output'];
  /** The assembly. */
  document: Document;
  /** The id of the draft. */
  versionId: Scalars['ID']['output'];
  /** The draft. */
  version: Version;
  /** The result for the draft. */
  outcome: ReplacementOutcome;
  /** The rewritten addresses, or those that would be rewritten in a dry run. */
  changed: Array<AddressChange>;
  /** The new asm.json file. Null if the draft was skipped, and in a dry run. */
  artifact?: Maybe<Artifact>;
  /** The error code why the draft was skipped. Null if it was replaced. */
  code?: Maybe<Scalars['String']['output']>;
  /** The error message why the draft was skipped. Null if it was replaced. */
  message?: Maybe<Scalars['String']['output']>;
};

/** The results of a replacement by draft. */
export type DraftReplacements = {
  /** Whether this was a dry run, in which nothing is written. */
  dryRun: Scalars['Boolean']['output'];
  /** The results for the drafts that use the document. */
  items: Array<DraftReplacement>;
  /** An opaque cursor to continue with the remaining drafts. Null if all drafts were processed. */
  nextCursor?: Maybe<Scalars['String']['output']>;
};

/** Which versions are included in where-used results. */
export type UseScope =
  /** The newest version of each document. */
  | 'latest'
  /** Released versions. */
  | 'released'
  /** All versions. */
  | 'all';

/** The form of an address. */
export type AddressForm =
  /** Without a revision or version: resolves to the newest release, otherwise to the newest version. */
  | 'floating'
  /** With a revision label. */
  | 'revision'
  /** With a version number. */
  | 'version';

/** A draft or version that uses a document, directly or indirectly, through one address. */
export type Use = {
  /** 1 for direct users, 2 for users of these, and so on. */
  level: Scalars['Int']['output'];
  /** The documents in between, from the direct user upwards. */
  via: Array<Document>;
  /** The id of the assembly. */
  documentId: Scalars['ID']['output'];
  /** The assembly that uses the document. */
  document: Document;
  /** The id of the draft or version. */
  versionId: Scalars['ID']['output'];
  /** The draft or version of the assembly. */
  version: Version;
  /** The address as written. At higher levels, the address of the document below. */
  location: Scalars['String']['output'];
  /** The form of the address. */
  addressForm: AddressForm;
  /** The quantity, multiplied through the assemblies within the file. */
  quantity: Scalars['Float']['output'];
  /** The first 100 JSON pointers into the asm.json file. */
  paths: Array<Scalars['String']['output']>;
  /** Whether there are more than the listed paths. */
  morePaths: Scalars['Boolean']['output'];
  /** The version that the address resolves to: now for a draft, as frozen for a version. Null if unresolved. */
  resolution?: Maybe<Resolution>;
  /** Whether the reference is resolved. */
  status: ReferenceStatus;
  /** Why the address resolves to that version, or why it is unresolved. */
  reason: Scalars['String']['output'];
};

/** A page of where-used results. */
export type UsePage = {
  /** The items of this page, in list order. */
  items: Array<Use>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** The number of items on all pages. Null unless `total` was requested. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** The effect of a release action on a user of the document. */
export type ImpactEffect =
  /** The draft would resolve to another version immediately. */
  | 'changes'
  /** The version stays frozen and would be outdated. */
  | 'becomes_outdated'
  /** The version stays frozen and would no longer be outdated. */
  | 'no_longer_outdated';

/** A direct user of a document that a release action would affect. */
export type Impact = {
  /** The id of the assembly. */
  documentId: Scalars['ID']['output'];
  /** The assembly that uses the document. */
  document: Document;
  /** The id of the draft or version. */
  versionId: Scalars['ID']['output'];
  /** The draft or version of the assembly. */
  version: Version;
  /** The address as written. */
  location: Scalars['String']['output'];
  /** The form of the address. */
  addressForm: AddressForm;
  /** The quantity, multiplied through the assemblies within the file. */
  quantity: Scalars['Float']['output'];
  /** The first 100 JSON pointers into the asm.json file. */
  paths: Array<Scalars['String']['output']>;
  /** Whether there are more than the listed paths. */
  morePaths: Scalars['Boolean']['output'];
  /** The effect of the action. */
  effect: ImpactEffect;
  /** Whether the user is a version, whose references never change. */
  frozen: Scalars['Boolean']['output'];
  /** The version that the address resolves to now. Null if unresolved. */
  from?: Maybe<Resolution>;
  /** The version that the address would resolve to. Null if unresolved. */
  to?: Maybe<Resolution>;
};

/** An action on the release of a version. */
export type ReleaseAction =
  /** Release the version. */
  | 'release'
  /** Mark the revision obsolete. */
  | 'obsolete'
  /** Take the release back. */
  | 'take_back';

/** The drafts and versions that a release action would affect. */
export type ReleaseImpact = {
  /** The release action. */
  action: ReleaseAction;
  /** The id of the document. */
  documentId: Scalars['ID']['output'];
  /** The id of the version. */
  versionId: Scalars['ID']['output'];
  /** The label that would be assigned, marked obsolete or taken back. */
  label: Scalars['String']['output'];
  /** The affected drafts, then the affected versions. */
  items: Array<Impact>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
};

/** An address and what it resolves to now, with explanations. */
export type ResolvedAddress = {
  /** The normalized address. */
  address: Scalars['String']['output'];
  /** The id of the document. Null if the document does not exist. */
  documentId?: Maybe<Scalars['ID']['output']>;
  /** The number of the document. Null if the document does not exist. */
  number?: Maybe<Scalars['String']['output']>;
  /** The document that the address refers to. Null if it does not exist. */
  document?: Maybe<Document>;
  /** The version that the address resolves to. Null if unresolved. */
  resolution?: Maybe<Resolution>;
  /** Whether the reference is resolved. */
  status: ReferenceStatus;
  /** Why the address resolves to that version, or why it is unresolved. */
  reason: Scalars['String']['output'];
  /** The other versions of the document, newest first, with the reasons why the address does not resolve to them. */
  rejectedCandidates: Array<RejectedCandidate>;
};

/** A version that an address does not resolve to. */
export type RejectedCandidate = {
  /** The id of the version. */
  versionId: Scalars['ID']['output'];
  /** The version number. */
  n: Scalars['Int']['output'];
  /** The label of the release. Null if the version is not released. */
  label?: Maybe<Scalars['String']['output']>;
  /** Why the address does not resolve to the version. */
  reason: Scalars['String']['output'];
};

export type Query = {
  /** Lists the references of an assembly's draft or version, in the order of its asm.json file. */
  references: Array<Reference>;
  /**
   * Returns the bill of materials of an assembly, with at most 100000 rows and 50 levels (validation_failed, limits
   * bomRows and bomDepth). If it is larger, request a lower depth or the mode flat.
   */
  bom: Bom;
  /** Compares two bills of materials, with at most 40000 differences (validation_failed, limit bomChanges). */
  compareBoms: BomComparison;
  /**
   * Lists the drafts and versions that use a document. Direct users: each address of each draft and version, newest first.
   * Users at all levels: each document once, level by level, through any version of the documents in between.
   */
  whereUsed: UsePage;
  /** Returns a page of the references of an assembly: resolved now for a draft, as frozen for a version. */
  referencePage: ReferencePage;
  /** Lists the references of an assembly with the newest states of their documents, in the order of its asm.json file. */
  referenceUpdates: Array<ReferenceUpdate>;
  /** Returns the drafts and versions that would be affected if the version was released, marked obsolete or taken back. */
  releaseImpact: ReleaseImpact;
  /** Explains what an address resolves to. */
  resolveAddress: ResolvedAddress;
  /**
   * Returns the asm.json file of an assembly with its references replaced by URLs that an engine can load: files by hash,
   * through links that need no token and expire after one hour. The URLs start with PDM_PUBLIC_URL if it is set, otherwise
   * with `origin`. Available to users, and to the worker that holds a job of the draft or version. Null if the draft or
   * version does not exist or has no asm.json file.
   */
  resolvedAsmJson?: Maybe<Scalars['JSON']['output']>;
  /** Returns a file, or null if it does not exist. */
  artifact?: Maybe<Artifact>;
  /**
   * Returns the file to download after the permission check: users may download any file, a worker the files of its job.
   * Null if it does not exist. Select it by `artifactId`, or by `versionId` and `kind`.
   */
  download?: Maybe<Artifact>;
  /** Returns the newest thumbnail of a document. Null if there is none. */
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


export type QueryWhereUsedArgs = {
  documentId: Scalars['ID']['input'];
  levels?: InputMaybe<Scalars['String']['input']>;
  scope?: InputMaybe<UseScope>;
  drafts?: InputMaybe<Scalars['Boolean']['input']>;
  of?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<UseSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


export type QueryReferencePageArgs = {
  versionId: Scalars['ID']['input'];
  sort?: InputMaybe<ReferenceSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


export type QueryReferenceUpdatesArgs = {
  versionId: Scalars['ID']['input'];
};


export type QueryReleaseImpactArgs = {
  versionId: Scalars['ID']['input'];
  action?: InputMaybe<ReleaseAction>;
  scope?: InputMaybe<UseScope>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
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
   * Updates pinned references of a draft to newer states of their documents. An address with a label moves to the newest
   * label, an address with a version number to the newest version, unless `to` is set.
   */
  updateReferences: ReferenceUpdateResult;
  /**
   * Replaces a document by another one in all drafts that use it, with one transaction per draft. Floating addresses stay
   * floating; pinned addresses are pinned to the version that the other document's floating address resolves to now. One
   * call processes at most `limit` drafts and stops after a few seconds; continue with `cursor`.
   */
  replaceInDrafts: DraftReplacements;
  /**
   * Stores a file. Users upload to drafts; a source file queues a job. A worker uploads a result of the job that it holds
   * and names `generator` and `inputSha256`.
   */
  uploadArtifact: Artifact;
  /** Deletes a file from a draft. */
  deleteArtifact: Scalars['Boolean']['output'];
};


export type MutationUpdateReferencesArgs = {
  versionId: Scalars['ID']['input'];
  paths?: InputMaybe<Array<Scalars['String']['input']>>;
  to?: InputMaybe<UpdateTarget>;
};


export type MutationReplaceInDraftsArgs = {
  documentId: Scalars['ID']['input'];
  with: Scalars['ID']['input'];
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type MutationUploadArtifactArgs = {
  versionId: Scalars['ID']['input'];
  kind: Scalars['String']['input'];
  file: Scalars['Upload']['input'];
  generator?: InputMaybe<Scalars['String']['input']>;
  inputSha256?: InputMaybe<Scalars['String']['input']>;
  attempt?: InputMaybe<Scalars['Int']['input']>;
  split?: InputMaybe<Scalars['Boolean']['input']>;
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
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  UseSort: UseSort;
  ArtifactSort: ArtifactSort;
  ReferenceSort: ReferenceSort;
  ArtifactPage: ResolverTypeWrapper<Omit<ArtifactPage, 'items'> & { items: Array<ResolversTypes['Artifact']> }>;
  ReferencePage: ResolverTypeWrapper<Omit<ReferencePage, 'items'> & { items: Array<ResolversTypes['Reference']> }>;
  Version: ResolverTypeWrapper<VersionSource>;
  Artifact: ResolverTypeWrapper<ArtifactSource>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  DocumentKind: DocumentKind;
  ReferenceStatus: ReferenceStatus;
  ResolvedAs: ResolvedAs;
  Reference: ResolverTypeWrapper<ReferenceSource>;
  Resolution: ResolverTypeWrapper<ResolutionSource>;
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
  UpdateTarget: UpdateTarget;
  ReferenceUpdate: ResolverTypeWrapper<ReferenceUpdateSource>;
  AddressChange: ResolverTypeWrapper<AddressChange>;
  UnchangedReference: ResolverTypeWrapper<UnchangedReference>;
  ReferenceUpdateResult: ResolverTypeWrapper<Omit<ReferenceUpdateResult, 'artifact'> & { artifact?: Maybe<ResolversTypes['Artifact']> }>;
  ReplacementOutcome: ReplacementOutcome;
  DraftReplacement: ResolverTypeWrapper<DraftReplacementSource>;
  DraftReplacements: ResolverTypeWrapper<Omit<DraftReplacements, 'items'> & { items: Array<ResolversTypes['DraftReplacement']> }>;
  UseScope: UseScope;
  AddressForm: AddressForm;
  Use: ResolverTypeWrapper<UseSource>;
  UsePage: ResolverTypeWrapper<Omit<UsePage, 'items'> & { items: Array<ResolversTypes['Use']> }>;
  ImpactEffect: ImpactEffect;
  Impact: ResolverTypeWrapper<ImpactSource>;
  ReleaseAction: ReleaseAction;
  ReleaseImpact: ResolverTypeWrapper<Omit<ReleaseImpact, 'items'> & { items: Array<ResolversTypes['Impact']> }>;
  ResolvedAddress: ResolverTypeWrapper<ResolvedAddressSource>;
  RejectedCandidate: ResolverTypeWrapper<RejectedCandidate>;
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
  Boolean: Scalars['Boolean']['output'];
  Int: Scalars['Int']['output'];
  ArtifactPage: Omit<ArtifactPage, 'items'> & { items: Array<ResolversParentTypes['Artifact']> };
  ReferencePage: Omit<ReferencePage, 'items'> & { items: Array<ResolversParentTypes['Reference']> };
  Version: VersionSource;
  Artifact: ArtifactSource;
  Float: Scalars['Float']['output'];
  Reference: ReferenceSource;
  Resolution: ResolutionSource;
  Bom: BomSource;
  BomRow: BomRowSource;
  BomLine: BomLineSource;
  BomComparison: BomComparisonSource;
  ComparedBom: ComparedBomSource;
  BomChange: BomChangeSource;
  ReferenceUpdate: ReferenceUpdateSource;
  AddressChange: AddressChange;
  UnchangedReference: UnchangedReference;
  ReferenceUpdateResult: Omit<ReferenceUpdateResult, 'artifact'> & { artifact?: Maybe<ResolversParentTypes['Artifact']> };
  DraftReplacement: DraftReplacementSource;
  DraftReplacements: Omit<DraftReplacements, 'items'> & { items: Array<ResolversParentTypes['DraftReplacement']> };
  Use: UseSource;
  UsePage: Omit<UsePage, 'items'> & { items: Array<ResolversParentTypes['Use']> };
  Impact: ImpactSource;
  ReleaseImpact: Omit<ReleaseImpact, 'items'> & { items: Array<ResolversParentTypes['Impact']> };
  ResolvedAddress: ResolvedAddressSource;
  RejectedCandidate: RejectedCandidate;
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
  whereUsed?: Resolver<ResolversTypes['UsePage'], ParentType, ContextType, Partial<DocumentWhereUsedArgs>>;
};

export type ArtifactPageResolvers<ContextType = any, ParentType extends ResolversParentTypes['ArtifactPage'] = ResolversParentTypes['ArtifactPage']> = {
  items?: Resolver<Array<ResolversTypes['Artifact']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type ReferencePageResolvers<ContextType = any, ParentType extends ResolversParentTypes['ReferencePage'] = ResolversParentTypes['ReferencePage']> = {
  items?: Resolver<Array<ResolversTypes['Reference']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type VersionResolvers<ContextType = any, ParentType extends ResolversParentTypes['Version'] = ResolversParentTypes['Version'], FederationReferenceType extends FederationReferenceTypes['Version'] = FederationReferenceTypes['Version']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Version']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  artifacts?: Resolver<Array<ResolversTypes['Artifact']>, ParentType, ContextType>;
  artifactPage?: Resolver<ResolversTypes['ArtifactPage'], ParentType, ContextType, Partial<VersionArtifactPageArgs>>;
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
  differences?: Resolver<Array<ResolversTypes['BomDifference']>, ParentType, ContextType>;
  contentChanged?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  level?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  from?: Resolver<Maybe<ResolversTypes['BomRow']>, ParentType, ContextType>;
  to?: Resolver<Maybe<ResolversTypes['BomRow']>, ParentType, ContextType>;
};

export type ReferenceUpdateResolvers<ContextType = any, ParentType extends ResolversParentTypes['ReferenceUpdate'] = ResolversParentTypes['ReferenceUpdate']> = {
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  location?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  quantity?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  documentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  document?: Resolver<Maybe<ResolversTypes['Document']>, ParentType, ContextType>;
  current?: Resolver<Maybe<ResolversTypes['Resolution']>, ParentType, ContextType>;
  newestRelease?: Resolver<Maybe<ResolversTypes['Resolution']>, ParentType, ContextType>;
  newestVersion?: Resolver<Maybe<ResolversTypes['Resolution']>, ParentType, ContextType>;
  pinned?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  toRelease?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  toVersion?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ReferenceStatus'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type AddressChangeResolvers<ContextType = any, ParentType extends ResolversParentTypes['AddressChange'] = ResolversParentTypes['AddressChange']> = {
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  from?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type UnchangedReferenceResolvers<ContextType = any, ParentType extends ResolversParentTypes['UnchangedReference'] = ResolversParentTypes['UnchangedReference']> = {
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  location?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ReferenceUpdateResultResolvers<ContextType = any, ParentType extends ResolversParentTypes['ReferenceUpdateResult'] = ResolversParentTypes['ReferenceUpdateResult']> = {
  changed?: Resolver<Array<ResolversTypes['AddressChange']>, ParentType, ContextType>;
  unchanged?: Resolver<Array<ResolversTypes['UnchangedReference']>, ParentType, ContextType>;
  artifact?: Resolver<Maybe<ResolversTypes['Artifact']>, ParentType, ContextType>;
};

export type DraftReplacementResolvers<ContextType = any, ParentType extends ResolversParentTypes['DraftReplacement'] = ResolversParentTypes['DraftReplacement']> = {
  documentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  document?: Resolver<ResolversTypes['Document'], ParentType, ContextType>;
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Version'], ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['ReplacementOutcome'], ParentType, ContextType>;
  changed?: Resolver<Array<ResolversTypes['AddressChange']>, ParentType, ContextType>;
  artifact?: Resolver<Maybe<ResolversTypes['Artifact']>, ParentType, ContextType>;
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DraftReplacementsResolvers<ContextType = any, ParentType extends ResolversParentTypes['DraftReplacements'] = ResolversParentTypes['DraftReplacements']> = {
  dryRun?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  items?: Resolver<Array<ResolversTypes['DraftReplacement']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type UseResolvers<ContextType = any, ParentType extends ResolversParentTypes['Use'] = ResolversParentTypes['Use']> = {
  level?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  via?: Resolver<Array<ResolversTypes['Document']>, ParentType, ContextType>;
  documentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  document?: Resolver<ResolversTypes['Document'], ParentType, ContextType>;
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Version'], ParentType, ContextType>;
  location?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  addressForm?: Resolver<ResolversTypes['AddressForm'], ParentType, ContextType>;
  quantity?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  paths?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  morePaths?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  resolution?: Resolver<Maybe<ResolversTypes['Resolution']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ReferenceStatus'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type UsePageResolvers<ContextType = any, ParentType extends ResolversParentTypes['UsePage'] = ResolversParentTypes['UsePage']> = {
  items?: Resolver<Array<ResolversTypes['Use']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type ImpactResolvers<ContextType = any, ParentType extends ResolversParentTypes['Impact'] = ResolversParentTypes['Impact']> = {
  documentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  document?: Resolver<ResolversTypes['Document'], ParentType, ContextType>;
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Version'], ParentType, ContextType>;
  location?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  addressForm?: Resolver<ResolversTypes['AddressForm'], ParentType, ContextType>;
  quantity?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  paths?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  morePaths?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  effect?: Resolver<ResolversTypes['ImpactEffect'], ParentType, ContextType>;
  frozen?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  from?: Resolver<Maybe<ResolversTypes['Resolution']>, ParentType, ContextType>;
  to?: Resolver<Maybe<ResolversTypes['Resolution']>, ParentType, ContextType>;
};

export type ReleaseImpactResolvers<ContextType = any, ParentType extends ResolversParentTypes['ReleaseImpact'] = ResolversParentTypes['ReleaseImpact']> = {
  action?: Resolver<ResolversTypes['ReleaseAction'], ParentType, ContextType>;
  documentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  label?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  items?: Resolver<Array<ResolversTypes['Impact']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ResolvedAddressResolvers<ContextType = any, ParentType extends ResolversParentTypes['ResolvedAddress'] = ResolversParentTypes['ResolvedAddress']> = {
  address?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  documentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  document?: Resolver<Maybe<ResolversTypes['Document']>, ParentType, ContextType>;
  resolution?: Resolver<Maybe<ResolversTypes['Resolution']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ReferenceStatus'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rejectedCandidates?: Resolver<Array<ResolversTypes['RejectedCandidate']>, ParentType, ContextType>;
};

export type RejectedCandidateResolvers<ContextType = any, ParentType extends ResolversParentTypes['RejectedCandidate'] = ResolversParentTypes['RejectedCandidate']> = {
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  n?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = any, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  references?: Resolver<Array<ResolversTypes['Reference']>, ParentType, ContextType, RequireFields<QueryReferencesArgs, 'versionId'>>;
  bom?: Resolver<ResolversTypes['Bom'], ParentType, ContextType, RequireFields<QueryBomArgs, 'versionId' | 'mode'>>;
  compareBoms?: Resolver<ResolversTypes['BomComparison'], ParentType, ContextType, RequireFields<QueryCompareBomsArgs, 'id' | 'with'>>;
  whereUsed?: Resolver<ResolversTypes['UsePage'], ParentType, ContextType, RequireFields<QueryWhereUsedArgs, 'documentId'>>;
  referencePage?: Resolver<ResolversTypes['ReferencePage'], ParentType, ContextType, RequireFields<QueryReferencePageArgs, 'versionId'>>;
  referenceUpdates?: Resolver<Array<ResolversTypes['ReferenceUpdate']>, ParentType, ContextType, RequireFields<QueryReferenceUpdatesArgs, 'versionId'>>;
  releaseImpact?: Resolver<ResolversTypes['ReleaseImpact'], ParentType, ContextType, RequireFields<QueryReleaseImpactArgs, 'versionId'>>;
  resolveAddress?: Resolver<ResolversTypes['ResolvedAddress'], ParentType, ContextType, RequireFields<QueryResolveAddressArgs, 'address'>>;
  resolvedAsmJson?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType, RequireFields<QueryResolvedAsmJsonArgs, 'versionId'>>;
  artifact?: Resolver<Maybe<ResolversTypes['Artifact']>, ParentType, ContextType, RequireFields<QueryArtifactArgs, 'id'>>;
  download?: Resolver<Maybe<ResolversTypes['Artifact']>, ParentType, ContextType, Partial<QueryDownloadArgs>>;
  thumbnail?: Resolver<Maybe<ResolversTypes['Artifact']>, ParentType, ContextType, RequireFields<QueryThumbnailArgs, 'documentId'>>;
};

export type MutationResolvers<ContextType = any, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  updateReferences?: Resolver<ResolversTypes['ReferenceUpdateResult'], ParentType, ContextType, RequireFields<MutationUpdateReferencesArgs, 'versionId'>>;
  replaceInDrafts?: Resolver<ResolversTypes['DraftReplacements'], ParentType, ContextType, RequireFields<MutationReplaceInDraftsArgs, 'documentId' | 'with'>>;
  uploadArtifact?: Resolver<ResolversTypes['Artifact'], ParentType, ContextType, RequireFields<MutationUploadArtifactArgs, 'versionId' | 'kind' | 'file'>>;
  deleteArtifact?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteArtifactArgs, 'versionId' | 'kind'>>;
};

export type Resolvers<ContextType = any> = {
  DateTime?: GraphQLScalarType;
  JSON?: GraphQLScalarType;
  Upload?: GraphQLScalarType;
  User?: UserResolvers<ContextType>;
  Document?: DocumentResolvers<ContextType>;
  ArtifactPage?: ArtifactPageResolvers<ContextType>;
  ReferencePage?: ReferencePageResolvers<ContextType>;
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
  ReferenceUpdate?: ReferenceUpdateResolvers<ContextType>;
  AddressChange?: AddressChangeResolvers<ContextType>;
  UnchangedReference?: UnchangedReferenceResolvers<ContextType>;
  ReferenceUpdateResult?: ReferenceUpdateResultResolvers<ContextType>;
  DraftReplacement?: DraftReplacementResolvers<ContextType>;
  DraftReplacements?: DraftReplacementsResolvers<ContextType>;
  Use?: UseResolvers<ContextType>;
  UsePage?: UsePageResolvers<ContextType>;
  Impact?: ImpactResolvers<ContextType>;
  ReleaseImpact?: ReleaseImpactResolvers<ContextType>;
  ResolvedAddress?: ResolvedAddressResolvers<ContextType>;
  RejectedCandidate?: RejectedCandidateResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
};

