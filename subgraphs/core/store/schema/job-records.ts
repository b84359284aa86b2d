// What is kept of jobs and of runs of generators.
import type { ObjectId } from 'mongodb';
import type { CodeLocation } from '../../domain/jobs/code-location.ts';
import type { JobStatus, JobType } from '../../domain/kinds.ts';
import type { Lockable } from './lockable.ts';

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
  /** The attempt whose worker said that it ended, and the token that held it, so that saying so again is answered without a second effect. */
  endedAttempt: number | null;
  /** Absent: no worker said so yet. */
  endedTokenId?: string | null;
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
