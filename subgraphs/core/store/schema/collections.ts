// Every collection: its name and the shape of its records; what it is looked up by is in indexes.ts. Nothing else in the code names a collection.
import type { ObjectId } from 'mongodb';
import type { StoredWrite } from '../../domain/access/idempotency-key.ts';
import type { AssemblyLine } from '../../domain/assembly/asm-references.ts';
import type { Frozen } from '../../domain/assembly/bom-digest.ts';
import type { Seal } from '../../domain/audit/seal-log.ts';
import type { CodeLocation } from '../../domain/jobs/code-location.ts';
import type { DocumentKind, JobStatus, JobType } from '../../domain/kinds.ts';
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
  /** The name folded for comparison and prefix search. */
  nameKey: string;
  kind: DocumentKind;
  description: string | null;
  folderId: string | null;
  archived: boolean;
  copiedFrom: { documentId: string; versionId: string } | null;
  /** The run that made it, and under which key; absent in documents that people made. */
  generated?: GeneratedBy;
  /** The STEP assembly it was taken out of; absent in all others. */
  importedFrom?: ImportedFrom;
  /** The highest n handed out; versions count from 1 without a gap. */
  lastVersion: number;
  /** The highest ordinal of a release ever handed out, taken back or not; absent in older records: 0. */
  lastRevision?: number;
  /** Labels of releases that were taken back: never handed out again. */
  takenBackLabels?: string[];
  /** Folded words of number, name and description, for search. */
  words: string[];
  /** The same words in their order, a space between, a line for each field: for phrases. */
  text: string;
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  updatedBy: string;
};

/** Where the generator of a code document lives; `commit` is the one whose files are among the artifacts, null while they have to be fetched. */
export type CodeRecord = CodeLocation & { commit: string | null; syncedAt: Date | null };

/** Where a generated document came from: the run, its generator at that commit, and the name that the generator gave the document. */
export type GeneratedBy = {
  runId: string;
  key: string;
  generatorId: string;
  versionId: string;
  n: number | null;
  commit: string;
};

/** The STEP file, uploaded to an assembly's draft, that a document was taken out of, and the job that did it. */
export type ImportedFrom = { documentId: string; versionId: string; jobId: string; fileName: string; sha256: string };

/** Who holds a number, forever: also after its document was deleted (then `deleted`). */
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
  releasedAs: { revisionId: string; label: string } | null;
  contentHash: string | null;
  /** Of a code document; absent in older records, as null: none was named. */
  code?: CodeRecord | null;
  /** Of an assembly: the digest of what it uses (core/domain/assembly/bom-digest.ts), frozen; of a draft as it was when its assemble job was queued. */
  bomDigest?: string | null;
  /** Jobs that were unfinished for the draft when this version was made of it: their results are delivered here too. */
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
  /** What spoke against the release when it was made; absent in older records: nothing. */
  warnings?: ReleaseWarning[];
  createdAt: Date;
  createdBy: string;
};

export type ArtifactRecord = {
  _id: string;
  documentId: string;
  versionId: string;
  kind: string;
  fileName: string;
  contentType: string;
  size: number;
  /** The blob that holds the content. */
  sha256: string;
  generator: string | null;
  inputSha256: string | null;
  jobId: string | null;
  stale: boolean;
  createdAt: Date;
  createdBy: string;
};

/** What an asm.json says, read once: by the SHA-256 of the file, like the blob that holds it. */
export type StructureRecord = { _id: string; lines: AssemblyLine[] };

/** A line of the assembly that a draft or version holds. */
export type ReferenceRecord = AssemblyLine & {
  /** `<versionId>/<line>`: in the order in which the drafts and versions were made. */
  _id: string;
  documentId: string;
  versionId: string;
  /** Where it stands: in a draft, in the version of the document with the highest n, or in an earlier one. */
  place: 'draft' | 'latest' | 'earlier';
  /** Its version is released. */
  released: boolean;
  /** What it meant when the version was made; null in a draft. */
  frozen: Frozen | null;
};

/** What a draft held before other content took its place, kept for a while so that it can be brought back. */
export type DraftBackupRecord = Lockable & {
  /** The id of the audit record of that change. */
  _id: string;
  documentId: string;
  workspaceId: string;
  draftId: string;
  artifacts: ArtifactRecord[];
  basedOnVersionId: string | null;
  parents: string[];
  code?: CodeRecord | null;
  awaitsJobs: string[];
  /** Absent in older records: null. */
  bomDigest?: string | null;
  createdAt: Date;
  /** Deleted by the store some time after this moment. */
  expiresAt: Date;
};

/** Immutable content, addressed by its SHA-256; the bytes are the GridFS file. */
export type BlobRecord = Lockable & { _id: string; fileId: ObjectId; size: number; createdAt: Date };
/** A GridFS file that no blob owns yet: an upload under way, or the rest of a refused or crashed one, which the sweeper deletes. */
export type UploadRecord = {
  _id: ObjectId;
  startedAt: Date;
  /** Its bytes are being deleted: it can no longer become a blob. */
  condemned: boolean;
};

export type CounterRecord = { _id: string; value: number };

/** A write that was asked for under a key, by Once.id. */
export type IdempotencyRecord = StoredWrite & {
  _id: string;
  /** What each command of the request answered, by the name of the command; written in the transaction of that command. */
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
