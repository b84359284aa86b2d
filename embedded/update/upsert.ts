// The document that an upsert inserts.

import { storeError } from '../protocol/errors.ts';
import { hasOperators } from '../query/match-operators.ts';
import { cloneValue, type Doc, getField, isDocument, setField, splitPath, type Value } from '../values/bson.ts';
import { RANK, rankOf } from '../values/compare.ts';
import { compareSegments } from './update-path.ts';

/**
 * Returns the initial document of an upsert: the equalities of the filter. Throws NotSingleValueField (54) if a path
 * occurs twice. `onlyId`: a replacement takes only the `_id` from the filter.
 */
export function equalityFields(filter: Doc, { onlyId = false } = {}): Doc {
  const equalities = new Map<string, Value>();
  collectEqualities(filter, equalities, onlyId);
  const paths = [...equalities.keys()].toSorted((a, b) => compareSegments(splitPath(a), splitPath(b)));
  for (let at = 1; at < paths.length; at++) {
    if (paths[at]!.startsWith(`${paths[at - 1]}.`)) {
      throw storeError(
        54,
        `cannot infer query fields to set, both paths '${paths[at - 1]}' and '${paths[at]}' are matched`,
      );
    }
  }
  const base: Doc = {};
  if (equalities.has('_id')) base._id = cloneValue(equalities.get('_id'));
  for (const [path, value] of equalities) if (path !== '_id') setPath(base, splitPath(path), cloneValue(value));
  return base;
}

/** Throws QueryFeatureNotAllowed (224) if the filter of an upsert contains `$expr`. */
export function checkUpsertFilter(filter: Doc): void {
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$expr') throw storeError(224, '$expr is not allowed in the query predicate for an upsert');
    if (key.startsWith('$') && Array.isArray(value))
      for (const part of value.filter(isDocument)) checkUpsertFilter(part);
  }
}

function collectEqualities(filter: Doc, target: Map<string, Value>, onlyId: boolean): void {
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$and' && Array.isArray(value))
      for (const part of value.filter(isDocument)) collectEqualities(part, target, onlyId);
    else if (key === '$or' && Array.isArray(value) && value.length === 1 && isDocument(value[0]))
      collectEqualities(value[0], target, onlyId);
    else if (!key.startsWith('$') && (!onlyId || /^_id(\.|$)/.test(key))) {
      for (const equality of equalitiesOf(value)) {
        if (target.has(key)) throw storeError(54, `cannot infer query fields to set, path '${key}' is matched twice`);
        target.set(key, equality);
      }
    }
  }
}

function equalitiesOf(condition: Value): Value[] {
  if (!hasOperators(condition)) return isPlain(condition) ? [condition] : [];
  if (Object.hasOwn(condition, '$eq')) return [condition.$eq];
  const list = getField(condition, '$in');
  return Array.isArray(list) && list.length === 1 ? list.filter(isPlain) : [];
}

const isPlain = (value: Value): boolean => !hasOperators(value) && rankOf(value) !== RANK.regex;

function setPath(doc: Doc, path: readonly string[], value: Value): void {
  let at = doc;
  for (const segment of path.slice(0, -1)) {
    const inner = getField(at, segment);
    const next: Doc = isDocument(inner) ? inner : {};
    setField(at, segment, next);
    at = next;
  }
  setField(at, path.at(-1)!, value);
}
