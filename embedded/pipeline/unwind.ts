// The `$unwind` stage.

import { Long } from 'bson';
import { fieldPath } from '../expressions/expressions.ts';
import { namedArguments } from '../expressions/named-arguments.ts';
import { storeError } from '../protocol/errors.ts';
import { startTimeSlice } from '../protocol/time-slice.ts';
import { type Doc, getField, isDocument, setField, typeName, type Value } from '../values/bson.ts';

/**
 * Compiles `$unwind`: one document per element of the array at the path. A value that is not an array counts as a
 * single element.
 */
export function compileUnwind(spec: Value): (input: AsyncIterable<Doc>) => AsyncIterable<Doc> {
  const { path, index, keep } = readSpec(spec);
  return async function* unwind(input) {
    const timeSlice = startTimeSlice();
    for await (const doc of input) {
      const value = valueIn(doc, path);
      if (Array.isArray(value) && value.length > 0) {
        for (const [at, item] of value.entries()) {
          if (timeSlice.shouldPause()) await timeSlice.pause();
          yield withIndex(withField(doc, path, item), index, Long.fromNumber(at));
        }
      } else if (value !== undefined && value !== null && !Array.isArray(value)) yield withIndex(doc, index, null);
      // For an empty array, the document is returned without the field.
      else if (keep) yield withIndex(Array.isArray(value) ? withField(doc, path, undefined) : doc, index, null);
    }
  };
}

/**
 * Returns the document with one field set, or removed if the value is undefined. Copies only the documents on the path.
 */
export function withField(doc: Doc, path: readonly string[], value: Value): Doc {
  const [key, ...rest] = path as [string, ...string[]];
  const copy: Doc = { ...doc };
  const inner = getField(doc, key);
  const next = rest.length > 0 ? withField(isDocument(inner) ? inner : {}, rest, value) : value;
  if (next === undefined) delete copy[key];
  else setField(copy, key, next);
  return copy;
}

function readSpec(spec: Value): { path: readonly string[]; index?: readonly string[]; keep: boolean } {
  const options = typeof spec === 'string' ? { path: spec } : namedArguments('$unwind', spec);
  const { path, includeArrayIndex: index, preserveNullAndEmptyArrays: keep = false } = options;
  if (typeof path !== 'string')
    throw storeError(28808, `expected a string as the path for $unwind stage, got ${typeName(path)}`);
  if (typeof keep !== 'boolean')
    throw storeError(28809, `$unwind: preserveNullAndEmptyArrays must be a boolean, not ${typeName(keep)}`);
  if (index === undefined) return { path: unwindPath(path), keep };
  if (typeof index !== 'string' || index === '')
    throw storeError(28810, '$unwind: includeArrayIndex must be a non-empty string');
  if (index.startsWith('$')) throw storeError(28822, `$unwind: includeArrayIndex must not begin with a '$': ${index}`);
  return { path: unwindPath(path), index: fieldPath(index), keep };
}

function unwindPath(path: string): readonly string[] {
  if (path === '') throw storeError(28812, 'no path specified to $unwind stage');
  if (!path.startsWith('$'))
    throw storeError(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  return fieldPath(path.slice(1));
}

// The path does not descend into arrays.
function valueIn(doc: Doc, path: readonly string[]): Value {
  let value: Value = doc;
  for (const segment of path) value = isDocument(value) ? getField(value, segment) : undefined;
  return value;
}

function withIndex(doc: Doc, index: readonly string[] | undefined, value: Value): Doc {
  return index ? withField(doc, index, value) : doc;
}
