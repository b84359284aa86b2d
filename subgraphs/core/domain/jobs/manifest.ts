// Parses the manifest of a generator (generator.json): its name, entry module and parameters.

import { DomainError, type FieldError, refuse } from '../errors.ts';
import { isObject } from '../text/is-object.ts';
import { parseJson } from '../text/parse-json.ts';
import { mentionMoreErrors } from '../text/pluralize.ts';
import { findSchemaErrors } from './json-schema-errors.ts';

/** A JSON Schema (draft 2020-12) from which clients can build a form. */
export type JsonSchema = Record<string, unknown>;

export type Manifest = {
  name: string;
  version: string;
  /** The path of the entry module in the folder. */
  entry: string;
  description: string | null;
  engine: string | null;
  units: string | null;
  params: JsonSchema;
  /** The documents it creates, described for users who choose a generator. */
  makes: { kind: 'model' | 'assembly'; name: string }[];
};

export const MANIFEST_FILE = 'generator.json';
const MAX_LENGTH = 64 * 1024;
const ENTRY = /^(?!.*(?:^|\/)\.\.?(?:\/|$))[\p{L}\p{M}\p{N}_.-]+(?:\/[\p{L}\p{M}\p{N}_.-]+)*\.(?:mjs|js|mts|ts)$/u;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u;
const VERSION = /^[0-9A-Za-z][0-9A-Za-z.+-]{0,39}$/;
const ENGINE = /^replicad@1(?:\.\d+){0,2}$/;

/**
 * Parses a manifest. Throws `invalid_manifest` with all errors as JSON pointers. `files` are the paths of the files in
 * the folder; if null, the entry module is not looked up.
 */
export function parseManifest(text: string, files: readonly string[] | null): Manifest {
  if (text.length > MAX_LENGTH) refuseErrors([{ path: '', message: `must have at most ${MAX_LENGTH} characters` }]);
  const manifest = parse(text);
  if (!isObject(manifest)) return refuseErrors([{ path: '', message: 'must be an object' }]);
  const errors = [
    ...unknownFields(manifest),
    ...checkText(manifest, 'name', NAME, true, 'a name of 1 to 80 letters, digits, spaces and . _ -'),
    ...checkText(manifest, 'version', VERSION, true, 'a version like 1.2.0'),
    ...checkText(manifest, 'entry', ENTRY, true, 'the path of a .mjs, .js, .mts or .ts file in the folder'),
    ...checkEntry(manifest.entry, files),
    ...checkText(manifest, 'description', /^[\s\S]{0,4000}$/, false, 'a text of at most 4,000 characters'),
    ...checkText(manifest, 'engine', ENGINE, false, 'replicad@1, the only supported geometry library'),
    ...checkText(manifest, 'units', /^mm$/, false, 'mm, the only supported unit'),
    ...checkMakes(manifest.makes),
    ...(manifest.params === undefined ? [] : checkParams(manifest.params)),
  ];
  if (errors.length) refuseErrors(errors);
  const {
    name,
    version,
    entry,
    description = null,
    engine = null,
    units = null,
    params = { type: 'object' },
    makes = [],
  } = manifest as Partial<Manifest>;
  return {
    name: String(name),
    version: String(version),
    entry: String(entry),
    description,
    engine,
    units,
    params,
    makes,
  };
}

type Unchecked = Record<string, unknown>;

function parse(text: string): unknown {
  try {
    return parseJson(text, `The file ${MANIFEST_FILE}`);
  } catch (error) {
    if (error instanceof DomainError) return refuse('invalid_manifest', error.message, error.details);
    throw error;
  }
}

function checkText(
  manifest: Unchecked,
  field: string,
  format: RegExp,
  required: boolean,
  description: string,
): FieldError[] {
  const value = manifest[field];
  if (value === undefined) return required ? [{ path: `/${field}`, message: `is required: ${description}` }] : [];
  return typeof value === 'string' && format.test(value)
    ? []
    : [{ path: `/${field}`, message: `must be ${description}` }];
}

// Unknown fields are errors: a misspelled "param" would leave parameters unchecked.
const FIELDS = ['$schema', 'name', 'version', 'entry', 'description', 'engine', 'units', 'params', 'makes'];
function unknownFields(manifest: Unchecked): FieldError[] {
  const unknown = Object.keys(manifest).filter((field) => !FIELDS.includes(field));
  return unknown.map((field) => ({
    path: `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    message: `is not a manifest field; the fields are ${FIELDS.join(', ')}`,
  }));
}

function checkEntry(entry: unknown, files: readonly string[] | null): FieldError[] {
  if (files === null || typeof entry !== 'string' || !ENTRY.test(entry) || files.includes(entry)) return [];
  return [{ path: '/entry', message: `names ${entry}, which does not exist in the folder` }];
}

// Parameters are an object, so that they have names for a form.
function checkParams(params: unknown): FieldError[] {
  if (!isObject(params) || params.type !== 'object')
    return [{ path: '/params', message: 'must be a JSON Schema with "type": "object"' }];
  return findSchemaErrors(params, '/params');
}

function checkMakes(makes: unknown): FieldError[] {
  if (makes === undefined) return [];
  if (!Array.isArray(makes) || makes.length > 200)
    return [{ path: '/makes', message: 'must be a list of at most 200 entries' }];
  return makes.flatMap((item: unknown, index) => {
    if (
      isObject(item) &&
      (item.kind === 'model' || item.kind === 'assembly') &&
      typeof item.name === 'string' &&
      item.name
    )
      return [];
    return [{ path: `/makes/${index}`, message: 'must have a kind (model or assembly) and a name' }];
  });
}

function refuseErrors(errors: readonly FieldError[]): never {
  const [first] = errors;
  return refuse(
    'invalid_manifest',
    `${MANIFEST_FILE} is not valid: ${first?.path.slice(1) || 'the file'} ${first?.message}.${mentionMoreErrors(errors)}`,
    {
      errors,
    },
  );
}
