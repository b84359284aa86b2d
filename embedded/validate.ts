import { asNumber, type Doc, isDocument, isNumber, type Value } from './bson.ts';
import { checkCommonFields, wrongType } from './common-fields.ts';
import { notImplemented, searchNotEnabled, storeError } from './errors.ts';
import * as promise from './promise.ts';

/**
 * Compares a whole command with the promise before anything runs: 59 for an unknown command, 238 for a real one that is not here, 40415 for an
 * unknown field, 40414 for a missing one, 14 for a wrong type. Filters, updates and pipelines are checked by compiling them.
 */
export function validateCommand(body: Doc, sequences: { [name: string]: unknown }): void {
  const [name = ''] = Object.keys(body);
  const fields = Object.hasOwn(promise.COMMANDS, name) ? promise.COMMANDS[name] : undefined;
  if (!fields) {
    if (promise.SEARCH.has(name)) throw searchNotEnabled();
    if (promise.REFUSED_COMMANDS.has(name)) throw notImplemented(`the command ${name}`);
    throw storeError(59, `no such command: '${name}'`);
  }
  checkFields(name, body, fields, name, sequences);
  if (name === 'aggregate') validatePipeline(body.pipeline);
  checkCommonFields(body);
}

/** One statement of an update or delete command. */
export function validateStatement(command: 'update' | 'delete', statement: Value): Doc {
  if (!isDocument(statement)) throw wrongType(`${command}.${command}s`, statement, 'object');
  checkFields(`${command}.${command}s`, statement, promise.STATEMENTS[command]);
  return statement;
}

/** A whole pipeline, to any depth: 40323 for a stage with several names, 40324 for an unknown one, 238 for one outside the promise. */
function validatePipeline(stages: Value): void {
  if (!Array.isArray(stages)) throw wrongType('pipeline', stages, 'array');
  for (const stage of stages) {
    if (!isDocument(stage)) throw storeError(14, "Each element of the 'pipeline' array must be an object");
    const [name = '', ...others] = Object.keys(stage);
    if (!name || others.length > 0) throw storeError(40323, 'A pipeline stage specification object must contain exactly one field.');
    if (promise.SEARCH.has(name)) throw searchNotEnabled();
    if (promise.REFUSED_STAGES.has(name)) throw notImplemented(`the stage ${name}`);
    if (!promise.STAGES.includes(name)) throw storeError(40324, `Unrecognized pipeline stage name: '${name}'`);
    const argument = stage[name];
    if (!isDocument(argument)) continue;
    if (name === '$facet') for (const inner of Object.values(argument)) validatePipeline(inner);
    if ((name === '$lookup' || name === '$unionWith') && argument.pipeline !== undefined) validatePipeline(argument.pipeline);
  }
}

function checkFields(where: string, given: Doc, fields: promise.CommandPromise, name?: string, sequences: { [name: string]: unknown } = {}): void {
  const { required = {}, optional = {}, refused = [] } = fields;
  for (const [field, value] of Object.entries(given)) {
    if (field === name) continue;
    const type = required[field] ?? optional[field] ?? (name ? promise.COMMON_FIELDS[field] : undefined) ?? optional['*'];
    if (type) checkType(`${where}.${field}`, value, type);
    else if (refused.includes(field)) {
      if (value !== false && value !== null && asNumber(value) !== 0) throw notImplemented(`${where} with ${field}`);
    } else throw storeError(40415, `BSON field '${where}.${field}' is an unknown field.`);
  }
  for (const field of Object.keys(required)) {
    if (!Object.hasOwn(given, field) && !sequences[field]) throw storeError(40414, `BSON field '${where}.${field}' is missing but a required field`);
  }
}

function checkType(where: string, value: Value, type: promise.FieldType): void {
  const [expected, fits] = TYPES[type];
  // A driver may send null for an option that was not set.
  if (value !== null && value !== undefined && !fits(value)) throw wrongType(where, value, expected);
}

const isText = (value: Value): boolean => typeof value === 'string';

const TYPES: { readonly [type in promise.FieldType]: readonly [name: string, fits: (value: Value) => boolean] } = {
  object: ['object', isDocument],
  array: ['array', Array.isArray],
  number: ['number', isNumber],
  boolean: ['bool', (value) => typeof value === 'boolean' || isNumber(value)],
  string: ['string', isText],
  hint: ['string or object', (value) => isText(value) || isDocument(value)],
  update: ['object or array', (value) => isDocument(value) || Array.isArray(value)],
  any: ['anything', () => true],
};
