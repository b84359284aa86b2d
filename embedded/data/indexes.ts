// Validates and normalizes index specifications.

import { Int32 } from 'bson';
import { notImplemented, type StoreError, storeError } from '../protocol/errors.ts';
import {
  INDEX_FIELDS,
  PARTIAL_FILTER_OPERATORS,
  UNSUPPORTED_INDEX_FIELDS,
  UNSUPPORTED_INDEX_TYPES,
} from '../protocol/supported-features.ts';
import { compileFilter } from '../query/match.ts';
import { compileRegexValue, hasOperators } from '../query/match-operators.ts';
import { asNumber, type Doc, isDocument, isNumber, type Value } from '../values/bson.ts';
import { compare, equal } from '../values/compare.ts';
import { formatValue } from '../values/format-value.ts';
import type { Collection, Index } from './catalog.ts';

/**
 * Returns the form in which an index is stored and listed. Throws CannotCreateIndex (67) if the specification is
 * invalid, and NotImplemented (238) if it is not supported.
 */
export function normalizeSpec(spec: Doc): Doc {
  for (const field of Object.keys(spec)) checkField(field, spec);
  const { key } = spec;
  if (!isDocument(key))
    throw storeError(9, `The 'key' field is a required property of an index specification: ${formatValue(spec)}`);
  const fields = Object.entries(key);
  if (fields.length === 0) throw storeError(67, 'Index keys cannot be an empty object.');
  for (const [path, direction] of fields) checkKey(path, direction);
  const { name } = spec;
  if (name === undefined)
    throw storeError(9, `The 'name' field is a required property of an index specification: ${formatValue(spec)}`);
  if (typeof name !== 'string' || name === '') throw storeError(14, "The field 'name' must be a non-empty string");
  if (name === '*') throw storeError(2, "The index name '*' is not valid.");
  checkOptions(spec, fields.length);
  const { v, key: _key, name: _name, background, ns, hidden, collation, ...options } = spec;
  const stored = {
    ...options,
    unique: toBoolean('unique', options.unique),
    sparse: toBoolean('sparse', options.sparse),
  };
  return {
    v: new Int32(2),
    key,
    name,
    ...Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== false)),
  };
}

/**
 * Returns the existing index that makes the new one unnecessary. Throws IndexOptionsConflict (85) or
 * IndexKeySpecsConflict (86) if an existing index conflicts with the new one.
 */
export function existingIndex(collection: Collection, spec: Doc): Index | undefined {
  const sameName = collection.indexes.find(({ name }) => name === spec.name);
  const sameKey = collection.indexes.find(({ key }) => equal(key, spec.key));
  if (sameName) {
    if (equal(sameName.key, spec.key) && (sameName.name === '_id_' || sameOptions(sameName.spec, spec)))
      return sameName;
    throw storeError(
      86,
      `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Requested index: ${formatValue(spec)}, existing index: ${formatValue(sameName.spec)}`,
    );
  }
  if (!sameKey) return undefined;
  if (sameKey.name === '_id_') return sameKey;
  const message = sameOptions(sameKey.spec, spec)
    ? `Index already exists with a different name: ${sameKey.name}`
    : `An equivalent index already exists with a different name and options. Requested index: ${formatValue(spec)}, existing index: ${formatValue(sameKey.spec)}`;
  throw storeError(85, message);
}

// Old clients send numbers.
function toBoolean(name: string, value: Value): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  if (!isNumber(value))
    throw storeError(
      14,
      `The field '${name}' has value ${name}: ${formatValue(value)}, which is not convertible to bool`,
    );
  return asNumber(value) !== 0;
}

function checkField(field: string, spec: Doc): void {
  if (UNSUPPORTED_INDEX_FIELDS.has(field)) throw notImplemented(`the index option ${field}`);
  if (!INDEX_FIELDS.has(field))
    throw storeError(
      197,
      `The field '${field}' is not valid for an index specification. Specification: ${formatValue(spec)}`,
    );
}

function checkKey(path: string, direction: Value): void {
  if (path === '' || path.startsWith('.') || path.endsWith('.') || path.includes('..'))
    throw storeError(67, 'Index keys cannot contain an empty field.');
  if (path.includes('$**')) throw notImplemented('a wildcard index');
  if (path.startsWith('$'))
    throw storeError(67, `Index key contains an illegal field name: field name starts with '$'.`);
  if (typeof direction === 'string') throw unknownIndexType(direction);
  if (!isNumber(direction) || !asNumber(direction)) {
    throw storeError(
      67,
      `Values in v:2 index key pattern cannot be ${formatValue(direction)}. Only numbers > 0, numbers < 0, and strings are allowed.`,
    );
  }
}

const unknownIndexType = (name: string): StoreError =>
  UNSUPPORTED_INDEX_TYPES.has(name)
    ? notImplemented(`a ${name} index`)
    : storeError(67, `Unknown index plugin '${name}'`);

function checkOptions(spec: Doc, fields: number): void {
  if (isDocument(spec.collation) && spec.collation.locale !== 'simple')
    throw notImplemented('an index with a collation');
  if (spec.hidden === true) throw notImplemented('a hidden index');
  if (spec.expireAfterSeconds !== undefined) checkExpiry(spec, fields);
  const filter = spec.partialFilterExpression;
  if (filter === undefined) return;
  if (!isDocument(filter)) throw storeError(14, "The field 'partialFilterExpression' must be an object");
  if (spec.sparse === true) throw storeError(67, 'cannot mix "partialFilterExpression" and "sparse" options');
  compileFilter(filter);
  checkPartial(filter);
}

function checkPartial(filter: Doc): void {
  for (const [name, condition] of Object.entries(filter)) {
    if (name.startsWith('$') && !PARTIAL_FILTER_OPERATORS.has(name)) throw notPartial(name);
    if (name.startsWith('$') && Array.isArray(condition)) for (const part of condition) checkPartial(part as Doc);
    else if (hasOperators(condition)) {
      for (const [operator, argument] of Object.entries(condition))
        if (!PARTIAL_FILTER_OPERATORS.has(operator) || (operator === '$exists' && argument !== true))
          throw notPartial(operator);
    } else if (compileRegexValue(condition)) throw notPartial('$regex');
  }
}

const notPartial = (name: string) => storeError(67, `Expression not supported in partial index: ${name}`);

function checkExpiry({ expireAfterSeconds, key }: Doc, fields: number): void {
  const seconds = asNumber(expireAfterSeconds);
  if (seconds === undefined || seconds < 0 || seconds > 2 ** 31 - 1)
    throw storeError(67, 'TTL index expireAfterSeconds option must be within 0 and 2147483647');
  if (fields > 1) throw storeError(67, 'TTL indexes are single-field indexes, compound indexes do not support TTL.');
  if ('_id' in (key as Doc))
    throw storeError(67, "The field 'expireAfterSeconds' is not valid for an _id index specification.");
}

const COMPARED_OPTIONS = ['unique', 'sparse', 'expireAfterSeconds', 'partialFilterExpression'];
const sameOptions = (left: Doc, right: Doc): boolean =>
  COMPARED_OPTIONS.every((name) => compare(left[name] ?? null, right[name] ?? null) === 0);
