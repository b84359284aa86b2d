// Applies a change at an update path.

import { storeError } from '../protocol/errors.ts';
import { type Doc, getField, isDocument, isIndex, setField, type Value } from '../values/bson.ts';
import { formatValue } from '../values/format-value.ts';

/** One change. Changes are applied in the order of their first path. `apply` does not modify its argument. */
export type Change = { paths: readonly (readonly string[])[]; apply(doc: Doc, run: UpdateRun): Doc };

/**
 * The application of an update to one document. Array filters test the elements as they were `before` all changes.
 * Containers in `copied` are copies made by this run and are changed in place.
 */
type UpdateRun = {
  before: Doc;
  copied: Set<Doc | Value[]>;
  inserting: boolean;
  filter(identifier: string): (element: Value) => boolean;
  assertUntouched?: (path: readonly string[]) => void;
};

/**
 * Computes the new value of a field: the same value leaves it unchanged, `undefined` removes it. `parents`: 'create'
 * creates missing parents and throws if a parent cannot contain the field; 'any' leaves the document unchanged in both
 * cases.
 */
export type Edit = { parents: 'create' | 'any'; edit(current: Value, run: UpdateRun): Value };

/** Creates a change of the fields at one path. */
export function createChange(segments: readonly string[], edit: Edit): Change {
  return { paths: [segments], apply: (doc, run) => changeAt(doc, segments, edit, run) };
}

/**
 * Returns the document with the fields at the path edited. Copies only the containers on the path; returns the same
 * document if nothing changes.
 */
function changeAt(doc: Doc, segments: readonly string[], edit: Edit, run: UpdateRun): Doc {
  return changeIn(doc, run.before, { segments, edit, run, path: [] }) as Doc;
}

/** Compares update paths: names as text, indexes as numbers and before names. Changes are applied in this order. */
export function compareSegments(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const [x, y] = [a[at]!, b[at]!];
    if (x === y) continue;
    if (isIndex(x) && isIndex(y)) return Number(x) - Number(y);
    if (isIndex(x) !== isIndex(y)) return isIndex(x) ? -1 : 1;
    return x < y ? -1 : 1;
  }
  return a.length - b.length;
}

// A walk down an update path. `path` contains the keys visited so far, with array indexes instead of `$[]`.
type Walk = { segments: readonly string[]; edit: Edit; run: UpdateRun; path: string[] };

function changeIn(container: Doc | Value[], before: Value, walk: Walk): Doc | Value[] {
  const segment = walk.segments[walk.path.length]!;
  if (segment[0] !== '$') return changeAtKey(container, before, segment, walk);
  let changed = container;
  for (const key of resolveSegment(container, before, segment, walk)) changed = changeAtKey(changed, before, key, walk);
  return changed;
}

function changeAtKey(container: Doc | Value[], before: Value, key: string, walk: Walk): Doc | Value[] {
  const { copied } = walk.run;
  const current = valueIn(container, key);
  walk.path.push(key);
  const next = changeValue(current, before, key, container, walk);
  walk.path.pop();
  if (next === current) return container;
  const changed = copied.has(container) ? container : Array.isArray(container) ? [...container] : { ...container };
  copied.add(changed);
  assignField(changed, key, next);
  return changed;
}

// Returns the keys that a segment selects: the key itself, or the elements that an array filter selects.
function resolveSegment(container: Doc | Value[], before: Value, segment: string, walk: Walk): string[] {
  if (!segment.startsWith('$[')) return [segment];
  if (!Array.isArray(container))
    throw storeError(
      2,
      `Cannot apply array updates to non-array element ${walk.path.at(-1)}: ${formatValue(container)}`,
    );
  const identifier = segment.slice(2, -1);
  const isSelected = identifier === '' ? () => true : walk.run.filter(identifier);
  return container.flatMap((element, at) =>
    isSelected(Array.isArray(before) ? before[at] : element) ? String(at) : [],
  );
}

function changeValue(current: Value, before: Value, key: string, container: Doc | Value[], walk: Walk): Value {
  const { edit, run, segments, path } = walk;
  if (Array.isArray(container) && !isIndex(key)) {
    if (edit.parents !== 'any') throw cannotCreate(key, path.at(-2), container);
    return current;
  }
  if (path.length === segments.length) {
    run.assertUntouched?.([...path]);
    return edit.edit(current, run);
  }
  if (isDocument(current) || Array.isArray(current)) return changeIn(current, valueIn(before, key), walk);
  const next = segments[path.length]!;
  if (current !== undefined) {
    if (next.startsWith('$['))
      throw storeError(2, `Cannot apply array updates to non-array element ${key}: ${formatValue(current)}`);
    if (edit.parents !== 'any') throw cannotCreate(next, key, current);
    return current;
  }
  if (next.startsWith('$['))
    throw storeError(2, `The path '${path.join('.')}' must exist in the document in order to apply array updates.`);
  if (edit.parents !== 'create') return undefined;
  const created = changeIn({}, undefined, walk);
  return Object.keys(created).length > 0 ? created : undefined;
}

function valueIn(container: Value, key: string): Value {
  return Array.isArray(container)
    ? container[Number(key)]
    : isDocument(container)
      ? getField(container, key)
      : undefined;
}

function assignField(container: Doc | Value[], key: string, value: Value): void {
  if (!Array.isArray(container)) {
    if (value === undefined) delete container[key];
    else setField(container, key, value);
    return;
  }
  const at = Number(key);
  if (at > container.length + MAX_PADDING)
    throw storeError(2, `can't backfill more than ${MAX_PADDING} elements: '${key}'`);
  while (container.length < at) container.push(null);
  // A removed element leaves null, so that the other elements keep their positions.
  if (value !== undefined) container[at] = value;
  else if (at < container.length) container[at] = null;
}

const MAX_PADDING = 1_500_000;

const cannotCreate = (field: string, parent: string | undefined, value: Value) =>
  storeError(28, `Cannot create field '${field}' in element {${parent}: ${formatValue(value)}}`);
