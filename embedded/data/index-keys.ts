// Derives the index entries of a document.

import { createHash } from 'node:crypto';
import { storeError } from '../protocol/errors.ts';
import { type Doc, getField, isDocument, isIndex, type Value } from '../values/bson.ts';
import type { Index, IndexField } from './catalog.ts';
import { entrySuffix, MAX_INDEX_KEY, type RecordId } from './keys.ts';
import { encodeKey } from './keystring.ts';

/**
 * The distinct entries of one document in one index. `multikey`: a path contains an array. `truncated`: a key was too
 * long.
 */
export type Entries = { keys: Buffer[]; multikey: boolean; truncated: boolean };
type Field = Pick<IndexField, 'path' | 'parts'>;

/**
 * Returns the entries of a document. A unique index stores the record id as the value; any other appends it to the key.
 */
export function entriesOf(index: Index, doc: Doc, record: RecordId): Entries {
  const entries: Entries = { keys: [], multikey: false, truncated: false };
  if (index.partial && !index.partial.test(doc)) return entries;
  const suffix = index.unique ? EMPTY : entrySuffix(record);
  const plain = valuesWithoutArrays(index.fields, doc);
  if (plain) {
    if (!index.sparse || plain.some((value) => value !== undefined))
      addEntry(
        entries,
        index,
        plain.map((value) => value ?? null),
        suffix,
      );
    return entries;
  }
  const { rows, multikey, present } = expandFields(index.fields, doc);
  entries.multikey = multikey;
  if (index.sparse && !present) return entries;
  for (const row of rows) addEntry(entries, index, row, suffix);
  if (rows.length > 1) entries.keys = [...new Map(entries.keys.map((key) => [key.toString('latin1'), key])).values()];
  return entries;
}

/**
 * Returns the values that an index on these fields contains for a document, one row for each key: null for a missing
 * field, `undefined` for an empty array. Throws CannotIndexParallelArrays (171) for fields in different arrays.
 */
export function rowsOf(fields: readonly Field[], doc: Doc): Value[][] {
  const plain = valuesWithoutArrays(fields, doc);
  return plain ? [plain.map((value) => value ?? null)] : expandFields(fields, doc).rows;
}

/**
 * Whether both forms of a document certainly have the same keys. Compares by identity, because updates reuse unchanged
 * values.
 */
export function hasSameKeys(index: Index, before: Doc, after: Doc): boolean {
  if (index.partial) return false;
  for (const { parts } of index.fields) if (before[parts[0]!] !== after[parts[0]!]) return false;
  return true;
}

const EMPTY = Buffer.alloc(0);

// A key that exceeds LMDB's limit is truncated, and a SHA-256 of the whole key is appended, so that equality remains
// exact.
function addEntry(entries: Entries, { prefix, directions }: Index, values: readonly Value[], suffix: Buffer): void {
  const entry = encodeKey(values, directions, prefix, suffix);
  if (entry.length <= prefix.length + MAX_INDEX_KEY + suffix.length) {
    entries.keys.push(entry);
    return;
  }
  const fullKey = entry.subarray(prefix.length, entry.length - suffix.length);
  entries.truncated = true;
  entries.keys.push(
    Buffer.concat([
      prefix,
      fullKey.subarray(0, TRUNCATED_KEY_BYTES),
      createHash('sha256').update(fullKey).digest(),
      suffix,
    ]),
  );
}

// The fast path for documents without arrays on the indexed paths: one value per field, undefined if the field is
// missing.
function valuesWithoutArrays(fields: readonly Field[], doc: Doc): Value[] | undefined {
  const values: Value[] = [];
  for (const { parts } of fields) {
    let value: Value = doc;
    for (const name of parts) {
      if (Array.isArray(value)) return undefined;
      value = isDocument(value) ? getField(value, name) : undefined;
    }
    if (Array.isArray(value)) return undefined;
    values.push(value);
  }
  return values;
}

/** The length of a truncated key without its hash. Two keys with the same first bytes may both be truncated. */
export const TRUNCATED_KEY_BYTES = MAX_INDEX_KEY - 32;

// The position in the path of one field. `settled`: `value` is the value to index, even if it is an array.
type Cursor = { value: Value; rest: readonly string[]; settled: boolean };
type Walk = { fields: readonly Field[]; multikey: boolean; present: boolean; rows: Value[][] };

// An empty array is indexed as undefined, which sorts below null. A missing field is indexed as null.
const EMPTY_ARRAY: Cursor = { value: undefined, rest: [], settled: true };
const MISSING: Cursor = { value: null, rest: [], settled: true };

function expandFields(fields: readonly Field[], doc: Doc): Walk {
  const walk: Walk = { fields, multikey: false, present: false, rows: [] };
  expand(
    walk,
    fields.map(({ parts }) => descend(doc, parts)),
  );
  return walk;
}

// Expands arrays until each field has a value. Fields that share an array use the same element at a time; two different
// arrays are rejected, because the number of their combinations could be huge.
function expand(walk: Walk, cursors: Cursor[]): void {
  const open = cursors.filter(({ settled }) => !settled);
  const array = open[0]?.value;
  if (!Array.isArray(array)) {
    if (cursors.some((cursor) => cursor !== MISSING)) walk.present = true;
    walk.rows.push(cursors.map(({ value }) => value));
    return;
  }
  walk.multikey = true;
  if (open.some(({ value }) => value !== array)) {
    throw storeError(171, `cannot index parallel arrays [${walk.fields.map(({ path }) => path).join('] [')}]`);
  }
  if (array.length === 0) {
    expand(
      walk,
      cursors.map((cursor) => (cursor.settled ? cursor : cursor.rest.length > 0 ? MISSING : EMPTY_ARRAY)),
    );
  }
  for (const element of array) {
    expand(
      walk,
      cursors.map((cursor) => {
        if (cursor.settled) return cursor;
        if (cursor.rest.length === 0) return { value: element, rest: [], settled: true };
        // A field name does not reach into an array that is an element of an array.
        return Array.isArray(element) ? MISSING : descend(element, cursor.rest);
      }),
    );
  }
}

// Follows a path through documents, and through arrays by index, until the path ends or an array must be expanded.
function descend(from: Value, path: readonly string[]): Cursor {
  let value = from;
  for (let at = 0; at < path.length; at++) {
    const name = path[at]!;
    if (Array.isArray(value)) {
      if (!isIndex(name) || Number(name) >= value.length) return { value, rest: path.slice(at), settled: false };
      value = value[Number(name)];
    } else if (isDocument(value) && Object.hasOwn(value, name)) {
      value = value[name];
    } else return MISSING;
  }
  if (value === undefined) return MISSING;
  return { value, rest: [], settled: !Array.isArray(value) };
}
