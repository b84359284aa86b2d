// Every collection: its name, the shape of its records, its indexes. Nothing else in the code names a collection.
import type { IndexDescription, ObjectId } from 'mongodb';
import type { AssemblyLine } from '../domain/asm-references.ts';
import type { Changes } from '../domain/audit-event.ts';
import type { Frozen } from '../domain/bom-digest.ts';
import type { CodeLocation } from '../domain/code-location.ts';
import type { DocumentKind, JobStatus, JobType } from '../domain/kinds.ts';
import type { KeptWrite } from '../domain/once.ts';
import type { Role } from '../domain/permissions.ts';
import type { ReleaseWarning } from '../domain/release.ts';
import type { Reservation } from '../domain/reservation.ts';
import type { LogTree, Pending, Seal } from '../domain/seal-log.ts';

export type { DocumentKind, JobStatus, JobType };

/** Fields of every record that a command may lock: `lock` counts its writes. */
type Lockable = { lock: number };

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
export type GeneratedBy = { runId: string; key: string; generatorId: string; versionId: string; n: number | null; commit: string };

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
  /** Of an assembly: the digest of what it uses (core/domain/bom-digest.ts), frozen; of a draft as it was when its assemble job was queued. */
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

/** Log lines that arrived together; `first` is the place of the first one in the job's log, absent in older records. */
export type JobLogRecord = { _id: ObjectId; jobId: string; first?: number; at: Date; lines: string[] };
export type JobErrorRecord = { code: string; message: string; final: boolean };

export type JobRecord = Lockable & {
  _id: string;
  /** Oldest first: milliseconds of queueing, made unique and rising within a process; two processes may give the same one, so lists go on by _id. */
  seq: number;
  documentId: string;
  versionId: string;
  type: JobType;
  status: JobStatus;
  /** Words the worker's environment must contain, as sorted `key:value`. */
  environment: string[];
  /** The same words joined by blanks: one value to look up, where an array would need a multikey index. */
  environmentKey: string;
  /** Rises with every claim and never falls: the fence. */
  attempt: number;
  maxAttempts: number;
  /** Disappearances that count. */
  lost: number;
  /** How often it found an input not made yet; absent: never. */
  waits?: number;
  /** Jobs whose end it waits for; absent: it never waited for any. */
  awaits?: string[];
  /** The token that holds it, and those that held an earlier attempt. */
  tokenId: string | null;
  earlierTokenIds: string[];
  /** The tokens that disappeared with it: their workers may come back from the dead. */
  lostTokenIds: string[];
  workerId: string | null;
  leaseExpiresAt: Date | null;
  cancelAsked: boolean;
  inputSha256: string | null;
  inputKinds: string[];
  format: string | null;
  runId: string | null;
  progress: { percent: number; step: string } | null;
  /** Lines and characters of log stored so far; the lines are in jobLogs. */
  logLines: number;
  logSize: number;
  error: JobErrorRecord | null;
  /** The attempt that ended it, so that a repeated complete or fail is answered again without a second effect. */
  endedAttempt: number | null;
  queuedAt: Date;
  queuedBy: string;
  availableAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
};

/** One execution of a generator with certain parameters. */
export type RunRecord = Lockable & {
  _id: string;
  /** Generator, commit and parameters as one hash; of the runs with the same key one is current and answers for it. */
  key: string;
  current: boolean;
  documentId: string;
  versionId: string;
  /** The drafts and versions in which it was asked for. */
  versionIds: string[];
  code: CodeLocation & { commit: string };
  /** The archive that was run. */
  codeSha256: string;
  generator: { name: string; version: string };
  /** Canonical JSON. */
  params: string;
  paramsHash: string;
  forced: boolean;
  jobId: string;
  /** Null until it is done. */
  result: { documentIds: string[]; engine: string; isolation: string; at: Date } | null;
  createdAt: Date;
  createdBy: string;
};

export type AuditRecord = {
  _id: string;
  chain: string;
  chainSeq: number;
  at: Date;
  /** `onBehalfOf`: who queued the job that a worker or the service did something to; absent where it is nobody, and in older records. */
  by: { id: string; role: Role | 'system'; via: string; tokenId: string | null; onBehalfOf?: string };
  action: string;
  documentId: string | null;
  versionId: string | null;
  revisionId: string | null;
  workspaceId: string | null;
  folderId: string | null;
  jobId: string | null;
  summary: string;
  changes: Changes;
  requestId: string;
  /** The address the request came from; null: the service itself. */
  ip: string | null;
  /** The route the request came by; absent where the service did it by itself, and in older records. */
  route?: string;
  prevHash: string;
  hash: string;
};
/** The head of an audit chain. */
export type ChainRecord = { _id: string; chainSeq: number; hash: string };
/** The tree of the sealed records, and which process seals them now. There is one. */
export type AuditTreeRecord = LogTree & { _id: 'tree'; sealer: string | null; leaseUntil: Date };
/** A signed checkpoint, by the number of records it covers. */
export type CheckpointRecord = { _id: number; note: string; at: Date };

/** How far somebody who follows the log has come, and which process follows it. A webhook's has the webhook's id and holds only the lease. */
export type EventCursorRecord = Lockable & { _id: string; seq: number; holder: string | null; leaseUntil: Date };

export type WebhookRecord = Lockable & {
  _id: string;
  name: string;
  url: string;
  /** The types of events it gets; none: all that every reader sees. */
  types: string[];
  enabled: boolean;
  /** Why the service turned it off; null when it did not. */
  disabledReason: string | null;
  /** It gets what was recorded after this place in the log. */
  afterSeq: number;
  /** What deliveries are signed with, closed (core/webhook-secret.ts); `until`: an earlier one, good until then. */
  secrets: { sealed: string; until: Date | null }[];
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  updatedBy: string;
};

/** An event on its way to a webhook. */
export type DeliveryRecord = {
  /** `<webhookId>:<eventId>`: an event goes to a webhook once, in however many tries. */
  _id: string;
  webhookId: string;
  eventId: string;
  action: string;
  /** Its place in the log; null: looked up when it is sent. */
  seq: number | null;
  status: 'waiting' | 'delivered' | 'failed';
  /** Somebody asked for it, so it is sent to a webhook that is turned off too. */
  forced: boolean;
  failures: number;
  /** The newest tries: `answer` is the beginning of what came back. */
  tries: { at: Date; ms: number; status: number | null; error: string | null; answer: string | null }[];
  /** When it is tried next, 0: as soon as it can be; once it has ended, when it did. */
  nextAt: Date;
  createdAt: Date;
  endedAt: Date | null;
  /** Deleted by the store some time after this moment. */
  expiresAt: Date;
};

export type UserRecord = {
  _id: string;
  name: string;
  role: Role;
  /** A disabled user stays, for the records that name it; none of its tokens is good. Absent in older records: not disabled. */
  disabled?: boolean;
  /** Who it is to the identity provider, if it signs in there. */
  oidc?: { issuer: string; subject: string } | null;
  createdAt: Date;
};
export type TokenRecord = {
  _id: string;
  /** The 8 characters after `pdm_`, shown to people. */
  prefix: string;
  /** SHA-256 (hex) of the whole token; the token itself is never stored. */
  sha256: string;
  userId: string;
  role: Role;
  name: string;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};
/** Somebody who is signed in from a browser. */
export type SessionRecord = {
  _id: string;
  /** SHA-256 (hex) of the secret in the cookie; the secret itself is never stored. */
  sha256: string;
  userId: string;
  /** The token it began with, and ends with; null: one of the identity provider. */
  tokenId: string | null;
  /** The role that the identity provider gave; null: that of the token and the user, as they are at the time. */
  role: Role | null;
  createdAt: Date;
  /** Deleted by the store some time after this moment. */
  expiresAt: Date;
};
export type CounterRecord = { _id: string; value: number };

/** A write that was asked for under a key, by Once.id. */
export type IdempotencyRecord = KeptWrite & {
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
  auditPending: Pending;
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

const unique = { unique: true } as const;

/** The indexes of every collection; each query of the store files is answered by one of them. */
export const INDEXES: Record<CollectionName, IndexDescription[]> = {
  documents: [
    { key: { number: 1 }, ...unique },
    // a list by each field, of a folder and of all; then those that hold the archived ones too
    { key: { folderId: 1, archived: 1, number: 1 } },
    { key: { folderId: 1, archived: 1, nameKey: 1, _id: 1 } },
    { key: { folderId: 1, archived: 1, createdAt: -1, _id: -1 } },
    { key: { folderId: 1, archived: 1, updatedAt: -1, _id: -1 } },
    { key: { archived: 1, number: 1 } },
    { key: { archived: 1, nameKey: 1, _id: 1 } },
    { key: { archived: 1, createdAt: -1, _id: -1 } },
    { key: { archived: 1, updatedAt: -1, _id: -1 } },
    { key: { updatedAt: -1, _id: -1 } },
    { key: { createdAt: -1, _id: -1 } },
    { key: { nameKey: 1, _id: 1 } },
    { key: { words: 1 } },
    { key: { 'generated.generatorId': 1 }, partialFilterExpression: { 'generated.generatorId': { $exists: true } } },
  ],
  numbers: [],
  folders: [{ key: { parentId: 1, nameKey: 1 }, ...unique }],
  workspaces: [{ key: { documentId: 1, nameKey: 1 }, ...unique }, { key: { draftId: 1 }, ...unique }, { key: { fromVersionId: 1 } }],
  versions: [
    { key: { documentId: 1, n: -1 }, unique: true, partialFilterExpression: { type: 'version' } },
    { key: { documentId: 1, type: 1, n: -1 } },
    { key: { workspaceId: 1 }, unique: true, partialFilterExpression: { type: 'draft' } },
    { key: { workspaceId: 1, type: 1, n: -1 } },
    { key: { awaitsJobs: 1 } },
    { key: { parents: 1 } },
  ],
  revisions: [
    { key: { documentId: 1, ordinal: -1 }, ...unique },
    { key: { documentId: 1, label: 1 }, ...unique },
    { key: { versionId: 1 }, ...unique },
  ],
  artifacts: [{ key: { versionId: 1, kind: 1 }, ...unique }, { key: { documentId: 1, kind: 1, createdAt: -1 } }, { key: { sha256: 1 } }],
  structures: [],
  references: [
    { key: { versionId: 1, line: 1 }, ...unique },
    { key: { documentId: 1, place: 1 } },
    { key: { target: 1, place: 1, _id: -1 } },
    { key: { target: 1, released: 1, _id: -1 } },
    { key: { target: 1, 'at.label': 1, 'at.n': 1, place: 1, _id: -1 } },
    { key: { 'frozen.versionId': 1, place: 1, _id: -1 } },
  ],
  draftBackups: [
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
    { key: { documentId: 1 } },
    { key: { workspaceId: 1 } },
    { key: { 'artifacts.sha256': 1 } },
  ],
  blobs: [{ key: { fileId: 1 }, ...unique }],
  uploads: [{ key: { condemned: 1, startedAt: 1 } }],
  jobs: [
    { key: { status: 1, type: 1, environmentKey: 1, seq: 1 } },
    { key: { status: 1, leaseExpiresAt: 1 } },
    { key: { status: 1, seq: -1, _id: -1 } },
    { key: { versionId: 1, seq: -1, _id: -1 } },
    { key: { documentId: 1, seq: -1, _id: -1 } },
    { key: { seq: -1, _id: -1 } },
    { key: { awaits: 1 }, partialFilterExpression: { awaits: { $exists: true } } },
  ],
  jobLogs: [{ key: { jobId: 1, _id: 1 } }, { key: { jobId: 1, first: 1 } }],
  runs: [
    { key: { key: 1 }, unique: true, partialFilterExpression: { current: true } },
    { key: { versionIds: 1, createdAt: -1, _id: -1 } },
    { key: { documentId: 1 } },
  ],
  audit: [
    { key: { chain: 1, chainSeq: -1 }, ...unique },
    { key: { versionId: 1, at: -1, _id: -1 } },
    { key: { revisionId: 1, at: -1, _id: -1 } },
    { key: { requestId: 1 } },
    { key: { at: -1, _id: -1 } },
    { key: { 'by.id': 1, at: -1, _id: -1 } },
    { key: { action: 1, at: -1, _id: -1 } },
  ],
  chains: [],
  auditPending: [{ key: { chain: 1, chainSeq: 1 }, ...unique }],
  auditSeals: [{ key: { auditId: 1 }, ...unique }],
  auditTree: [],
  auditCheckpoints: [],
  eventCursors: [],
  webhooks: [],
  webhookDeliveries: [
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
    { key: { webhookId: 1, status: 1, forced: 1, nextAt: 1, seq: 1 } },
    { key: { webhookId: 1, createdAt: -1, _id: -1 } },
  ],
  users: [{ key: { createdAt: 1, _id: 1 } }, { key: { name: 1, _id: 1 } }, { key: { role: 1 } }],
  tokens: [
    { key: { prefix: 1 }, ...unique },
    { key: { userId: 1, createdAt: -1, _id: -1 } },
    { key: { createdAt: -1, _id: -1 } },
    { key: { userId: 1, name: 1, _id: 1 } },
    { key: { name: 1, _id: 1 } },
  ],
  sessions: [
    { key: { sha256: 1 }, ...unique },
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  counters: [],
  idempotency: [{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
};
