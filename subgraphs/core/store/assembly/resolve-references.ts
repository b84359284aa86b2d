import { type Address, addressKey } from '../../domain/assembly/address.ts';
import type { Frozen } from '../../domain/assembly/bom-digest.ts';
import { type Candidates, type Resolved, resolveAddress } from '../../domain/assembly/reference.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import { revisionsOf } from '../revisions.ts';
import type { DocumentRecord, RevisionRecord, VersionRecord } from '../schema/collections.ts';

/** What an address means now: the document it names, the version it resolves to, and why; `newest` is what the bare address would mean. */
export type Target = {
  document: DocumentRecord | null;
  version: VersionRecord | null;
  resolved: Resolved;
  newest: Resolved;
};

const AT_ONCE = 1000;

/**
 * What some addresses mean now, by their key (`addressKey`): three queries however many there are, up to a thousand documents each.
 */
export async function resolveReferences(scope: Scope, addresses: readonly Address[]): Promise<Map<string, Target>> {
  const documents = await documentsNamed(scope, new Set(addresses.map(({ target }) => target)));
  const ids = [...new Set([...documents.values()].map(({ _id }) => _id))];
  const revisions = Map.groupBy(
    await inChunks(ids, (some) => revisionsOf(scope, some)),
    ({ documentId }) => documentId,
  );
  const versions = Map.groupBy(
    await versionsMeant(scope, addresses, documents, revisions),
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

/** The documents with these numbers (upper case) or ids, by the name that was given; unknown ones are left out. */
export async function documentsNamed(scope: Scope, names: ReadonlySet<string>): Promise<Map<string, DocumentRecord>> {
  const [ids, numbers] = [
    [...names].filter((name) => name.includes('_')),
    [...names].filter((name) => !name.includes('_')),
  ];
  const documents = collection(scope, 'documents');
  const byId = await inChunks(ids, (some) => documents.find({ _id: { $in: some } }, within(scope)).toArray());
  const byNumber = await inChunks(numbers, (some) =>
    documents.find({ number: { $in: some } }, within(scope)).toArray(),
  );
  return new Map([
    ...byId.map((document) => [document._id, document] as const),
    ...byNumber.map((document) => [document.number, document] as const),
  ]);
}

/** Runs a query over many keys, a thousand at a time, or as many as are said. */
export async function inChunks<K, R>(
  keys: readonly K[],
  read: (some: K[]) => Promise<R[]>,
  atOnce = AT_ONCE,
): Promise<R[]> {
  const found: R[] = [];
  for (let i = 0; i < keys.length; i += atOnce)
    for (const record of await read(keys.slice(i, i + atOnce))) found.push(record);
  return found;
}

export function candidatesOf(
  document: DocumentRecord,
  versions: readonly VersionRecord[],
  revisions: readonly RevisionRecord[],
): Candidates {
  return { document, revisions, versions: versions.map(({ _id, n }) => ({ _id, n: n ?? 0 })) };
}

// Of each document the newest version, those that are named by number, and those that releases mean.
async function versionsMeant(
  scope: Scope,
  addresses: readonly Address[],
  documents: ReadonlyMap<string, DocumentRecord>,
  revisions: ReadonlyMap<string, readonly RevisionRecord[]>,
): Promise<VersionRecord[]> {
  const meant = new Map<string, Set<number>>();
  const add = (documentId: string, n: number) => meant.set(documentId, (meant.get(documentId) ?? new Set()).add(n));
  for (const { target, at } of addresses) {
    const document = documents.get(target);
    if (!document) continue;
    add(document._id, document.lastVersion);
    if (at.as === 'version') add(document._id, at.n);
    for (const { versionN } of chosenOf(revisions.get(document._id) ?? [], at)) add(document._id, versionN);
  }
  return inChunks([...meant], (some) => {
    const filter = {
      type: 'version' as const,
      documentId: { $in: some.map(([id]) => id) },
      n: { $in: [...new Set(some.flatMap(([, ns]) => [...ns]))] },
    };
    return collection(scope, 'versions').find(filter, within(scope)).toArray();
  });
}

// The releases an address may mean: the one it names, or the newest ones.
function chosenOf(revisions: readonly RevisionRecord[], at: Address['at']): RevisionRecord[] {
  if (at.as === 'revision') return revisions.filter(({ label }) => label === at.label);
  const byOrdinal = [...revisions].sort((a, b) => b.ordinal - a.ordinal);
  const newest = byOrdinal.find(({ obsolete }) => !obsolete) ?? byOrdinal[0];
  return newest ? [newest] : [];
}

/** What a resolved address is frozen to; null for one that means nothing. */
export function frozenTo({ document, version, resolved }: Target): Frozen | null {
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
