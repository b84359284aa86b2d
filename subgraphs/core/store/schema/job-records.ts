// Records of jobs, their logs, and runs of generators.
import type { ObjectId } from 'mongodb';
import type { CodeLocation } from '../../domain/jobs/code-location.ts';
import type { JobStatus, JobType } from '../../domain/kinds.ts';
import type { Lockable } from './lockable.ts';

/**
 * Log lines that arrived in one request; `first` is the index of the first line in the log, absent in older records.
 */
export type JobLogRecord = { _id: ObjectId; jobId: string; first?: number; at: Date; lines: string[] };
export type JobErrorRecord = { code: string; message: string; final: boolean };

export type JobRecord = Lockable & {
  _id: string;
  /**
   * The queue position, oldest first: the queueing time in milliseconds × 1024, unique and rising within a process. Two
   * processes may use the same one, so that lists also sort by _id.
   */
  seq: number;
  documentId: string;
  versionId: string;
  type: JobType;
  status: JobStatus;
  /** The environment that the worker must offer, as sorted `key:value` words. */
  environment: string[];
  /** The same words joined by spaces: one value to look up, where an array would need a multikey index. */
  environmentKey: string;
  /** Incremented by every claim, never decremented: the fencing token. */
  attempt: number;
  maxAttempts: number;
  /** The number of lost attempts. */
  lost: number;
  /** The number of times that an input was not ready; absent: 0. */
  waits?: number;
  /** Jobs whose end it waits for; absent: none. */
  awaits?: string[];
  /** The token that holds the job, and the tokens of earlier attempts. */
  tokenId: string | null;
  earlierTokenIds: string[];
  /** The tokens whose attempts were lost; their workers may return. */
  lostTokenIds: string[];
  workerId: string | null;
  leaseExpiresAt: Date | null;
  /** The duration of the lease that the last claim requested; absent: that of the service. */
  leaseSeconds?: number;
  cancelAsked: boolean;
  inputSha256: string | null;
  inputKinds: string[];
  /** The size of the main input file; absent in jobs of earlier versions. */
  inputBytes?: number | null;
  /** Only in light jobs (`light-job.ts`), for their index. */
  light?: true;
  format: string | null;
  runId: string | null;
  progress: { percent: number; step: string } | null;
  /** The number of lines and characters of the stored log; the lines are in jobLogs. */
  logLines: number;
  logSize: number;
  error: JobErrorRecord | null;
  /** The attempt that its worker reported as ended; a repeated report has no second effect. */
  endedAttempt: number | null;
  /** The token of that report; absent: there was none. */
  endedTokenId?: string | null;
  queuedAt: Date;
  queuedBy: string;
  availableAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
};

/** One execution of a generator with given parameters. */
export type RunRecord = Lockable & {
  _id: string;
  /** The hash of generator, commit and parameters; one of the runs with the same key is `current`. */
  key: string;
  current: boolean;
  documentId: string;
  versionId: string;
  /** The drafts and versions in which it was requested. */
  versionIds: string[];
  code: CodeLocation & { commit: string };
  /** The archive with the executed code. */
  codeSha256: string;
  generator: { name: string; version: string };
  /** Canonical JSON. */
  params: string;
  paramsHash: string;
  forced: boolean;
  jobId: string;
  /** Null until the run is done. */
  result: { documentIds: string[]; engine: string; isolation: string; at: Date } | null;
  createdAt: Date;
  createdBy: string;
};
