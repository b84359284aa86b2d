// The thread that validates results: a damaged or huge file costs it time and memory, not the service.
import './without-proto.ts';
import { parentPort } from 'node:worker_threads';
import { Validator } from '@cfworker/json-schema';
import { validateBytes, validateString } from 'gltf-validator';
import { DomainError, type FieldError } from '../../domain/errors.ts';
import { MeasureDataError, parseMeasureData } from '../../domain/measure/parse-measure-data.ts';
import { errorMessage } from '../../domain/text/error-message.ts';
import { isObject } from '../../domain/text/is-object.ts';
import { parseJson } from '../../domain/text/parse-json.ts';
import { PROPERTIES_SCHEMA } from './properties-schema.ts';

/** A GLB, the JSON of a GLB with the length of its binary chunk, properties or measuring data. */
export type Validation =
  | { check: 'glb'; bytes: Uint8Array }
  | { check: 'gltf'; bytes: Uint8Array; binaryBytes: number }
  | { check: 'properties' | 'measure'; bytes: Uint8Array };

// Warnings count as well, so that the first errors are among them even in files with many warnings.
const MAX_ISSUES = 10_000;
// A kernel may have no normal at the tip of a cone. Viewers only shade that point wrongly.
const IGNORED_ISSUES = ['ACCESSOR_VECTOR3_NON_UNIT'];
const OPTIONS = { maxIssues: MAX_ISSUES, writeTimestamp: false, ignoredIssues: IGNORED_ISSUES };
const ERROR = 0;
const MAX_DEPTH = 500;
const MAX_ERRORS = 20;

parentPort?.on('message', async (validation: Validation) => {
  parentPort?.postMessage((await findErrors(validation)).slice(0, MAX_ERRORS));
});

async function findErrors(validation: Validation): Promise<FieldError[]> {
  try {
    if (validation.check === 'properties') return propertiesErrors(validation.bytes);
    if (validation.check === 'measure') return measureErrors(validation.bytes);
    if (validation.check === 'gltf') return await gltfErrors(validation);
    return errorsIn(await validateBytes(validation.bytes, { ...OPTIONS, format: 'glb' }));
  } catch (error) {
    if (error instanceof DomainError) return [{ path: '', message: `is not JSON: ${error.message}` }];
    return [{ path: '', message: `cannot be validated: ${errorMessage(error)}` }];
  }
}

function errorsIn({ issues }: Awaited<ReturnType<typeof validateBytes>>): FieldError[] {
  return issues.messages
    .filter(({ severity }) => severity === ERROR)
    .map(({ code, message, pointer = '' }) => ({ path: pointer, message: `${message} (${code})` }));
}

// Without the binary data, the validator checks everything but the values in it.
async function gltfErrors({ bytes, binaryBytes }: Extract<Validation, { check: 'gltf' }>): Promise<FieldError[]> {
  const json = Buffer.from(bytes).toString();
  const errors = errorsIn(await validateString(json, OPTIONS));
  const { buffers } = JSON.parse(json);
  const needed: unknown = Array.isArray(buffers) && isObject(buffers[0]) ? buffers[0].byteLength : 0;
  if (Number(needed) > binaryBytes)
    errors.push({ path: '/buffers/0', message: `needs ${needed} bytes, but the file has ${binaryBytes}` });
  return errors;
}

// The validator reports an error of these keywords in addition to the error of the nested value.
const CONTAINERS = new Set(['properties', 'items']);

function propertiesErrors(bytes: Uint8Array): FieldError[] {
  const { errors } = new Validator(PROPERTIES_SCHEMA, '2020-12', false).validate(
    parseJson(bytes, 'The file', MAX_DEPTH),
  );
  return errors
    .filter(({ keyword }) => !CONTAINERS.has(keyword))
    .map(({ instanceLocation, error }) => ({ path: instanceLocation.slice(1), message: error.replace(/\.$/, '') }));
}

function measureErrors(bytes: Uint8Array): FieldError[] {
  try {
    parseMeasureData(parseJson(bytes, 'The file', MAX_DEPTH));
    return [];
  } catch (error) {
    if (error instanceof MeasureDataError) return [{ path: error.path, message: error.message }];
    throw error;
  }
}
