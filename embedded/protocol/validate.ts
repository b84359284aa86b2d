// Validates commands against the list of supported features.
import { Binary, Long } from 'bson';
import { asNumber, bsonTag, type Doc, isDocument, isNumber, typeName, type Value } from '../values/bson.ts';
import { validateCommonFields } from './common-fields.ts';
import { notImplemented, type StoreError, searchNotEnabled, storeError } from './errors.ts';
import * as features from './supported-features.ts';

/**
 * Validates a whole command before it runs. Throws NotImplemented (238) for an unsupported command or field,
 * IDLFailedToParse (40414) for a missing field and TypeMismatch (14).
 * Filters, updates and expressions are validated when they are compiled.
 */
export function validateCommand(body: Doc, sequences: { [name: string]: unknown }): void {
  const [name = ''] = Object.keys(body);
  const rules = COMMANDS.get(name);
  if (!rules) {
    if (features.SEARCH_FEATURES.has(name)) throw searchNotEnabled();
    throw notImplemented(`the command ${name}`);
  }
  validateFields(name, body, rules, name, sequences);
  if (name === 'aggregate') validatePipeline(body.pipeline);
  if (name === 'explain') validateCommand(body.explain as Doc, {});
  validateCommonFields(body);
}

/** Validates one statement of a write command, whose first field is its `kind`, and returns it. */
export function validateStatement(kind: keyof typeof features.STATEMENTS, statement: Value, first?: string): Doc {
  if (!isDocument(statement)) throw wrongTypeError(kind, statement, 'object');
  validateFields(kind, statement, STATEMENTS[kind], first);
  return statement;
}

/** Validates a document in a command, such as a collation. */
export function validateNested(kind: keyof typeof features.NESTED, document: Doc): void {
  validateFields(kind, document, nestedRules(kind));
}

/** Returns the error for a field of the wrong type. */
export const wrongTypeError = (where: string, value: Value, expected: string): StoreError =>
  storeError(14, `BSON field '${where}' is the wrong type '${typeName(value)}', expected type '${expected}'`);

// Validates a pipeline and the pipelines nested in it. Throws Location40323 for a stage with several fields and
// NotImplemented (238) for an unsupported one.
function validatePipeline(stages: Value): void {
  if (!Array.isArray(stages)) throw wrongTypeError('pipeline', stages, 'array');
  for (const stage of stages) {
    if (!isDocument(stage)) throw storeError(14, "Each element of the 'pipeline' array must be an object");
    const [name = '', ...others] = Object.keys(stage);
    if (!name || others.length > 0)
      throw storeError(40323, 'A pipeline stage specification object must contain exactly one field.');
    if (features.SEARCH_FEATURES.has(name)) throw searchNotEnabled();
    if (!features.STAGES.includes(name)) throw notImplemented(`the stage ${name}`);
    const argument = stage[name];
    if (name === '$lookup' && isDocument(argument) && argument.pipeline !== undefined)
      validatePipeline(argument.pipeline);
  }
}

function validateFields(
  path: string,
  document: Doc,
  { value: first, types, required }: Rules,
  name?: string,
  sequences: { [name: string]: unknown } = {},
): void {
  for (const field of Object.keys(document)) {
    const value = document[field];
    const type = field === name ? first : (types.get(field) ?? types.get('*'));
    if (type) {
      // Drivers may send null for an option that is not set.
      if (field === name || (value !== null && value !== undefined)) type.check(`${path}.${field}`, value);
    } else if (field !== name) throw notImplemented(`${path} with ${field}`);
  }
  for (const field of required) {
    if ((document[field] === undefined || document[field] === null) && !sequences[field])
      throw storeError(40414, `BSON field '${path}.${field}' is missing but a required field`);
  }
}

/** Throws unless the value of a field has the type. */
type Type = { check(where: string, value: Value): void };

const type = (expected: string, accepts: (value: Value) => boolean): Type => ({
  check(where, value) {
    if (!accepts(value)) throw wrongTypeError(where, value, expected);
  },
});

const off = (accepts: (value: Value) => boolean): Type => ({
  check(where, value) {
    if (!accepts(value)) throw notImplemented(where.replace(/\.(?=[^.]*$)/, ' with '));
  },
});

const isString = (value: Value): boolean => typeof value === 'string';
const isUuid = (value: Value): boolean =>
  value instanceof Binary && value.sub_type === Binary.SUBTYPE_UUID && value.position === 16;

/** Throws unless the value is an integer of any number type. */
export function checkInteger(where: string, value: Value): void {
  if (!isNumber(value)) throw wrongTypeError(where, value, 'number');
  if (!(value instanceof Long) && !Number.isSafeInteger(asNumber(value)))
    throw notImplemented(`a fraction or a number of more than 53 bits for ${where}`);
}

const PLAIN: { readonly [type in features.PlainType]: Type } = {
  object: type('object', isDocument),
  array: type('array', Array.isArray),
  objectArray: {
    check(where, value) {
      if (!Array.isArray(value)) throw wrongTypeError(where, value, 'array');
      for (const [at, item] of value.entries())
        if (!isDocument(item)) throw wrongTypeError(`${where}.${at}`, item, 'object');
    },
  },
  number: { check: checkInteger },
  boolean: type('bool', (value) => typeof value === 'boolean' || isNumber(value)),
  string: type('string', isString),
  stringOrNumber: {
    check(where, value) {
      if (isDocument(value)) throw notImplemented('a write concern with tags');
      if (!isString(value) && !isNumber(value)) throw storeError(9, `${where} has to be a number or a string`);
    },
  },
  namespace: {
    check(where, value) {
      if (!isString(value)) throw storeError(73, `${where}: collection name has invalid type ${typeName(value)}`);
    },
  },
  hint: type('string or object', (value) => isString(value) || isDocument(value)),
  update: type('object or array', (value) => isDocument(value) || (Array.isArray(value) && value.every(isDocument))),
  uuid: {
    check(where, value) {
      if (!(value instanceof Binary)) throw wrongTypeError(where, value, 'binData');
      if (!isUuid(value)) throw storeError(207, 'uuid must be a 16-byte binary field with UUID (4) subtype');
    },
  },
  timestamp: type('timestamp', (value) => bsonTag(value) === 'Timestamp'),
  off: off((value) => value === false),
  offOrZero: off((value) => value === false || asNumber(value) === 0),
  any: { check: () => undefined },
};

function typeOf(name: features.FieldType): Type {
  if (name in PLAIN) return PLAIN[name as features.PlainType];
  const nested = name as keyof typeof features.NESTED;
  return {
    check(where, value) {
      if (!isDocument(value)) throw wrongTypeError(where, value, 'object');
      // An empty collation, as drivers send it, is none.
      if (nested === 'collation' && Object.keys(value).length === 0) return;
      validateFields(where, value, nestedRules(nested));
    },
  };
}

// The rules of each command, compiled once.
type Rules = {
  value: Type | undefined;
  types: ReadonlyMap<string, Type>;
  required: readonly string[];
};

function compileRules(spec: features.CommandSpec, common: features.CommandSpec = {}): Rules {
  const fields = { ...common.optional, ...spec.optional, ...spec.required };
  return {
    value: spec.value && typeOf(spec.value),
    types: new Map(Object.entries(fields).map(([field, name]): [string, Type] => [field, typeOf(name)])),
    required: Object.keys(spec.required ?? {}),
  };
}

const mapValues = <Key extends string, In, Out>(object: { readonly [key in Key]: In }, map: (value: In) => Out) =>
  Object.fromEntries(Object.entries<In>(object).map(([key, value]) => [key, map(value)])) as { [key in Key]: Out };

const NESTED_RULES = mapValues(features.NESTED, (spec: features.CommandSpec) => compileRules(spec));
const nestedRules = (name: keyof typeof features.NESTED): Rules => NESTED_RULES[name];
const COMMANDS = new Map(
  Object.entries(features.COMMANDS).map(([name, spec]) => [name, compileRules(spec, features.COMMON)]),
);
const STATEMENTS = mapValues(features.STATEMENTS, (spec: features.CommandSpec) => compileRules(spec));
