// Resolves addresses of documents to versions.
import { type Address, addressKey } from '../../domain/assembly/address.ts';
import type { FrozenReference } from '../../domain/assembly/bom-digest.ts';
import { type Candidates, type ResolveResult, resolveAddress } from '../../domain/assembly/reference.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import { revisionsOf } from '../revisions.ts';
import type { DocumentRecord, RevisionRecord, VersionRecord } from '../schema/collections.ts';

/**
 * The result of resolving an address now: its document, the version, and why; `newest` is the result for the address
 * without a suffix.
 */
export type Target = {
  document: DocumentRecord | null;
  version: VersionRecord | null;
  resolved: ResolveResult;
  newest: ResolveResult;
};

const CHUNK_SIZE = 1000;

/** Resolves addresses, with three queries for up to 1,000 documents. Returns the targets by `addressKey`. */
export async function resolveReferences(scope: Scope, addresses: readonly Address[]): Promise<Map<string, Target>> {
  const documents = await findDocuments(scope, new Set(addresses.map(({ target }) => target)));
  const ids = [...new Set([...documents.values()].map(({ _id }) => _id))];
  const revisions = Map.groupBy(
    await inChunks(ids, (chunk) => revisionsOf(scope, chunk)),
    ({ documentId }) => documentId,
  );
  const versions = Map.groupBy(
    await versionsToResolve(scope, addresses, documents, revisions),
    ({ documentId }) => documentId,
  );

  const targets = new Map<string, Target>();
  for (const address of addresses) {
    const key = addressKey(address);
    if (targets.has(key)) continue;
    const document = documents.get(address.target) ?? null;
    const known = document ? (versions.get(document._id) ?? []) : [];
    const candidates = document && candidatesOf(document, known, revisions.get(document._id) ?? []);
    const resolved = resolveAddress(address, candidates);
    const newest = resolveAddress({ ...address, at: { as: 'newest' } }, candidates);
    const version = known.find(({ _id }) => _id === resolved.resolution?.versionId) ?? null;
    targets.set(key, { document, version, resolved, newest });
  }
  return targets;
}

/** Returns the documents with these numbers (upper case) or ids, by number or id, without unknown ones. */
export async function findDocuments(scope: Scope, names: ReadonlySet<string>): Promise<Map<string, DocumentRecord>> {
  // ids contain an underscore, numbers do not
  const [ids, numbers] = [
    [...names].filter((name) => name.includes('_')),
    [...names].filter((name) => !name.includes('_')),
  ];
  const documents = collection(scope, 'documents');
  const byId = await inChunks(ids, (chunk) => documents.find({ _id: { $in: chunk } }, within(scope)).toArray());
  const byNumber = await inChunks(numbers, (chunk) =>
    documents.find({ number: { $in: chunk } }, within(scope)).toArray(),
  );
  return new Map([
    ...byId.map((document) => [document._id, document] as const),
    ...byNumber.map((document) => [document.number, document] as const),
  ]);
}

/** Runs a query for chunks of the keys, by default 1,000 at a time, and returns all results. */
export async function inChunks<K, R>(
  keys: readonly K[],
  read: (chunk: K[]) => Promise<R[]>,
  chunkSize = CHUNK_SIZE,
): Promise<R[]> {
  const found: R[] = [];
  for (let i = 0; i < keys.length; i += chunkSize)
    for (const record of await read(keys.slice(i, i + chunkSize))) found.push(record);
  return found;
}

export function candidatesOf(
  document: DocumentRecord,
  versions: readonly VersionRecord[],
  revisions: readonly RevisionRecord[],
): Candidates {
  return { document, revisions, versions: versions.map(({ _id, n }) => ({ _id, n: n ?? 0 })) };
}

// Returns for each document its newest version, the versions that the addresses name by number, and the versions of the
// releases that the addresses may resolve to.
async function versionsToResolve(
  scope: Scope,
  addresses: readonly Address[],
  documents: ReadonlyMap<string, DocumentRecord>,
  revisions: ReadonlyMap<string, readonly RevisionRecord[]>,
): Promise<VersionRecord[]> {
  const numbersByDocument = new Map<string, Set<number>>();
  const add = (documentId: string, n: number) =>
    numbersByDocument.set(documentId, (numbersByDocument.get(documentId) ?? new Set()).add(n));
  for (const { target, at } of addresses) {
    const document = documents.get(target);
    if (!document) continue;
    add(document._id, document.lastVersion);
    if (at.as === 'version') add(document._id, at.n);
    for (const { versionN } of possibleReleases(revisions.get(document._id) ?? [], at)) add(document._id, versionN);
  }
  return inChunks([...numbersByDocument], (chunk) => {
    const filter = {
      type: 'version' as const,
      documentId: { $in: chunk.map(([id]) => id) },
      n: { $in: [...new Set(chunk.flatMap(([, ns]) => [...ns]))] },
    };
    return collection(scope, 'versions').find(filter, within(scope)).toArray();
  });
}

// Returns the releases that an address may resolve to: the one it names, or the newest.
function possibleReleases(revisions: readonly RevisionRecord[], at: Address['at']): RevisionRecord[] {
  if (at.as === 'revision') return revisions.filter(({ label }) => label === at.label);
  const byOrdinal = [...revisions].sort((a, b) => b.ordinal - a.ordinal);
  const newest = byOrdinal.find(({ obsolete }) => !obsolete) ?? byOrdinal[0];
  return newest ? [newest] : [];
}

/** Returns the frozen form of a resolved address; null if it does not resolve. */
export function freezeTarget({ document, version, resolved }: Target): FrozenReference | null {
  if (!document || !version || !resolved.resolution) return null;
  const { as, label, n } = resolved.resolution;
  const { _id: versionId, contentHash, bomDigest } = version;
  return {
    documentId: document._id,
    number: document.number,
    versionId,
    n,
    as,
    label: as === 'revision' ? label : null,
    sha256: contentHash ?? '',
    bomDigest: bomDigest ?? null,
  };
}
