// Whether something is a JSON Schema (draft 2020-12) that this service checks parameters by: known keywords have values of their kind, references
// stay inside. Keywords that are not known are remarks, as the draft says: `unit` for a form, for example.

import { isObject } from '../text/is-object.ts';

type Fault = { path: string; message: string };
type Check = (value: unknown, at: At) => Fault[];
type At = { path: string; depth: number; known: Set<string> };

const DEEPEST = 32;
const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
const LONGEST_PATTERN = 1_000;

/** What is wrong with a schema, each with its JSON pointer beginning with `path`. */
export function schemaFaults(schema: unknown, path: string): Fault[] {
  return checkSchema(schema, { path, depth: 0, known: pointersOf(schema) });
}

const checkSchema: Check = (schema, at) => {
  if (typeof schema === 'boolean') return [];
  if (!isObject(schema)) return fault(at, 'must be a schema: an object, true or false');
  if (at.depth > DEEPEST) return fault(at, `is nested deeper than ${DEEPEST} schemas`);
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const check = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    return check ? check(value, { ...at, path: `${at.path}/${escaped(keyword)}`, depth: at.depth + 1 }) : [];
  });
};

const must =
  (holds: (value: unknown) => boolean, what: string): Check =>
  (value, at) =>
    holds(value) ? [] : fault(at, `must be ${what}`);
const schemasByName: Check = (value, at) =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, schema]) =>
        checkSchema(schema, { ...at, path: `${at.path}/${escaped(name)}` }),
      )
    : fault(at, 'must be an object of schemas');
const schemaList: Check = (value, at) =>
  Array.isArray(value) && value.length
    ? value.flatMap((schema, index) => checkSchema(schema, { ...at, path: `${at.path}/${index}` }))
    : fault(at, 'must be a list of schemas');
const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
const number = must((value) => Number.isFinite(value), 'a number');
const count = must(isCount, 'a whole number, 0 or more');
const text = must(isText, 'a text');
const texts = must(isTexts, 'a list of different texts');
const flag = must((value) => typeof value === 'boolean', 'true or false');
const pattern: Check = (value, at) =>
  isText(value) && value.length <= LONGEST_PATTERN
    ? []
    : fault(at, `must be a regular expression of at most ${LONGEST_PATTERN} characters`);
const typeNames = must(
  (value) => (Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value)),
  `one or more of ${TYPES.join(', ')}`,
);
const elsewhere: Check = (_value, at) => fault(at, 'is not supported here');
const reference: Check = (value, at) =>
  isText(value) && value.startsWith('#') && at.known.has(value.slice(1))
    ? []
    : fault(at, 'must name a schema of this manifest, e.g. #/$defs/length');

const KEYWORDS: Record<string, Check> = {
  ...{
    type: typeNames,
    enum: must((value) => Array.isArray(value) && value.length > 0, 'a list of values'),
    $ref: reference,
  },
  ...{ minimum: number, maximum: number, exclusiveMinimum: number, exclusiveMaximum: number },
  multipleOf: must((value) => Number.isFinite(value) && Number(value) > 0, 'a number above 0'),
  ...{
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
    minProperties: count,
    maxProperties: count,
    minContains: count,
    maxContains: count,
  },
  ...{
    pattern,
    format: text,
    title: text,
    description: text,
    $comment: text,
    unit: text,
    uniqueItems: flag,
    readOnly: flag,
    writeOnly: flag,
    deprecated: flag,
  },
  ...{
    required: texts,
    dependentRequired: must(
      (value) => isObject(value) && Object.values(value).every(isTexts),
      'an object of lists of texts',
    ),
  },
  ...{
    properties: schemasByName,
    patternProperties: schemasByName,
    dependentSchemas: schemasByName,
    $defs: schemasByName,
  },
  ...{ allOf: schemaList, anyOf: schemaList, oneOf: schemaList, prefixItems: schemaList },
  ...{
    items: checkSchema,
    contains: checkSchema,
    additionalProperties: checkSchema,
    propertyNames: checkSchema,
    not: checkSchema,
  },
  // biome-ignore lint/suspicious/noThenProperty: the name of a keyword
  ...{
    if: checkSchema,
    then: checkSchema,
    else: checkSchema,
    unevaluatedItems: checkSchema,
    unevaluatedProperties: checkSchema,
  },
  ...{
    $dynamicRef: elsewhere,
    $dynamicAnchor: elsewhere,
    $recursiveRef: elsewhere,
    $recursiveAnchor: elsewhere,
    $id: elsewhere,
    $anchor: elsewhere,
    $vocabulary: elsewhere,
  },
  $schema: must(
    (value) => value === 'https://json-schema.org/draft/2020-12/schema',
    'https://json-schema.org/draft/2020-12/schema',
  ),
};

// The pointers that a reference may name: the schema itself and what stands under $defs.
function pointersOf(schema: unknown): Set<string> {
  const defs = isObject(schema) && isObject(schema.$defs) ? Object.keys(schema.$defs) : [];
  return new Set(['', '/', ...defs.map((name) => `/$defs/${escaped(name)}`)]);
}

function isType(value: unknown): boolean {
  return isText(value) && TYPES.includes(value);
}

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

function fault({ path }: At, message: string): Fault[] {
  return [{ path, message }];
}
