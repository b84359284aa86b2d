// Validates and normalizes index specifications.

import { Int32 } from 'bson';
import { notImplemented, storeError } from '../protocol/errors.ts';
import { PARTIAL_FILTER_OPERATORS } from '../protocol/supported-features.ts';
import { validateNested } from '../protocol/validate.ts';
import { compileFilter } from '../query/match.ts';
import { compileRegexValue, hasOperators } from '../query/match-operators.ts';
import { asNumber, type Doc, isDocument, isNumber, isTruthy, type Value } from '../values/bson.ts';
import { compare, equal } from '../values/compare.ts';
import { formatValue } from '../values/format-value.ts';
import type { Collection, Index } from './catalog.ts';

/**
 * Returns the form in which an index is stored and listed. Throws CannotCreateIndex (67) if the specification is
 * invalid, TypeMismatch (14) for a wrong type, and NotImplemented (238) if it is not supported.
 */
export function normalizeSpec(spec: Doc): Doc {
  validateNested('index', spec);
  for (const [field, value] of Object.entries(spec))
    if (value === null || value === undefined) throw storeError(14, `The field '${field}' of an index is null`);
  const { v = 2, name, collation, background: _, hidden: _hidden, ...options } = spec;
  const key = options.key as Doc;
  const fields = Object.entries(key);
  if (fields.length === 0) throw storeError(67, 'Index keys cannot be an empty object.');
  for (const [path, direction] of fields) checkKey(path, direction);
  if (name === '') throw storeError(67, 'The index name cannot be empty.');
  if (name === '*') throw storeError(2, "The index name '*' is not valid.");
  if (asNumber(v) !== 2) throw notImplemented(`version ${v} of an index`);
  if (isDocument(collation) && collation.locale !== 'simple') throw notImplemented('an index with a collation');
  const stored: Doc = { ...options, unique: isTruthy(options.unique), sparse: isTruthy(options.sparse) };
  if (stored.expireAfterSeconds !== undefined) checkExpiry(stored, fields.length);
  if (isDocument(stored.partialFilterExpression)) checkPartialIndex(stored.partialFilterExpression, stored);
  for (const field of ['unique', 'sparse']) if (stored[field] === false) delete stored[field];
  return { v: new Int32(2), key, name, ...stored };
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

function checkKey(path: string, direction: Value): void {
  if (path === '' || path.startsWith('.') || path.endsWith('.') || path.includes('..'))
    throw storeError(67, 'Index keys cannot contain an empty field.');
  if (path.includes('$**')) throw notImplemented('a wildcard index');
  if (path.startsWith('$'))
    throw storeError(67, `Index key contains an illegal field name: field name starts with '$'.`);
  if (typeof direction === 'string') throw notImplemented(`a ${direction} index`);
  if (!isNumber(direction) || !asNumber(direction)) {
    throw storeError(
      67,
      `Values in v:2 index key pattern cannot be ${formatValue(direction)}. Only numbers > 0, numbers < 0, and strings are allowed.`,
    );
  }
}

function checkPartialIndex(filter: Doc, { sparse }: Doc): void {
  if (sparse) throw storeError(67, 'cannot mix "partialFilterExpression" and "sparse" options');
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
