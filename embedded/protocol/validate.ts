import { asNumber, type Doc, isDocument, isNumber, type Value } from '../values/bson.ts';
import { checkCommonFields, wrongType } from './common-fields.ts';
import { notImplemented, searchNotEnabled, storeError } from './errors.ts';
import * as promise from './promise.ts';

/**
 * Compares a whole command with the promise before anything runs: 59 for an unknown command, 238 for a real one that is not here, 40415 for an
 * unknown field, 40414 for a missing one, 14 for a wrong type. Filters, updates and pipelines are checked by compiling them.
 */
export function validateCommand(body: Doc, sequences: { [name: string]: unknown }): void {
  const [name = ''] = Object.keys(body);
  const rules = COMMANDS.get(name);
  if (!rules) {
    if (promise.SEARCH.has(name)) throw searchNotEnabled();
    if (promise.REFUSED_COMMANDS.has(name)) throw notImplemented(`the command ${name}`);
    throw storeError(59, `no such command: '${name}'`);
  }
  checkFields(name, body, rules, name, sequences);
  if (name === 'aggregate') validatePipeline(body.pipeline);
  checkCommonFields(body);
}

/** One statement of an update or delete command. */
export function validateStatement(command: 'update' | 'delete', statement: Value): Doc {
  if (!isDocument(statement)) throw wrongType(`${command}.${command}s`, statement, 'object');
  checkFields(`${command}.${command}s`, statement, STATEMENTS[command]);
  return statement;
}

/** A whole pipeline, to any depth: 40323 for a stage with several names, 40324 for an unknown one, 238 for one outside the promise. */
function validatePipeline(stages: Value): void {
  if (!Array.isArray(stages)) throw wrongType('pipeline', stages, 'array');
  for (const stage of stages) {
    if (!isDocument(stage)) throw storeError(14, "Each element of the 'pipeline' array must be an object");
    const [name = '', ...others] = Object.keys(stage);
    if (!name || others.length > 0)
      throw storeError(40323, 'A pipeline stage specification object must contain exactly one field.');
    if (promise.SEARCH.has(name)) throw searchNotEnabled();
    if (promise.REFUSED_STAGES.has(name)) throw notImplemented(`the stage ${name}`);
    if (!promise.STAGES.includes(name)) throw storeError(40324, `Unrecognized pipeline stage name: '${name}'`);
    const argument = stage[name];
    if (!isDocument(argument)) continue;
    if (name === '$facet') for (const inner of Object.values(argument)) validatePipeline(inner);
    if ((name === '$lookup' || name === '$unionWith') && argument.pipeline !== undefined)
      validatePipeline(argument.pipeline);
  }
}

function checkFields(
  where: string,
  given: Doc,
  { types, required, refused }: Rules,
  name?: string,
  sequences: { [name: string]: unknown } = {},
): void {
  for (const field of Object.keys(given)) {
    if (field === name) continue;
    const value = given[field];
    const type = types.get(field) ?? types.get('*');
    if (type) {
      // A driver may send null for an option that was not set.
      if (value !== null && value !== undefined && !type.fits(value))
        throw wrongType(`${where}.${field}`, value, type.expected);
    } else if (refused.includes(field)) {
      if (value !== false && value !== null && asNumber(value) !== 0) throw notImplemented(`${where} with ${field}`);
    } else throw storeError(40415, `BSON field '${where}.${field}' is an unknown field.`);
  }
  for (const field of required) {
    if (!Object.hasOwn(given, field) && !sequences[field])
      throw storeError(40414, `BSON field '${where}.${field}' is missing but a required field`);
  }
}

const isText = (value: Value): boolean => typeof value === 'string';

type Type = { expected: string; fits(value: Value): boolean };

const TYPES: { readonly [type in promise.FieldType]: Type } = {
  object: { expected: 'object', fits: isDocument },
  array: { expected: 'array', fits: Array.isArray },
  number: { expected: 'number', fits: isNumber },
  boolean: { expected: 'bool', fits: (value) => typeof value === 'boolean' || isNumber(value) },
  string: { expected: 'string', fits: isText },
  hint: { expected: 'string or object', fits: (value) => isText(value) || isDocument(value) },
  update: { expected: 'object or array', fits: (value) => isDocument(value) || Array.isArray(value) },
  any: { expected: 'anything', fits: () => true },
};

// What the promise says of each field, put together once: every command is compared with it.
type Rules = { types: ReadonlyMap<string, Type>; required: readonly string[]; refused: readonly string[] };

function rulesOf(
  { required = {}, optional = {}, refused = [] }: promise.CommandPromise,
  common: promise.Fields,
): Rules {
  const types = Object.entries({ ...common, ...optional, ...required }).map(([field, type]): [string, Type] => [
    field,
    TYPES[type],
  ]);
  return { types: new Map(types), required: Object.keys(required), refused };
}

const COMMANDS = new Map(
  Object.entries(promise.COMMANDS).map(([name, fields]) => [name, rulesOf(fields, promise.COMMON_FIELDS)]),
);
const STATEMENTS = { update: rulesOf(promise.STATEMENTS.update, {}), delete: rulesOf(promise.STATEMENTS.delete, {}) };
