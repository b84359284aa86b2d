import { createHash } from 'node:crypto';
import { storeError } from '../protocol/errors.ts';
import { type Doc, getField, isDocument, isIndex, type Value } from '../values/bson.ts';
import type { Index } from './catalog.ts';
import { entryEnd, MAX_INDEX_KEY, type RecordId } from './keys.ts';
import { encodeKey } from './keystring.ts';

/** The entries of one document in one index, without doubles; `multikey` when an array stood on a path, `cut` when a key was too long. */
export type Entries = { keys: Buffer[]; multikey: boolean; cut: boolean };

/** In a unique index the value of an entry is the record, in any other the record ends the key. */
export function entriesOf(index: Index, doc: Doc, record: RecordId): Entries {
  const entries: Entries = { keys: [], multikey: false, cut: false };
  if (index.partial && !index.partial.test(doc)) return entries;
  const end = index.unique ? NOTHING : entryEnd(record);
  const plain = valuesWithoutArrays(index, doc);
  if (plain) {
    if (!index.sparse || plain.some((value) => value !== undefined))
      addEntry(
        entries,
        index,
        plain.map((value) => value ?? null),
        end,
      );
    return entries;
  }
  const rows: Value[][] = [];
  const walk: Walk = { index, multikey: false, present: false, rows };
  expand(
    walk,
    index.fields.map(({ parts }) => descend(doc, parts)),
  );
  entries.multikey = walk.multikey;
  if (index.sparse && !walk.present) return entries;
  for (const row of rows) addEntry(entries, index, row, end);
  if (rows.length > 1) entries.keys = [...new Map(entries.keys.map((key) => [key.toString('latin1'), key])).values()];
  return entries;
}

/** Is it certain, without making them, that both forms of a document have the same keys? What an update does not change it hands on as it was. */
export function hasSameKeys(index: Index, before: Doc, after: Doc): boolean {
  if (index.partial) return false;
  for (const { parts } of index.fields) if (before[parts[0]!] !== after[parts[0]!]) return false;
  return true;
}

const NOTHING = Buffer.alloc(0);

// The longest keys, which LMDB does not hold, become their beginning and a SHA-256 of the whole, so that equality stays exact.
function addEntry(entries: Entries, { prefix, directions }: Index, values: readonly Value[], end: Buffer): void {
  const entry = encodeKey(values, directions, prefix, end);
  if (entry.length <= prefix.length + MAX_INDEX_KEY + end.length) {
    entries.keys.push(entry);
    return;
  }
  const whole = entry.subarray(prefix.length, entry.length - end.length);
  entries.cut = true;
  entries.keys.push(
    Buffer.concat([prefix, whole.subarray(0, CUT_AT), createHash('sha256').update(whole).digest(), end]),
  );
}

// Most documents have no array on the way to an indexed field: then there is one value for each, undefined where the field is missing.
function valuesWithoutArrays(index: Index, doc: Doc): Value[] | undefined {
  const values: Value[] = [];
  for (const { parts } of index.fields) {
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

/** Two keys that agree up to here may both have been cut. */
export const CUT_AT = MAX_INDEX_KEY - 32;

// How far one field has come: `settled` when the value is the one to index, even if it is an array.
type Cursor = { value: Value; rest: readonly string[]; settled: boolean };
type Walk = { index: Index; multikey: boolean; present: boolean; rows: Value[][] };

// An empty array is indexed as undefined, which sorts below null; a missing field as null.
const EMPTY_ARRAY: Cursor = { value: undefined, rest: [], settled: true };
const MISSING: Cursor = { value: null, rest: [], settled: true };

// Follows all fields down to values. Where an array stands, every field that meets it takes the same element in turn;
// a second, different array is refused, as the product of both could be immense.
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
    throw storeError(171, `cannot index parallel arrays [${walk.index.fields.map(({ path }) => path).join('] [')}]`);
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
        // An array inside an array is not entered by a name.
        return Array.isArray(element) ? MISSING : descend(element, cursor.rest);
      }),
    );
  }
}

// Down through documents, and through arrays by position, until the path ends or an array has to be taken apart.
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
