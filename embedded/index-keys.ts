import { createHash } from 'node:crypto';
import { type Doc, getField, isDocument, isIndex, splitPath, type Value } from './bson.ts';
import type { Index } from './catalog.ts';
import { storeError } from './errors.ts';
import { MAX_INDEX_KEY } from './keys.ts';
import { encodeKey } from './keystring.ts';

/** The KeyStrings of one document in one index, without doubles; `multikey` when an array stood on a path, `cut` when a key was too long. */
export type DocumentKeys = { keys: Buffer[]; multikey: boolean; cut: boolean };

const NO_KEYS: DocumentKeys = { keys: [], multikey: false, cut: false };

export function documentKeys(index: Index, doc: Doc): DocumentKeys {
  if (index.partial && !index.partial.test(doc)) return NO_KEYS;
  const directions = index.fields.map(({ direction }) => direction);
  const plain = valuesWithoutArrays(index, doc);
  if (plain) {
    if (index.sparse && plain.every((value) => value === undefined)) return NO_KEYS;
    return oneKey(
      plain.map((value) => value ?? null),
      directions,
      false,
    );
  }
  const rows: Value[][] = [];
  const walk: Walk = { index, multikey: false, present: false, rows };
  expand(
    walk,
    index.fields.map(({ path }) => descend(doc, splitPath(path))),
  );
  if (index.sparse && !walk.present) return { ...NO_KEYS, multikey: walk.multikey };
  if (rows.length === 1) return oneKey(rows[0]!, directions, walk.multikey);
  const keys = new Map<string, Buffer>();
  let cut = false;
  for (const row of rows) {
    const key = encodeKey(row, directions);
    cut ||= key.length > MAX_INDEX_KEY;
    const fitting = shortened(key);
    keys.set(fitting.toString('latin1'), fitting);
  }
  return { keys: [...keys.values()], multikey: walk.multikey, cut };
}

/** Is it certain, without making them, that both forms of a document have the same keys? What an update does not change it hands on as it was. */
export function hasSameKeys(index: Index, before: Doc, after: Doc): boolean {
  if (index.partial) return false;
  for (const { path } of index.fields) {
    const root = splitPath(path)[0]!;
    if (getField(before, root) !== getField(after, root)) return false;
  }
  return true;
}

function oneKey(values: Value[], directions: (1 | -1)[], multikey: boolean): DocumentKeys {
  const key = encodeKey(values, directions);
  return { keys: [shortened(key)], multikey, cut: key.length > MAX_INDEX_KEY };
}

// Most documents have no array on the way to an indexed field: then there is one value for each, undefined where the field is missing.
function valuesWithoutArrays(index: Index, doc: Doc): Value[] | undefined {
  const values: Value[] = [];
  for (const { path } of index.fields) {
    let value: Value = doc;
    for (const name of splitPath(path)) {
      if (Array.isArray(value)) return undefined;
      value = isDocument(value) ? getField(value, name) : undefined;
    }
    if (Array.isArray(value)) return undefined;
    values.push(value);
  }
  return values;
}

/** A key that LMDB holds: the long ones become their beginning and a SHA-256 of the whole, so equality stays exact. */
function shortened(key: Buffer): Buffer {
  if (key.length <= MAX_INDEX_KEY) return key;
  return Buffer.concat([key.subarray(0, CUT_AT), createHash('sha256').update(key).digest()]);
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
