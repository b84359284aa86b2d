import { validateAsmJson } from '../../subgraphs/core/domain/assembly/asm-json.ts';
import { parseTransform } from '../../subgraphs/core/domain/assembly/asm-transform.ts';
import { createArtifacts, evaluateProduct } from '../engines/occt/derived-artifacts.ts';
import { fail } from '../engines/occt/job-failure.ts';
import type { Kernel, Shape } from '../engines/occt/kernel.ts';
import type { Reporter } from '../engines/occt/process/reporter.ts';
import { checkShape } from '../engines/occt/product/measure-shape.ts';
import type { Colour } from '../engines/occt/product/palette.ts';
import type { Assembly, Definition, Part } from '../engines/occt/product/product.ts';
import { writeStep } from '../engines/occt/write-step.ts';
import type { GuestDocument } from './protocol.ts';

export type CreatedDocument = GuestDocument & { files: { kind: string; bytes: Uint8Array }[] };

type Instance = { ident?: unknown; template: string; transform?: unknown };
type ModelDocument = GuestDocument & { kind: 'model'; shape: Shape; colour?: Colour };
type AssemblyDocument = GuestDocument & { kind: 'assembly'; instances: Instance[] };

const MAX_DOCUMENTS = 200;
const KEY_PATTERN = /^[a-z0-9][a-z0-9-]{0,39}$/;
// A fixed time, so that equal parameters produce equal bytes.
const TIME = '1970-01-01T00:00:00.000Z';

/**
 * Validates the return value of a generator and creates the files of each document: STEP, GLB, properties,
 * thumbnail and measuring data, and for assemblies asm.json.
 */
export async function createDocuments(kernel: Kernel, returned: unknown, report: Reporter): Promise<CreatedDocument[]> {
  const documents = validateDocuments(kernel, returned);
  const definitions = buildDefinitions(documents);
  const created: CreatedDocument[] = [];
  for (const [index, document] of documents.entries()) {
    const { key, kind, name, description } = document;
    const root = definitions.get(key)!;
    const documentReporter: Reporter = { log: (line) => report.log(`${key}: ${line}`), progress: () => undefined };
    const stp = writeStep(kernel, root, TIME);
    const derived = await createArtifacts(evaluateProduct(kernel, root, [], null, documentReporter));
    const files = [
      ...(document.kind === 'assembly' ? [{ kind: 'asm-json', bytes: asmJsonOf(document, documents) }] : []),
      { kind: 'stp', bytes: stp },
      ...Object.entries(derived).map(([kind, bytes]) => ({ kind, bytes })),
    ];
    created.push({ key, kind, name, ...(description === undefined ? {} : { description }), files });
    report.progress((100 * (index + 1)) / documents.length, key);
  }
  return created;
}

function validateDocuments(kernel: Kernel, returned: unknown): (ModelDocument | AssemblyDocument)[] {
  if (!Array.isArray(returned) || !returned.length || returned.length > MAX_DOCUMENTS)
    failOutput(`the generator must return an array of 1 to ${MAX_DOCUMENTS} documents`);
  const documents = returned.map((value: unknown) => validateDocument(kernel, isObject(value) ? value : {}));
  const keys = new Set<string>();
  for (const { key } of documents) {
    if (keys.has(key)) failOutput(`duplicate document key ${key}`);
    keys.add(key);
  }
  for (const document of documents)
    if (document.kind === 'assembly')
      for (const { template } of document.instances)
        if (!keys.has(template)) failOutput(`assembly ${document.key}: no document has the key ${template}`);
  return documents;
}

function validateDocument(kernel: Kernel, value: Record<string, unknown>): ModelDocument | AssemblyDocument {
  const { key, kind, name, description, shape, color, instances } = value;
  if (typeof key !== 'string' || !KEY_PATTERN.test(key))
    return failOutput(`document key ${key} must match ${KEY_PATTERN.source}`);
  if (typeof name !== 'string' || !name || name.length > 200)
    return failOutput(`document ${key} must have a name of 1 to 200 characters`);
  if (description !== undefined && typeof description !== 'string')
    return failOutput(`document ${key}: description must be a string`);
  const common = { key, name, ...(description === undefined ? {} : { description }) };
  if (kind !== 'model' && kind !== 'assembly') return failOutput(`document ${key}: kind must be model or assembly`);
  assertKnownFields(value, FIELDS[kind], `${kind} ${key}`);
  if (kind === 'model')
    return {
      ...common,
      kind,
      shape: requireSolid(kernel, key, shape),
      ...(color === undefined ? {} : { colour: parseColor(key, color) }),
    };
  if (!Array.isArray(instances) || !instances.length || !instances.every(isInstance))
    return failOutput(`assembly ${key} must have instances, each with a template`);
  for (const [index, instance] of instances.entries())
    assertKnownFields(instance, FIELDS.instance, `instance ${index + 1} of assembly ${key}`);
  return { ...common, kind, instances };
}

// Unknown fields are rejected, so that a misspelled field is not silently ignored.
const FIELDS = {
  model: ['key', 'kind', 'name', 'description', 'shape', 'color'],
  assembly: ['key', 'kind', 'name', 'description', 'instances'],
  instance: ['ident', 'template', 'transform'],
};
function assertKnownFields(value: object, fields: readonly string[], subject: string): void {
  const unknown = Object.keys(value).find((field) => !fields.includes(field));
  if (unknown !== undefined) failOutput(`${subject} has an unknown field ${unknown}; allowed: ${fields.join(', ')}`);
}

function parseColor(key: string, color: unknown): Colour {
  const isComponent = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
  if (!Array.isArray(color) || color.length !== 3 || !color.every(isComponent))
    return failOutput(`model ${key}: color must be red, green and blue, three integers from 0 to 255`);
  return [color[0], color[1], color[2]];
}

function requireSolid(kernel: Kernel, key: string, value: unknown): Shape {
  const shape = isObject(value) && 'wrapped' in value ? value.wrapped : value;
  if (!(shape instanceof kernel.TopoDS_Shape))
    return failOutput(`model ${key} must have a shape created with replicad`);
  const { valid, solids } = checkShape(kernel, shape as Shape);
  if (!valid || !solids) fail('invalid_solid', `model ${key}: the shape is not a valid solid`);
  return shape as Shape;
}

function buildDefinitions(documents: readonly (ModelDocument | AssemblyDocument)[]): Map<string, Definition> {
  const byKey = new Map(documents.map((document) => [document.key, document]));
  const definitions = new Map<string, Definition>();
  const inProgress = new Set<string>();
  const define = (key: string): Definition => {
    const known = definitions.get(key);
    if (known) return known;
    if (inProgress.has(key)) return failOutput(`assembly ${key} contains itself`);
    inProgress.add(key);
    const document = byKey.get(key)!;
    const definition: Part | Assembly =
      document.kind === 'model'
        ? {
            name: document.name,
            shape: document.shape,
            uses: null,
            ...(document.colour ? { colour: document.colour } : {}),
          }
        : {
            name: document.name,
            shape: null,
            uses: document.instances.map((instance, index) => ({
              definition: define(instance.template),
              name: identOf(instance, index),
              transform: transformOf(instance, index),
            })),
          };
    definitions.set(key, definition);
    return definition;
  };
  for (const { key } of documents) define(key);
  return definitions;
}

function identOf({ ident, template }: Instance, index: number): string {
  return typeof ident === 'string' && ident ? ident : `${template}:${index + 1}`;
}

function transformOf(instance: Instance, index: number) {
  const read = parseTransform(instance.transform, identOf(instance, index));
  return 'matrix' in read ? read.matrix : failOutput(`instance ${identOf(instance, index)}: ${read.error.message}`);
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
  const asmInstances = instances.map((instance, index) => ({
    ident: identOf(instance, index),
    template: instance.template,
    ...(instance.transform === undefined ? {} : { transform: instance.transform }),
  }));
  const asm = { version: 1, nameIfRoot: name, templates, instances: asmInstances, constraints: [] };
  const result = validateAsmJson(asm, 'resolved');
  if ('errors' in result) {
    const [first] = result.errors;
    failOutput(`assembly ${name}: ${first?.path} ${first?.message}`);
  }
  return Buffer.from(JSON.stringify(asm, null, 1));
}

function isInstance(value: unknown): value is Instance {
  return isObject(value) && typeof value.template === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function failOutput(message: string): never {
  return fail('generator_output', message);
}
