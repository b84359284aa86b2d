// Compiles updates.

import { letScope } from '../expressions/expressions.ts';
import { compileDocumentStage } from '../pipeline/document-stages.ts';
import { notImplemented, storeError } from '../protocol/errors.ts';
import { type Doc, getField, isDocument, setField, splitPath, typeName, type Value } from '../values/bson.ts';
import { assertNoZeroTimestamp } from '../values/bytes.ts';
import { type Collation, equal } from '../values/compare.ts';
import { compileArrayFilters } from './array-filters.ts';
import { UPDATE_OPERATORS } from './update-operators.ts';
import { type Change, compareSegments } from './update-path.ts';
import { equalityFields } from './upsert.ts';

export type UpdateOptions = {
  arrayFilters?: Doc[] | undefined;
  let?: Doc | undefined;
  collation?: Collation | undefined;
  now: Date;
};

/**
 * A compiled update. `apply` does not modify its argument and returns the same object if nothing changes; `inserting`
 * enables `$setOnInsert`. `upsertBase` returns the initial document of an upsert: the equalities of the filter.
 */
export type Update = {
  apply(doc: Doc, inserting?: boolean): Doc;
  upsertBase(filter: Doc): Doc;
  replacement: boolean;
};

/**
 * Compiles operators, a replacement or a pipeline. Throws NotImplemented (238) for unsupported operators,
 * ConflictingUpdateOperators (40) for conflicting paths, BadValue (2) or EmptyFieldName (56) for invalid paths, and
 * BadValue, FailedToParse or TypeMismatch (14) for invalid arguments.
 */
export function compileUpdate(update: Doc | Doc[], options: UpdateOptions): Update {
  if (Array.isArray(update)) return compilePipeline(update, options);
  const first = Object.keys(update)[0];
  return first?.startsWith('$') ? compileModifiers(update, options) : compileReplacement(update, options);
}

function compilePipeline(stages: Doc[], options: UpdateOptions): Update {
  if (options.arrayFilters && options.arrayFilters.length > 0)
    throw storeError(9, 'arrayFilters may not be specified for pipeline-style updates');
  const scope = letScope(options.let, options);
  const steps = stages.map((stage) => {
    const step = compileDocumentStage(stage, scope);
    if (!step) throw storeError(72, `${Object.keys(stage)[0]} is not allowed to be used within an update`);
    return step;
  });
  return {
    replacement: false,
    upsertBase: (filter) => equalityFields(filter),
    apply: (doc) => {
      let changed = doc;
      for (const step of steps) changed = step(changed);
      assertNoZeroTimestamp(changed);
      return keepId(doc, changed);
    },
  };
}

function compileReplacement(replacement: Doc, options: UpdateOptions): Update {
  if (options.arrayFilters && options.arrayFilters.length > 0)
    throw storeError(9, 'arrayFilters may not be specified for replacement-style updates');
  for (const key of Object.keys(replacement)) if (key.startsWith('$')) throw dollarField(key);
  assertNoZeroTimestamp(replacement);
  return {
    replacement: true,
    upsertBase: (filter) => {
      const id = getField(equalityFields(filter, { onlyId: true }), '_id');
      return id === undefined ? {} : { _id: id };
    },
    apply: (doc) => keepId(doc, replacement),
  };
}

// Keeps the `_id`, as the first field. Throws ImmutableField (66) if the update changes it.
function keepId(before: Doc, after: Doc): Doc {
  if (!Object.hasOwn(before, '_id')) return after;
  if (Object.hasOwn(after, '_id')) {
    if (!equal(after._id, before._id)) throw immutableId();
    return after;
  }
  const withId: Doc = { _id: before._id };
  for (const key of Object.keys(after)) setField(withId, key, after[key]);
  return withId;
}

function compileModifiers(update: Doc, options: UpdateOptions): Update {
  const filters = compileArrayFilters(options.arrayFilters ?? [], options);
  const changes: Change[] = [];
  const paths: (readonly string[])[] = [];
  for (const [operator, fields] of Object.entries(update)) {
    const compile = Object.hasOwn(UPDATE_OPERATORS, operator) ? UPDATE_OPERATORS[operator] : undefined;
    if (!compile) throw notImplemented(`the update operator ${operator}`);
    if (!isDocument(fields)) {
      throw storeError(
        9,
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${JSON.stringify(fields)}}`,
      );
    }
    assertNoZeroTimestamp(fields);
    for (const path of Object.keys(fields)) {
      const change = compile(parsePath(path), fields[path], options);
      changes.push(change);
      paths.push(...change.paths);
    }
  }
  assertNoConflicts(paths);
  const dynamic = paths.some((segments) => segments.some((segment) => segment.startsWith('$[')));
  if (dynamic || options.arrayFilters) filters.check(paths);
  changes.sort((a, b) => compareSegments(a.paths[0]!, b.paths[0]!));
  return {
    replacement: false,
    upsertBase: (filter) => equalityFields(filter),
    apply: (doc, inserting = false) => {
      const run = {
        before: doc,
        copied: new Set<Doc | Value[]>(),
        inserting,
        filter: filters.of,
        assertUntouched: dynamic && changes.length > 1 ? createConflictCheck() : undefined,
      };
      const changed = changes.reduce((current, change) => change.apply(current, run), doc);
      if (
        changed !== doc &&
        Object.hasOwn(doc, '_id') &&
        !(Object.hasOwn(changed, '_id') && equal(changed._id, doc._id))
      )
        throw immutableId();
      return changed;
    },
  };
}

function parsePath(path: string): readonly string[] {
  if (path !== '' && !/[.$]/.test(path)) return splitPath(path);
  if (path === '') throw storeError(56, 'An empty update path is not valid.');
  const segments = splitPath(path);
  if (segments.includes(''))
    throw storeError(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
  const [first] = segments;
  if (first === '$' || first?.startsWith('$['))
    throw storeError(2, `Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
  if (first?.startsWith('$')) throw dollarField(first);
  if (segments.includes('$')) throw notImplemented('the positional $ in an update');
  return segments;
}

function assertNoConflicts(paths: readonly (readonly string[])[]): void {
  // The most frequent case: distinct top-level fields.
  if (paths.every(({ length }) => length === 1) && new Set(paths.map(([name]) => name)).size === paths.length) return;
  const sorted = paths.toSorted(compareSegments);
  for (let at = 1; at < sorted.length; at++) {
    const [shorter, longer] = [sorted[at - 1]!, sorted[at]!];
    if (shorter.every((segment, index) => segment === longer[index])) {
      throw storeError(40, `Updating the path '${longer.join('.')}' would create a conflict at '${shorter.join('.')}'`);
    }
    // `$[]` and a named element cannot be used on the same array.
    const fork = shorter.findIndex((segment, index) => segment !== longer[index]);
    if (shorter[fork]!.startsWith('$[') !== longer[fork]!.startsWith('$[')) {
      throw storeError(
        40,
        `Updating the path '${longer.join('.')}' would create a conflict at '${longer.slice(0, fork).join('.')}'`,
      );
    }
  }
}

// The elements that `$[]` selects are known only at run time. Throws ConflictingUpdateOperators (40) if one of them is
// changed twice.
function createConflictCheck(): (path: readonly string[]) => void {
  const touched: (readonly string[])[] = [];
  return (path) => {
    for (const other of touched) {
      const shorter = other.length < path.length ? other : path;
      if (shorter.every((segment, index) => segment === path[index] && segment === other[index]))
        throw storeError(40, `Update created a conflict at '${shorter.join('.')}'`);
    }
    touched.push(path);
  };
}

const immutableId = () =>
  storeError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");

const dollarField = (key: string) =>
  storeError(
    52,
    `The dollar ($) prefixed field '${key}' in '${key}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
  );
