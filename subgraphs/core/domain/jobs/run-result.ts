// Parses the result of a generator run: an archive with result.json and the files `<key>/<kind>`. Untrusted code
// created it, so names, kinds, counts and file signatures are checked.

import { DomainError, refuse } from '../errors.ts';
import { isObject } from '../text/is-object.ts';
import { parseJson } from '../text/parse-json.ts';
import { validateComment, validateName } from '../text/text.ts';
import { ArchiveError, readArchive, type TreeFile } from './code-archive.ts';

export type GeneratedKind = 'model' | 'assembly';
export type GeneratedFile = { kind: string; bytes: Uint8Array };
/**
 * A document to create. `key` is its name in the result; `uses` are the keys of the documents that an assembly uses.
 */
export type GeneratedDocument = {
  key: string;
  kind: GeneratedKind;
  name: string;
  description: string | null;
  files: GeneratedFile[];
  uses: string[];
};
/** `generator` is the generator that the worker reports, null if it reports none. */
export type RunResult = {
  engine: string;
  isolation: string;
  generator: GeneratorName | null;
  documents: GeneratedDocument[];
};
export type GeneratorName = { name: string; version: string };

const MAX_DOCUMENTS = 200;
const NAME = /^[^\p{Cc}]{1,80}$/u;
const KEY = /^[a-z0-9][a-z0-9-]{0,39}$/;
const ENGINE = /^[\w.-]{1,60}\/[\w.+-]{1,40}$/;
const ISOLATION = /^[a-z]{1,20}$/;
const GENERATED = /^generated:(.*)$/s;
/** The file kinds of each document kind. The first is the main file and required. */
const FILES: Record<GeneratedKind, readonly string[]> = {
  model: ['stp', 'glb', 'properties', 'thumbnail', 'measure'],
  assembly: ['asm-json', 'stp', 'glb', 'properties', 'thumbnail', 'measure'],
};
const MAX_RESULT_JSON_BYTES = 2 ** 20;

/** Parses a result and sorts parts before the assemblies that use them. Throws `validation_failed`. */
export function parseRunResult(archive: Uint8Array, maxDocuments = MAX_DOCUMENTS): RunResult {
  const files = filesIn(archive, maxDocuments);
  const json = files.get('result.json');
  if (!json || json.length > MAX_RESULT_JSON_BYTES)
    return refuseResult('', `must have a result.json of at most ${MAX_RESULT_JSON_BYTES} bytes`);
  const result = objectAt(parseJson(json, 'result.json'), '');
  assertKnownFields(result, ['engine', 'isolation', 'generator', 'documents'], '');
  const listed = arrayAt(result.documents, '/documents');
  if (!listed.length || listed.length > maxDocuments)
    refuseResult('/documents', `must have 1 to ${maxDocuments} entries`);
  const documents = listed.map((document: unknown, index) =>
    documentOf(objectAt(document, `/documents/${index}`), files, `/documents/${index}`),
  );
  const expected = documents.flatMap(({ key, files }) => files.map(({ kind }) => `${key}/${kind}`));
  for (const path of files.keys())
    if (path !== 'result.json' && !expected.includes(path))
      refuseResult('', `contains the file ${path}, which belongs to no document`);
  return {
    engine: stringAt(result.engine, '/engine', ENGINE),
    isolation: stringAt(result.isolation, '/isolation', ISOLATION),
    generator: result.generator === undefined ? null : generatorOf(objectAt(result.generator, '/generator')),
    documents: sortByUse(documents),
  };
}

/**
 * Throws `validation_failed` if the result reports another generator than that of the job (null: the job runs none),
 * because its documents would name the wrong origin.
 */
export function assertGenerator({ generator }: RunResult, expected: GeneratorName | null): void {
  if (!generator || (generator.name === expected?.name && generator.version === expected.version)) return;
  const job = expected ? `runs ${expected.name} ${expected.version}` : 'runs no generator';
  refuseResult('/generator', `is ${generator.name} ${generator.version}, but the job ${job}`);
}

/** Returns the asm.json of a generated assembly with the keys of other documents replaced with their addresses. */
export function replaceKeys(asmJson: Uint8Array, addressOf: (key: string) => string): string {
  const asm = parseAsm(asmJson, '');
  const replaced = templatesOf(asm).map((value, index) => {
    const template = objectAt(value, `/templates/${index}`);
    const reference = objectAt(template.reference, `/templates/${index}/reference`);
    const key = typeof reference.location === 'string' ? GENERATED.exec(reference.location)?.[1] : undefined;
    return key === undefined ? template : { ...template, reference: { ...reference, location: addressOf(key) } };
  });
  return JSON.stringify({ ...asm, templates: replaced }, null, 1);
}

type Unchecked = Record<string, unknown>;

function generatorOf(value: Unchecked): GeneratorName {
  assertKnownFields(value, ['name', 'version'], '/generator');
  return {
    name: stringAt(value.name, '/generator/name', NAME),
    version: stringAt(value.version, '/generator/version', NAME),
  };
}

function filesIn(archive: Uint8Array, maxDocuments: number): Map<string, Uint8Array> {
  try {
    const files: TreeFile[] = readArchive(archive, { maxFiles: 1 + maxDocuments * FILES.assembly.length });
    return new Map(files.map(({ path, bytes }) => [path, bytes]));
  } catch (error) {
    if (error instanceof ArchiveError) return refuseResult('', `is not a valid archive: ${error.message}`);
    throw error;
  }
}

function documentOf(value: Unchecked, files: Map<string, Uint8Array>, path: string): GeneratedDocument {
  const key = stringAt(value.key, `${path}/key`, KEY);
  assertKnownFields(value, ['key', 'kind', 'name', 'description', 'files'], path);
  const kind =
    value.kind === 'model' || value.kind === 'assembly'
      ? value.kind
      : refuseResult(`${path}/kind`, 'must be model or assembly');
  const documentFiles = FILES[kind].flatMap((fileKind) => {
    const bytes = files.get(`${key}/${fileKind}`);
    if (bytes && !hasSignature(fileKind, bytes))
      refuseResult(`${path}/files`, `have ${key}/${fileKind}, which is not a ${fileKind} file`);
    return bytes ? [{ kind: fileKind, bytes }] : [];
  });
  if (value.files !== undefined)
    assertSameFiles(key, arrayAt(value.files, `${path}/files`), documentFiles, `${path}/files`);
  const [main] = documentFiles;
  if (!main || main.kind !== FILES[kind][0]) return refuseResult(path, `must have the file ${key}/${FILES[kind][0]}`);
  return {
    key,
    kind,
    name: validateName(stringAt(value.name, `${path}/name`, /^[\s\S]{1,400}$/), 'name'),
    description: validateComment(
      value.description === undefined || value.description === null
        ? null
        : stringAt(value.description, `${path}/description`, /^[\s\S]*$/),
      'description',
    ),
    files: documentFiles,
    uses: kind === 'assembly' ? usesOf(main.bytes, path) : [],
  };
}

// The optional list of files detects lost or confused files.
function assertSameFiles(
  key: string,
  listed: readonly unknown[],
  documentFiles: readonly GeneratedFile[],
  path: string,
): void {
  if (new Set(listed).size !== listed.length) refuseResult(path, 'list a file twice');
  const missing = listed.find((kind) => !documentFiles.some((file) => file.kind === kind));
  if (missing !== undefined)
    refuseResult(path, `list ${JSON.stringify(missing)}, but the archive has no such file of ${key}`);
  const unlisted = documentFiles.find(({ kind }) => !listed.includes(kind));
  if (unlisted) refuseResult(path, `do not list ${unlisted.kind}, but the archive has ${key}/${unlisted.kind}`);
}

// Generated assemblies can reference only documents of the same result.
function usesOf(asmJson: Uint8Array, path: string): string[] {
  return templatesOf(parseAsm(asmJson, path)).map((template, index) => {
    const { reference } = objectAt(template, `${path}/templates/${index}`);
    const { location } = objectAt(reference, `${path}/templates/${index}/reference`);
    return (
      GENERATED.exec(String(location))?.[1] ??
      refuseResult(`${path}/templates/${index}`, 'must reference another document of the run')
    );
  });
}

function parseAsm(bytes: Uint8Array, path: string): Unchecked {
  try {
    return objectAt(parseJson(bytes, 'The asm.json'), path);
  } catch (error) {
    if (error instanceof DomainError) return refuseResult(path, `has an invalid asm.json: ${error.message}`);
    throw error;
  }
}

function templatesOf({ templates }: Unchecked): unknown[] {
  return Array.isArray(templates) ? templates : [];
}

/**
 * Sorts each document after those it uses. Throws `validation_failed` for duplicate and unknown keys and for cycles.
 */
function sortByUse(documents: readonly GeneratedDocument[]): GeneratedDocument[] {
  const byKey = new Map(documents.map((document) => [document.key, document]));
  if (byKey.size !== documents.length) refuseResult('/documents', 'must have unique keys');
  const sorted: GeneratedDocument[] = [];
  const states = new Map<string, 'open' | 'done'>();
  const visit = (key: string): void => {
    const document = byKey.get(key) ?? refuseResult('/documents', `use ${key}, which is not one of them`);
    if (states.get(key) === 'done') return;
    if (states.get(key) === 'open')
      refuseResult('/documents', `must not use each other in a cycle, which includes ${key}`);
    states.set(key, 'open');
    for (const used of document.uses) visit(used);
    states.set(key, 'done');
    sorted.push(document);
  };
  for (const { key } of documents) visit(key);
  return sorted;
}

const SIGNATURES: Record<string, string> = {
  stp: 'ISO-10303-21;',
  glb: 'glTF',
  thumbnail: '\u0089PNG\r\n\u001a\n',
  properties: '{',
  measure: '{',
  'asm-json': '{',
};

function hasSignature(kind: string, bytes: Uint8Array): boolean {
  const signature = SIGNATURES[kind] ?? '';
  return Buffer.from(bytes.subarray(0, signature.length)).toString('latin1') === signature;
}

function objectAt(value: unknown, path: string): Unchecked {
  return isObject(value) ? (value as Unchecked) : refuseResult(path, 'must be an object');
}

function arrayAt(value: unknown, path: string): unknown[] {
  return Array.isArray(value) ? value : refuseResult(path, 'must be an array');
}

// Unknown fields are errors: they may be misspelled.
function assertKnownFields(value: Unchecked, fields: readonly string[], path: string): void {
  const unknown = Object.keys(value).find((field) => !fields.includes(field));
  if (unknown !== undefined)
    refuseResult(path, `has the unknown field ${unknown}; the fields are ${fields.join(', ')}`);
}

function stringAt(value: unknown, path: string, format: RegExp): string {
  return typeof value === 'string' && format.test(value)
    ? value
    : refuseResult(path, `must be a string that matches ${format}`);
}

function refuseResult(path: string, message: string): never {
  return refuse('validation_failed', `The run result is not valid: ${path || 'it'} ${message}.`, {
    errors: [{ path, message }],
  });
}
