import { cloneValue, type Doc, getField, isDocument, setField, splitPath, type Value } from './bson.ts';
import { RANK, rankOf } from './compare.ts';
import { storeError } from './errors.ts';
import { hasOperators } from './match-operators.ts';
import { compareSegments } from './update-path.ts';

/** The document an upsert starts from: what the filter says must be equal. A path that is said twice is refused (54). */
export function equalityFields(filter: Doc): Doc {
  const equalities = new Map<string, Value>();
  collect(filter, equalities);
  const paths = [...equalities.keys()].toSorted((a, b) => compareSegments(splitPath(a), splitPath(b)));
  for (let at = 1; at < paths.length; at++) {
    if (paths[at]!.startsWith(`${paths[at - 1]}.`)) {
      throw storeError(54, `cannot infer query fields to set, both paths '${paths[at - 1]}' and '${paths[at]}' are matched`);
    }
  }
  const base: Doc = {};
  if (equalities.has('_id')) base._id = cloneValue(equalities.get('_id'));
  for (const [path, value] of equalities) if (path !== '_id') setPath(base, splitPath(path), cloneValue(value));
  return base;
}

function collect(filter: Doc, into: Map<string, Value>): void {
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$and' && Array.isArray(value)) for (const part of value.filter(isDocument)) collect(part, into);
    else if (key === '$or' && Array.isArray(value) && value.length === 1 && isDocument(value[0])) collect(value[0], into);
    else if (!key.startsWith('$')) {
      const [found, equality] = equalityOf(value);
      if (!found) continue;
      if (into.has(key)) throw storeError(54, `cannot infer query fields to set, path '${key}' is matched twice`);
      into.set(key, equality);
    }
  }
}

function equalityOf(condition: Value): [boolean, Value] {
  if (!hasOperators(condition)) return [rankOf(condition) !== RANK.regex, condition];
  if (Object.hasOwn(condition, '$eq')) return [true, condition.$eq];
  for (const operator of ['$in', '$all']) {
    const list = getField(condition, operator);
    if (Array.isArray(list) && list.length === 1 && !hasOperators(list[0]) && rankOf(list[0]) !== RANK.regex) return [true, list[0]];
  }
  return [false, undefined];
}

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
