// Made by `npm run generate`; not to be edited.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { User as UserSource, Document as DocumentSource, Workspace as WorkspaceSource, Version as VersionSource, Code as CodeSource, ReleasedAs as ReleasedAsSource, Revision as RevisionSource, WorkspacePermissions as WorkspacePermissionsSource, VersionPermissions as VersionPermissionsSource, RevisionPermissions as RevisionPermissionsSource, DraftChange as DraftChangeSource, VersionGraph as VersionGraphSource, VersionComparison as VersionComparisonSource, ComparedFile as ComparedFileSource, Reservation as ReservationSource, CheckinRequest as CheckinRequestSource, MyReservations as MyReservationsSource } from '../sources.ts';
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
  _FieldSet: { input: string; output: string; }
};

/** A user, as shown with that user's actions. */
export type User = {
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
};

export type Document = {
  id: Scalars['ID']['output'];
  /** The workspaces (branches), the main workspace first, then by time of creation. */
  workspaces: Array<Workspace>;
  /** The draft of each workspace, in the order of `workspaces`. */
  drafts: Array<Version>;
  /** The versions, newest first. Drafts are not included. */
  versions: Array<Version>;
  /** The revisions, newest first. */
  revisions: Array<Revision>;
  /** A page of the workspaces. */
  workspacePage: WorkspacePage;
  /**
   * A page of the versions, without drafts. At most 20 pages of versions and revisions per operation (validation_failed,
   * limit versionLists).
   */
  versionPage: VersionPage;
  /** A page of the revisions. */
  revisionPage: RevisionPage;
  /** The current reservations of the document's drafts. */
  reservations: Array<Reservation>;
  /**
   * A window of the history graph, from its top row downwards. Without `fromRow`, read the pages in order: a page lists
   * the edges that start or end in it, and an edge that only crosses a page is listed in the page of its child. With
   * `fromRow`, the window lists all edges that touch or cross it. Available for at most 10 documents per operation
   * (validation_failed, limit versionGraphs).
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

/** Sort keys of workspaces. */
export type WorkspaceSort =
  /** The main workspace first, then by time of creation. */
  | 'main'
  /** The name. */
  | 'name'
  /** When the object was created. */
  | 'createdAt';

/** Sort keys of versions. */
export type VersionSort =
  /** The version number, which is also the order of creation. */
  | 'number'
  /** When the object was created. */
  | 'createdAt';

/** Sort keys of revisions. */
export type RevisionSort =
  /** The time of release, which is also the order of the labels. */
  | 'createdAt';

/** A page of workspaces. */
export type WorkspacePage = {
  /** The items of this page, in list order. */
  items: Array<Workspace>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** The number of items on all pages. Null unless `total` was requested. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A page of versions. */
export type VersionPage = {
  /** The items of this page, in list order. */
  items: Array<Version>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** The number of items on all pages. Null unless `total` was requested. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A page of revisions. */
export type RevisionPage = {
  /** The items of this page, in list order. */
  items: Array<Revision>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  /** The number of items on all pages. Null unless `total` was requested. */
  total?: Maybe<Scalars['Int']['output']>;
};

/** A branch of a document: one editable draft and the versions created from it. */
export type Workspace = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** Changes with every update of the workspace itself; for If-Match, as in Document.etag. */
  etag: Scalars['String']['output'];
  /** The id of the document. */
  documentId: Scalars['ID']['output'];
  /** The document. */
  document: Document;
  /** The name, unique within the document. */
  name: Scalars['String']['output'];
  /** Free text. Null if none was set. */
  description?: Maybe<Scalars['String']['output']>;
  /** Whether the workspace is archived. An archived workspace cannot be changed. */
  archived: Scalars['Boolean']['output'];
  /** The version that the workspace was created from. Null for the main workspace. */
  fromVersionId?: Maybe<Scalars['ID']['output']>;
  /** The id of the draft. */
  draftId: Scalars['ID']['output'];
  /** The draft. */
  draft: Version;
  /** The id of the newest version created in the workspace. Null if there is none. */
  newestVersionId?: Maybe<Scalars['ID']['output']>;
  /** The newest version created in the workspace. Null if there is none. */
  newestVersion?: Maybe<Version>;
  /** The reservation of the draft. Null if nobody has checked it out. */
  reservation?: Maybe<Reservation>;
  /** The operations that the current user may perform, given the current state. */
  permissions: WorkspacePermissions;
  /** When the object was created. */
  createdAt: Scalars['DateTime']['output'];
  /** The user who created the object. */
  createdBy: User;
};

/** Whether the content is editable. */
export type VersionType =
  /** The content is editable. */
  | 'draft'
  /** The content is frozen. */
  | 'version';

/** A draft (editable) or a version (frozen). Both are addressed by the same routes. */
export type Version = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** Changes with every update of the draft or version itself; for If-Match, as in Document.etag. */
  etag: Scalars['String']['output'];
  /** The id of the document. */
  documentId: Scalars['ID']['output'];
  /** The document. */
  document: Document;
  /** The id of the workspace. */
  workspaceId: Scalars['ID']['output'];
  /** The workspace that the draft belongs to or that the version was created in. */
  workspace: Workspace;
  /** Whether this is a draft or a version. */
  type: VersionType;
  /** The version number, counted per document across its workspaces, starting at 1. Null for a draft. */
  n?: Maybe<Scalars['Int']['output']>;
  /** The name. Default for versions: V and the version number. */
  name: Scalars['String']['output'];
  /** A comment. Null if none was set. */
  comment?: Maybe<Scalars['String']['output']>;
  /** The version that this draft or version continues. Null for the first version. */
  basedOnVersionId?: Maybe<Scalars['ID']['output']>;
  /** The ids of the versions that this draft or version continues or has taken over. */
  parents: Array<Scalars['ID']['output']>;
  /** The release of this version. Null if it is not released. */
  releasedAs?: Maybe<ReleasedAs>;
  /** The reservation of the draft. Null if nobody has checked it out, and for versions. */
  reservation?: Maybe<Reservation>;
  /** The operations that the current user may perform, given the current state. */
  permissions: VersionPermissions;
  /** The SHA-256 hash of the content of a version, in hex. Null for a draft. */
  contentHash?: Maybe<Scalars['String']['output']>;
  /** The SHA-256 hash of the frozen structure of an assembly version at all levels, in hex. Null if it uses no documents. */
  bomDigest?: Maybe<Scalars['String']['output']>;
  /**
   * The generator location of a code document. A version has the commit that it was frozen with. Null if no location was
   * set, and for other kinds.
   */
  code?: Maybe<Code>;
  /** When the object was created. */
  createdAt: Scalars['DateTime']['output'];
  /** The user who created the object. */
  createdBy: User;
  /** When the object was last updated. */
  updatedAt: Scalars['DateTime']['output'];
};

/** The location of a generator: a folder of a git repository at a ref. */
export type Code = {
  /** The https URL of the repository. */
  repoUrl: Scalars['String']['output'];
  /** A branch, tag or commit. */
  ref: Scalars['String']['output'];
  /** The folder within the repository. Empty for the root. */
  path: Scalars['String']['output'];
  /** The commit whose files are stored. Null until the code has been synchronized. */
  commit?: Maybe<Scalars['String']['output']>;
  /** When the files were last fetched. Null until the code has been synchronized. */
  syncedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** The release of a version, in short form. */
export type ReleasedAs = {
  /** The id of the revision. */
  revisionId: Scalars['ID']['output'];
  /** The revision label, e.g. B. */
  label: Scalars['String']['output'];
  /** Whether the revision is obsolete, i.e. should no longer be used. */
  obsolete: Scalars['Boolean']['output'];
};

/** A released version. */
export type Revision = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** Changes with every update of the revision itself; for If-Match, as in Document.etag. */
  etag: Scalars['String']['output'];
  /** The id of the document. */
  documentId: Scalars['ID']['output'];
  /** The id of the released version. */
  versionId: Scalars['ID']['output'];
  /** The released version. */
  version: Version;
  /** The number of the version. */
  versionN: Scalars['Int']['output'];
  /** The revision label, e.g. B. */
  label: Scalars['String']['output'];
  /** The position of the label in the sequence of labels, starting at 1. */
  ordinal: Scalars['Int']['output'];
  /** A comment on the release. Null if none was set. */
  comment?: Maybe<Scalars['String']['output']>;
  /** Whether the revision is obsolete, i.e. should no longer be used. */
  obsolete: Scalars['Boolean']['output'];
  /** When the revision was marked obsolete. Null if it is not obsolete. */
  obsoletedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The user who marked the revision obsolete. Null if it is not obsolete. */
  obsoletedBy?: Maybe<User>;
  /** The operations that the current user may perform, given the current state. */
  permissions: RevisionPermissions;
  /** The warnings at the time of the release. */
  warnings: Array<ReleaseWarning>;
  /** When the version was released. */
  createdAt: Scalars['DateTime']['output'];
  /** The user who released the version. */
  createdBy: User;
};

/** Whether an operation is allowed now, and the error that it would fail with otherwise. */
export type Permission = {
  allowed: Scalars['Boolean']['output'];
  /** The error code that the operation would fail with. Null if the operation is allowed. */
  code?: Maybe<Scalars['String']['output']>;
  message?: Maybe<Scalars['String']['output']>;
};

/**
 * The operations on a workspace and its draft. A take-over is additionally checked against the draft's content when it is
 * performed.
 */
export type WorkspacePermissions = {
  /** Create a version from the draft. */
  canCreateVersion: Permission;
  /** Upload files to the draft and delete files from it. */
  canUpload: Permission;
  /** Take a version over into the draft. */
  canTakeOver: Permission;
  /** Restore the draft from a version. */
  canRestore: Permission;
  /** Update the name and description. */
  canEdit: Permission;
  /** Archive the workspace. */
  canArchive: Permission;
  /** Unarchive the workspace. */
  canUnarchive: Permission;
  /** Delete the workspace. */
  canDelete: Permission;
  /** Check out the draft. */
  canCheckout: Permission;
  /** Request that the holder check in the draft. */
  canRequestCheckin: Permission;
  /** Check in the draft. */
  canCheckin: Permission;
  /** Check in a draft that another user has checked out. */
  canForceCheckin: Permission;
};

/** The operations on a draft or version. */
export type VersionPermissions = {
  /** Update the name and comment. */
  canEdit: Permission;
  /** Release the version. */
  canRelease: Permission;
  /** Create a workspace from the version. */
  canCreateWorkspace: Permission;
};

/** The operations on a revision. */
export type RevisionPermissions = {
  /** Update the comment. */
  canEdit: Permission;
  /** Mark the revision obsolete. */
  canObsolete: Permission;
  /** Take the release back. */
  canTakeBack: Permission;
};

/** A warning about a used version that is not released or is obsolete. */
export type ReleaseWarning = {
  /** child_not_released or child_obsolete. */
  code: Scalars['String']['output'];
  /** The warning message. */
  message: Scalars['String']['output'];
  /** The id of the used document. */
  documentId: Scalars['ID']['output'];
  /** The number of the document. */
  number: Scalars['String']['output'];
  /** The id of the used version. */
  versionId: Scalars['ID']['output'];
  /** The number of the version. */
  versionN: Scalars['Int']['output'];
  /** The revision label, if the used version is an obsolete revision. Null if it is not released. */
  label?: Maybe<Scalars['String']['output']>;
};

/** The result of an operation that replaced the content of a draft. */
export type DraftChange = {
  /** The draft with its new content. */
  draft: Version;
  /** The audit record of this change. Pass it to undoDraftChange to restore the previous content. */
  auditId: Scalars['ID']['output'];
  /** Until when the change can be undone. */
  undoExpiresAt: Scalars['DateTime']['output'];
};

/**
 * A window of the history graph. Rows are counted from the bottom, and time runs upwards. Version n is always in row n -
 * 1, and the drafts are above all versions, so the top row is `rows` - 1. Each row contains one node, and a child is in a
 * higher row than its parents. Each workspace has a lane. The line of a fork, which runs from its version to the right and
 * up, crosses no other lane.
 */
export type VersionGraph = {
  /** The number of rows of the whole graph. The top row is `rows` - 1. */
  rows: Scalars['Int']['output'];
  /**
   * All lanes from left to right. The main workspace is lane 0; each other workspace is to the right of the one that it
   * was created from.
   */
  lanes: Array<GraphLane>;
  /** The nodes of the window, from top to bottom. */
  nodes: Array<GraphNode>;
  /**
   * The edges with an end in this window and, with `fromRow`, those that cross it. Each edge is listed once. Ends outside
   * the window also have a row and a lane.
   */
  edges: Array<GraphEdge>;
  /** An opaque cursor for the next page. Null on the last page. */
  nextCursor?: Maybe<Scalars['String']['output']>;
};

/** A lane (column) of the history graph, which shows one workspace. */
export type GraphLane = {
  /** The index of the lane, from 0 at the left. */
  lane: Scalars['Int']['output'];
  /** The workspace whose draft and versions are in the lane. */
  workspace: Workspace;
};

/** A draft or version and its position in the graph. */
export type GraphNode = {
  /** The row, counted from 0 at the bottom. Version n is always in row n - 1, and the drafts are above all versions. */
  row: Scalars['Int']['output'];
  /** The lane of the workspace, counted from 0 at the left. */
  lane: Scalars['Int']['output'];
  /** The draft or version. */
  version: Version;
};

/** The relation between parent and child. */
export type GraphEdgeKind =
  /** The child follows the parent in the same workspace. */
  | 'continues'
  /** The child's workspace was created from the parent. */
  | 'fork'
  /** The child has taken over the content of the parent. */
  | 'take_over';

/** An edge of the history graph, from a parent up to its child. */
export type GraphEdge = {
  /** The relation between parent and child. */
  kind: GraphEdgeKind;
  /** The upper end. */
  child: GraphEnd;
  /** The lower end. */
  parent: GraphEnd;
};

/** An end of an edge. */
export type GraphEnd = {
  /** The id of the draft or version. */
  versionId: Scalars['ID']['output'];
  /** The row, counted from 0 at the bottom. */
  row: Scalars['Int']['output'];
  /** The lane, counted from 0 at the left. */
  lane: Scalars['Int']['output'];
};

/** The differences between two drafts or versions, of one document or of two. */
export type VersionComparison = {
  /** The draft or version to compare from. */
  from: Version;
  /** The draft or version compared against `from`. */
  to: Version;
  /** The files that differ in content or name, by kind. */
  files: Array<FileChange>;
  /** The fields that differ, of name, comment, repoUrl, ref, path and commit. */
  fields: Array<FieldChange>;
  /**
   * The differences between the direct references, including lines that only resolve to another version. For differences
   * inside used assemblies, use compareBoms.
   */
  references: Array<ReferenceChange>;
  /** The differences in volume, area and size. */
  measures: MeasureComparison;
};

/** How a reference differs between two drafts or versions. */
export type ReferenceChangeType =
  /** Only `to` contains it. */
  | 'added'
  /** Only `from` contains it. */
  | 'removed'
  /** Both contain the reference, with differences. */
  | 'changed';

/** A property in which two references to the same document differ. */
export type ReferenceDifference =
  /** The quantity differs. */
  | 'quantity'
  /** The reference resolves to another version. */
  | 'version'
  /** The written address differs. */
  | 'address';

/** A difference between references. References of both sides are paired by document, and by address first. */
export type ReferenceChange = {
  /** The type of the difference. */
  change: ReferenceChangeType;
  /** The properties that differ. Empty if only one side has the reference. */
  differences: Array<ReferenceDifference>;
  /** The reference in `from`. Null if it was added. */
  from?: Maybe<ComparedReference>;
  /** The reference in `to`. Null if it was removed. */
  to?: Maybe<ComparedReference>;
};

/** All occurrences of one address in an asm.json file. */
export type ComparedReference = {
  /** The position in the assembly, starting at 1. */
  line: Scalars['Int']['output'];
  /** The address. */
  location: Scalars['String']['output'];
  /** The total quantity of all occurrences. */
  quantity: Scalars['Float']['output'];
  /** The id of the document. Null if the address resolves to no document. */
  documentId?: Maybe<Scalars['ID']['output']>;
  /** The number of the document. Null if the document does not exist. */
  number?: Maybe<Scalars['String']['output']>;
  /** The name of the document. Null if the document does not exist. */
  name?: Maybe<Scalars['String']['output']>;
  /** The version that the address resolves to: now for a draft, as frozen for a version. Null if unresolved. */
  versionId?: Maybe<Scalars['ID']['output']>;
  /** The number of that version. Null if unresolved. */
  n?: Maybe<Scalars['Int']['output']>;
  /** The label of the release. Null if the version is not released. */
  label?: Maybe<Scalars['String']['output']>;
  /** resolved or unresolved. */
  status: Scalars['String']['output'];
  /** Why the address is unresolved. Null if it is resolved. */
  reason?: Maybe<Scalars['String']['output']>;
};

/** How a file differs between two drafts or versions. */
export type FileChangeType =
  /** Only `to` contains it. */
  | 'added'
  /** Only `from` contains it. */
  | 'removed'
  /** Both contain the file, with different content or another name. */
  | 'changed';

/** A difference between files. */
export type FileChange = {
  /** The kind of the file. */
  kind: Scalars['String']['output'];
  /** The type of the difference. */
  change: FileChangeType;
  /** Whether the content differs. False if only the name differs. */
  contentDiffers: Scalars['Boolean']['output'];
  /** The file in `from`. Null if it was added. */
  from?: Maybe<ComparedFile>;
  /** The file in `to`. Null if it was removed. */
  to?: Maybe<ComparedFile>;
};

/** A file on one side of a comparison. */
export type ComparedFile = {
  /** The unique id. */
  id: Scalars['ID']['output'];
  /** The sanitized name of the uploaded file. */
  fileName: Scalars['String']['output'];
  /** The size in bytes. */
  size: Scalars['Float']['output'];
  /** The SHA-256 hash of the content, in hex. */
  sha256: Scalars['String']['output'];
  /** The software that derived the file. Null if a user uploaded it. */
  generator?: Maybe<Scalars['String']['output']>;
};

/** A difference between fields. */
export type FieldChange = {
  /** The name of the field. */
  field: Scalars['String']['output'];
  /** The value in `from`. Null if not set. */
  from?: Maybe<Scalars['String']['output']>;
  /** The value in `to`. Null if not set. */
  to?: Maybe<Scalars['String']['output']>;
};

/** The differences between the measured properties of both sides. */
export type MeasureComparison = {
  /** The volume in mm³. Null if a side has no measurements. */
  volume?: Maybe<MeasureChange>;
  /** The surface area in mm². Null if a side has no measurements. */
  area?: Maybe<MeasureChange>;
  /** The bounding box in mm. Null if a side has no measurements. */
  boundingBox?: Maybe<BoundingBoxChange>;
  /** The sides without measurements and the reasons. Empty if both sides have measurements. */
  missing: Array<MissingMeasures>;
};

/** A measured value of both sides. */
export type MeasureChange = {
  /** The value of `from`. Null if the value is undefined, e.g. the volume of an open surface. */
  from?: Maybe<Scalars['Float']['output']>;
  /** The value of `to`. Null if the value is undefined, e.g. the volume of an open surface. */
  to?: Maybe<Scalars['Float']['output']>;
  /** `to` minus `from`. Null if a value is undefined. */
  difference?: Maybe<Scalars['Float']['output']>;
  /** The difference relative to `from`. Null if a value is undefined or `from` is 0. */
  relative?: Maybe<Scalars['Float']['output']>;
};

/** The bounding boxes of both sides. */
export type BoundingBoxChange = {
  /** The bounding box of `from`, in mm. */
  from: BoundingBox;
  /** The bounding box of `to`, in mm. */
  to: BoundingBox;
  /** The size of `to` minus the size of `from` along the x, y and z axes, in mm. */
  sizeDifference: Array<Scalars['Float']['output']>;
};

/** An axis-aligned bounding box. */
export type BoundingBox = {
  /** The corner with the smallest x, y and z coordinates, in mm. */
  min: Array<Scalars['Float']['output']>;
  /** The corner with the largest x, y and z coordinates, in mm. */
  max: Array<Scalars['Float']['output']>;
  /** The extent along the x, y and z axes, in mm. */
  size: Array<Scalars['Float']['output']>;
};

/** A side without measurements. */
export type MissingMeasures = {
  /** The id of the draft or version. */
  versionId: Scalars['ID']['output'];
  /** Why there are no measurements. */
  reason: Scalars['String']['output'];
};

/** The reservation of a draft by one user (check-out). */
export type Reservation = {
  /** The id of the workspace. */
  workspaceId: Scalars['ID']['output'];
  /** The user who has checked out the draft. */
  by: User;
  /** When the draft was checked out. */
  since: Scalars['DateTime']['output'];
  /** When the reservation expires unless it is extended. */
  expiresAt: Scalars['DateTime']['output'];
  /** A note by the holder. Null if none was set. */
  note?: Maybe<Scalars['String']['output']>;
  /**
   * The users who have requested the check-in, the newest request last, at most 20. The list is cleared when the
   * reservation ends.
   */
  checkinRequests: Array<CheckinRequest>;
  /** The workspace whose draft is reserved. */
  workspace: Workspace;
};

/** A request to check in a draft. */
export type CheckinRequest = {
  /** The user who requested the check-in. */
  by: User;
  /** When the user last requested it. */
  at: Scalars['DateTime']['output'];
  /** A note by the requester. Null if none was set. */
  note?: Maybe<Scalars['String']['output']>;
};

/** The reservations of the current user and those that the user has requested to be checked in. */
export type MyReservations = {
  /** The reservations of the current user, at most 200, in order of expiry. */
  held: Array<Reservation>;
  /** The reservations of other users for which the current user has requested a check-in, at most 200, in order of expiry. */
  requested: Array<Reservation>;
};

export type Query = {
  /** Returns a workspace, or null if it does not exist. */
  workspace?: Maybe<Workspace>;
  /** Returns a draft or version, or null if it does not exist. */
  version?: Maybe<Version>;
  /** Returns a revision, or null if it does not exist. */
  revision?: Maybe<Revision>;
  /** Compares two drafts or versions. */
  compareVersions: VersionComparison;
  /** Returns the current user's reservations and those that the user has requested to be checked in. */
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
  /** Creates a workspace (branch) whose draft has the content of a version. */
  createWorkspace: Workspace;
  /** Updates the name or description of a workspace. Omitted fields keep their values. */
  updateWorkspace: Workspace;
  /** Archives a workspace. It cannot be changed until it is unarchived. */
  archiveWorkspace: Workspace;
  /** Unarchives a workspace. */
  unarchiveWorkspace: Workspace;
  /** Deletes a workspace that has no versions of its own. The last workspace of a document cannot be deleted. */
  deleteWorkspace: Scalars['Boolean']['output'];
  /** Freezes the draft as the next version of its document. Files are referenced, not copied. */
  createVersion: Version;
  /** Updates the name or comment of a draft or version. The content of a version cannot be changed. */
  updateVersion: Version;
  /** Releases a version under the next label of its document. A label is never reused for another version. */
  releaseVersion: Revision;
  /** Updates the comment of a revision. */
  updateRevision: Revision;
  /** Marks a revision obsolete. */
  obsoleteRevision: Revision;
  /**
   * Takes a release back, so that the version is no longer released (administrators only). Refused while the label is in
   * use.
   */
  takeBackRevision: Scalars['Boolean']['output'];
  /**
   * Takes a version over: replaces the content of the draft with that of the version and records the version as a parent.
   * Refused if the draft has content that no version contains, unless `force` is set.
   */
  takeOver: DraftChange;
  /** Restores the draft from a version. The previous content is kept for 30 days and can be restored with undoDraftChange. */
  restoreVersion: DraftChange;
  /** Restores the content that a draft had before a take-over, restore or undo, within 30 days. */
  undoDraftChange: DraftChange;
  /** Checks out a workspace: reserves its draft for the current user, or renews the user's reservation. */
  checkoutWorkspace: Reservation;
  /** Extends the reservation of a checked-out workspace. */
  heartbeatCheckout: Reservation;
  /** Checks in a workspace: ends the reservation of its draft. */
  checkinWorkspace: Workspace;
  /**
   * Requests that the holder of a workspace check it in. The request is published as the event workspace.checkin_requested
   * and listed in the reservation until that ends. Repeating the same request within five minutes has no effect. Refused
   * unless another user has checked out the workspace (not_reserved_by_other).
   */
  requestCheckin: Reservation;
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


export type MutationCreateVersionArgs = {
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


export type MutationObsoleteRevisionArgs = {
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


export type MutationHeartbeatCheckoutArgs = {
  id: Scalars['ID']['input'];
  ttlSeconds?: InputMaybe<Scalars['Int']['input']>;
};


export type MutationCheckinWorkspaceArgs = {
  id: Scalars['ID']['input'];
  force?: InputMaybe<Scalars['Boolean']['input']>;
};


export type MutationRequestCheckinArgs = {
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
  CheckinRequest: ResolverTypeWrapper<CheckinRequestSource>;
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
  CheckinRequest: CheckinRequestSource;
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
  canCreateVersion?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canUpload?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canTakeOver?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canRestore?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canEdit?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canArchive?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canUnarchive?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canDelete?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canCheckout?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
  canRequestCheckin?: Resolver<ResolversTypes['Permission'], ParentType, ContextType>;
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
  undoExpiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
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
  differences?: Resolver<Array<ResolversTypes['ReferenceDifference']>, ParentType, ContextType>;
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
  checkinRequests?: Resolver<Array<ResolversTypes['CheckinRequest']>, ParentType, ContextType>;
  workspace?: Resolver<ResolversTypes['Workspace'], ParentType, ContextType>;
};

export type CheckinRequestResolvers<ContextType = any, ParentType extends ResolversParentTypes['CheckinRequest'] = ResolversParentTypes['CheckinRequest']> = {
  by?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  note?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MyReservationsResolvers<ContextType = any, ParentType extends ResolversParentTypes['MyReservations'] = ResolversParentTypes['MyReservations']> = {
  held?: Resolver<Array<ResolversTypes['Reservation']>, ParentType, ContextType>;
  requested?: Resolver<Array<ResolversTypes['Reservation']>, ParentType, ContextType>;
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
  createVersion?: Resolver<ResolversTypes['Version'], ParentType, ContextType, RequireFields<MutationCreateVersionArgs, 'workspaceId'>>;
  updateVersion?: Resolver<ResolversTypes['Version'], ParentType, ContextType, RequireFields<MutationUpdateVersionArgs, 'id'>>;
  releaseVersion?: Resolver<ResolversTypes['Revision'], ParentType, ContextType, RequireFields<MutationReleaseVersionArgs, 'versionId'>>;
  updateRevision?: Resolver<ResolversTypes['Revision'], ParentType, ContextType, RequireFields<MutationUpdateRevisionArgs, 'id'>>;
  obsoleteRevision?: Resolver<ResolversTypes['Revision'], ParentType, ContextType, RequireFields<MutationObsoleteRevisionArgs, 'id'>>;
  takeBackRevision?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationTakeBackRevisionArgs, 'id'>>;
  takeOver?: Resolver<ResolversTypes['DraftChange'], ParentType, ContextType, RequireFields<MutationTakeOverArgs, 'workspaceId' | 'versionId'>>;
  restoreVersion?: Resolver<ResolversTypes['DraftChange'], ParentType, ContextType, RequireFields<MutationRestoreVersionArgs, 'workspaceId' | 'versionId'>>;
  undoDraftChange?: Resolver<ResolversTypes['DraftChange'], ParentType, ContextType, RequireFields<MutationUndoDraftChangeArgs, 'workspaceId' | 'auditId'>>;
  checkoutWorkspace?: Resolver<ResolversTypes['Reservation'], ParentType, ContextType, RequireFields<MutationCheckoutWorkspaceArgs, 'id'>>;
  heartbeatCheckout?: Resolver<ResolversTypes['Reservation'], ParentType, ContextType, RequireFields<MutationHeartbeatCheckoutArgs, 'id'>>;
  checkinWorkspace?: Resolver<ResolversTypes['Workspace'], ParentType, ContextType, RequireFields<MutationCheckinWorkspaceArgs, 'id'>>;
  requestCheckin?: Resolver<ResolversTypes['Reservation'], ParentType, ContextType, RequireFields<MutationRequestCheckinArgs, 'id'>>;
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
  CheckinRequest?: CheckinRequestResolvers<ContextType>;
  MyReservations?: MyReservationsResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
};

