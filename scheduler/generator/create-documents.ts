import { checkAsmJson } from '../../subgraphs/core/domain/assembly/asm-json.ts';
import { readTransform } from '../../subgraphs/core/domain/assembly/asm-transform.ts';
import { createArtifacts, evaluateProduct } from '../engines/occt/derived-artifacts.ts';
import type { Kernel, Shape } from '../engines/occt/kernel.ts';
import { measureShape } from '../engines/occt/measure-shape.ts';
import type { Colour } from '../engines/occt/palette.ts';
import type { Assembly, Definition, Part } from '../engines/occt/product.ts';
import { fail } from '../engines/occt/job-failure.ts';
import type { Reporter } from '../engines/occt/reporter.ts';
import { writeStep } from '../engines/occt/write-step.ts';
import type { GuestDocument } from './protocol.ts';

export type CreatedDocument = GuestDocument & { files: { kind: string; bytes: Uint8Array }[] };

type Instance = { ident?: unknown; template: string; transform?: unknown };
type ModelDocument = GuestDocument & { kind: 'model'; shape: Shape; colour?: Colour };
type AssemblyDocument = GuestDocument & { kind: 'assembly'; instances: Instance[] };

const MOST = 200;
const KEY = /^[a-z0-9][a-z0-9-]{0,39}$/;
// Equal parameters give equal bytes: no clock enters the files.
const TIME = '1970-01-01T00:00:00.000Z';

/** Makes the files of what a generator returned: each model and assembly as STEP, GLB, measures and picture, an assembly also as asm.json. */
export async function createDocuments(kernel: Kernel, returned: unknown, report: Reporter): Promise<CreatedDocument[]> {
  const documents = checked(kernel, returned);
  const definitions = definitionsOf(documents);
  const made: CreatedDocument[] = [];
  for (const [index, document] of documents.entries()) {
    const { key, kind, name, description } = document;
    const root = definitions.get(key)!;
    const quiet: Reporter = { log: (line) => report.log(`${key}: ${line}`), progress: () => undefined };
    const stp = writeStep(kernel, root, TIME);
    const { glb, properties, thumbnail } = await createArtifacts(evaluateProduct(kernel, root, [], null, quiet));
    const files = [
      ...(document.kind === 'assembly' ? [{ kind: 'asm-json', bytes: asmJsonOf(document, documents) }] : []),
      ...[
        { kind: 'stp', bytes: stp },
        { kind: 'glb', bytes: glb },
        { kind: 'properties', bytes: properties },
        { kind: 'thumbnail', bytes: thumbnail },
      ],
    ];
    made.push({ key, kind, name, ...(description === undefined ? {} : { description }), files });
    report.progress((100 * (index + 1)) / documents.length, key);
  }
  return made;
}

function checked(kernel: Kernel, returned: unknown): (ModelDocument | AssemblyDocument)[] {
  if (!Array.isArray(returned) || !returned.length || returned.length > MOST)
    bad(`the generator must return a list of 1 to ${MOST} documents`);
  const documents = returned.map((given: unknown) => documentOf(kernel, isObject(given) ? given : {}));
  const keys = new Set<string>();
  for (const { key } of documents) {
    if (keys.has(key)) bad(`document key ${key} is used twice`);
    keys.add(key);
  }
  for (const document of documents)
    if (document.kind === 'assembly')
      for (const { template } of document.instances)
        if (!keys.has(template)) bad(`assembly ${document.key}: there is no document with the key ${template}`);
  return documents;
}

function documentOf(kernel: Kernel, given: Record<string, unknown>): ModelDocument | AssemblyDocument {
  const { key, kind, name, description, shape, color, instances } = given;
  if (typeof key !== 'string' || !KEY.test(key)) return bad(`document key ${key} must match ${KEY.source}`);
  if (typeof name !== 'string' || !name || name.length > 200)
    return bad(`document ${key} must have a name of 1 to 200 characters`);
  if (description !== undefined && typeof description !== 'string')
    return bad(`document ${key}: description must be a text`);
  const said = { key, name, ...(description === undefined ? {} : { description }) };
  if (kind !== 'model' && kind !== 'assembly') return bad(`document ${key}: kind must be model or assembly`);
  knownFields(given, FIELDS[kind], `${kind} ${key}`);
  if (kind === 'model')
    return {
      ...said,
      kind,
      shape: solidOf(kernel, key, shape),
      ...(color === undefined ? {} : { colour: colourOf(key, color) }),
    };
  if (!Array.isArray(instances) || !instances.length || !instances.every(isInstance))
    return bad(`assembly ${key} must have instances, each with a template`);
  for (const [index, instance] of instances.entries())
    knownFields(instance, FIELDS.instance, `instance ${index + 1} of assembly ${key}`);
  return { ...said, kind, instances };
}

// What would be ignored is refused: a slip of the pen must not make another document than the one meant.
const FIELDS = {
  model: ['key', 'kind', 'name', 'description', 'shape', 'color'],
  assembly: ['key', 'kind', 'name', 'description', 'instances'],
  instance: ['ident', 'template', 'transform'],
};
function knownFields(given: object, fields: readonly string[], what: string): void {
  const unknown = Object.keys(given).find((field) => !fields.includes(field));
  if (unknown !== undefined) bad(`${what} has a field ${unknown}; it may have ${fields.join(', ')}`);
}

function colourOf(key: string, given: unknown): Colour {
  const isValue = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
  if (!Array.isArray(given) || given.length !== 3 || !given.every(isValue))
    return bad(`model ${key}: color must be red, green and blue, three whole numbers from 0 to 255`);
  return [given[0], given[1], given[2]];
}

function solidOf(kernel: Kernel, key: string, given: unknown): Shape {
  const shape = isObject(given) && 'wrapped' in given ? given.wrapped : given;
  if (!(shape instanceof kernel.TopoDS_Shape)) return bad(`model ${key} must have a shape made with replicad`);
  const { valid, solids } = measureShape(kernel, shape as Shape);
  if (!valid || !solids) fail('invalid_solid', `model ${key}: the shape is not a valid solid`);
  return shape as Shape;
}

function definitionsOf(documents: readonly (ModelDocument | AssemblyDocument)[]): Map<string, Definition> {
  const byKey = new Map(documents.map((document) => [document.key, document]));
  const definitions = new Map<string, Definition>();
  const open = new Set<string>();
  const define = (key: string): Definition => {
    const known = definitions.get(key);
    if (known) return known;
    if (open.has(key)) return bad(`assembly ${key} contains itself`);
    open.add(key);
    const document = byKey.get(key)!;
    const made: Part | Assembly =
      document.kind === 'model'
        ? {
            name: document.name,
            shape: document.shape,
            uses: null,
            ...(document.colour ? { colour: document.colour } : {}),
          }
        : {
            ...{ name: document.name, shape: null },
            uses: document.instances.map((instance, index) => ({
              definition: define(instance.template),
              name: identOf(instance, index),
              transform: placed(instance, index),
            })),
          };
    definitions.set(key, made);
    return made;
  };
  for (const { key } of documents) define(key);
  return definitions;
}

function identOf({ ident, template }: Instance, index: number): string {
  return typeof ident === 'string' && ident ? ident : `${template}:${index + 1}`;
}

function placed(instance: Instance, index: number) {
  const read = readTransform(instance.transform, identOf(instance, index));
  return 'matrix' in read ? read.matrix : bad(`instance ${identOf(instance, index)}: ${read.fault.message}`);
}

function asmJsonOf({ name, instances }: AssemblyDocument, documents: readonly GuestDocument[]): Buffer {
  const used = new Set(instances.map(({ template }) => template));
  const templates = documents
    .filter(({ key }) => used.has(key))
    .map(({ key, kind }) => ({
      ident: key,
      type: kind === 'model' ? 'part' : 'assembly',
      reference: { location: `generated:${key}` },
    }));
  const placedOnes = instances.map((instance, index) => ({
    ident: identOf(instance, index),
    template: instance.template,
    ...(instance.transform === undefined ? {} : { transform: instance.transform }),
  }));
  const asm = { version: 1, nameIfRoot: name, templates, instances: placedOnes, constraints: [] };
  const result = checkAsmJson(asm, 'resolved');
  if ('faults' in result) {
    const [first] = result.faults;
    bad(`assembly ${name}: ${first?.path} ${first?.message}`);
  }
  return Buffer.from(JSON.stringify(asm, null, 1));
}

function isInstance(value: unknown): value is Instance {
  return isObject(value) && typeof value.template === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function bad(message: string): never {
  return fail('generator_output', message);
}
