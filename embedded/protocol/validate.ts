// Validates commands against the list of supported features.
import { asNumber, type Doc, isDocument, isNumber, type Value } from '../values/bson.ts';
import { validateCommonFields, wrongTypeError } from './common-fields.ts';
import { notImplemented, searchNotEnabled, storeError } from './errors.ts';
import * as features from './supported-features.ts';

/**
 * Validates a whole command before it runs. Throws CommandNotFound (59) for an unknown command, NotImplemented (238) for
 * an unsupported one, IDLUnknownField (40415), IDLFailedToParse (40414) for a missing field and TypeMismatch (14).
 * Filters, updates and expressions are validated when they are compiled.
 */
export function validateCommand(body: Doc, sequences: { [name: string]: unknown }): void {
  const [name = ''] = Object.keys(body);
  const rules = COMMANDS.get(name);
  if (!rules) {
    if (features.SEARCH_FEATURES.has(name)) throw searchNotEnabled();
    if (features.UNSUPPORTED_COMMANDS.has(name)) throw notImplemented(`the command ${name}`);
    throw storeError(59, `no such command: '${name}'`);
  }
  validateFields(name, body, rules, name, sequences);
  if (name === 'aggregate') validatePipeline(body.pipeline);
  validateCommonFields(body);
}

/** Validates one statement of an update or delete command and returns it. */
export function validateStatement(command: 'update' | 'delete', statement: Value): Doc {
  if (!isDocument(statement)) throw wrongTypeError(`${command}.${command}s`, statement, 'object');
  validateFields(`${command}.${command}s`, statement, STATEMENTS[command]);
  return statement;
}

// Validates a pipeline and the pipelines nested in it. Throws Location40323 for a stage with several fields,
// Location40324 for an unknown stage and NotImplemented (238) for an unsupported one.
function validatePipeline(stages: Value): void {
  if (!Array.isArray(stages)) throw wrongTypeError('pipeline', stages, 'array');
  for (const stage of stages) {
    if (!isDocument(stage)) throw storeError(14, "Each element of the 'pipeline' array must be an object");
    const [name = '', ...others] = Object.keys(stage);
    if (!name || others.length > 0)
      throw storeError(40323, 'A pipeline stage specification object must contain exactly one field.');
    if (features.SEARCH_FEATURES.has(name)) throw searchNotEnabled();
    if (features.UNSUPPORTED_STAGES.has(name)) throw notImplemented(`the stage ${name}`);
    if (!features.STAGES.includes(name)) throw storeError(40324, `Unrecognized pipeline stage name: '${name}'`);
    const argument = stage[name];
    if (!isDocument(argument)) continue;
    if (name === '$facet') for (const nested of Object.values(argument)) validatePipeline(nested);
    if ((name === '$lookup' || name === '$unionWith') && argument.pipeline !== undefined)
      validatePipeline(argument.pipeline);
  }
}

function validateFields(
  path: string,
  document: Doc,
  { types, required, unsupported }: Rules,
  name?: string,
  sequences: { [name: string]: unknown } = {},
): void {
  for (const field of Object.keys(document)) {
    if (field === name) continue;
    const value = document[field];
    const type = types.get(field) ?? types.get('*');
    if (type) {
      // Drivers may send null for an option that is not set.
      if (value !== null && value !== undefined && !type.accepts(value))
        throw wrongTypeError(`${path}.${field}`, value, type.expected);
    } else if (unsupported.includes(field)) {
      if (value !== false && value !== null && asNumber(value) !== 0) throw notImplemented(`${path} with ${field}`);
    } else throw storeError(40415, `BSON field '${path}.${field}' is an unknown field.`);
  }
  for (const field of required) {
    if (!Object.hasOwn(document, field) && !sequences[field])
      throw storeError(40414, `BSON field '${path}.${field}' is missing but a required field`);
  }
}

const isString = (value: Value): boolean => typeof value === 'string';

type Type = { expected: string; accepts(value: Value): boolean };

const TYPES: { readonly [type in features.FieldType]: Type } = {
  object: { expected: 'object', accepts: isDocument },
  array: { expected: 'array', accepts: Array.isArray },
  number: { expected: 'number', accepts: isNumber },
  boolean: { expected: 'bool', accepts: (value) => typeof value === 'boolean' || isNumber(value) },
  string: { expected: 'string', accepts: isString },
  hint: { expected: 'string or object', accepts: (value) => isString(value) || isDocument(value) },
  update: { expected: 'object or array', accepts: (value) => isDocument(value) || Array.isArray(value) },
  any: { expected: 'anything', accepts: () => true },
};

// The rules of each command, compiled once.
type Rules = { types: ReadonlyMap<string, Type>; required: readonly string[]; unsupported: readonly string[] };

function compileRules(
  { required = {}, optional = {}, unsupported = [] }: features.CommandSpec,
  common: features.Fields,
): Rules {
  const types = Object.entries({ ...common, ...optional, ...required }).map(([field, type]): [string, Type] => [
    field,
    TYPES[type],
  ]);
  return { types: new Map(types), required: Object.keys(required), unsupported };
}

const COMMANDS = new Map(
  Object.entries(features.COMMANDS).map(([name, fields]) => [name, compileRules(fields, features.COMMON_FIELDS)]),
);
const STATEMENTS = {
  update: compileRules(features.STATEMENTS.update, {}),
  delete: compileRules(features.STATEMENTS.delete, {}),
};
