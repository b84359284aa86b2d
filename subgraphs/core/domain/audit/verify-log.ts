// Verifies the audit log: chains, seals, tree, signatures, and checkpoints kept outside the store.

import { logOrigin, openCheckpoint, parseCheckpoint } from './checkpoint.ts';
import type { Difference } from './compare-records.ts';
import { treeRoot } from './merkle.ts';
import { type LogTree, type PendingLink, type Seal, storedEdge } from './seal-log.ts';
import type { Verifier } from './signed-note.ts';
import { verifyChains } from './verify-chains.ts';
import { type ExpectedRoot, verifyTree } from './verify-tree.ts';

/** The chain fields of an audit record. Its hash covers the other fields too. */
export type ChainLink = { _id: string; chain: string; chainSeq: number; prevHash: string; hash: string };
/** The chain fields of a record, with the `auditHash` of the whole record. */
export type HashedLink = ChainLink & { expectedHash: string };
/** The last record of a chain. */
export type ChainHead = { _id: string; chainSeq: number; hash: string };
export type Batches<T> = AsyncIterable<readonly T[]>;

/** A stored log. It can grow while it is read. */
export type StoredLog = {
  tree(): Promise<LogTree | null>;
  /** All checkpoints by size. The id of a checkpoint is the size of the log that it signs. */
  checkpoints(): Batches<{ _id: number; note: string }>;
  heads(): Batches<ChainHead>;
  head(chain: string): Promise<ChainHead | null>;
  /** The chain fields of all records in the order of their ids, with the computed hash. */
  hashedRecords(): Batches<HashedLink>;
  /** All records with all stored fields, in any order (for the export). */
  storedRecords(): Batches<ChainLink>;
  /** The records of one chain in order. */
  recordsOf(chain: string): Batches<ChainLink>;
  /** The seals after a position in order. */
  seals(after: number): Batches<Seal>;
  /** All seals in the order of their record ids. */
  sealsById(): Batches<Seal>;
  sealsOf(auditIds: readonly string[]): Promise<Seal[]>;
  /** The records to seal. */
  pending(): Batches<PendingLink>;
  /** The ids of the given records that are pending. */
  pendingAmong(auditIds: readonly string[]): Promise<string[]>;
  /** The given records that exist. */
  recordsAmong(auditIds: readonly string[]): Promise<Pick<ChainLink, '_id' | 'chain'>[]>;
};

/**
 * The records to verify: all, those of one chain, or those of the chains with records after a position. The tree is
 * always verified in full.
 */
export type VerificationScope = { chain?: string; since?: number };

export type Trust = {
  /** Returns the trusted keys of a log. Empty if no key is available. */
  verifiers(origin: string): readonly Verifier[];
  /** Checkpoints kept outside the store. */
  externalCheckpoints?: readonly string[];
};

/**
 * Evidence of tampering. `id` is that of the record, seal, chain or checkpoint. If a stored record differs from the log,
 * `collection` is its collection, and `field` its field with the logged and the stored value (`field` null: the whole
 * record).
 */
export type LogError = { id: string; message: string } & Partial<Difference & { collection: string }>;

export type Verification = {
  /** `unknown`: no errors, but not everything could be checked, as `warnings` explain. */
  verdict: 'intact' | 'tampered' | 'unknown';
  /** The first hundred errors in the order of their detection. */
  errors: LogError[];
  /** How many more there are, at least: after many errors in the chains, the rest of them is not verified. */
  moreErrors: number;
  warnings: string[];
  records: number;
  chains: number;
  sealed: number;
  pending: number;
  checkpoints: number;
  externalCheckpoints: number;
  /** The name of the log, and the root hash of the sealed records in base64. */
  origin: string | null;
  root: string | null;
};

/** The maximum number of errors of a verification. */
export const MAX_ERRORS = 100;

/** Verifies a log. Records appended meanwhile do not cause errors. */
export async function verifyLog(
  log: StoredLog,
  { verifiers, externalCheckpoints = [] }: Trust,
  scope: VerificationScope = {},
): Promise<Verification> {
  const warnings: string[] = [];
  let count = 0;
  const reporter = (errors: LogError[]): Reporter => ({
    error: (id, message) => {
      count += 1;
      if (errors.length < MAX_ERRORS) errors.push({ id, message });
    },
    warn: (message) => void warnings.push(message),
    full: () => errors.length >= MAX_ERRORS,
  });
  const [recordErrors, treeErrors]: [LogError[], LogError[]] = [[], []];
  const report = reporter(treeErrors);
  // Reads checkpoints before records, so that records appended meanwhile are newer than the checkpoints, never missing.
  const stored = await readAll(log.checkpoints());
  const tree = await log.tree();
  const { since = 0 } = scope;
  if (since > (tree?.size ?? 0))
    report.warn(
      `The log ends at position ${tree?.size ?? 0}, before the requested position ${since}. It may have been truncated.`,
    );
  const origin = tree && logOrigin(tree.log);
  const trusted = origin ? verifiers(origin) : [];
  if (!trusted.length && tree?.note)
    report.warn('No key of this log is available, so the signatures of checkpoints were not checked.');
  const expectedRoots = [
    ...storedRoots(stored, tree, trusted, report),
    ...externalRoots(externalCheckpoints, origin, trusted, report),
  ];
  const isComplete = scope.chain === undefined && scope.since === undefined;
  // Concurrently: while one waits for the store, the other hashes.
  const chainsVerified = verifyChains(log, scope, reporter(recordErrors));
  const sealedCount = chainsVerified.then(({ sealed }) => (isComplete ? sealed : null));
  sealedCount.catch(() => undefined); // chainsVerified reports the error
  const [chains] = await Promise.all([chainsVerified, verifyTree(log, tree, expectedRoots, sealedCount, report)]);
  const errors = [...recordErrors, ...treeErrors].slice(0, MAX_ERRORS);
  return {
    verdict: verdictOf(errors, warnings),
    errors,
    moreErrors: count - errors.length,
    warnings,
    ...chains,
    checkpoints: stored.length,
    externalCheckpoints: externalCheckpoints.length,
    origin,
    root: tree && treeRoot(storedEdge(tree)).toString('base64'),
  };
}

/** Returns the verdict of a verification with these errors and warnings. */
export function verdictOf(errors: readonly LogError[], warnings: readonly string[]): Verification['verdict'] {
  if (errors.length) return 'tampered';
  return warnings.length ? 'unknown' : 'intact';
}

/** Receives errors and warnings. `full` returns whether the maximum number of errors is reached. */
export type Reporter = { error(id: string, message: string): void; warn(message: string): void; full(): boolean };

/** Returns the roots of the stored checkpoints. Reports an error for one that is not signed by a trusted key. */
function storedRoots(
  stored: readonly { _id: number; note: string }[],
  tree: LogTree | null,
  trusted: readonly Verifier[],
  { error }: Reporter,
): ExpectedRoot[] {
  const newest = tree?.size ? [{ _id: tree.size, note: tree.note ?? '', id: 'tree' }] : [];
  const notes = [...stored.map((record) => ({ ...record, id: `checkpoint ${record._id}` })), ...newest];
  return notes.flatMap(({ _id: size, note, id }) => {
    const checkpoint = trusted.length ? openCheckpoint(note, trusted) : parseCheckpoint(note);
    if (checkpoint?.size === size && checkpoint.origin === logOrigin(tree?.log ?? '')) return [{ id, ...checkpoint }];
    error(id, `The checkpoint of ${size} records was not signed by this log.`);
    return [];
  });
}

/**
 * Returns the roots of external checkpoints. They are trusted because they are kept outside the store, so an unknown
 * signature is only a warning.
 */
function externalRoots(
  notes: readonly string[],
  origin: string | null,
  trusted: readonly Verifier[],
  { error, warn }: Reporter,
): ExpectedRoot[] {
  return notes.flatMap((note) => {
    const checkpoint = parseCheckpoint(note);
    if (!checkpoint) warn(`An external checkpoint cannot be parsed: ${JSON.stringify(note.slice(0, 80))}.`);
    else if (!origin) error('tree', `An external checkpoint covers ${checkpoint.size} records, but the log is empty.`);
    else if (checkpoint.origin !== origin)
      warn(`An external checkpoint belongs to another log: ${checkpoint.origin}, not ${origin}.`);
    else {
      if (trusted.length && !openCheckpoint(note, trusted))
        warn(`The external checkpoint of ${checkpoint.size} records is not signed with a key of this log.`);
      return [{ id: `external checkpoint ${checkpoint.size}`, ...checkpoint }];
    }
    return [];
  });
}

async function readAll<T>(batches: Batches<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const batch of batches) found.push(...batch);
  return found;
}
