// Checks parameters against the schema of a stranger. A thread of its own: a pattern or a web of references may take for ever, and the thread is ended.
import { parentPort, workerData } from 'node:worker_threads';
import { Validator } from '@cfworker/json-schema';
import { isObject } from '../core/domain/text/is-object.ts';
import type { ParamsAnswer, ParamsQuestion } from './check-params.ts';

const { schema, params } = workerData as ParamsQuestion;

function answer(): ParamsAnswer {
  const complete = filled(schema, params);
  const { errors } = new Validator(schema, '2020-12', false).validate(complete);
  const faults = errors.filter(({ keyword }) => !CONTAINERS.has(keyword)).map(faultOf);
  return { params: complete as object, faults: faults.slice(0, MOST_FAULTS) };
}

type OutputUnit = ReturnType<InstanceType<typeof Validator>['validate']>['errors'][number];

// Of a fault deep inside, these say again that there is one.
const CONTAINERS = new Set([
  '$ref',
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
  'allOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
]);
const MOST_FAULTS = 100;

function faultOf({ keyword, instanceLocation, error }: OutputUnit): { path: string; message: string } {
  const path = decodeURIComponent(instanceLocation.slice(1));
  if (keyword === 'false') return { path, message: 'is not a parameter of this generator' };
  const missing = keyword === 'required' ? /"(.*)"/.exec(error)?.[1] : undefined;
  if (missing !== undefined)
    return { path: `${path}/${missing.replaceAll('~', '~0').replaceAll('/', '~1')}`, message: 'is missing' };
  return {
    path,
    message: error
      .replace(/^Instance /, '')
      .replace(/\.$/, '')
      .slice(0, 500),
  };
}

// The defaults of properties that were left out, also in objects that are properties themselves.
function filled(of: unknown, value: unknown): unknown {
  if (!isObject(of) || !isObject(value)) return value;
  const named = typeof of.$ref === 'string' ? referenced(of.$ref) : null;
  const properties = { ...propertiesOf(named), ...propertiesOf(of) };
  const own = Object.fromEntries(Object.entries(value).map(([name, given]) => [name, filled(properties[name], given)]));
  const missing = Object.entries(properties).flatMap(([name, property]) => {
    const initial = Object.hasOwn(value, name) ? undefined : defaultOf(property);
    return initial === undefined ? [] : [[name, filled(property, initial)]];
  });
  return { ...own, ...Object.fromEntries(missing) };
}

function defaultOf(property: unknown): unknown {
  if (!isObject(property)) return undefined;
  if (property.default !== undefined) return structuredClone(property.default);
  const named = typeof property.$ref === 'string' ? referenced(property.$ref) : null;
  return isObject(named) && named.default !== undefined ? structuredClone(named.default) : undefined;
}

function propertiesOf(of: unknown): Record<string, unknown> {
  return isObject(of) && isObject(of.properties) ? of.properties : {};
}

function referenced(pointer: string): unknown {
  const name = /^#\/\$defs\/(.+)$/.exec(pointer)?.[1]?.replaceAll('~1', '/').replaceAll('~0', '~');
  return name !== undefined && isObject(schema.$defs) ? schema.$defs[name] : pointer === '#' ? schema : null;
}

parentPort?.postMessage({ ready: true });
parentPort?.postMessage(answer());
