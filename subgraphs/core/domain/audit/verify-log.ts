// The audit log verified from its records up: chains, places, tree, signatures, and checkpoints that were kept elsewhere.
import { openCheckpoint, originOf, readCheckpoint } from './checkpoint.ts';
import { rootOf } from './merkle.ts';
import { edgeOf, type LogTree, type Pending, type Seal } from './seal-log.ts';
import type { Verifier } from './signed-note.ts';
import { verifyChains } from './verify-chains.ts';
import { type Mark, verifyTree } from './verify-tree.ts';

/** An audit record as its chain knows it; the other fields count in its hash. */
export type Link = { _id: string; chain: string; chainSeq: number; prevHash: string; hash: string };
/** A record of which only the links are shown; `mustBe`: what auditHash makes of the whole record. */
export type HashedLink = Link & { mustBe: string };
/** The last record of a chain. */
export type Head = { _id: string; chainSeq: number; hash: string };
export type Batches<T> = AsyncIterable<readonly T[]>;

/** A log as it is stored; it may grow while it is read. */
export type StoredLog = {
  tree(): Promise<LogTree | null>;
  /** In the order of their sizes, which are their ids. */
  checkpoints(): Batches<{ _id: number; note: string }>;
  heads(): Batches<Head>;
  head(chain: string): Promise<Head | null>;
  /** All of them, in the order of their ids. */
  records(): Batches<HashedLink>;
  /** All of them, as they are stored, in any order. */
  wholeRecords(): Batches<Link>;
  /** Those of one chain, in its order. */
  recordsOf(chain: string): Batches<Link>;
  /** Those after a place, in the order of their places. */
  seals(after: number): Batches<Seal>;
  /** All of them, in the order of the ids of their records. */
  sealsById(): Batches<Seal>;
  sealsOf(auditIds: readonly string[]): Promise<Seal[]>;
  /** What waits to be sealed. */
  pending(): Batches<Pending>;
  /** Those of the ids that wait to be sealed. */
  pendingAmong(auditIds: readonly string[]): Promise<string[]>;
  /** Those of the ids that have a record. */
  recordsAmong(auditIds: readonly string[]): Promise<Pick<Link, '_id' | 'chain'>[]>;
};

/**
 * Which records are read: all of them, those of one chain, or those of the chains that went on after a place of the log. The
 * tree is always read whole.
 */
export type Extent = { chain?: string; since?: number };

export type Trust = {
  /** The public keys whose checkpoints count, under the name of the log; none when the key is not at hand. */
  verifiers(origin: string): readonly Verifier[];
  /** Checkpoints that were kept outside the store. */
  outside?: readonly string[];
};

/** Something that is not as it was written; `id` names the record, seal, chain or checkpoint. */
export type LogError = { id: string; message: string };

export type Verification = {
  /** `unknown`: nothing was found, but not all could be checked; `warnings` say what. */
  verdict: 'intact' | 'tampered' | 'unknown';
  /** In the order they were found, the first hundred. */
  errors: LogError[];
  warnings: string[];
  records: number;
  chains: number;
  sealed: number;
  pending: number;
  checkpoints: number;
  outside: number;
  /** The log's name, and the root of all that is sealed, in base64. */
  origin: string | null;
  root: string | null;
};

const MOST_FAULTS = 100;

/** Verifies a log. What is appended meanwhile is not mistaken for a fault. */
export async function verifyLog(
  log: StoredLog,
  { verifiers, outside = [] }: Trust,
  extent: Extent = {},
): Promise<Verification> {
  const warnings: string[] = [];
  const reporting = (errors: LogError[]): Report => ({
    fault: (id, message) => void (errors.length < MOST_FAULTS && errors.push({ id, message })),
    doubt: (message) => void warnings.push(message),
    full: () => errors.length >= MOST_FAULTS,
  });
  const [inRecords, inTree]: [LogError[], LogError[]] = [[], []];
  const report = reporting(inTree);
  // From what is signed to what is not: whatever comes in between is newer than the signature.
  const stored = await all(log.checkpoints());
  const tree = await log.tree();
  const { since = 0 } = extent;
  if (since > (tree?.size ?? 0))
    report.doubt(
      `The log ends with number ${tree?.size ?? 0}: there is nothing after number ${since}. Was it cut off?`,
    );
  const origin = tree && originOf(tree.log);
  const trusted = origin ? verifiers(origin) : [];
  if (!trusted.length && tree?.note)
    report.doubt('The key that signs checkpoints is not at hand: their signatures were not checked.');
  const marks = [...storedMarks(stored, tree, trusted, report), ...outsideMarks(outside, origin, trusted, report)];
  const whole = extent.chain === undefined && extent.since === undefined;
  // Both at once: while one waits for the store, the other one hashes.
  const reading = verifyChains(log, extent, reporting(inRecords));
  const found = reading.then(({ sealed }) => (whole ? sealed : null));
  found.catch(() => undefined); // told by the reading itself
  const [chains] = await Promise.all([reading, verifyTree(log, tree, marks, found, report)]);
  const errors = [...inRecords, ...inTree].slice(0, MOST_FAULTS);
  return {
    verdict: errors.length ? 'tampered' : warnings.length ? 'unknown' : 'intact',
    errors,
    warnings,
    ...chains,
    checkpoints: stored.length,
    outside: outside.length,
    origin,
    root: tree && rootOf(edgeOf(tree)).toString('base64'),
  };
}

/** Receives errors and warnings; `full` reports whether the maximum number of errors is reached. */
export type Report = { fault(id: string, message: string): void; doubt(message: string): void; full(): boolean };

/** What the store's own checkpoints say; one that is not signed by a trusted key is a fault. */
function storedMarks(
  stored: readonly { _id: number; note: string }[],
  tree: LogTree | null,
  trusted: readonly Verifier[],
  { fault }: Report,
): Mark[] {
  const newest = tree?.size ? [{ _id: tree.size, note: tree.note ?? '', id: 'tree' }] : [];
  const notes = [...stored.map((checkpoint) => ({ ...checkpoint, id: `checkpoint ${checkpoint._id}` })), ...newest];
  return notes.flatMap(({ _id: size, note, id }) => {
    const said = trusted.length ? openCheckpoint(note, trusted) : readCheckpoint(note);
    if (said?.size === size && said.origin === originOf(tree?.log ?? '')) return [{ id, ...said }];
    fault(id, `The checkpoint of ${size} records is not one that this log signed.`);
    return [];
  });
}

/** What checkpoints kept elsewhere say. They are believed for having been elsewhere; a signature that is not ours is a doubt. */
function outsideMarks(
  notes: readonly string[],
  origin: string | null,
  trusted: readonly Verifier[],
  { fault, doubt }: Report,
): Mark[] {
  return notes.flatMap((note) => {
    const said = readCheckpoint(note);
    if (!said) doubt(`A checkpoint from outside cannot be read: ${JSON.stringify(note.slice(0, 80))}.`);
    else if (!origin) fault('tree', `A checkpoint from outside covers ${said.size} records, and the store has none.`);
    else if (said.origin !== origin)
      doubt(`A checkpoint from outside is of another log: ${said.origin}, not ${origin}.`);
    else {
      if (trusted.length && !openCheckpoint(note, trusted))
        doubt(`The checkpoint of ${said.size} records from outside is not signed with a key of this log.`);
      return [{ id: `checkpoint ${said.size} from outside`, ...said }];
    }
    return [];
  });
}

async function all<T>(batches: Batches<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const batch of batches) found.push(...batch);
  return found;
}
