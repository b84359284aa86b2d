// The manifest of a generator, generator.json: what it is called, where it begins, which parameters it takes.

import { DomainError, refuse } from '../errors.ts';
import { mentionMoreErrors } from '../text/pluralize.ts';
import { isObject } from '../text/is-object.ts';
import { parseJson } from '../text/parse-json.ts';
import { schemaFaults } from './schema-faults.ts';

/** A JSON Schema (draft 2020-12), as a client can draw a form from it. */
export type JsonSchema = Record<string, unknown>;

export type Manifest = {
  name: string;
  version: string;
  /** A module of the folder. */
  entry: string;
  description: string | null;
  engine: string | null;
  units: string | null;
  params: JsonSchema;
  /** What it makes, in words for people who choose a generator. */
  makes: { kind: 'model' | 'assembly'; name: string }[];
};

export const MANIFEST_FILE = 'generator.json';
const LARGEST = 64 * 1024;
const ENTRY = /^(?!.*(?:^|\/)\.\.?(?:\/|$))[\p{L}\p{M}\p{N}_.-]+(?:\/[\p{L}\p{M}\p{N}_.-]+)*\.(?:mjs|js|mts|ts)$/u;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u;
const VERSION = /^[0-9A-Za-z][0-9A-Za-z.+-]{0,39}$/;
const ENGINE = /^replicad@1(?:\.\d+){0,2}$/;

/**
 * Reads a manifest. Refuses with `invalid_manifest`, telling all faults at once with JSON pointers; `files` are the paths
 * beside it, null: not looked at.
 */
export function readManifest(text: string, files: readonly string[] | null): Manifest {
  if (text.length > LARGEST) refuseFaults([{ path: '', message: `must have at most ${LARGEST} characters` }]);
  const manifest = parsed(text);
  if (!isObject(manifest)) return refuseFaults([{ path: '', message: 'must be an object' }]);
  const faults = [
    ...unknownFaults(manifest),
    ...textFault(manifest, 'name', NAME, true, 'a name of 1 to 80 letters, digits, blanks and . _ -'),
    ...textFault(manifest, 'version', VERSION, true, 'a version like 1.2.0'),
    ...textFault(manifest, 'entry', ENTRY, true, 'a .mjs, .js, .mts or .ts file inside the folder'),
    ...entryFault(manifest.entry, files),
    ...textFault(manifest, 'description', /^[\s\S]{0,4000}$/, false, 'a text of at most 4,000 characters'),
    ...textFault(manifest, 'engine', ENGINE, false, 'replicad@1, the geometry library of this service'),
    ...textFault(manifest, 'units', /^mm$/, false, 'mm: this service works in millimetres'),
    ...makesFaults(manifest.makes),
    ...(manifest.params === undefined ? [] : paramsFaults(manifest.params)),
  ];
  if (faults.length) refuseFaults(faults);
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

type Fault = { path: string; message: string };
type Unchecked = Record<string, unknown>;

function parsed(text: string): unknown {
  try {
    return parseJson(text, `The file ${MANIFEST_FILE}`);
  } catch (error) {
    if (error instanceof DomainError) return refuse('invalid_manifest', error.message, error.details);
    throw error;
  }
}

function textFault(manifest: Unchecked, field: string, form: RegExp, required: boolean, what: string): Fault[] {
  const value = manifest[field];
  if (value === undefined) return required ? [{ path: `/${field}`, message: `is missing: ${what}` }] : [];
  return typeof value === 'string' && form.test(value) ? [] : [{ path: `/${field}`, message: `must be ${what}` }];
}

// A field nobody reads may be one that was meant to be read: "param" would leave parameters unchecked.
const FIELDS = ['$schema', 'name', 'version', 'entry', 'description', 'engine', 'units', 'params', 'makes'];
function unknownFaults(manifest: Unchecked): Fault[] {
  const unknown = Object.keys(manifest).filter((field) => !FIELDS.includes(field));
  return unknown.map((field) => ({
    path: `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    message: `is no field of a manifest: ${FIELDS.join(', ')}`,
  }));
}

function entryFault(entry: unknown, files: readonly string[] | null): Fault[] {
  if (files === null || typeof entry !== 'string' || !ENTRY.test(entry) || files.includes(entry)) return [];
  return [{ path: '/entry', message: `names ${entry}, and there is no such file in the folder` }];
}

// Parameters have names, so that they can be shown in a form.
function paramsFaults(params: unknown): Fault[] {
  if (!isObject(params) || params.type !== 'object')
    return [{ path: '/params', message: 'must be a JSON Schema with "type": "object"' }];
  return schemaFaults(params, '/params');
}

function makesFaults(makes: unknown): Fault[] {
  if (makes === undefined) return [];
  if (!Array.isArray(makes) || makes.length > 200)
    return [{ path: '/makes', message: 'must be a list of at most 200 entries' }];
  return makes.flatMap((made: unknown, index) => {
    if (
      isObject(made) &&
      (made.kind === 'model' || made.kind === 'assembly') &&
      typeof made.name === 'string' &&
      made.name
    )
      return [];
    return [{ path: `/makes/${index}`, message: 'must have a kind (model or assembly) and a name' }];
  });
}

function refuseFaults(errors: readonly Fault[]): never {
  const [first] = errors;
  return refuse(
    'invalid_manifest',
    `${MANIFEST_FILE} is not valid: ${first?.path.slice(1) || 'the file'} ${first?.message}.${mentionMoreErrors(errors)}`,
    {
      errors,
    },
  );
}
