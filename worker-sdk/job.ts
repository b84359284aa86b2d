/** A job in this worker's hands, as the service handed it out. */
export type Job = {
  id: string;
  type: 'convert' | 'assemble' | 'export' | 'run';
  documentId: string;
  /** The draft or version that the results belong to. */
  versionId: string;
  /** The fence: sent with everything that is said about the job. */
  attempt: number;
  /** SHA-256 (hex) of the input that the job was queued for. */
  inputSha256: string | null;
  /** Of an export: what is wanted. */
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
export type JobVersion = { id: string; type: 'draft' | 'version'; n: number | null; name: string | null };
/** What a job is about: its document, its draft or version, its input files, and for a run the parameters. */
export type JobPapers = { document: JobDocument; version: JobVersion; files: InputFile[]; params: unknown };

/** Why a job must be let go of: the service gave it up, a user cancelled it, or this worker is being stopped. */
export type Reason = 'lease_lost' | 'cancel' | 'shutdown';
