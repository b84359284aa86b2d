// The invariants of the store check.
import type { Trust } from '../domain/audit/verify-log.ts';
import type { Scope } from '../store/query/scope.ts';

/** The invariants of a store without concurrent writes, as listed in docs/operating.md. */
export const INVARIANTS = {
  I1: 'each document has exactly one main workspace, and each workspace exactly one draft',
  I2: 'numbers are unique, including those of deleted documents, and no counter is behind the highest number',
  I3: 'the versions of a document are numbered 1 to n without gaps',
  I4: 'the content hash of each version matches its files, and its BOM digest matches its references',
  I5: 'each reference of a version is frozen to an existing version with that content',
  I6: 'each released version has one revision; labels are unique, including those taken back',
  I7: 'of a deleted document only its number and its audit records remain',
  I8: 'the folders form a tree of at most 16 levels',
  I9: 'a workspace has at most one reservation, which ends after its start',
  I10: 'each file has the recorded length and SHA-256',
  I11: 'each file record has its bytes, and all bytes belong to a record',
  I12: 'each write has an audit record',
  I13: 'the hash chains of the audit log are intact, and its seals and checkpoints match its records',
  I14: 'the fields of each job match its status, it was completed once if it is done, and it has not exceeded its attempts',
  I15: 'each running job has a lease that expires',
  I16: 'each source in a draft has the job that its upload queued',
  I17: 'each derived file was derived from a file beside it, or is marked stale',
  I18: 'each run has the key of its code and parameters, one run per key is current, and each has its job',
  I19: 'no record contains a token in plain text',
  I20: 'no version contains itself',
  I21: 'the references of a draft or version match its asm.json and its state',
  I22: 'each record has the values that the audit log recorded last',
} as const;

export type Invariant = keyof typeof INVARIANTS;

/** A violated invariant; `id` is the id of the affected record. */
export type Violation = { invariant: Invariant; id: string; message: string };

export type CheckOptions = Trust & {
  /** Also reads and hashes every byte of every file. */
  readData: boolean;
};

export type Check = (scope: Scope, options: CheckOptions) => AsyncIterable<Violation>;
