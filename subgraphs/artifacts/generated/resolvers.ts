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
  /** The newest picture of the document; null while there is none. */
  thumbnail?: Maybe<Artifact>;
  /** Where the newest picture can be read; null while there is none. */
  thumbnailUrl?: Maybe<Scalars['String']['output']>;
  /** As whereUsed for the document; at most 20 documents in one operation (validation_failed, limit whereUsed). */
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

/** What users of a document are sorted by. */
export type UseSort =
  /** When the draft or version was made. */
  | 'createdAt';

/** What files are sorted by. */
export type ArtifactSort =
  /** Its kind. */
  | 'kind'
  /** The name of the file. */
  | 'name'
  /** When it was made. */
  | 'createdAt';

/** What references are sorted by. */
export type ReferenceSort =
  /** Its place in the asm.json. */
  | 'place'
  /** The number of the document it means. */
  | 'number';

/** A page of files. */
export type ArtifactPage = {
  /** This page, in the order of the list. */
  items: Array<Artifact>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A page of references. */
export type ReferencePage = {
  /** This page, in the order of the list. */
  items: Array<Reference>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

export type Version = {
  id: Scalars['ID']['output'];
  /** Its files, ordered by kind. */
  artifacts: Array<Artifact>;
  /** A page of its files. */
  artifactPage: ArtifactPage;
  /** The file of one kind; null when there is none. */
  artifact?: Maybe<Artifact>;
  /** What an assembly uses, in the order of its asm.json; empty for other kinds. */
  references: Array<Reference>;
  /**
   * One level of its bill of material: a version as it was frozen, a draft resolved now; empty for what uses nothing. Follow version.bomLines for the
   * levels below; each level is a few store queries, however many lines it has. At most 20000 lines in one operation (validation_failed, limit bomLines).
   */
  bomLines: Array<BomLine>;
  /** Where its picture can be read; null while there is none. */
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

/** A file of a draft or version; one for each kind. */
export type Artifact = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** The id of that draft or version. */
  versionId: Scalars['ID']['output'];
  /** The draft or version it belongs to. */
  version: Version;
  /** source, asm-json, code, manifest, stp, ofb, glb, properties, thumbnail or attachment.<slug> */
  kind: Scalars['String']['output'];
  /** The name it was uploaded under, made harmless. */
  fileName: Scalars['String']['output'];
  /** The media type it was uploaded with. */
  contentType: Scalars['String']['output'];
  /** Bytes. */
  size: Scalars['Float']['output'];
  /** SHA-256 of the content, in hex. */
  sha256: Scalars['String']['output'];
  /** When it was stored. */
  createdAt: Scalars['DateTime']['output'];
  /** Who stored it. */
  createdBy: User;
  /** What made a derived file, e.g. pdm-occt/1.0.0; null for a user's. */
  generator?: Maybe<Scalars['String']['output']>;
  /** The hash of the input a derived file was made from; null for a user's. */
  inputSha256?: Maybe<Scalars['String']['output']>;
  /** The job that a source queued, or that made a derived file; null when there is none. */
  jobId?: Maybe<Scalars['ID']['output']>;
  /** The input has changed since this file was derived from it. */
  stale: Scalars['Boolean']['output'];
};

/** What a document is; fixed when it is created. */
export type DocumentKind =
  | 'model'
  | 'assembly'
  | 'code';

/** Whether a reference means something. */
export type ReferenceStatus =
  /** It means a version. */
  | 'resolved'
  /** It means nothing; the reason says why. */
  | 'unresolved';

/** revision: by a release; version: by its number, or because nothing was ever released. */
export type ResolvedAs =
  /** By a release. */
  | 'revision'
  /** By its number, or because nothing was ever released. */
  | 'version';

/** One place in an asm.json that names a document. */
export type Reference = {
  /** JSON pointer into the asm.json. */
  path: Scalars['String']['output'];
  /** The address as it is written there. */
  location: Scalars['String']['output'];
  /** How often it is placed, assemblies inside the file multiplied. */
  quantity: Scalars['Float']['output'];
  /** The id of that document; null when there is none. */
  documentId?: Maybe<Scalars['ID']['output']>;
  /** The number of that document; null when there is none. */
  number?: Maybe<Scalars['String']['output']>;
  /** What the address names; null when there is no such document. */
  document?: Maybe<Document>;
  /** The version it means: in a draft now, in a version as it was frozen. Null while it means nothing. */
  resolution?: Maybe<Resolution>;
  /** Whether it means something now. */
  status: ReferenceStatus;
  /** Why it means that, or nothing. */
  reason: Scalars['String']['output'];
};

/** The version that an address means. */
export type Resolution = {
  /** Whether by a release or by its number. */
  as: ResolvedAs;
  /** The release, if that version is one. */
  label?: Maybe<Scalars['String']['output']>;
  /** The number of the version. */
  n: Scalars['Int']['output'];
  /** The id of the version. */
  versionId: Scalars['ID']['output'];
  /** The version. */
  version: Version;
  /** That release is obsolete now. */
  obsolete: Scalars['Boolean']['output'];
  /** It cannot move: frozen, or named by the address. */
  pinned: Scalars['Boolean']['output'];
};

/** indented: every line at every place. flat: what it consists of in the end, each version once. top: the lines of the assembly itself. */
export type BomMode =
  /** Every line at every place. */
  | 'indented'
  /** What it consists of in the end, each version once. */
  | 'flat'
  /** The lines of the assembly itself. */
  | 'top';

/** frozen: as the version was made. now: as its references mean now, below them as those versions were frozen. */
export type BomResolve =
  /** As the version was made. */
  | 'frozen'
  /** As its references mean now. */
  | 'now';

/** The bill of material of an assembly's draft or version. */
export type Bom = {
  /** The id of the assembly. */
  documentId: Scalars['ID']['output'];
  /** The assembly. */
  document: Document;
  /** The number of the assembly. */
  number: Scalars['String']['output'];
  /** The name of the assembly. */
  name: Scalars['String']['output'];
  /** The id of that draft or version. */
  versionId: Scalars['ID']['output'];
  /** The draft or version of the assembly. */
  version: Version;
  /** Null for a draft. */
  n?: Maybe<Scalars['Int']['output']>;
  /** Which rows are told. */
  mode: BomMode;
  /** How its references were read. */
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
  /** The id of that document; null when there is none. */
  documentId?: Maybe<Scalars['ID']['output']>;
  /** What is used; null when the address names no document. */
  document?: Maybe<Document>;
  /** The number of that document; null when there is none. */
  number?: Maybe<Scalars['String']['output']>;
  /** The name of that document; null when there is none. */
  name?: Maybe<Scalars['String']['output']>;
  /** The kind of that document; null when there is none. */
  kind?: Maybe<DocumentKind>;
  /** As it is written in the asm.json; a flat row whose places write it differently names the version. */
  address: Scalars['String']['output'];
  /** The version it means; null while it means nothing. */
  resolution?: Maybe<Resolution>;
  /** The version it means; null while it means nothing. */
  version?: Maybe<Version>;
  /** In one of the assembly it stands in. */
  quantity: Scalars['Float']['output'];
  /** In one of the top: the quantities on its path multiplied. */
  totalQuantity: Scalars['Float']['output'];
  /** It is not what the bare address of its document means now. */
  outdated: Scalars['Boolean']['output'];
  /** Something inside is outdated, however deep, also below the depth asked for. */
  outdatedBelow: Scalars['Boolean']['output'];
  /** Whether it means something now. */
  status: ReferenceStatus;
  /** Why it means nothing; null where it means something. */
  reason?: Maybe<Scalars['String']['output']>;
};

/** A line of an assembly, for following the tree level by level. */
export type BomLine = {
  /** The place in the assembly, from 1. */
  findNumber: Scalars['Int']['output'];
  /** The id of that document; null when there is none. */
  documentId?: Maybe<Scalars['ID']['output']>;
  /** What is used; null when the address names no document. */
  document?: Maybe<Document>;
  /** The number of that document; null when there is none. */
  number?: Maybe<Scalars['String']['output']>;
  /** The name of that document; null when there is none. */
  name?: Maybe<Scalars['String']['output']>;
  /** The kind of that document; null when there is none. */
  kind?: Maybe<DocumentKind>;
  /** The address as it is written in the asm.json. */
  address: Scalars['String']['output'];
  /** The version it means; null while it means nothing. */
  resolution?: Maybe<Resolution>;
  /** That version, to follow the tree by; null while it means nothing. */
  version?: Maybe<Version>;
  /** How often it is placed in the assembly. */
  quantity: Scalars['Float']['output'];
  /** It is not what the bare address of its document means now. */
  outdated: Scalars['Boolean']['output'];
  /** Something inside is outdated, however deep. */
  outdatedBelow: Scalars['Boolean']['output'];
  /** Whether it means something now. */
  status: ReferenceStatus;
  /** Why it means nothing; null where it means something. */
  reason?: Maybe<Scalars['String']['output']>;
};

/** What differs from one bill of material to another. */
export type BomComparison = {
  /** The first. */
  from: ComparedBom;
  /** The second. */
  to: ComparedBom;
  /** In the order of the second, what only the first has last in each assembly; what differs inside an assembly follows it, one level deeper. */
  changes: Array<BomChange>;
};

/** One side of a comparison: the draft or version, and how its references were read. */
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
  /** The draft or version. */
  version: Version;
  /** The number of the version; null for a draft. */
  n?: Maybe<Scalars['Int']['output']>;
  /** How its references were read. */
  resolve: BomResolve;
};

/**
 * added, removed: only one side has the line; what it consists of is not told again. indirect: quantity and address are the same, but it means another version of
 * the document, and something inside differs, which follows. changed: the line itself differs.
 */
export type BomChangeType =
  /** Only the second has the line. */
  | 'added'
  /** Only the first has the line. */
  | 'removed'
  /** The line itself differs. */
  | 'changed'
  /** The line is the same, something inside differs. */
  | 'indirect';

/** In what two lines for the same document differ. */
export type BomDifference =
  /** It is placed more or less often. */
  | 'quantity'
  /** It means another version. */
  | 'version'
  /** The address is written differently. */
  | 'address';

/** Lines of both sides are paired by document. */
export type BomChange = {
  /** How the line differs. */
  change: BomChangeType;
  /** In what the lines of both sides differ; empty when one side has none. */
  differs: Array<BomDifference>;
  /** Something inside differs, and follows, one level deeper. */
  insideChanged: Scalars['Boolean']['output'];
  /** How deep it lies, from 1. */
  level: Scalars['Int']['output'];
  /** The line of the first; null when only the second has it. */
  from?: Maybe<BomRow>;
  /** The line of the second; null when only the first has it. */
  to?: Maybe<BomRow>;
};

/** What references are moved to. */
export type UpdateTo =
  /** The newest release that is not obsolete. */
  | 'release'
  /** The newest version. */
  | 'version';

/** A reference with what there is of its document now. */
export type ReferenceUpdate = {
  /** JSON pointer into the asm.json. */
  path: Scalars['String']['output'];
  /** The address as it is written in the asm.json. */
  location: Scalars['String']['output'];
  /** How often it is placed, assemblies inside the file multiplied. */
  quantity: Scalars['Float']['output'];
  /** The id of that document; null when there is none. */
  documentId?: Maybe<Scalars['ID']['output']>;
  /** The number of that document; null when there is none. */
  number?: Maybe<Scalars['String']['output']>;
  /** What the address names; null when there is no such document. */
  document?: Maybe<Document>;
  /** What it means: in a draft now, in a version as it was frozen; null while it means nothing. */
  current?: Maybe<Resolution>;
  /** Not obsolete; null while there is none. */
  newestRelease?: Maybe<Resolution>;
  /** Null while the document has no version. */
  newestVersion?: Maybe<Resolution>;
  /** The address names one state; else it follows its document by itself. */
  pinned: Scalars['Boolean']['output'];
  /** The address that taking the update to the newest release writes; null when it would stay. */
  toRelease?: Maybe<Scalars['String']['output']>;
  /** The address that taking the update to the newest version writes; null when it would stay. */
  toVersion?: Maybe<Scalars['String']['output']>;
  /** Whether it means something now. */
  status: ReferenceStatus;
  /** Why it means that, or nothing. */
  reason: Scalars['String']['output'];
};

/** An address of an asm.json that was rewritten. */
export type AddressChange = {
  /** JSON pointer into the asm.json. */
  path: Scalars['String']['output'];
  /** The address as it was. */
  from: Scalars['String']['output'];
  /** The address as it is now. */
  to: Scalars['String']['output'];
};

/** floating, up_to_date, no_release, no_version or no_such_document, and in words. */
export type UnchangedReference = {
  /** JSON pointer into the asm.json. */
  path: Scalars['String']['output'];
  /** The address as it is written in the asm.json. */
  location: Scalars['String']['output'];
  /** Why it stays, for programs. */
  code: Scalars['String']['output'];
  /** Why it stays, for people. */
  message: Scalars['String']['output'];
};

/** What taking updates did to a draft. */
export type TakenUpdates = {
  /** The addresses that were rewritten. */
  changed: Array<AddressChange>;
  /** Those that were asked for, or all, and why they stay. */
  unchanged: Array<UnchangedReference>;
  /** The asm.json of the draft as it is now; null when nothing changed. */
  artifact?: Maybe<Artifact>;
};

/** What became of a draft in a replacement. */
export type ReplacementOutcome =
  /** Its asm.json was rewritten, or would be. */
  | 'replaced'
  /** It stays as it is; code and message say why. */
  | 'skipped';

/** What became of a draft that uses the document, or would become in a dry run. */
export type DraftReplacement = {
  /** The id of the assembly. */
  documentId: Scalars['ID']['output'];
  /** The assembly. */
  document: Document;
  /** The id of the draft. */
  versionId: Scalars['ID']['output'];
  /** The draft. */
  version: Version;
  /** Whether it was replaced. */
  outcome: ReplacementOutcome;
  /** The addresses that were rewritten, or would be. */
  changed: Array<AddressChange>;
  /** Its asm.json as it is now; null when it was skipped or only tried. */
  artifact?: Maybe<Artifact>;
  /** Why it was skipped: a code of the catalogue, and in words; null when it was replaced. */
  code?: Maybe<Scalars['String']['output']>;
  /** The refusal in words; null when it was replaced. */
  message?: Maybe<Scalars['String']['output']>;
};

/** What a replacement did, draft by draft. */
export type DraftReplacements = {
  /** Nothing was written. */
  dryRun: Scalars['Boolean']['output'];
  /** The drafts that use the document. */
  items: Array<DraftReplacement>;
  /** There are more drafts: hand it back to go on. Null when all are done. */
  nextCursor?: Maybe<Scalars['String']['output']>;
};

/** Which versions count as users: the newest of each document, those that are released, or all. */
export type UseScope =
  /** The newest version of each document. */
  | 'latest'
  /** Released versions. */
  | 'released'
  /** All versions. */
  | 'all';

/** How an address points at a document. */
export type Pointing =
  /** At what is newest: the newest release, else the newest version. */
  | 'floating'
  /** At a release, by its label. */
  | 'revision'
  /** At a version, by its number. */
  | 'version';

/** A draft or version that uses a document by one address, or uses what does. */
export type Use = {
  /** 1: it uses the document itself; 2: it uses what does, and so on. */
  level: Scalars['Int']['output'];
  /** The documents in between, from the one that uses it itself upward. */
  via: Array<Document>;
  /** The id of the assembly. */
  documentId: Scalars['ID']['output'];
  /** The assembly that uses it. */
  document: Document;
  /** The id of that draft or version. */
  versionId: Scalars['ID']['output'];
  /** The draft or version of the assembly. */
  version: Version;
  /** The address, on a higher level that of the document below. */
  location: Scalars['String']['output'];
  /** How that address points. */
  points: Pointing;
  /** How often it is placed there, assemblies inside the file multiplied. */
  quantity: Scalars['Float']['output'];
  /** JSON pointers into the asm.json, the first hundred. */
  paths: Array<Scalars['String']['output']>;
  /** There are more paths than are told. */
  morePaths: Scalars['Boolean']['output'];
  /** What it means: in a draft now, in a version as it was frozen; null while it means nothing. */
  resolution?: Maybe<Resolution>;
  /** Whether it means something now. */
  status: ReferenceStatus;
  /** Why that address means it. */
  reason: Scalars['String']['output'];
};

/** A page of users of a document. */
export type UsePage = {
  /** This page, in the order of the list. */
  items: Array<Use>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** changes: the draft resolves differently at once. becomes_outdated, no_longer_outdated: the version stays as it was frozen. */
export type ImpactEffect =
  /** The draft resolves differently at once. */
  | 'changes'
  /** The version stays frozen, and is outdated from then on. */
  | 'becomes_outdated'
  /** The version stays frozen, and is outdated no longer. */
  | 'no_longer_outdated';

/** A direct user that a release, its becoming obsolete or its being taken back would touch. */
export type Impact = {
  /** The id of the assembly. */
  documentId: Scalars['ID']['output'];
  /** The assembly that uses it. */
  document: Document;
  /** The id of that draft or version. */
  versionId: Scalars['ID']['output'];
  /** The draft or version of the assembly. */
  version: Version;
  /** The address by which it uses it. */
  location: Scalars['String']['output'];
  /** How that address points. */
  points: Pointing;
  /** How often it is placed. */
  quantity: Scalars['Float']['output'];
  /** JSON pointers into the asm.json, the first hundred. */
  paths: Array<Scalars['String']['output']>;
  /** There are more paths than are told. */
  morePaths: Scalars['Boolean']['output'];
  /** What would happen to it. */
  effect: ImpactEffect;
  /** It is a version: what it uses never changes. */
  frozen: Scalars['Boolean']['output'];
  /** What it means now; null: nothing. */
  from?: Maybe<Resolution>;
  /** What it would mean; null: nothing. */
  to?: Maybe<Resolution>;
};

/** Who would be touched by what is done to a release. */
export type ReleaseImpact = {
  /** release, obsolete or take-back */
  deed: Scalars['String']['output'];
  /** The document whose release it is. */
  documentId: Scalars['ID']['output'];
  /** The version it is about. */
  versionId: Scalars['ID']['output'];
  /** The label that would be given, become obsolete or be taken back. */
  label: Scalars['String']['output'];
  /** First drafts, then versions. */
  items: Array<Impact>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
};

/** What an address means now, and why. */
export type ResolvedAddress = {
  /** As the service writes it. */
  address: Scalars['String']['output'];
  /** The id of that document; null when there is none. */
  documentId?: Maybe<Scalars['ID']['output']>;
  /** The number of that document; null when there is none. */
  number?: Maybe<Scalars['String']['output']>;
  /** The document it names; null when there is none. */
  document?: Maybe<Document>;
  /** The version it means; null while it means nothing. */
  resolution?: Maybe<Resolution>;
  /** Whether it means something now. */
  status: ReferenceStatus;
  /** Why it means that, or nothing. */
  reason: Scalars['String']['output'];
  /** The other versions of the document, newest first, and why each is not meant. */
  others: Array<LostCandidate>;
};

/** A version that an address could have meant and does not. */
export type LostCandidate = {
  /** The id of the version. */
  versionId: Scalars['ID']['output'];
  /** The number of the version. */
  n: Scalars['Int']['output'];
  /** The label of the release; null when it is none. */
  label?: Maybe<Scalars['String']['output']>;
  /** Why it is not meant. */
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
  /** What differs from the bill of material of the draft, version or revision with this id to that of the other one; at most 40000 changes (limit bomChanges). */
  compareBoms: BomComparison;
  /**
   * Who uses a document, by id or number. levels: 1 or all. Directly: each address of each draft and version, newest first. On all levels: each document once, level
   * by level, whichever version of one uses the other. of: only users of this revision (a label) or version (vN), now or as frozen.
   */
  whereUsed: UsePage;
  /** A page of what an assembly uses: resolved now in a draft, as it was frozen in a version. */
  referencePage: ReferencePage;
  /** What newer states there are of what an assembly uses, in the order of its asm.json. */
  referenceUpdates: Array<ReferenceUpdate>;
  /**
   * Who would be touched when the version is released, made obsolete or taken back (deed: release, obsolete or take-back; else the next of these). scope: which
   * versions are told besides the drafts.
   */
  releaseImpact: ReleaseImpact;
  /** pdm://documents/<number or id>[@<revision> | @v<n>] */
  resolveAddress: ResolvedAddress;
  /**
   * The asm.json of an assembly with references turned into addresses that an engine can load: files by hash, through links that need no token and are good for an
   * hour. They begin with PDM_PUBLIC_URL, else with origin. For readers, and for the worker that holds a job for it.
   * Null when there is no such draft or version, or it has no asm.json.
   */
  resolvedAsmJson?: Maybe<Scalars['JSON']['output']>;
  /** A file by its id; null when there is none. */
  artifact?: Maybe<Artifact>;
  /** The file to send for a download, after the permission check: readers any, a worker those of the job it holds; null when there is none. */
  download?: Maybe<Artifact>;
  /** The newest picture of a document, by id or number; null while there is none. */
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
  deed?: InputMaybe<Scalars['String']['input']>;
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
   * Moves pinned references of a draft to newer states of their documents: those at the paths, or all. A label moves to the newest label and a version to the
   * newest version, unless to says which.
   */
  takeReferenceUpdates: TakenUpdates;
  /**
   * Lets every draft that uses a document use another one instead, each in a transaction of its own. Bare addresses stay bare; pinned ones are pinned to what the
   * bare address of the other document means now. Up to 200 drafts in one call, or as many as some seconds allow, and a cursor if there are more.
   */
  replaceInDrafts: DraftReplacements;
  /**
   * Stores a file. A user writes into a draft; a source queues a job. A worker stores a result for the job it holds and says
   * what made it (generator) and from which input (inputSha256).
   */
  uploadArtifact: Artifact;
  /** Only from a draft. */
  deleteArtifact: Scalars['Boolean']['output'];
};


export type MutationTakeReferenceUpdatesArgs = {
  versionId: Scalars['ID']['input'];
  paths?: InputMaybe<Array<Scalars['String']['input']>>;
  to?: InputMaybe<UpdateTo>;
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
  UpdateTo: UpdateTo;
  ReferenceUpdate: ResolverTypeWrapper<ReferenceUpdateSource>;
  AddressChange: ResolverTypeWrapper<AddressChange>;
  UnchangedReference: ResolverTypeWrapper<UnchangedReference>;
  TakenUpdates: ResolverTypeWrapper<Omit<TakenUpdates, 'artifact'> & { artifact?: Maybe<ResolversTypes['Artifact']> }>;
  ReplacementOutcome: ReplacementOutcome;
  DraftReplacement: ResolverTypeWrapper<DraftReplacementSource>;
  DraftReplacements: ResolverTypeWrapper<Omit<DraftReplacements, 'items'> & { items: Array<ResolversTypes['DraftReplacement']> }>;
  UseScope: UseScope;
  Pointing: Pointing;
  Use: ResolverTypeWrapper<UseSource>;
  UsePage: ResolverTypeWrapper<Omit<UsePage, 'items'> & { items: Array<ResolversTypes['Use']> }>;
  ImpactEffect: ImpactEffect;
  Impact: ResolverTypeWrapper<ImpactSource>;
  ReleaseImpact: ResolverTypeWrapper<Omit<ReleaseImpact, 'items'> & { items: Array<ResolversTypes['Impact']> }>;
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
  TakenUpdates: Omit<TakenUpdates, 'artifact'> & { artifact?: Maybe<ResolversParentTypes['Artifact']> };
  DraftReplacement: DraftReplacementSource;
  DraftReplacements: Omit<DraftReplacements, 'items'> & { items: Array<ResolversParentTypes['DraftReplacement']> };
  Use: UseSource;
  UsePage: Omit<UsePage, 'items'> & { items: Array<ResolversParentTypes['Use']> };
  Impact: ImpactSource;
  ReleaseImpact: Omit<ReleaseImpact, 'items'> & { items: Array<ResolversParentTypes['Impact']> };
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
  differs?: Resolver<Array<ResolversTypes['BomDifference']>, ParentType, ContextType>;
  insideChanged?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
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

export type TakenUpdatesResolvers<ContextType = any, ParentType extends ResolversParentTypes['TakenUpdates'] = ResolversParentTypes['TakenUpdates']> = {
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
  points?: Resolver<ResolversTypes['Pointing'], ParentType, ContextType>;
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
  points?: Resolver<ResolversTypes['Pointing'], ParentType, ContextType>;
  quantity?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  paths?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  morePaths?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  effect?: Resolver<ResolversTypes['ImpactEffect'], ParentType, ContextType>;
  frozen?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  from?: Resolver<Maybe<ResolversTypes['Resolution']>, ParentType, ContextType>;
  to?: Resolver<Maybe<ResolversTypes['Resolution']>, ParentType, ContextType>;
};

export type ReleaseImpactResolvers<ContextType = any, ParentType extends ResolversParentTypes['ReleaseImpact'] = ResolversParentTypes['ReleaseImpact']> = {
  deed?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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
  takeReferenceUpdates?: Resolver<ResolversTypes['TakenUpdates'], ParentType, ContextType, RequireFields<MutationTakeReferenceUpdatesArgs, 'versionId'>>;
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
  TakenUpdates?: TakenUpdatesResolvers<ContextType>;
  DraftReplacement?: DraftReplacementResolvers<ContextType>;
  DraftReplacements?: DraftReplacementsResolvers<ContextType>;
  Use?: UseResolvers<ContextType>;
  UsePage?: UsePageResolvers<ContextType>;
  Impact?: ImpactResolvers<ContextType>;
  ReleaseImpact?: ReleaseImpactResolvers<ContextType>;
  ResolvedAddress?: ResolvedAddressResolvers<ContextType>;
  LostCandidate?: LostCandidateResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
};

