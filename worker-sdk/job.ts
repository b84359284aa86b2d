/** A claimed job, as the service returns it. */
export type Job = {
  id: string;
  type: 'convert' | 'assemble' | 'export' | 'run';
  documentId: string;
  /** The draft or version that the results belong to. */
  versionId: string;
  /** The fencing token: every request about the job carries it. */
  attempt: number;
  /** SHA-256 (hex) of the input that the job was queued for. */
  inputSha256: string | null;
  /** The target format of an export, or `SPLIT` for a conversion that splits an assembly; otherwise null. */
  format: string | null;
  queuedAt: string;
  leaseSeconds: number;
  heartbeatSeconds: number;
};

/** An input file of a job. */
export type InputFile = {
  id: string;
  kind: string;
  fileName: string;
  contentType: string;
  size: number;
  sha256: string;
  url: string;
};
export type JobDocument = { id: string; number: string; name: string; kind: string };
export type JobVersion = {
  id: string;
  type: 'draft' | 'version';
  n: number | null;
  name: string | null;
  createdAt: string;
};
/** The document of a job, its draft or version, its input files, and the parameters of a run. */
export type JobMetadata = { document: JobDocument; version: JobVersion; files: InputFile[]; params: unknown };

/** Why a job must be stopped: this worker lost its lease, a user cancelled it, or the worker is shutting down. */
export type AbortReason = 'lease_lost' | 'cancelled' | 'shutdown';
