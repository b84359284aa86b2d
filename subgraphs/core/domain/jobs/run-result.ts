// What a generator made, as a worker delivers it: an archive with result.json and the files `<key>/<kind>`. It was made by a stranger's code, so
// nothing in it is believed: names, kinds, counts and the beginnings of files are checked, hashes are computed elsewhere.

import { DomainError, refuse } from '../errors.ts';
import { parseJson } from '../text/parse-json.ts';
import { validateComment, validateName } from '../text/text.ts';
import { ArchiveFault, readArchive, type TreeFile } from './code-archive.ts';

export type MadeKind = 'model' | 'assembly';
export type MadeFile = { kind: string; bytes: Uint8Array };
/** A document to be: the name the generator has for it, and its files. `uses` are the keys of the documents an assembly is made of. */
export type MadeDocument = {
  key: string;
  kind: MadeKind;
  name: string;
  description: string | null;
  files: MadeFile[];
  uses: string[];
};
/** `generator`: what the worker says it ran; null when it does not say. */
export type RunResult = {
  engine: string;
  isolation: string;
  generator: GeneratorName | null;
  documents: MadeDocument[];
};
export type GeneratorName = { name: string; version: string };

const MOST_DOCUMENTS = 200;
const NAME = /^[^\p{Cc}]{1,80}$/u;
const KEY = /^[a-z0-9][a-z0-9-]{0,39}$/;
const ENGINE = /^[\w.-]{1,60}\/[\w.+-]{1,40}$/;
const ISOLATION = /^[a-z]{1,20}$/;
const GENERATED = /^generated:(.*)$/s;
/** The files of each kind of document; the first is what the document is made of, without it there is none. */
const FILES: Record<MadeKind, readonly string[]> = {
  model: ['stp', 'glb', 'properties', 'thumbnail'],
  assembly: ['asm-json', 'stp', 'glb', 'properties', 'thumbnail'],
};
const LARGEST_RESULT_JSON = 2 ** 20;

/** Reads what was delivered; parts come before the assemblies that use them. Refuses with `validation_failed`, saying what is wrong with it. */
export function readRunResult(archive: Uint8Array, mostDocuments = MOST_DOCUMENTS): RunResult {
  const files = filesIn(archive, mostDocuments);
  const said = files.get('result.json');
  if (!said || said.length > LARGEST_RESULT_JSON) return fault('', 'has no result.json');
  const result = objectAt(parseJson(said, 'result.json'), '');
  knownOnly(result, ['engine', 'isolation', 'generator', 'documents'], '');
  const listed = listAt(result.documents, '/documents');
  if (!listed.length || listed.length > mostDocuments) fault('/documents', `must have 1 to ${mostDocuments} entries`);
  const documents = listed.map((document: unknown, index) =>
    documentOf(objectAt(document, `/documents/${index}`), files, `/documents/${index}`),
  );
  const named = documents.flatMap(({ key, files }) => files.map(({ kind }) => `${key}/${kind}`));
  for (const path of files.keys())
    if (path !== 'result.json' && !named.includes(path)) fault('', `holds the file ${path}, which no document names`);
  return {
    engine: textAt(result.engine, '/engine', ENGINE),
    isolation: textAt(result.isolation, '/isolation', ISOLATION),
    generator: result.generator === undefined ? null : generatorOf(objectAt(result.generator, '/generator')),
    documents: inOrder(documents),
  };
}

/** Refuses a result that says another generator made it than the one of the job (null: the job runs none): its documents would name an origin they do not have. */
export function ofGenerator({ generator }: RunResult, due: GeneratorName | null): void {
  if (!generator || (generator.name === due?.name && generator.version === due.version)) return;
  const task = due
    ? `is to run ${due.name} ${due.version}: deliver what that one made`
    : 'runs no generator: leave it out';
  fault('/generator', `is ${generator.name} ${generator.version}, but the job ${task}`);
}

/** The asm.json of a generated assembly with the addresses of its siblings in the place of their keys. */
export function withAddresses(asmJson: Uint8Array, addressOf: (key: string) => string): string {
  const asm = parsedAsm(asmJson, '');
  const replaced = templatesOf(asm).map((given, index) => {
    const template = objectAt(given, `/templates/${index}`);
    const reference = objectAt(template.reference, `/templates/${index}/reference`);
    const key = typeof reference.location === 'string' ? GENERATED.exec(reference.location)?.[1] : undefined;
    return key === undefined ? template : { ...template, reference: { ...reference, location: addressOf(key) } };
  });
  return JSON.stringify({ ...asm, templates: replaced }, null, 1);
}

type Unchecked = Record<string, unknown>;

function generatorOf(said: Unchecked): GeneratorName {
  knownOnly(said, ['name', 'version'], '/generator');
  return {
    name: textAt(said.name, '/generator/name', NAME),
    version: textAt(said.version, '/generator/version', NAME),
  };
}

function filesIn(archive: Uint8Array, mostDocuments: number): Map<string, Uint8Array> {
  try {
    const files: TreeFile[] = readArchive(archive, { maxFiles: 1 + mostDocuments * FILES.assembly.length });
    return new Map(files.map(({ path, bytes }) => [path, bytes]));
  } catch (error) {
    if (error instanceof ArchiveFault) return fault('', `is no sound archive: ${error.message}`);
    throw error;
  }
}

function documentOf(said: Unchecked, files: Map<string, Uint8Array>, path: string): MadeDocument {
  const key = textAt(said.key, `${path}/key`, KEY);
  knownOnly(said, ['key', 'kind', 'name', 'description', 'files'], path);
  const kind =
    said.kind === 'model' || said.kind === 'assembly' ? said.kind : fault(`${path}/kind`, 'must be model or assembly');
  const own = FILES[kind].flatMap((fileKind) => {
    const bytes = files.get(`${key}/${fileKind}`);
    if (bytes && !looksRight(fileKind, bytes))
      fault(`${path}/files`, `${key}/${fileKind} is not what a file of that kind looks like`);
    return bytes ? [{ kind: fileKind, bytes }] : [];
  });
  if (said.files !== undefined) sameFiles(key, listAt(said.files, `${path}/files`), own, `${path}/files`);
  const [main] = own;
  if (!main || main.kind !== FILES[kind][0]) return fault(path, `has no file ${key}/${FILES[kind][0]}`);
  return {
    ...{ key, kind },
    name: validateName(textAt(said.name, `${path}/name`, /^[\s\S]{1,400}$/), 'name'),
    description: validateComment(
      said.description === undefined || said.description === null
        ? null
        : textAt(said.description, `${path}/description`, /^[\s\S]*$/),
      'description',
    ),
    files: own,
    uses: kind === 'assembly' ? usesOf(main.bytes, path) : [],
  };
}

// Whoever lists the files has lost one on the way, or mistaken one for another, where the list and the archive differ.
function sameFiles(key: string, listed: readonly unknown[], own: readonly MadeFile[], path: string): void {
  if (new Set(listed).size !== listed.length) fault(path, 'names a file twice');
  const absent = listed.find((kind) => !own.some((file) => file.kind === kind));
  if (absent !== undefined)
    fault(path, `names ${JSON.stringify(absent)}, but the archive has no file of that kind for ${key}`);
  const unlisted = own.find(({ kind }) => !listed.includes(kind));
  if (unlisted) fault(path, `does not name ${unlisted.kind}, but the archive has ${key}/${unlisted.kind}`);
}

// Siblings alone: what a generator makes may not point at other documents, nor anywhere else.
function usesOf(asmJson: Uint8Array, path: string): string[] {
  return templatesOf(parsedAsm(asmJson, path)).map((template, index) => {
    const { reference } = objectAt(template, `${path}/templates/${index}`);
    const { location } = objectAt(reference, `${path}/templates/${index}/reference`);
    return (
      GENERATED.exec(String(location))?.[1] ??
      fault(`${path}/templates/${index}`, 'must refer to another document of the run')
    );
  });
}

function parsedAsm(bytes: Uint8Array, path: string): Unchecked {
  try {
    return objectAt(parseJson(bytes, 'The asm.json'), path);
  } catch (error) {
    if (error instanceof DomainError) return fault(path, `has an asm.json that cannot be read: ${error.message}`);
    throw error;
  }
}

function templatesOf({ templates }: Unchecked): unknown[] {
  return Array.isArray(templates) ? templates : [];
}

/** Each document after those it uses. Refuses keys used twice, keys of nothing, and circles. */
function inOrder(documents: readonly MadeDocument[]): MadeDocument[] {
  const byKey = new Map(documents.map((document) => [document.key, document]));
  if (byKey.size !== documents.length) fault('/documents', 'have a key that is used twice');
  const sorted: MadeDocument[] = [];
  const states = new Map<string, 'open' | 'done'>();
  const visit = (key: string): void => {
    const document = byKey.get(key) ?? fault('/documents', `use ${key}, which is none of them`);
    if (states.get(key) === 'done') return;
    if (states.get(key) === 'open') fault('/documents', `use each other in a circle, through ${key}`);
    states.set(key, 'open');
    for (const used of document.uses) visit(used);
    states.set(key, 'done');
    sorted.push(document);
  };
  for (const { key } of documents) visit(key);
  return sorted;
}

const BEGINNINGS: Record<string, string> = {
  stp: 'ISO-10303-21;',
  glb: 'glTF',
  thumbnail: '\u0089PNG\r\n\u001a\n',
  properties: '{',
  'asm-json': '{',
};

function looksRight(kind: string, bytes: Uint8Array): boolean {
  const beginning = BEGINNINGS[kind] ?? '';
  return Buffer.from(bytes.subarray(0, beginning.length)).toString('latin1') === beginning;
}

function objectAt(value: unknown, path: string): Unchecked {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Unchecked)
    : fault(path, 'must be an object');
}

function listAt(value: unknown, path: string): unknown[] {
  return Array.isArray(value) ? value : fault(path, 'must be a list');
}

// What nobody reads may be something that was meant.
function knownOnly(said: Unchecked, fields: readonly string[], path: string): void {
  const unknown = Object.keys(said).find((field) => !fields.includes(field));
  if (unknown !== undefined) fault(path, `has a field ${unknown}; it may have ${fields.join(', ')}`);
}

function textAt(value: unknown, path: string, form: RegExp): string {
  return typeof value === 'string' && form.test(value)
    ? value
    : fault(path, 'is not a text of the form it has to have');
}

function fault(path: string, message: string): never {
  return refuse('validation_failed', `The result of the run ${path || 'as a whole'} ${message}.`, {
    errors: [{ path, message }],
  });
}
