import { storeError } from '../protocol/errors.ts';
import { type Doc, getField, isDocument, isIndex, setField, type Value } from '../values/bson.ts';
import { formatValue } from '../values/format-value.ts';

/** One change of a modifier: the paths it touches, the first of which decides its turn, and the deed, which leaves its argument alone. */
export type Change = { paths: readonly (readonly string[])[]; apply(doc: Doc, run: Run): Doc };

/**
 * What changes need to know about the document at hand. Array filters choose among the elements as they were `before` all changes; what this run has copied already (`own`) is
 * changed in place.
 */
export type Run = {
  before: Doc;
  own: Set<Doc | Value[]>;
  position?: number;
  inserting: boolean;
  filter(identifier: string): (element: Value) => boolean;
  touch?: (path: readonly string[]) => void;
};

/**
 * What becomes of a value: the same value leaves it, `undefined` removes the field. Missing parents are made, or leave everything as it is; a parent that could not hold the
 * field is refused unless `parents` is 'any'.
 */
export type Edit = { parents: 'make' | 'fit' | 'any'; edit(current: Value, run: Run): Value };

/** A change of the fields at one path. */
export function change(segments: readonly string[], edit: Edit): Change {
  return { paths: [segments], apply: (doc, run) => changeAt(doc, segments, edit, run) };
}

/** The document with the fields at the path edited; only what lies on the path is copied, and without an effect the document itself comes back. */
export function changeAt(doc: Doc, segments: readonly string[], edit: Edit, run: Run): Doc {
  return changeIn(doc, run.before, { segments, edit, run, path: [] }) as Doc;
}

/** The order in which changes take place: by path, names as text, indexes as numbers and before names. */
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

// `path` is the way walked so far, with the concrete keys.
type Walk = { segments: readonly string[]; edit: Edit; run: Run; path: string[] };

function changeIn(container: Doc | Value[], before: Value, walk: Walk): Doc | Value[] {
  const segment = walk.segments[walk.path.length]!;
  if (segment[0] !== '$') return changeAtKey(container, before, segment, walk);
  let changed = container;
  for (const key of keysFor(container, before, segment, walk)) changed = changeAtKey(changed, before, key, walk);
  return changed;
}

function changeAtKey(container: Doc | Value[], before: Value, key: string, walk: Walk): Doc | Value[] {
  const { own } = walk.run;
  const current = valueIn(container, key);
  walk.path.push(key);
  const next = changeValue(current, before, key, container, walk);
  walk.path.pop();
  if (next === current) return container;
  const changed = own.has(container) ? container : Array.isArray(container) ? [...container] : { ...container };
  own.add(changed);
  assign(changed, key, next);
  return changed;
}

// The concrete keys behind a segment: itself, the matched position, or all elements that an array filter chooses.
function keysFor(container: Doc | Value[], before: Value, segment: string, walk: Walk): string[] {
  if (segment === '$') {
    if (walk.run.position === undefined)
      throw storeError(2, 'The positional operator did not find the match needed from the query.');
    return [String(walk.run.position)];
  }
  if (!segment.startsWith('$[')) return [segment];
  if (!Array.isArray(container))
    throw storeError(
      2,
      `Cannot apply array updates to non-array element ${walk.path.at(-1)}: ${formatValue(container)}`,
    );
  const identifier = segment.slice(2, -1);
  const chosen = identifier === '' ? () => true : walk.run.filter(identifier);
  return container.flatMap((element, at) => (chosen(Array.isArray(before) ? before[at] : element) ? String(at) : []));
}

function changeValue(current: Value, before: Value, key: string, container: Doc | Value[], walk: Walk): Value {
  const { edit, run, segments, path } = walk;
  if (Array.isArray(container) && !isIndex(key)) {
    if (edit.parents !== 'any') throw cannotCreate(key, path.at(-2), container);
    return current;
  }
  if (path.length === segments.length) {
    run.touch?.([...path]);
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
  if (edit.parents !== 'make') return undefined;
  const made = changeIn({}, undefined, walk);
  return Object.keys(made).length > 0 ? made : undefined;
}

function valueIn(container: Value, key: string): Value {
  return Array.isArray(container)
    ? container[Number(key)]
    : isDocument(container)
      ? getField(container, key)
      : undefined;
}

function assign(container: Doc | Value[], key: string, value: Value): void {
  if (!Array.isArray(container)) {
    if (value === undefined) delete container[key];
    else setField(container, key, value);
    return;
  }
  const at = Number(key);
  if (at > container.length + MAX_PADDING)
    throw storeError(2, `can't backfill more than ${MAX_PADDING} elements: '${key}'`);
  while (container.length < at) container.push(null);
  // An element that is removed leaves null: the others keep their places.
  if (value !== undefined) container[at] = value;
  else if (at < container.length) container[at] = null;
}

const MAX_PADDING = 1_500_000;

const cannotCreate = (field: string, parent: string | undefined, value: Value) =>
  storeError(28, `Cannot create field '${field}' in element {${parent}: ${formatValue(value)}}`);
