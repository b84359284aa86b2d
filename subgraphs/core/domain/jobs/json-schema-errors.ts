// Validates the JSON Schemas (draft 2020-12) of generator parameters: keywords have valid values, and references are
// local. Unknown keywords are annotations, e.g. `unit` for a form.

import type { FieldError } from '../errors.ts';
import { isObject } from '../text/is-object.ts';

type Check = (value: unknown, at: Position) => FieldError[];
type Position = { path: string; depth: number; pointers: Set<string> };

const MAX_DEPTH = 32;
const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
const MAX_PATTERN_LENGTH = 1_000;

/** Returns the errors of a schema with their JSON pointers, prefixed with `path`. */
export function findSchemaErrors(schema: unknown, path: string): FieldError[] {
  return checkSchema(schema, { path, depth: 0, pointers: pointersOf(schema) });
}

const checkSchema: Check = (schema, at) => {
  if (typeof schema === 'boolean') return [];
  if (!isObject(schema)) return error(at, 'must be a schema: an object, true or false');
  if (at.depth > MAX_DEPTH) return error(at, `must not be nested deeper than ${MAX_DEPTH} levels`);
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const check = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    return check ? check(value, { ...at, path: `${at.path}/${escapePointer(keyword)}`, depth: at.depth + 1 }) : [];
  });
};

const must =
  (isValid: (value: unknown) => boolean, description: string): Check =>
  (value, at) =>
    isValid(value) ? [] : error(at, `must be ${description}`);
const schemasByName: Check = (value, at) =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, schema]) =>
        checkSchema(schema, { ...at, path: `${at.path}/${escapePointer(name)}` }),
      )
    : error(at, 'must be an object of schemas');
const schemaList: Check = (value, at) =>
  Array.isArray(value) && value.length
    ? value.flatMap((schema, index) => checkSchema(schema, { ...at, path: `${at.path}/${index}` }))
    : error(at, 'must be a non-empty array of schemas');
const isString = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isUniqueStrings = (value: unknown) =>
  Array.isArray(value) && value.every(isString) && new Set(value).size === value.length;
const number = must((value) => Number.isFinite(value), 'a number');
const count = must(isCount, 'an integer of at least 0');
const string = must(isString, 'a string');
const uniqueStrings = must(isUniqueStrings, 'an array of unique strings');
const flag = must((value) => typeof value === 'boolean', 'true or false');
const pattern: Check = (value, at) =>
  isString(value) && value.length <= MAX_PATTERN_LENGTH
    ? []
    : error(at, `must be a regular expression of at most ${MAX_PATTERN_LENGTH} characters`);
const typeNames = must(
  (value) => (Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value)),
  `one or more of ${TYPES.join(', ')}`,
);
const unsupported: Check = (_value, at) => error(at, 'is not supported');
const reference: Check = (value, at) =>
  isString(value) && value.startsWith('#') && at.pointers.has(value.slice(1))
    ? []
    : error(at, 'must reference a schema of this manifest, e.g. #/$defs/length');

const KEYWORDS: Record<string, Check> = {
  type: typeNames,
  enum: must((value) => Array.isArray(value) && value.length > 0, 'a non-empty array'),
  $ref: reference,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: must((value) => Number.isFinite(value) && Number(value) > 0, 'a number above 0'),
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
  minContains: count,
  maxContains: count,
  pattern,
  format: string,
  title: string,
  description: string,
  $comment: string,
  unit: string,
  uniqueItems: flag,
  readOnly: flag,
  writeOnly: flag,
  deprecated: flag,
  required: uniqueStrings,
  dependentRequired: must(
    (value) => isObject(value) && Object.values(value).every(isUniqueStrings),
    'an object of arrays of unique strings',
  ),
  properties: schemasByName,
  patternProperties: schemasByName,
  dependentSchemas: schemasByName,
  $defs: schemasByName,
  allOf: schemaList,
  anyOf: schemaList,
  oneOf: schemaList,
  prefixItems: schemaList,
  items: checkSchema,
  contains: checkSchema,
  additionalProperties: checkSchema,
  propertyNames: checkSchema,
  not: checkSchema,
  if: checkSchema,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: checkSchema,
  else: checkSchema,
  unevaluatedItems: checkSchema,
  unevaluatedProperties: checkSchema,
  $dynamicRef: unsupported,
  $dynamicAnchor: unsupported,
  $recursiveRef: unsupported,
  $recursiveAnchor: unsupported,
  $id: unsupported,
  $anchor: unsupported,
  $vocabulary: unsupported,
  $schema: must(
    (value) => value === 'https://json-schema.org/draft/2020-12/schema',
    'https://json-schema.org/draft/2020-12/schema',
  ),
};

// The allowed targets of references: the schema itself and its $defs.
function pointersOf(schema: unknown): Set<string> {
  const defs = isObject(schema) && isObject(schema.$defs) ? Object.keys(schema.$defs) : [];
  return new Set(['', '/', ...defs.map((name) => `/$defs/${escapePointer(name)}`)]);
}

function isType(value: unknown): boolean {
  return isString(value) && TYPES.includes(value);
}

function escapePointer(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

function error({ path }: Position, message: string): FieldError[] {
  return [{ path, message }];
}
