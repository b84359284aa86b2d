import type { Trust } from '../domain/audit/verify-log.ts';
import type { Scope } from '../store/query/scope.ts';

/** What is always true of a store at rest, by the names the documentation uses. */
export const INVARIANTS = {
  I1: 'a document has one main workspace, a workspace one draft, and neither is without the other',
  I2: 'numbers are unique, those of deleted documents included, and no counter is behind',
  I3: 'the versions of a document are 1 to n without a gap',
  I4: 'the content hash of every version is that of its files, the digest of its structure that of what it uses',
  I5: 'every reference of a version is frozen to a version that exists, with the content it has',
  I6: 'a released version has one revision; labels are unique, those taken back included',
  I7: 'a deleted document has left its number and its audit records, and nothing else',
  I8: 'every folder lies in one that exists, in no circle, at most 16 deep',
  I9: 'a workspace has at most one reservation, which ends after it began',
  I10: 'every file has the length and the SHA-256 that are recorded',
  I11: 'no record is without its bytes, and no bytes are without a record',
  I12: 'every write has its audit record',
  I13: 'the chains of the audit log are unbroken, and its places and checkpoints are those of its records',
  I14: 'a job is in one state, completed once if it is done, and at one of its attempts',
  I15: 'a running job is held for a time that ends',
  I16: 'a source in a draft has the job that its upload queued',
  I17: 'what was derived was made from a file beside it, or is marked stale',
  I18: 'a run is found under its code and parameters, one answers for them, and it has its job',
  I19: 'no record holds a token in clear',
  I20: 'no version contains itself: every bill of material ends',
  I21: 'the references of a draft or version are those of its asm.json, and say where they stand',
} as const;

export type Invariant = keyof typeof INVARIANTS;

/** A broken invariant; `id` names the record that shows it. */
export type Violation = { invariant: Invariant; id: string; message: string };

export type CheckOptions = Trust & {
  /** Reads every byte of every file, and hashes it. */
  readData: boolean;
};

export type Check = (scope: Scope, options: CheckOptions) => AsyncIterable<Violation>;
