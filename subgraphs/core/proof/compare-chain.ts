// Compares the stored records of one chain with what the log says about them.
import { compareRecord, type Difference } from '../domain/audit/compare-records.ts';
import {
  isExpired,
  type LoggedFields,
  loggedFields,
  type ProvenCollection,
  REFERENCES,
} from '../domain/audit/proven-record.ts';
import type { ChainState } from '../domain/audit/replay.ts';
import { foldCase } from '../domain/text/text.ts';
import type { OwnedRecord, StoredChain, StoredContent, StoredReferences } from '../store/audit/proven-records.ts';
import { searchFields } from '../store/documents.ts';
import type { ReferenceRecord } from '../store/schema/collections.ts';

/** A difference between the store and the log, with its record. */
export type RecordDifference = Difference & { collection: string; id: string };

/** Where the references and the bytes of the records of some chains are. */
export type Surroundings = {
  references: ReadonlyMap<string, StoredReferences>;
  contents: ReadonlyMap<string, StoredContent>;
};

/** Returns the differences between the records of a chain and its replay. */
export function compareChain(
  collections: readonly ProvenCollection[],
  expected: ChainState,
  stored: StoredChain,
  { references, contents }: Surroundings,
  now: Date,
): RecordDifference[] {
  const differences: RecordDifference[] = [];
  const report = (collection: string, id: string, found: readonly Difference[]) => {
    for (const difference of found) differences.push({ collection, id, ...difference });
  };
  for (const collection of collections) {
    const logged = new Map(expected[collection]);
    for (const record of stored[collection] ?? []) {
      const id = String(record._id);
      const fields = logged.get(id) ?? null;
      logged.delete(id);
      const actual = loggedFields(collection, record);
      if (!fields && isExpired(collection, actual, now)) continue;
      if (collection === 'versions') {
        const { [REFERENCES]: lines, ...others } = fields ?? {};
        report(collection, id, compareRecord(fields && others, actual));
        for (const { line, ...difference } of compareReferences(lines, references.get(id)))
          report(line === null ? collection : 'references', line === null ? id : `${id}/${line}`, [difference]);
      } else report(collection, id, compareRecord(fields, actual));
      if (fields) report(collection, id, compareDerived(collection, fields, record));
      if (collection === 'artifacts') report('blobs', String(record.sha256), compareContent(record, contents));
    }
    for (const [id, fields] of logged)
      if (!isExpired(collection, fields, now)) report(collection, id, compareRecord(fields, null));
  }
  return differences;
}

// Fields that are computed from other fields of the same record, as they were logged.
function compareDerived(collection: ProvenCollection, logged: LoggedFields, record: OwnedRecord): Difference[] {
  const { nameKey = null, words = null, text = null } = record;
  const textOf = (field: string) => (typeof logged[field] === 'string' ? logged[field] : String(record[field]));
  if (collection === 'documents') {
    // a long one is logged as a digest
    const description = record.description == null && logged.description == null ? null : textOf('description');
    const fields = { number: textOf('number'), name: textOf('name'), description };
    return compareRecord(searchFields(fields), { nameKey, words, text });
  }
  if (collection === 'folders' || collection === 'workspaces' || collection === 'views')
    return compareRecord({ nameKey: foldCase(textOf('name')) }, { nameKey });
  return [];
}

type LineDifference = Difference & { line: unknown };

/** Returns the differences between the references of a version; `line` null: they are only known as a digest. */
function compareReferences(expected: unknown, stored: StoredReferences | undefined): LineDifference[] {
  const { logged = null, misplaced = [] } = stored ?? {};
  const wrong = misplaced.flatMap(({ line, expected: place, actual }) =>
    compareRecord(place, actual).map((each) => ({ line, ...each })),
  );
  if (!isLines(expected ?? []) || !isLines(logged ?? []))
    return [
      ...wrong,
      ...compareRecord({ references: expected }, { references: logged }).map((each) => ({ line: null, ...each })),
    ];
  const [before, after] = [byLine(expected), byLine(logged)];
  const lines = new Set([...before.keys(), ...after.keys()]);
  return [
    ...wrong,
    ...[...lines].flatMap((line) =>
      compareRecord(before.get(line) ?? null, after.get(line) ?? null).map((each) => ({ line, ...each })),
    ),
  ];
}

function isLines(value: unknown): value is LoggedFields[] {
  return Array.isArray(value);
}

function byLine(lines: unknown): Map<unknown, LoggedFields> {
  return new Map(((lines ?? []) as LoggedFields[]).map((fields) => [fields.line, fields]));
}

// The bytes themselves are read by `pdm check --read-data`.
function compareContent({ sha256, size }: OwnedRecord, contents: ReadonlyMap<string, StoredContent>): Difference[] {
  const actual = contents.get(String(sha256));
  const expected = { size, length: size, filename: sha256 };
  return compareRecord(expected, actual ?? null);
}

/** Returns the fields of a reference that follow from its document and version; null if those are missing. */
export function expectedPlace(
  { versionId, line }: ReferenceRecord,
  version: OwnedRecord | undefined,
  document: OwnedRecord | undefined,
): LoggedFields | null {
  if (!version || !document) return null;
  const newest = version.n === document.lastVersion ? 'latest' : 'earlier';
  return {
    _id: `${versionId}/${line}`,
    documentId: version.documentId,
    place: version.type === 'draft' ? 'draft' : newest,
    released: version.releasedAs != null,
  };
}
