// Every collection and its record type; indexes.ts has the indexes. No other code names a collection.
import type { ObjectId } from 'mongodb';
import type { StoredWrite } from '../../domain/access/idempotency-key.ts';
import type { AssemblyLine } from '../../domain/assembly/asm-references.ts';
import type { FrozenReference } from '../../domain/assembly/bom-digest.ts';
import type { Seal } from '../../domain/audit/seal-log.ts';
import type { CodeLocation } from '../../domain/jobs/code-location.ts';
import type { DocumentKind, JobStatus, JobType } from '../../domain/kinds.ts';
import type { Scene } from '../../domain/versions/named-view.ts';
import type { ReleaseWarning } from '../../domain/versions/release.ts';
import type { Reservation } from '../../domain/versions/reservation.ts';
import type { SessionRecord, TokenRecord, UserRecord } from './access-records.ts';
import type { AuditRecord, AuditTreeRecord, ChainRecord, CheckpointRecord, PendingRecord } from './audit-records.ts';
import type { JobLogRecord, JobRecord, RunRecord } from './job-records.ts';
import type { Lockable } from './lockable.ts';
import type { DeliveryRecord, EventCursorRecord, WebhookRecord } from './webhook-records.ts';

export type * from './access-records.ts';
export type * from './audit-records.ts';
export type * from './job-records.ts';
export type * from './webhook-records.ts';
export type { DocumentKind, JobStatus, JobType };

export type DocumentRecord = Lockable & {
  _id: string;
  number: string;
  name: string;
  /** The folded name, for comparison and prefix search. */
  nameKey: string;
  kind: DocumentKind;
  description: string | null;
  folderId: string | null;
  archived: boolean;
  copiedFrom: { documentId: string; versionId: string } | null;
  /** The run that created the document, and the generator's key for it; absent in documents that users created. */
  generated?: GeneratedBy;
  /** The STEP assembly it was extracted from; absent in all others. */
  importedFrom?: ImportedFrom;
  /** The highest version number; versions count from 1 without a gap. */
  lastVersion: number;
  /** The highest ordinal of any release, including those taken back; absent in older records: 0. */
  lastRevision?: number;
  /** Labels of releases that were taken back; they are never used again. */
  takenBackLabels?: string[];
  /** Folded words of number, name and description, for search. */
  words: string[];
  /** The same words in order, separated by spaces, with a line for each field; for phrases. */
  text: string;
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  updatedBy: string;
};

/** The location of the code of a code document. `commit`: the commit whose files are stored; null until fetched. */
export type CodeRecord = CodeLocation & { commit: string | null; syncedAt: Date | null };

/** The origin of a generated document: run, generator, commit, and the generator's key for the document. */
export type GeneratedBy = {
  runId: string;
  key: string;
  generatorId: string;
  versionId: string;
  n: number | null;
  commit: string;
};

/** The STEP file that a document was extracted from, uploaded to a draft of an assembly, and the job that split it. */
export type ImportedFrom = { documentId: string; versionId: string; jobId: string; fileName: string; sha256: string };

/** The owner of a number, forever; `deleted`: the document was deleted. */
export type NumberRecord = { _id: string; documentId: string; deleted: boolean };

export type FolderRecord = Lockable & {
  _id: string;
  name: string;
  nameKey: string;
  parentId: string | null;
  createdAt: Date;
  updatedAt: Date;
};

export type ReservationRecord = Reservation;

export type WorkspaceRecord = Lockable & {
  _id: string;
  documentId: string;
  name: string;
  nameKey: string;
  description: string | null;
  main: boolean;
  archived: boolean;
  fromVersionId: string | null;
  draftId: string;
  newestVersionId: string | null;
  reservation: ReservationRecord | null;
  createdAt: Date;
  createdBy: string;
};

export type VersionRecord = Lockable & {
  _id: string;
  documentId: string;
  workspaceId: string;
  type: 'draft' | 'version';
  n: number | null;
  name: string;
  comment: string | null;
  basedOnVersionId: string | null;
  parents: string[];
  /** The parent that the content was restored from, if any. Absent in older records. */
  restoredFromVersionId?: string | null;
  releasedAs: { revisionId: string; label: string } | null;
  contentHash: string | null;
  /** The code location of a code document; null if none was set. Absent in older records. */
  code?: CodeRecord | null;
  /**
   * The digest of an assembly's structure (core/domain/assembly/bom-digest.ts): in a version, of the frozen structure;
   * in a draft, of the structure for which the latest assemble job was queued.
   */
  bomDigest?: string | null;
  /** Jobs that were unfinished when this version was created from the draft; their results are delivered here too. */
  awaitsJobs: string[];
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
};

export type RevisionRecord = Lockable & {
  _id: string;
  documentId: string;
  versionId: string;
  versionN: number;
  label: string;
  ordinal: number;
  comment: string | null;
  obsolete: boolean;
  obsoletedAt: Date | null;
  obsoletedBy: string | null;
  /** The warnings at the time of the release; absent in older records: none. */
  warnings?: ReleaseWarning[];
  createdAt: Date;
  createdBy: string;
};

/** A named view of a draft or version. */
export type ViewRecord = Lockable & {
  _id: string;
  documentId: string;
  versionId: string;
  name: string;
  nameKey: string;
  scene: Scene;
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
};

export type ArtifactRecord = {
  _id: string;
  documentId: string;
  versionId: string;
  kind: string;
  fileName: string;
  contentType: string;
  size: number;
  /** The id of the blob with the content. */
  sha256: string;
  generator: string | null;
  inputSha256: string | null;
  jobId: string | null;
  stale: boolean;
  createdAt: Date;
  createdBy: string;
};

/** The parsed content of an asm.json, under the SHA-256 of the file. */
export type StructureRecord = { _id: string; lines: AssemblyLine[] };

/** A line of the assembly in a draft or version. */
export type ReferenceRecord = AssemblyLine & {
  /** `<versionId>/<line>`: sorts by the creation of the draft or version. */
  _id: string;
  documentId: string;
  versionId: string;
  /** Where the line is: in a draft, in the newest version of the document, or in an earlier one. */
  place: 'draft' | 'latest' | 'earlier';
  /** Whether its version is released. */
  released: boolean;
  /** The version that the address resolved to when this version was created; null in a draft. */
  frozen: FrozenReference | null;
};

/** The content of a draft before it was replaced, stored for a while so that it can be restored. */
export type DraftBackupRecord = Lockable & {
  /** The id of the audit record of the replacement. */
  _id: string;
  documentId: string;
  workspaceId: string;
  draftId: string;
  artifacts: ArtifactRecord[];
  basedOnVersionId: string | null;
  parents: string[];
  /** Absent in older records: null. */
  restoredFromVersionId?: string | null;
  code?: CodeRecord | null;
  awaitsJobs: string[];
  /** Absent in older records: null. */
  bomDigest?: string | null;
  createdAt: Date;
  /** Deleted by the store some time after this moment. */
  expiresAt: Date;
};

/** Immutable content under its SHA-256; the bytes are the GridFS file. */
export type BlobRecord = Lockable & { _id: string; fileId: ObjectId; size: number; createdAt: Date };
/** A GridFS file without a blob: an upload in progress, or the remains of a failed one, which the sweep deletes. */
export type UploadRecord = {
  _id: ObjectId;
  startedAt: Date;
  /** Its bytes are being deleted, so that it can no longer become a blob. */
  condemned: boolean;
};

export type CounterRecord = { _id: string; value: number };

/** A write with an idempotency key, under the id of the key. */
export type IdempotencyRecord = StoredWrite & {
  _id: string;
  /** The result of each command of the request, by command name; written in the transaction of the command. */
  results: Record<string, unknown>;
  /** Deleted by the store some time after this moment. */
  expiresAt: Date;
};

export type Records = {
  documents: DocumentRecord;
  numbers: NumberRecord;
  folders: FolderRecord;
  workspaces: WorkspaceRecord;
  versions: VersionRecord;
  revisions: RevisionRecord;
  views: ViewRecord;
  artifacts: ArtifactRecord;
  structures: StructureRecord;
  references: ReferenceRecord;
  draftBackups: DraftBackupRecord;
  blobs: BlobRecord;
  uploads: UploadRecord;
  jobs: JobRecord;
  jobLogs: JobLogRecord;
  runs: RunRecord;
  audit: AuditRecord;
  chains: ChainRecord;
  auditPending: PendingRecord;
  auditSeals: Seal;
  auditTree: AuditTreeRecord;
  auditCheckpoints: CheckpointRecord;
  eventCursors: EventCursorRecord;
  webhooks: WebhookRecord;
  webhookDeliveries: DeliveryRecord;
  users: UserRecord;
  tokens: TokenRecord;
  sessions: SessionRecord;
  counters: CounterRecord;
  idempotency: IdempotencyRecord;
};
export type CollectionName = keyof Records;
