// Made by `npm run generate`; not to be edited.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { User as UserSource, Document as DocumentSource, Workspace as WorkspaceSource, Version as VersionSource, Code as CodeSource, ReleasedAs as ReleasedAsSource, Revision as RevisionSource, WorkspacePermissions as WorkspacePermissionsSource, VersionPermissions as VersionPermissionsSource, RevisionPermissions as RevisionPermissionsSource, DraftChange as DraftChangeSource, VersionGraph as VersionGraphSource, VersionComparison as VersionComparisonSource, ComparedFile as ComparedFileSource, Reservation as ReservationSource, ReservationAsk as ReservationAskSource, MyReservations as MyReservationsSource } from '../sources.ts';
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
  _FieldSet: { input: string; output: string; }
};

/** Who did something. */
export type User = {
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
};

export type Document = {
  id: Scalars['ID']['output'];
  /** Branches, the main one first, then by creation. */
  workspaces: Array<Workspace>;
  /** The draft of each workspace, in the order of the workspaces. */
  drafts: Array<Version>;
  /** Newest first. */
  versions: Array<Version>;
  /** Newest first. */
  revisions: Array<Revision>;
  /** A page of its workspaces. */
  workspacePage: WorkspacePage;
  /** A page of its versions; drafts are not among them. Of versions and revisions at most 20 pages in one operation (validation_failed, limit versionLists). */
  versionPage: VersionPage;
  /** A page of its revisions. */
  revisionPage: RevisionPage;
  /** Who holds which of its drafts. */
  reservations: Array<Reservation>;
  /**
   * A page of what the history graph draws, from the newest row down; up to 1000 rows. Read pages in their order: an edge is in the pages of its
   * child and of its parent, and one that only passes by is in the page of its child, above. With fromRow it is a window anywhere in the history, with
   * every edge that is seen in it, those that only pass by too. For at most 10 documents in one operation (validation_failed, limit versionGraphs).
   */
  versionGraph: VersionGraph;
};


export type DocumentWorkspacePageArgs = {
  sort?: InputMaybe<WorkspaceSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


export type DocumentVersionPageArgs = {
  sort?: InputMaybe<VersionSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


export type DocumentRevisionPageArgs = {
  sort?: InputMaybe<RevisionSort>;
  descending?: InputMaybe<Scalars['Boolean']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  total?: InputMaybe<Scalars['Boolean']['input']>;
};


export type DocumentVersionGraphArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
  fromRow?: InputMaybe<Scalars['Int']['input']>;
};

/** What workspaces are sorted by. */
export type WorkspaceSort =
  /** The main one, then the others by creation. */
  | 'main'
  /** Its name. */
  | 'name'
  /** When it was made. */
  | 'createdAt';

/** What versions are sorted by. */
export type VersionSort =
  /** Its number in the document, which is the order in which they were made. */
  | 'number'
  /** When it was made. */
  | 'createdAt';

/** What revisions are sorted by. */
export type RevisionSort =
  /** When it was released, which is the order of the labels. */
  | 'createdAt';

/** A page of workspaces. */
export type WorkspacePage = {
  /** This page, in the order of the list. */
  items: Array<Workspace>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A page of versions. */
export type VersionPage = {
  /** This page, in the order of the list. */
  items: Array<Version>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A page of revisions. */
export type RevisionPage = {
  /** This page, in the order of the list. */
  items: Array<Revision>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** How many there are on all pages; null unless it was asked for. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A branch of a document: one draft that can be edited and the versions made from it. */
export type Workspace = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** Changes with every write of the workspace itself; for If-Match, as that of a document. */
  etag: Scalars['String']['output'];
  /** The id of its document. */
  documentId: Scalars['ID']['output'];
  /** Its document. */
  document: Document;
  /** Its name; the workspaces of a document have different ones. */
  name: Scalars['String']['output'];
  /** Free text; null while there is none. */
  description?: Maybe<Scalars['String']['output']>;
  /** An archived workspace cannot be changed. */
  archived: Scalars['Boolean']['output'];
  /** The version it was created from; null for the main workspace. */
  fromVersionId?: Maybe<Scalars['ID']['output']>;
  /** The id of its draft. */
  draftId: Scalars['ID']['output'];
  /** Its draft. */
  draft: Version;
  /** The id of that version; null while there is none. */
  newestVersionId?: Maybe<Scalars['ID']['output']>;
  /** The newest version made in it; null while there is none. */
  newestVersion?: Maybe<Version>;
  /** Who holds the draft, if somebody does. */
  reservation?: Maybe<Reservation>;
  /** What the one who asks may do with it now. */
  permissions: WorkspacePermissions;
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** Who made it. */
  createdBy: User;
};

/** Whether its content can still be changed. */
export type VersionType =
  /** It can be changed. */
  | 'draft'
  /** It is frozen. */
  | 'version';

/** A draft (editable) or a version (frozen); both answer on the same routes. */
export type Version = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** Changes with every write of the draft or version itself; for If-Match, as that of a document. */
  etag: Scalars['String']['output'];
  /** The id of its document. */
  documentId: Scalars['ID']['output'];
  /** Its document. */
  document: Document;
  /** The id of that workspace. */
  workspaceId: Scalars['ID']['output'];
  /** The workspace it is the draft of, or was made in. */
  workspace: Workspace;
  /** Whether it is a draft or a version. */
  type: VersionType;
  /** Counts per document across its workspaces, from 1; null for a draft. */
  n?: Maybe<Scalars['Int']['output']>;
  /** Its name. */
  name: Scalars['String']['output'];
  /** What was said of it; null when nothing. */
  comment?: Maybe<Scalars['String']['output']>;
  /** The version this one continues; null for the first. */
  basedOnVersionId?: Maybe<Scalars['ID']['output']>;
  /** What it continues, and what was taken over into it. */
  parents: Array<Scalars['ID']['output']>;
  /** The revision it was released as, if it was. */
  releasedAs?: Maybe<ReleasedAs>;
  /** Who holds the draft, if somebody does; null for a version. */
  reservation?: Maybe<Reservation>;
  /** What the one who asks may do with it now. */
  permissions: VersionPermissions;
  /** SHA-256 over the content of a version; null for a draft. */
  contentHash?: Maybe<Scalars['String']['output']>;
  /** SHA-256 over the frozen structure of an assembly's version, every depth; null for what uses nothing. */
  bomDigest?: Maybe<Scalars['String']['output']>;
  /** Where the generator of a code document lives; a version has the commit it was frozen with; null while none is named, and for other kinds. */
  code?: Maybe<Code>;
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** Who made it. */
  createdBy: User;
  /** When it was last changed. */
  updatedAt: Scalars['DateTime']['output'];
};

/** The place of a generator: a folder of a git repository at a ref. */
export type Code = {
  /** The https address of the repository. */
  repoUrl: Scalars['String']['output'];
  /** A branch, a tag or a commit. */
  ref: Scalars['String']['output'];
  /** The folder; empty is the root of the repository. */
  path: Scalars['String']['output'];
  /** The commit whose files are stored here; null while they have to be fetched. */
  commit?: Maybe<Scalars['String']['output']>;
  /** When its files were fetched; null while they have to be. */
  syncedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** The release of a version, in short. */
export type ReleasedAs = {
  /** The id of the revision. */
  revisionId: Scalars['ID']['output'];
  /** Its label, e.g. B. */
  label: Scalars['String']['output'];
  /** It is no longer to be used. */
  obsolete: Scalars['Boolean']['output'];
};

/** A released version. */
export type Revision = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** Changes with every write of the revision itself; for If-Match, as that of a document. */
  etag: Scalars['String']['output'];
  /** The id of its document. */
  documentId: Scalars['ID']['output'];
  /** The id of that version. */
  versionId: Scalars['ID']['output'];
  /** The version that was released. */
  version: Version;
  /** The number of that version. */
  versionN: Scalars['Int']['output'];
  /** Its label, e.g. B. */
  label: Scalars['String']['output'];
  /** The order of the labels, from 1. */
  ordinal: Scalars['Int']['output'];
  /** What was said of the release; null when nothing. */
  comment?: Maybe<Scalars['String']['output']>;
  /** It is no longer to be used. */
  obsolete: Scalars['Boolean']['output'];
  /** When it became obsolete; null while it is not. */
  obsoletedAt?: Maybe<Scalars['DateTime']['output']>;
  /** Who made it so; null while it is not. */
  obsoletedBy?: Maybe<User>;
  /** What the one who asks may do with it now. */
  permissions: RevisionPermissions;
  /** What spoke against the release when it was made. */
  warnings: Array<ReleaseWarning>;
  /** When it was released. */
  createdAt: Scalars['DateTime']['output'];
  /** Who released it. */
  createdBy: User;
};

/** Whether something may be done now; if not, how it would be refused. */
export type Permission = {
  allowed: Scalars['Boolean']['output'];
  /** The code and the words of the refusal; null when it is allowed. */
  code?: Maybe<Scalars['String']['output']>;
  message?: Maybe<Scalars['String']['output']>;
};

/** Of its draft and of itself. What a certain version would do to the draft is told when its content is taken over. */
export type WorkspacePermissions = {
  /** Freeze its draft as a version. */
  canMakeVersion: Permission;
  /** Into the draft, and remove from it. */
  canUpload: Permission;
  /** Take the content of a version over into its draft. */
  canTakeOver: Permission;
  /** Set its draft back to a version. */
  canRestore: Permission;
  /** Change its name and description. */
  canRename: Permission;
  /** Archive it. */
  canArchive: Permission;
  /** Bring it back. */
  canUnarchive: Permission;
  /** Delete it. */
  canDelete: Permission;
  /** Reserve its draft. */
  canCheckout: Permission;
  /** Ask whoever holds its draft to give it back. */
  canAskFor: Permission;
  /** Give its draft back. */
  canCheckin: Permission;
  /** Give back what somebody else holds. */
  canForceCheckin: Permission;
};

/** What may be done with a draft or version. */
export type VersionPermissions = {
  /** Name and comment. */
  canEdit: Permission;
  /** Release it. */
  canRelease: Permission;
  /** A workspace that begins with it. */
  canCreateWorkspace: Permission;
};

/** What may be done with a revision. */
export type RevisionPermissions = {
  /** The comment. */
  canEdit: Permission;
  /** Mark it as obsolete. */
  canObsolete: Permission;
  /** Take the release back. */
  canTakeBack: Permission;
};

/** Something the version uses that is not released, or obsolete. */
export type ReleaseWarning = {
  /** child_not_released or child_obsolete. */
  code: Scalars['String']['output'];
  /** The warning in a sentence for people. */
  message: Scalars['String']['output'];
  /** The document that is used. */
  documentId: Scalars['ID']['output'];
  /** The number of the document. */
  number: Scalars['String']['output'];
  /** The version that is used. */
  versionId: Scalars['ID']['output'];
  /** The number of that version. */
  versionN: Scalars['Int']['output'];
  /** Its release, if it is an obsolete one. */
  label?: Maybe<Scalars['String']['output']>;
};

/** A draft that received other content. */
export type DraftChange = {
  /** The draft as it is now. */
  draft: Version;
  /** The audit record of this change: undoDraftChange brings back what the draft held before it. */
  auditId: Scalars['ID']['output'];
  /** Until when that is kept. */
  keptUntil: Scalars['DateTime']['output'];
};

/**
 * A window of rows of the history graph. Time runs upwards and rows are counted from the bottom: version n stands in row n - 1 for ever, the
 * drafts stand above all versions, so the newest row, rows - 1, is on top. Each row holds one node; a child stands in a higher row than its
 * parents. Each workspace has a lane; the line of a fork, drawn from its version to the right and up, crosses no other lane.
 */
export type VersionGraph = {
  /** How many the whole graph has: the newest, on top, is rows - 1. */
  rows: Scalars['Int']['output'];
  /** All of them, from left to right: the main workspace is lane 0, then each right of the one it left. */
  lanes: Array<GraphLane>;
  /** From the top down. */
  nodes: Array<GraphNode>;
  /** Every edge with an end in this window, once, and with fromRow those that pass it by; the far end of one that leaves the window has its row and lane too. */
  edges: Array<GraphEdge>;
  /** Opaque; hand it back for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
};

/** A column of the history graph: a workspace. */
export type GraphLane = {
  /** Which column, from 0 at the left. */
  lane: Scalars['Int']['output'];
  /** The workspace whose draft and versions stand in it. */
  workspace: Workspace;
};

/** A draft or version in its place. */
export type GraphNode = {
  /** From the bottom up, one node in each: version n stands in row n - 1 for ever, the drafts stand above all versions. */
  row: Scalars['Int']['output'];
  /** From the left: that of its workspace. */
  lane: Scalars['Int']['output'];
  /** The draft or version. */
  version: Version;
};

/** continues: in one workspace. fork: a workspace began with the parent. takeOver: the parent's content was taken over. */
export type GraphEdgeKind =
  /** The next in the same workspace. */
  | 'continues'
  /** A workspace began with the parent. */
  | 'fork'
  /** The parent's content was taken over. */
  | 'takeOver';

/** A line of the history graph, from a parent up to its child. */
export type GraphEdge = {
  /** Why they are connected. */
  kind: GraphEdgeKind;
  /** In a higher row than the parent. */
  child: GraphEnd;
  /** In a lower row than the child. */
  parent: GraphEnd;
};

/** One end of a line of the history graph. */
export type GraphEnd = {
  /** The id of the draft or version. */
  versionId: Scalars['ID']['output'];
  /** Its row, from the bottom. */
  row: Scalars['Int']['output'];
  /** Its column, from the left. */
  lane: Scalars['Int']['output'];
};

/** What differs from one draft or version to another, of one document or of two. */
export type VersionComparison = {
  /** The first. */
  from: Version;
  /** The second. */
  to: Version;
  /** By kind; files with the same content and name are left out. */
  files: Array<FileChange>;
  /** Those of name, comment, repoUrl, ref, path and commit that differ. */
  fields: Array<FieldChange>;
  /** What they use differently themselves; a line that only means another version is among them. What differs inside is told by compareBoms. */
  references: Array<ReferenceChange>;
  /** How volume, area and size differ. */
  measures: MeasureComparison;
};

/** How the references of two drafts or versions differ. */
export type ReferenceChangeType =
  /** Only the second has it. */
  | 'added'
  /** Only the first has it. */
  | 'removed'
  /** Both have it, and it differs. */
  | 'changed';

/** In what two references to the same document differ. */
export type ReferenceDifference =
  /** It is placed more or less often. */
  | 'quantity'
  /** It means another version. */
  | 'version'
  /** The address is written differently. */
  | 'address';

/** Lines of both sides are paired by document, those of one address first. */
export type ReferenceChange = {
  /** How it differs. */
  change: ReferenceChangeType;
  /** Empty when one side has none. */
  differs: Array<ReferenceDifference>;
  /** The reference of the first; null when it has none. */
  from?: Maybe<ComparedReference>;
  /** The reference of the second; null when it has none. */
  to?: Maybe<ComparedReference>;
};

/** All places of one address in an asm.json. */
export type ComparedReference = {
  /** The place in the assembly, from 1. */
  line: Scalars['Int']['output'];
  /** The address. */
  location: Scalars['String']['output'];
  /** How often it is placed, all places together. */
  quantity: Scalars['Float']['output'];
  /** The id of the document; null when the address names none. */
  documentId?: Maybe<Scalars['ID']['output']>;
  /** The number of that document; null when there is none. */
  number?: Maybe<Scalars['String']['output']>;
  /** The name of that document; null when there is none. */
  name?: Maybe<Scalars['String']['output']>;
  /** The version it means: as it was frozen, or now in a draft; null while it means nothing. */
  versionId?: Maybe<Scalars['ID']['output']>;
  /** The number of the version it means; null while it means nothing. */
  n?: Maybe<Scalars['Int']['output']>;
  /** The label of the release; null when it is none. */
  label?: Maybe<Scalars['String']['output']>;
  /** resolved or unresolved. */
  status: Scalars['String']['output'];
  /** Why it means nothing; null where it means something. */
  reason?: Maybe<Scalars['String']['output']>;
};

/** How the files of two drafts or versions differ. */
export type FileChangeType =
  /** Only the second has it. */
  | 'added'
  /** Only the first has it. */
  | 'removed'
  /** Both have it, with different content or name. */
  | 'changed';

/** A file that differs between two drafts or versions. */
export type FileChange = {
  /** The kind of file. */
  kind: Scalars['String']['output'];
  /** How it differs. */
  change: FileChangeType;
  /** False when the file only got another name. */
  contentDiffers: Scalars['Boolean']['output'];
  /** The file of the first; null when it has none. */
  from?: Maybe<ComparedFile>;
  /** The file of the second; null when it has none. */
  to?: Maybe<ComparedFile>;
};

/** A file of one side of a comparison. */
export type ComparedFile = {
  /** Its id. */
  id: Scalars['ID']['output'];
  /** The name it was uploaded under, made harmless. */
  fileName: Scalars['String']['output'];
  /** Bytes. */
  size: Scalars['Float']['output'];
  /** SHA-256 of the content, in hex. */
  sha256: Scalars['String']['output'];
  /** What made a derived file; null for a user's. */
  generator?: Maybe<Scalars['String']['output']>;
};

/** A field that differs between two drafts or versions. */
export type FieldChange = {
  /** Which field. */
  field: Scalars['String']['output'];
  /** Its value in the first; null when it has none. */
  from?: Maybe<Scalars['String']['output']>;
  /** Its value in the second; null when it has none. */
  to?: Maybe<Scalars['String']['output']>;
};

/** What engines measured, of the properties files of both sides; all null when one side has none. */
export type MeasureComparison = {
  /** mm³; null when a side has no measures. */
  volume?: Maybe<MeasureChange>;
  /** mm²; null when a side has no measures. */
  area?: Maybe<MeasureChange>;
  /** mm; null when a side has no measures. */
  boundingBox?: Maybe<BoundingBoxChange>;
  /** Which side has no measures, and why; empty when both have them. */
  missing: Array<MissingMeasures>;
};

/** One measure of both sides. */
export type MeasureChange = {
  /** Null where it means nothing, e.g. the volume of an open surface. */
  from?: Maybe<Scalars['Float']['output']>;
  /** Null where it means nothing, as from. */
  to?: Maybe<Scalars['Float']['output']>;
  /** To minus from; null when a side has none. */
  difference?: Maybe<Scalars['Float']['output']>;
  /** The difference as a part of from; null when a side has none, or from is 0. */
  relative?: Maybe<Scalars['Float']['output']>;
};

/** The bounding boxes of both sides. */
export type BoundingBoxChange = {
  /** The box of the first, in mm. */
  from: BoundingBox;
  /** The box of the second, in mm. */
  to: BoundingBox;
  /** To minus from along each axis, in mm. */
  sizeDifference: Array<Scalars['Float']['output']>;
};

/** Along x, y, z. */
export type BoundingBox = {
  /** The corner with the smallest coordinates, in mm. */
  min: Array<Scalars['Float']['output']>;
  /** The corner with the largest coordinates, in mm. */
  max: Array<Scalars['Float']['output']>;
  /** Its length along each axis, in mm. */
  size: Array<Scalars['Float']['output']>;
};

/** A side that has no measures. */
export type MissingMeasures = {
  /** The id of the draft or version. */
  versionId: Scalars['ID']['output'];
  /** Why there are none. */
  reason: Scalars['String']['output'];
};

/** The lease of a draft by one user. */
export type Reservation = {
  /** The id of the workspace. */
  workspaceId: Scalars['ID']['output'];
  /** Who holds it. */
  by: User;
  /** Since when. */
  since: Scalars['DateTime']['output'];
  /** When it ends unless it is kept. */
  expiresAt: Scalars['DateTime']['output'];
  /** What the holder wrote; null when nothing. */
  note?: Maybe<Scalars['String']['output']>;
  /** Who would like to have it, each person once, the one who asked last at the end: at most the last 20. Gone when the reservation ends. */
  askedBy: Array<ReservationAsk>;
  /** The workspace whose draft is held. */
  workspace: Workspace;
};

/** Somebody who asked the holder of a draft to give it back. */
export type ReservationAsk = {
  /** Who asked. */
  by: User;
  /** When he asked last. */
  at: Scalars['DateTime']['output'];
  /** What he wrote; null when nothing. */
  note?: Maybe<Scalars['String']['output']>;
};

/** The drafts that somebody holds, and those that he has asked for. */
export type MyReservations = {
  /** What the one who asks holds: at most 200, those that end first. */
  held: Array<Reservation>;
  /** What others hold and the one who asks has asked for: at most 200, in the order in which they end. */
  askedFor: Array<Reservation>;
};

export type Query = {
  /** A workspace by its id; null when there is none. */
  workspace?: Maybe<Workspace>;
  /** A draft or a version; null when there is none. */
  version?: Maybe<Version>;
  /** A revision by its id; null when there is none. */
  revision?: Maybe<Revision>;
  /** What differs from the draft or version with this id to the other one. */
  compareVersions: VersionComparison;
  /** The drafts that the one who asks holds, and those that others hold and he has asked for. */
  myReservations: MyReservations;
};


export type QueryWorkspaceArgs = {
  id: Scalars['ID']['input'];
};


export type QueryVersionArgs = {
  id: Scalars['ID']['input'];
};


export type QueryRevisionArgs = {
  id: Scalars['ID']['input'];
};


export type QueryCompareVersionsArgs = {
  id: Scalars['ID']['input'];
  with: Scalars['ID']['input'];
};

export type Mutation = {
  /** A new branch whose draft holds the content of a version. */
  createWorkspace: Workspace;
  /** Changes the name or description of a workspace. What is left out stays. */
  updateWorkspace: Workspace;
  /** Closes a workspace for changes, until it is brought back. */
  archiveWorkspace: Workspace;
  /** Brings an archived workspace back. */
  unarchiveWorkspace: Workspace;
  /** Only one without versions of its own, and never the last. */
  deleteWorkspace: Scalars['Boolean']['output'];
  /** Freezes the draft as the next version of its document; every file is carried over by reference. */
  makeVersion: Version;
  /** Name and comment stay editable; content does not. */
  updateVersion: Version;
  /** Gives a version the next label of its document. Labels are never handed out twice. */
  releaseVersion: Revision;
  /** Changes the comment of a revision. */
  updateRevision: Revision;
  /** Marks a revision as no longer to be used. */
  makeRevisionObsolete: Revision;
  /** The version is unreleased again. Administrators only, and not while the label is in use. */
  takeBackRevision: Scalars['Boolean']['output'];
  /** Puts the content of a version into the draft and records it as a parent. Refuses to lose what no version holds, unless forced. */
  takeOver: DraftChange;
  /** Sets the draft back to a version. What it held is kept for 30 days. */
  restoreVersion: DraftChange;
  /** Brings back what a draft held before a take-over, a restore or an undo, within 30 days. */
  undoDraftChange: DraftChange;
  /** Reserves the draft for the one who asks, or renews that: for 60 to 86400 seconds. */
  checkoutWorkspace: Reservation;
  /** Keeps the reservation for as long again. */
  keepCheckout: Reservation;
  /** Gives the draft back. An administrator may give back somebody else's, with force. */
  checkinWorkspace: Workspace;
  /**
   * Asks whoever holds the draft to give it back. It is told as the event workspace.asked_for and stands in the reservation until that ends. Within
   * five minutes the same words of the same person are one ask. Refused while nobody else holds it (not_reserved_by_other).
   */
  askForWorkspace: Reservation;
};


export type MutationCreateWorkspaceArgs = {
  documentId: Scalars['ID']['input'];
  name: Scalars['String']['input'];
  fromVersionId: Scalars['ID']['input'];
  description?: InputMaybe<Scalars['String']['input']>;
};


export type MutationUpdateWorkspaceArgs = {
  id: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
};


export type MutationArchiveWorkspaceArgs = {
  id: Scalars['ID']['input'];
};


export type MutationUnarchiveWorkspaceArgs = {
  id: Scalars['ID']['input'];
};


export type MutationDeleteWorkspaceArgs = {
  id: Scalars['ID']['input'];
};


export type MutationMakeVersionArgs = {
  workspaceId: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  comment?: InputMaybe<Scalars['String']['input']>;
};


export type MutationUpdateVersionArgs = {
  id: Scalars['ID']['input'];
  name?: InputMaybe<Scalars['String']['input']>;
  comment?: InputMaybe<Scalars['String']['input']>;
};


export type MutationReleaseVersionArgs = {
  versionId: Scalars['ID']['input'];
  comment?: InputMaybe<Scalars['String']['input']>;
};


export type MutationUpdateRevisionArgs = {
  id: Scalars['ID']['input'];
  comment?: InputMaybe<Scalars['String']['input']>;
};


export type MutationMakeRevisionObsoleteArgs = {
  id: Scalars['ID']['input'];
};


export type MutationTakeBackRevisionArgs = {
  id: Scalars['ID']['input'];
};


export type MutationTakeOverArgs = {
  workspaceId: Scalars['ID']['input'];
  versionId: Scalars['ID']['input'];
  force?: InputMaybe<Scalars['Boolean']['input']>;
};


export type MutationRestoreVersionArgs = {
  workspaceId: Scalars['ID']['input'];
  versionId: Scalars['ID']['input'];
};


export type MutationUndoDraftChangeArgs = {
  workspaceId: Scalars['ID']['input'];
  auditId: Scalars['ID']['input'];
};


export type MutationCheckoutWorkspaceArgs = {
  id: Scalars['ID']['input'];
  ttlSeconds?: InputMaybe<Scalars['Int']['input']>;
  note?: InputMaybe<Scalars['String']['input']>;
};


export type MutationKeepCheckoutArgs = {
  id: Scalars['ID']['input'];
  ttlSeconds?: InputMaybe<Scalars['Int']['input']>;
};


export type MutationCheckinWorkspaceArgs = {
  id: Scalars['ID']['input'];
  force?: InputMaybe<Scalars['Boolean']['input']>;
};


export type MutationAskForWorkspaceArgs = {
  id: Scalars['ID']['input'];
  note?: InputMaybe<Scalars['String']['input']>;
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
  Workspace: Workspace;
  Version: Version;
  Revision: Revision;
};

/** Mapping of federation reference types */
export type FederationReferenceTypes = {
  Document:
    ( { __typename: 'Document' }
    & GraphQLRecursivePick<FederationTypes['Document'], {"id":true}> );
  Workspace:
    ( { __typename: 'Workspace' }
    & GraphQLRecursivePick<FederationTypes['Workspace'], {"id":true}> );
  Version:
    ( { __typename: 'Version' }
    & GraphQLRecursivePick<FederationTypes['Version'], {"id":true}> );
  Revision:
    ( { __typename: 'Revision' }
    & GraphQLRecursivePick<FederationTypes['Revision'], {"id":true}> );
};



/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  User: ResolverTypeWrapper<UserSource>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Document: ResolverTypeWrapper<DocumentSource>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  WorkspaceSort: WorkspaceSort;
  VersionSort: VersionSort;
  RevisionSort: RevisionSort;
  WorkspacePage: ResolverTypeWrapper<Omit<WorkspacePage, 'items'> & { items: Array<ResolversTypes['Workspace']> }>;
  VersionPage: ResolverTypeWrapper<Omit<VersionPage, 'items'> & { items: Array<ResolversTypes['Version']> }>;
  RevisionPage: ResolverTypeWrapper<Omit<RevisionPage, 'items'> & { items: Array<ResolversTypes['Revision']> }>;
  Workspace: ResolverTypeWrapper<WorkspaceSource>;
  VersionType: VersionType;
  Version: ResolverTypeWrapper<VersionSource>;
  Code: ResolverTypeWrapper<CodeSource>;
  ReleasedAs: ResolverTypeWrapper<ReleasedAsSource>;
  Revision: ResolverTypeWrapper<RevisionSource>;
  Permission: ResolverTypeWrapper<Permission>;
  WorkspacePermissions: ResolverTypeWrapper<WorkspacePermissionsSource>;
  VersionPermissions: ResolverTypeWrapper<VersionPermissionsSource>;
  RevisionPermissions: ResolverTypeWrapper<RevisionPermissionsSource>;
  ReleaseWarning: ResolverTypeWrapper<ReleaseWarning>;
  DraftChange: ResolverTypeWrapper<DraftChangeSource>;
  VersionGraph: ResolverTypeWrapper<VersionGraphSource>;
  GraphLane: ResolverTypeWrapper<Omit<GraphLane, 'workspace'> & { workspace: ResolversTypes['Workspace'] }>;
  GraphNode: ResolverTypeWrapper<Omit<GraphNode, 'version'> & { version: ResolversTypes['Version'] }>;
  GraphEdgeKind: GraphEdgeKind;
  GraphEdge: ResolverTypeWrapper<GraphEdge>;
  GraphEnd: ResolverTypeWrapper<GraphEnd>;
  VersionComparison: ResolverTypeWrapper<VersionComparisonSource>;
  ReferenceChangeType: ReferenceChangeType;
  ReferenceDifference: ReferenceDifference;
  ReferenceChange: ResolverTypeWrapper<ReferenceChange>;
  ComparedReference: ResolverTypeWrapper<ComparedReference>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  FileChangeType: FileChangeType;
  FileChange: ResolverTypeWrapper<Omit<FileChange, 'from' | 'to'> & { from?: Maybe<ResolversTypes['ComparedFile']>, to?: Maybe<ResolversTypes['ComparedFile']> }>;
  ComparedFile: ResolverTypeWrapper<ComparedFileSource>;
  FieldChange: ResolverTypeWrapper<FieldChange>;
  MeasureComparison: ResolverTypeWrapper<MeasureComparison>;
  MeasureChange: ResolverTypeWrapper<MeasureChange>;
  BoundingBoxChange: ResolverTypeWrapper<BoundingBoxChange>;
  BoundingBox: ResolverTypeWrapper<BoundingBox>;
  MissingMeasures: ResolverTypeWrapper<MissingMeasures>;
  Reservation: ResolverTypeWrapper<ReservationSource>;
  ReservationAsk: ResolverTypeWrapper<ReservationAskSource>;
  MyReservations: ResolverTypeWrapper<MyReservationsSource>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars['DateTime']['output'];
  User: UserSource;
  ID: Scalars['ID']['output'];
  String: Scalars['String']['output'];
  Document: DocumentSource;
  Boolean: Scalars['Boolean']['output'];
  Int: Scalars['Int']['output'];
  WorkspacePage: Omit<WorkspacePage, 'items'> & { items: Array<ResolversParentTypes['Workspace']> };
  VersionPage: Omit<VersionPage, 'items'> & { items: Array<ResolversParentTypes['Version']> };
  RevisionPage: Omit<RevisionPage, 'items'> & { items: Array<ResolversParentTypes['Revision']> };
  Workspace: WorkspaceSource;
  Version: VersionSource;
  Code: CodeSource;
  ReleasedAs: ReleasedAsSource;
  Revision: RevisionSource;
  Permission: Permission;
  WorkspacePermissions: WorkspacePermissionsSource;
  VersionPermissions: VersionPermissionsSource;
  RevisionPermissions: RevisionPermissionsSource;
  ReleaseWarning: ReleaseWarning;
  DraftChange: DraftChangeSource;
  VersionGraph: VersionGraphSource;
  GraphLane: Omit<GraphLane, 'workspace'> & { workspace: ResolversParentTypes['Workspace'] };
  GraphNode: Omit<GraphNode, 'version'> & { version: ResolversParentTypes['Version'] };
  GraphEdge: GraphEdge;
  GraphEnd: GraphEnd;
  VersionComparison: VersionComparisonSource;
  ReferenceChange: ReferenceChange;
  ComparedReference: ComparedReference;
  Float: Scalars['Float']['output'];
  FileChange: Omit<FileChange, 'from' | 'to'> & { from?: Maybe<ResolversParentTypes['ComparedFile']>, to?: Maybe<ResolversParentTypes['ComparedFile']> };
  ComparedFile: ComparedFileSource;
  FieldChange: FieldChange;
  MeasureComparison: MeasureComparison;
  MeasureChange: MeasureChange;
  BoundingBoxChange: BoundingBoxChange;
  BoundingBox: BoundingBox;
  MissingMeasures: MissingMeasures;
  Reservation: ReservationSource;
  ReservationAsk: ReservationAskSource;
  MyReservations: MyReservationsSource;
  Query: Record<PropertyKey, never>;
  Mutation: Record<PropertyKey, never>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type UserResolvers<ContextType = any, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DocumentResolvers<ContextType = any, ParentType extends ResolversParentTypes['Document'] = ResolversParentTypes['Document'], FederationReferenceType extends FederationReferenceTypes['Document'] = FederationReferenceTypes['Document']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Document']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  workspaces?: Resolver<Array<ResolversTypes['Workspace']>, ParentType, ContextType>;
  drafts?: Resolver<Array<ResolversTypes['Version']>, ParentType, ContextType>;
  versions?: Resolver<Array<ResolversTypes['Version']>, ParentType, ContextType>;
  revisions?: Resolver<Array<ResolversTypes['Revision']>, ParentType, ContextType>;
  workspacePage?: Resolver<ResolversTypes['WorkspacePage'], ParentType, ContextType, Partial<DocumentWorkspacePageArgs>>;
  versionPage?: Resolver<ResolversTypes['VersionPage'], ParentType, ContextType, Partial<DocumentVersionPageArgs>>;
  revisionPage?: Resolver<ResolversTypes['RevisionPage'], ParentType, ContextType, Partial<DocumentRevisionPageArgs>>;
  reservations?: Resolver<Array<ResolversTypes['Reservation']>, ParentType, ContextType>;
  versionGraph?: Resolver<ResolversTypes['VersionGraph'], ParentType, ContextType, RequireFields<DocumentVersionGraphArgs, 'limit'>>;
};

export type WorkspacePageResolvers<ContextType = any, ParentType extends ResolversParentTypes['WorkspacePage'] = ResolversParentTypes['WorkspacePage']> = {
  items?: Resolver<Array<ResolversTypes['Workspace']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type VersionPageResolvers<ContextType = any, ParentType extends ResolversParentTypes['VersionPage'] = ResolversParentTypes['VersionPage']> = {
  items?: Resolver<Array<ResolversTypes['Version']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type RevisionPageResolvers<ContextType = any, ParentType extends ResolversParentTypes['RevisionPage'] = ResolversParentTypes['RevisionPage']> = {
  items?: Resolver<Array<ResolversTypes['Revision']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  total?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type WorkspaceResolvers<ContextType = any, ParentType extends ResolversParentTypes['Workspace'] = ResolversParentTypes['Workspace'], FederationReferenceType extends FederationReferenceTypes['Workspace'] = FederationReferenceTypes['Workspace']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Workspace']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  etag?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  documentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  document?: Resolver<ResolversTypes['Document'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  archived?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  fromVersionId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  draftId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  draft?: Resolver<ResolversTypes['Version'], ParentType, ContextType>;
  newestVersionId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  newestVersion?: Resolver<Maybe<ResolversTypes['Version']>, ParentType, ContextType>;
  reservation?: Resolver<Maybe<ResolversTypes['Reservation']>, ParentType, ContextType>;
  permissions?: Resolver<ResolversTypes['WorkspacePermissions'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  createdBy?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
};

export type VersionResolvers<ContextType = any, ParentType extends ResolversParentTypes['Version'] = ResolversParentTypes['Version'], FederationReferenceType extends FederationReferenceTypes['Version'] = FederationReferenceTypes['Version']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Version']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  etag?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  documentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  document?: Resolver<ResolversTypes['Document'], ParentType, ContextType>;
  workspaceId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  workspace?: Resolver<ResolversTypes['Workspace'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['VersionType'], ParentType, ContextType>;
  n?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  comment?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  basedOnVersionId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  parents?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  releasedAs?: Resolver<Maybe<ResolversTypes['ReleasedAs']>, ParentType, ContextType>;
  reservation?: Resolver<Maybe<ResolversTypes['Reservation']>, ParentType, ContextType>;
  permissions?: Resolver<ResolversTypes['VersionPermissions'], ParentType, ContextType>;
  contentHash?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  bomDigest?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  code?: Resolver<Maybe<ResolversTypes['Code']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  createdBy?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type CodeResolvers<ContextType = any, ParentType extends ResolversParentTypes['Code'] = ResolversParentTypes['Code']> = {
  repoUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ref?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  commit?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  syncedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type ReleasedAsResolvers<ContextType = any, ParentType extends ResolversParentTypes['ReleasedAs'] = ResolversParentTypes['ReleasedAs']> = {
  revisionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  label?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  obsolete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type RevisionResolvers<ContextType = any, ParentType extends ResolversParentTypes['Revision'] = ResolversParentTypes['Revision'], FederationReferenceType extends FederationReferenceTypes['Revision'] = FederationReferenceTypes['Revision']> = {
  __resolveReference?: ReferenceResolver<Maybe<ResolversTypes['Revision']> | FederationReferenceType, FederationReferenceType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  etag?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  documentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Version'], ParentType, ContextType>;
  versionN?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  label?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ordinal?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  comment?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  obsolete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  obsoletedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  obsoletedBy?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  permissions?: Resolver<ResolversTypes['RevisionPermissions'], ParentType, ContextType>;
  warnings?: Resolver<Array<ResolversTypes['ReleaseWarning']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  createdBy?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
};

export type PermissionResolvers<ContextType = any, ParentType extends ResolversParentTypes['Permission'] = ResolversParentTypes['Permission']> = {
  allowed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WorkspacePermissionsResolvers<ContextType = any, ParentType extends ResolversParentTypes['WorkspacePermissions'] = ResolversParentTypes['WorkspacePermissions']> = {
  canMakeVersion?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canUpload?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canTakeOver?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canRestore?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canRename?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canArchive?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canUnarchive?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canDelete?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canCheckout?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canAskFor?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canCheckin?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canForceCheckin?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
};

export type VersionPermissionsResolvers<ContextType = any, ParentType extends ResolversParentTypes['VersionPermissions'] = ResolversParentTypes['VersionPermissions']> = {
  canEdit?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canRelease?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canCreateWorkspace?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
};

export type RevisionPermissionsResolvers<ContextType = any, ParentType extends ResolversParentTypes['RevisionPermissions'] = ResolversParentTypes['RevisionPermissions']> = {
  canEdit?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canObsolete?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canTakeBack?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
};

export type ReleaseWarningResolvers<ContextType = any, ParentType extends ResolversParentTypes['ReleaseWarning'] = ResolversParentTypes['ReleaseWarning']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  documentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  number?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  versionN?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DraftChangeResolvers<ContextType = any, ParentType extends ResolversParentTypes['DraftChange'] = ResolversParentTypes['DraftChange']> = {
  draft?: Resolver<ResolversTypes['Version'], ParentType, ContextType>;
  auditId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  keptUntil?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type VersionGraphResolvers<ContextType = any, ParentType extends ResolversParentTypes['VersionGraph'] = ResolversParentTypes['VersionGraph']> = {
  rows?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  lanes?: Resolver<Array<ResolversTypes['GraphLane']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['GraphNode']>, ParentType, ContextType>;
  edges?: Resolver<Array<ResolversTypes['GraphEdge']>, ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type GraphLaneResolvers<ContextType = any, ParentType extends ResolversParentTypes['GraphLane'] = ResolversParentTypes['GraphLane']> = {
  lane?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  workspace?: Resolver<ResolversTypes['Workspace'], ParentType, ContextType>;
};

export type GraphNodeResolvers<ContextType = any, ParentType extends ResolversParentTypes['GraphNode'] = ResolversParentTypes['GraphNode']> = {
  row?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  lane?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Version'], ParentType, ContextType>;
};

export type GraphEdgeResolvers<ContextType = any, ParentType extends ResolversParentTypes['GraphEdge'] = ResolversParentTypes['GraphEdge']> = {
  kind?: Resolver<ResolversTypes['GraphEdgeKind'], ParentType, ContextType>;
  child?: Resolver<ResolversTypes['GraphEnd'], ParentType, ContextType>;
  parent?: Resolver<ResolversTypes['GraphEnd'], ParentType, ContextType>;
};

export type GraphEndResolvers<ContextType = any, ParentType extends ResolversParentTypes['GraphEnd'] = ResolversParentTypes['GraphEnd']> = {
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  row?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  lane?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type VersionComparisonResolvers<ContextType = any, ParentType extends ResolversParentTypes['VersionComparison'] = ResolversParentTypes['VersionComparison']> = {
  from?: Resolver<ResolversTypes['Version'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['Version'], ParentType, ContextType>;
  files?: Resolver<Array<ResolversTypes['FileChange']>, ParentType, ContextType>;
  fields?: Resolver<Array<ResolversTypes['FieldChange']>, ParentType, ContextType>;
  references?: Resolver<Array<ResolversTypes['ReferenceChange']>, ParentType, ContextType>;
  measures?: Resolver<ResolversTypes['MeasureComparison'], ParentType, ContextType>;
};

export type ReferenceChangeResolvers<ContextType = any, ParentType extends ResolversParentTypes['ReferenceChange'] = ResolversParentTypes['ReferenceChange']> = {
  change?: Resolver<ResolversTypes['ReferenceChangeType'], ParentType, ContextType>;
  differs?: Resolver<Array<ResolversTypes['ReferenceDifference']>, ParentType, ContextType>;
  from?: Resolver<Maybe<ResolversTypes['ComparedReference']>, ParentType, ContextType>;
  to?: Resolver<Maybe<ResolversTypes['ComparedReference']>, ParentType, ContextType>;
};

export type ComparedReferenceResolvers<ContextType = any, ParentType extends ResolversParentTypes['ComparedReference'] = ResolversParentTypes['ComparedReference']> = {
  line?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  location?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  quantity?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  documentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  number?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  versionId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  n?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type FileChangeResolvers<ContextType = any, ParentType extends ResolversParentTypes['FileChange'] = ResolversParentTypes['FileChange']> = {
  kind?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  change?: Resolver<ResolversTypes['FileChangeType'], ParentType, ContextType>;
  contentDiffers?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  from?: Resolver<Maybe<ResolversTypes['ComparedFile']>, ParentType, ContextType>;
  to?: Resolver<Maybe<ResolversTypes['ComparedFile']>, ParentType, ContextType>;
};

export type ComparedFileResolvers<ContextType = any, ParentType extends ResolversParentTypes['ComparedFile'] = ResolversParentTypes['ComparedFile']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  fileName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  size?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  sha256?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  generator?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type FieldChangeResolvers<ContextType = any, ParentType extends ResolversParentTypes['FieldChange'] = ResolversParentTypes['FieldChange']> = {
  field?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  from?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  to?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MeasureComparisonResolvers<ContextType = any, ParentType extends ResolversParentTypes['MeasureComparison'] = ResolversParentTypes['MeasureComparison']> = {
  volume?: Resolver<Maybe<ResolversTypes['MeasureChange']>, ParentType, ContextType>;
  area?: Resolver<Maybe<ResolversTypes['MeasureChange']>, ParentType, ContextType>;
  boundingBox?: Resolver<Maybe<ResolversTypes['BoundingBoxChange']>, ParentType, ContextType>;
  missing?: Resolver<Array<ResolversTypes['MissingMeasures']>, ParentType, ContextType>;
};

export type MeasureChangeResolvers<ContextType = any, ParentType extends ResolversParentTypes['MeasureChange'] = ResolversParentTypes['MeasureChange']> = {
  from?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  to?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  difference?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  relative?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type BoundingBoxChangeResolvers<ContextType = any, ParentType extends ResolversParentTypes['BoundingBoxChange'] = ResolversParentTypes['BoundingBoxChange']> = {
  from?: Resolver<ResolversTypes['BoundingBox'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['BoundingBox'], ParentType, ContextType>;
  sizeDifference?: Resolver<Array<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type BoundingBoxResolvers<ContextType = any, ParentType extends ResolversParentTypes['BoundingBox'] = ResolversParentTypes['BoundingBox']> = {
  min?: Resolver<Array<ResolversTypes['Float']>, ParentType, ContextType>;
  max?: Resolver<Array<ResolversTypes['Float']>, ParentType, ContextType>;
  size?: Resolver<Array<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type MissingMeasuresResolvers<ContextType = any, ParentType extends ResolversParentTypes['MissingMeasures'] = ResolversParentTypes['MissingMeasures']> = {
  versionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ReservationResolvers<ContextType = any, ParentType extends ResolversParentTypes['Reservation'] = ResolversParentTypes['Reservation']> = {
  workspaceId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  by?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  since?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  note?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  askedBy?: Resolver<Array<ResolversTypes['ReservationAsk']>, ParentType, ContextType>;
  workspace?: Resolver<ResolversTypes['Workspace'], ParentType, ContextType>;
};

export type ReservationAskResolvers<ContextType = any, ParentType extends ResolversParentTypes['ReservationAsk'] = ResolversParentTypes['ReservationAsk']> = {
  by?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  note?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MyReservationsResolvers<ContextType = any, ParentType extends ResolversParentTypes['MyReservations'] = ResolversParentTypes['MyReservations']> = {
  held?: Resolver<Array<ResolversTypes['Reservation']>, ParentType, ContextType>;
  askedFor?: Resolver<Array<ResolversTypes['Reservation']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = any, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  workspace?: Resolver<Maybe<ResolversTypes['Workspace']>, ParentType, ContextType, RequireFields<QueryWorkspaceArgs, 'id'>>;
  version?: Resolver<Maybe<ResolversTypes['Version']>, ParentType, ContextType, RequireFields<QueryVersionArgs, 'id'>>;
  revision?: Resolver<Maybe<ResolversTypes['Revision']>, ParentType, ContextType, RequireFields<QueryRevisionArgs, 'id'>>;
  compareVersions?: Resolver<ResolversTypes['VersionComparison'], ParentType, ContextType, RequireFields<QueryCompareVersionsArgs, 'id' | 'with'>>;
  myReservations?: Resolver<ResolversTypes['MyReservations'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = any, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createWorkspace?: Resolver<ResolversTypes['Workspace'], ParentType, ContextType, RequireFields<MutationCreateWorkspaceArgs, 'documentId' | 'name' | 'fromVersionId'>>;
  updateWorkspace?: Resolver<ResolversTypes['Workspace'], ParentType, ContextType, RequireFields<MutationUpdateWorkspaceArgs, 'id'>>;
  archiveWorkspace?: Resolver<ResolversTypes['Workspace'], ParentType, ContextType, RequireFields<MutationArchiveWorkspaceArgs, 'id'>>;
  unarchiveWorkspace?: Resolver<ResolversTypes['Workspace'], ParentType, ContextType, RequireFields<MutationUnarchiveWorkspaceArgs, 'id'>>;
  deleteWorkspace?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteWorkspaceArgs, 'id'>>;
  makeVersion?: Resolver<ResolversTypes['Version'], ParentType, ContextType, RequireFields<MutationMakeVersionArgs, 'workspaceId'>>;
  updateVersion?: Resolver<ResolversTypes['Version'], ParentType, ContextType, RequireFields<MutationUpdateVersionArgs, 'id'>>;
  releaseVersion?: Resolver<ResolversTypes['Revision'], ParentType, ContextType, RequireFields<MutationReleaseVersionArgs, 'versionId'>>;
  updateRevision?: Resolver<ResolversTypes['Revision'], ParentType, ContextType, RequireFields<MutationUpdateRevisionArgs, 'id'>>;
  makeRevisionObsolete?: Resolver<ResolversTypes['Revision'], ParentType, ContextType, RequireFields<MutationMakeRevisionObsoleteArgs, 'id'>>;
  takeBackRevision?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationTakeBackRevisionArgs, 'id'>>;
  takeOver?: Resolver<ResolversTypes['DraftChange'], ParentType, ContextType, RequireFields<MutationTakeOverArgs, 'workspaceId' | 'versionId'>>;
  restoreVersion?: Resolver<ResolversTypes['DraftChange'], ParentType, ContextType, RequireFields<MutationRestoreVersionArgs, 'workspaceId' | 'versionId'>>;
  undoDraftChange?: Resolver<ResolversTypes['DraftChange'], ParentType, ContextType, RequireFields<MutationUndoDraftChangeArgs, 'workspaceId' | 'auditId'>>;
  checkoutWorkspace?: Resolver<ResolversTypes['Reservation'], ParentType, ContextType, RequireFields<MutationCheckoutWorkspaceArgs, 'id'>>;
  keepCheckout?: Resolver<ResolversTypes['Reservation'], ParentType, ContextType, RequireFields<MutationKeepCheckoutArgs, 'id'>>;
  checkinWorkspace?: Resolver<ResolversTypes['Workspace'], ParentType, ContextType, RequireFields<MutationCheckinWorkspaceArgs, 'id'>>;
  askForWorkspace?: Resolver<ResolversTypes['Reservation'], ParentType, ContextType, RequireFields<MutationAskForWorkspaceArgs, 'id'>>;
};

export type Resolvers<ContextType = any> = {
  DateTime?: GraphQLScalarType;
  User?: UserResolvers<ContextType>;
  Document?: DocumentResolvers<ContextType>;
  WorkspacePage?: WorkspacePageResolvers<ContextType>;
  VersionPage?: VersionPageResolvers<ContextType>;
  RevisionPage?: RevisionPageResolvers<ContextType>;
  Workspace?: WorkspaceResolvers<ContextType>;
  Version?: VersionResolvers<ContextType>;
  Code?: CodeResolvers<ContextType>;
  ReleasedAs?: ReleasedAsResolvers<ContextType>;
  Revision?: RevisionResolvers<ContextType>;
  Permission?: PermissionResolvers<ContextType>;
  WorkspacePermissions?: WorkspacePermissionsResolvers<ContextType>;
  VersionPermissions?: VersionPermissionsResolvers<ContextType>;
  RevisionPermissions?: RevisionPermissionsResolvers<ContextType>;
  ReleaseWarning?: ReleaseWarningResolvers<ContextType>;
  DraftChange?: DraftChangeResolvers<ContextType>;
  VersionGraph?: VersionGraphResolvers<ContextType>;
  GraphLane?: GraphLaneResolvers<ContextType>;
  GraphNode?: GraphNodeResolvers<ContextType>;
  GraphEdge?: GraphEdgeResolvers<ContextType>;
  GraphEnd?: GraphEndResolvers<ContextType>;
  VersionComparison?: VersionComparisonResolvers<ContextType>;
  ReferenceChange?: ReferenceChangeResolvers<ContextType>;
  ComparedReference?: ComparedReferenceResolvers<ContextType>;
  FileChange?: FileChangeResolvers<ContextType>;
  ComparedFile?: ComparedFileResolvers<ContextType>;
  FieldChange?: FieldChangeResolvers<ContextType>;
  MeasureComparison?: MeasureComparisonResolvers<ContextType>;
  MeasureChange?: MeasureChangeResolvers<ContextType>;
  BoundingBoxChange?: BoundingBoxChangeResolvers<ContextType>;
  BoundingBox?: BoundingBoxResolvers<ContextType>;
  MissingMeasures?: MissingMeasuresResolvers<ContextType>;
  Reservation?: ReservationResolvers<ContextType>;
  ReservationAsk?: ReservationAskResolvers<ContextType>;
  MyReservations?: MyReservationsResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
};

