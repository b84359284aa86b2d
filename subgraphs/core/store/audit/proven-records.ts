// Reads what the comparison of the store with the audit log needs, in batches.
import type { Filter } from 'mongodb';
import { compareRecord } from '../../domain/audit/compare-records.ts';
import type { StoredState } from '../../domain/audit/export-log.ts';
import {
  chainOfRecord,
  type LoggedFields,
  listDigest,
  loggedFields,
  loggedLine,
  PROVEN_COLLECTIONS,
  type ProvenCollection,
  REFERENCES,
  sharedChain,
} from '../../domain/audit/proven-record.ts';
import type { ReplayedRecord } from '../../domain/audit/replay.ts';
import { existingIds, scanCollection } from '../query/scan.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { CollectionName, Records, ReferenceRecord } from '../schema/collections.ts';

const BATCH = 1_000;

const COLLECTIONS = Object.keys(PROVEN_COLLECTIONS) as ProvenCollection[];

/** The collections of records that belong to a document. */
export const DOCUMENT_COLLECTIONS = COLLECTIONS.filter((name) => sharedChain(name) === null);

/** The chains of records that belong to no document, with their collections. */
export const SHARED_CHAINS: Readonly<Record<string, readonly ProvenCollection[]>> = Object.fromEntries(
  Map.groupBy(
    COLLECTIONS.filter((name) => sharedChain(name) !== null),
    (name) => String(sharedChain(name)),
  ),
);

const REPLAYED = { _id: 0, chain: 1, chainSeq: 1, action: 1, records: 1 } as const;

/** Yields the audit records of all chains, or of one, in batches: those of each chain together and in order. */
export async function* replayedRecords(scope: Scope, chain?: string): AsyncGenerator<ReplayedRecord[]> {
  const cursor = collection(scope, 'audit')
    .find(chain === undefined ? {} : { chain: { $eq: chain } }, within(scope))
    .project<ReplayedRecord>(REPLAYED)
    .hint({ chain: 1, chainSeq: -1 })
    .sort({ chain: -1, chainSeq: 1 })
    .batchSize(BATCH);
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments();
  } finally {
    await cursor.close();
  }
}

/** Returns the stored records that the chains log, by chain. */
export async function provenRecords(scope: Scope, chains: readonly string[]): Promise<Map<string, StoredChain>> {
  const stored = new Map<string, StoredChain>(chains.map((chain) => [chain, {}]));
  const documentIds = chains.filter((chain) => !Object.hasOwn(SHARED_CHAINS, chain));
  const read = async (name: ProvenCollection, filter: object, chainOf: (record: OwnedRecord) => string) => {
    const found = collection(scope, name as 'versions')
      .find(filter as Filter<Records['versions']>, within(scope))
      .sort(Object.keys(filter).length ? {} : { _id: 1 });
    for await (const record of found as AsyncIterable<unknown> as AsyncIterable<OwnedRecord>) {
      const records = stored.get(chainOf(record));
      if (!records) continue;
      records[name] ??= [];
      records[name].push(record);
    }
  };
  // one after the other, because they may run in a transaction
  for (const chain of chains) for (const name of SHARED_CHAINS[chain] ?? []) await read(name, {}, () => chain);
  if (documentIds.length)
    for (const name of DOCUMENT_COLLECTIONS) {
      const key = name === 'documents' ? '_id' : 'documentId';
      await read(name, { [key]: { $in: documentIds } }, (record) => String(record[key]));
    }
  return stored;
}

/** The stored records of a chain by collection. */
export type StoredChain = Partial<Record<ProvenCollection, OwnedRecord[]>>;
export type OwnedRecord = Record<string, unknown> & { _id: string };

type Misplaced = { line: number; expected: LoggedFields; actual: LoggedFields };
/** The references of a draft or version as the log holds them, and those whose other fields are wrong. */
export type StoredReferences = { logged: unknown; lines: number; misplaced: Misplaced[] };

/** Returns the references of drafts and versions. `placeOf` returns the fields of one that follow from its version. */
export async function provenReferences(
  scope: Scope,
  versionIds: readonly string[],
  placeOf: (line: ReferenceRecord) => LoggedFields | null,
): Promise<Map<string, StoredReferences>> {
  const byVersion = new Map<string, Omit<StoredReferences, 'logged'> & { digest: ReturnType<typeof listDigest> }>();
  for (let from = 0; from < versionIds.length; from += BATCH) {
    const found = collection(scope, 'references')
      .find({ versionId: { $in: versionIds.slice(from, from + BATCH) } }, within(scope))
      .sort({ versionId: 1, line: 1 });
    for await (const record of found) {
      const references = byVersion.get(record.versionId) ?? { digest: listDigest(), lines: 0, misplaced: [] };
      byVersion.set(record.versionId, references);
      references.lines += 1;
      references.digest.add(loggedLine(record));
      const { _id, documentId, place, released, line } = record;
      const expected = placeOf(record);
      const actual = { _id, documentId, place, released };
      if (expected && compareRecord(expected, actual).length) references.misplaced.push({ line, expected, actual });
    }
  }
  return new Map(
    [...byVersion].map(([id, { digest, lines, misplaced }]) => [id, { logged: digest.value(), lines, misplaced }]),
  );
}

/** Where the bytes of a content are; `length` and `filename` are those of the GridFS file, null if it is missing. */
export type StoredContent = { size: number; length: number | null; filename: string | null };

/** Returns where the contents with these SHA-256 are, without missing ones. */
export async function storedContents(scope: Scope, hashes: readonly string[]): Promise<Map<string, StoredContent>> {
  const contents = new Map<string, StoredContent>();
  for (let from = 0; from < hashes.length; from += BATCH) {
    const blobs = await collection(scope, 'blobs')
      .find({ _id: { $in: hashes.slice(from, from + BATCH) } }, within(scope))
      .toArray();
    const files = await scope.db
      .collection<{ length: number; filename: string }>('files.files')
      .find(
        { _id: { $in: blobs.map(({ fileId }) => fileId) } },
        { projection: { length: 1, filename: 1 }, ...within(scope) },
      )
      .toArray();
    const byId = new Map(files.map((file) => [String(file._id), file]));
    for (const { _id, size, fileId } of blobs) {
      const { length = null, filename = null } = byId.get(String(fileId)) ?? {};
      contents.set(_id, { size, length, filename });
    }
  }
  return contents;
}

/** Returns the exact number of records in a collection: a server's own count can be an estimate. */
export function countStored(scope: Scope, name: CollectionName): Promise<number> {
  return collection(scope, name).countDocuments({}, { ...within(scope), hint: { _id: 1 } });
}

/** Yields the records of a collection that belong to a document without a chain. */
export async function* recordsWithoutChain(
  scope: Scope,
  name: ProvenCollection | 'references',
): AsyncGenerator<OwnedRecord> {
  const key = name === 'documents' ? '_id' : 'documentId';
  for await (const batch of scanCollection(scope, name)) {
    const records = batch as unknown as OwnedRecord[];
    const chains = new Set(
      await existingIds(
        scope,
        'chains',
        records.map((record) => String(record[key])),
      ),
    );
    yield* records.filter((record) => {
      const chain = String(record[key]);
      return Object.hasOwn(SHARED_CHAINS, chain) || !chains.has(chain);
    });
  }
}

/** Yields every stored record of the proven collections as the log holds it, in batches. */
export async function* storedStates(scope: Scope): AsyncGenerator<StoredState[]> {
  for (const name of COLLECTIONS)
    for await (const batch of scanCollection(scope, name)) {
      const records = batch as unknown as OwnedRecord[];
      const ids = name === 'versions' ? records.map(({ _id }) => _id) : [];
      const references = await provenReferences(scope, ids, () => null);
      yield records.map((record) => {
        const fields = loggedFields(name, record);
        const lines = references.get(record._id)?.logged;
        return {
          chain: chainOfRecord(name, record),
          collection: name,
          fields: lines ? { ...fields, [REFERENCES]: lines } : fields,
          id: String(record._id),
        };
      });
    }
}
