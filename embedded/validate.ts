import { asNumber, type Doc, isDocument, isNumber, type Value } from './bson.ts';
import { checkCommonFields, wrongType } from './common-fields.ts';
import { notImplemented, searchNotEnabled, storeError } from './errors.ts';
import {
  COMMANDS,
  COMMON_FIELDS,
  type CommandPromise,
  type FieldType,
  REFUSED_COMMANDS,
  REFUSED_STAGES,
  SEARCH,
  STAGES,
  STATEMENTS,
} from './promise.ts';

/**
 * Compares a whole command with the promise before anything runs: 59 for an unknown command, 238 for a real one that is not here, 40415 for an
 * unknown field, 40414 for a missing one, 14 for a wrong type. Filters, updates and pipelines are checked by compiling them.
 */
export function validateCommand(body: Doc, sequences: { [name: string]: unknown[] }): void {
  const [name = ''] = Object.keys(body);
  const promise = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!promise) {
    if (SEARCH.has(name)) throw searchNotEnabled();
    if (REFUSED_COMMANDS.has(name)) throw notImplemented(`the command ${name}`);
    throw storeError(59, `no such command: '${name}'`);
  }
  checkFields(name, body, promise, name, sequences);
  if (name === 'aggregate') validatePipeline(body.pipeline);
  checkCommonFields(body);
}

/** One statement of an update or delete command. */
export function validateStatement(command: 'update' | 'delete', statement: Value): Doc {
  if (!isDocument(statement)) throw wrongType(`${command}.${command}s`, statement, 'object');
  const promise = STATEMENTS[command];
  if (promise) checkFields(`${command}.${command}s`, statement, promise);
  return statement;
}

/** A whole pipeline, to any depth: 40323 for a stage with several names, 40324 for an unknown one, 238 for one outside the promise. */
function validatePipeline(stages: Value): void {
  if (!Array.isArray(stages)) throw wrongType('pipeline', stages, 'array');
  for (const stage of stages) {
    if (!isDocument(stage)) throw storeError(14, "Each element of the 'pipeline' array must be an object");
    const [name = '', ...others] = Object.keys(stage);
    if (!name || others.length > 0) throw storeError(40323, 'A pipeline stage specification object must contain exactly one field.');
    if (SEARCH.has(name)) throw searchNotEnabled();
    if (REFUSED_STAGES.has(name)) throw notImplemented(`the stage ${name}`);
    if (!STAGES.includes(name)) throw storeError(40324, `Unrecognized pipeline stage name: '${name}'`);
    const argument = stage[name];
    if (!isDocument(argument)) continue;
    if (name === '$facet') for (const inner of Object.values(argument)) validatePipeline(inner);
    if ((name === '$lookup' || name === '$unionWith') && argument.pipeline !== undefined) validatePipeline(argument.pipeline);
  }
}

function checkFields(where: string, given: Doc, promise: CommandPromise, name?: string, sequences: { [name: string]: unknown[] } = {}): void {
  const { required = {}, optional = {}, refused = [] } = promise;
  for (const [field, value] of Object.entries(given)) {
    if (field === name) continue;
    const type = required[field] ?? optional[field] ?? (name ? COMMON_FIELDS[field] : undefined) ?? optional['*'];
    if (type) checkType(`${where}.${field}`, value, type);
    else if (refused.includes(field)) refuseUnlessOff(where, field, value);
    else throw storeError(40415, `BSON field '${where}.${field}' is an unknown field.`);
  }
  for (const field of Object.keys(required)) {
    if (!Object.hasOwn(given, field) && !sequences[field]) throw storeError(40414, `BSON field '${where}.${field}' is missing but a required field`);
  }
}

function refuseUnlessOff(where: string, field: string, value: Value): void {
  if (value === false || value === null || asNumber(value) === 0) return;
  throw notImplemented(`${where} with ${field}`);
}

function checkType(where: string, value: Value, type: FieldType): void {
  // A driver may send null for an option that was not set.
  if (value === null || value === undefined) return;
  if (!fits(value, type)) throw wrongType(where, value, TYPE_NAMES[type] ?? type);
}

function fits(value: Value, type: FieldType): boolean {
  switch (type) {
    case 'object':
      return isDocument(value);
    case 'array':
      return Array.isArray(value);
    case 'number':
      return isNumber(value);
    case 'boolean':
      return typeof value === 'boolean' || isNumber(value);
    case 'string':
      return typeof value === 'string';
    case 'hint':
      return typeof value === 'string' || isDocument(value);
    case 'update':
      return isDocument(value) || Array.isArray(value);
    default:
      return true;
  }
}

const TYPE_NAMES: { [type: string]: string } = { boolean: 'bool', number: 'number', hint: 'string or object', update: 'object or array' };
