// Checks parameters against an untrusted schema, in a thread that can be terminated if a pattern or reference loops.

import { parentPort, workerData } from 'node:worker_threads';
import { Validator } from '@cfworker/json-schema';
import type { FieldError } from '../core/domain/errors.ts';
import { isObject } from '../core/domain/text/is-object.ts';
import type { ParamsCheck, ParamsCheckResult } from './complete-params.ts';

const { schema, params } = workerData as ParamsCheck;

function checkParams(): ParamsCheckResult {
  const complete = fillDefaults(schema, params);
  const { errors } = new Validator(schema, '2020-12', false).validate(complete);
  const paramErrors = errors.filter(({ keyword }) => !CONTAINERS.has(keyword)).map(toParamError);
  return { params: complete as object, errors: paramErrors.slice(0, MAX_ERRORS) };
}

type OutputUnit = ReturnType<InstanceType<typeof Validator>['validate']>['errors'][number];

// The validator reports an error of these keywords in addition to the error of the nested value.
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
const MAX_ERRORS = 100;

function toParamError({ keyword, instanceLocation, error }: OutputUnit): FieldError {
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

// Adds the defaults of missing properties, also in nested objects.
function fillDefaults(valueSchema: unknown, value: unknown): unknown {
  if (!isObject(valueSchema) || !isObject(value)) return value;
  const target = typeof valueSchema.$ref === 'string' ? resolvePointer(valueSchema.$ref) : null;
  const properties = { ...propertiesOf(target), ...propertiesOf(valueSchema) };
  const own = Object.fromEntries(
    Object.entries(value).map(([name, nested]) => [name, fillDefaults(properties[name], nested)]),
  );
  const missing = Object.entries(properties).flatMap(([name, property]) => {
    const initial = Object.hasOwn(value, name) ? undefined : defaultOf(property);
    return initial === undefined ? [] : [[name, fillDefaults(property, initial)]];
  });
  return { ...own, ...Object.fromEntries(missing) };
}

function defaultOf(property: unknown): unknown {
  if (!isObject(property)) return undefined;
  if (property.default !== undefined) return structuredClone(property.default);
  const target = typeof property.$ref === 'string' ? resolvePointer(property.$ref) : null;
  return isObject(target) && target.default !== undefined ? structuredClone(target.default) : undefined;
}

function propertiesOf(valueSchema: unknown): Record<string, unknown> {
  return isObject(valueSchema) && isObject(valueSchema.properties) ? valueSchema.properties : {};
}

function resolvePointer(pointer: string): unknown {
  const name = /^#\/\$defs\/(.+)$/.exec(pointer)?.[1]?.replaceAll('~1', '/').replaceAll('~0', '~');
  if (name !== undefined) return isObject(schema.$defs) ? schema.$defs[name] : null;
  return pointer === '#' ? schema : null;
}

parentPort?.postMessage({ ready: true });
parentPort?.postMessage(checkParams());
