// TypeScript types from the SDL: resolver types for each subgraph, one typed document for each REST operation.
import { buildASTSchema, buildSchema, type DocumentNode, Kind, parse } from 'graphql';

const HEADER = '// Made by `npm run generate`; not to be edited.\n';
const FILE = "import('graphql-upload-minimal')";

/**
 * Writes the resolver types of one subgraph. `sources` is the text of its sources.ts: an object type with an exported type of the same
 * name there has that as the parent of its resolvers; the others have the fields of the SDL.
 */
export async function resolverTypes(typeDefs: DocumentNode, sources: string): Promise<string> {
  const { codegen, typescript, typescriptResolvers } = await generator();
  const schema = withoutSchemaExtensions(typeDefs);
  const exported = new Set([...sources.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name));
  const objects = schema.definitions
    .filter((definition) => definition.kind === Kind.OBJECT_TYPE_DEFINITION)
    .map(({ name }) => name.value);
  const mapped = objects.filter((name) => exported.has(name));
  const content = await codegen({
    filename: 'resolvers.ts',
    documents: [],
    schema,
    schemaAst: buildASTSchema(schema, { assumeValidSDL: true }),
    plugins: [{ typescript: {} }, { 'typescript-resolvers': {} }],
    pluginMap: { typescript, 'typescript-resolvers': typescriptResolvers },
    config: {
      federation: true,
      useTypeImports: true,
      enumsAsTypes: true,
      strictScalars: true,
      skipTypename: true,
      mappers: Object.fromEntries(mapped.map((name) => [name, `../sources.ts#${name} as ${name}Source`])),
      scalars: {
        ID: { input: 'string', output: 'string' },
        DateTime: { input: 'Date', output: 'Date | string' },
        JSON: { input: 'unknown', output: 'unknown' },
        Upload: { input: `Promise<${FILE}.FileUpload>`, output: 'never' },
        _FieldSet: { input: 'string', output: 'string' },
      },
    },
  });
  return HEADER + content;
}

type Document = { location: string; text: string };

/** Writes one TypedDocumentNode for each operation of the documents, checked against the schema of the API. */
export async function operationTypes(apiSdl: string, documents: readonly Document[]): Promise<string> {
  return typedDocuments(apiSdl, documents, {});
}

/**
 * Writes the typed operations of the REST routes. `sources` are the texts in the route rows; the generated function `operation` maps each text to its
 * typed document, so that a row states its operation in place.
 */
export async function routeOperations(
  apiSdl: string,
  fragments: readonly Document[],
  sources: readonly string[],
): Promise<string> {
  const documents = sources.map((text, index) => ({ location: `route ${index}`, text }));
  const typed = await typedDocuments(apiSdl, [...fragments, ...documents], {});
  const entries = sources.map((source) => {
    const [, name] = /(?:query|mutation) (\w+)/.exec(source) ?? [];
    return `  ${JSON.stringify(source)}: ${name}Document,\n`;
  });
  return `${typed}
const OPERATIONS = {
${entries.join('')}};

/** Returns the typed document of an operation in a route row. After changing a row, run \`npm run generate\`. */
export function operation<const Source extends keyof typeof OPERATIONS>(source: Source): (typeof OPERATIONS)[Source] {
  return OPERATIONS[source];
}
`;
}

/** Writes the operations of the web page: as text, because a browser sends them as they are, and every field has its type. */
export async function pageOperations(apiSdl: string, documents: readonly Document[]): Promise<string> {
  return typedDocuments(apiSdl, documents, { documentMode: 'string' });
}

async function typedDocuments(apiSdl: string, documents: readonly Document[], mode: object): Promise<string> {
  const { codegen, typescriptOperations, typedDocumentNode } = await generator();
  const schemaAst = buildSchema(apiSdl);
  const content = await codegen({
    filename: 'operations.ts',
    documents: documents.map(({ location, text }) => ({ location, document: parse(text) })),
    schema: parse(apiSdl),
    schemaAst,
    plugins: [{ 'typescript-operations': {} }, { 'typed-document-node': {} }],
    pluginMap: { 'typescript-operations': typescriptOperations, 'typed-document-node': typedDocumentNode },
    config: {
      useTypeImports: true,
      enumType: 'string-literal',
      strictScalars: true,
      skipTypename: true,
      ...mode,
      scalars: {
        ID: 'string',
        DateTime: 'string',
        JSON: 'unknown',
        Upload: `${FILE}.Upload`,
      },
    },
  });
  return HEADER + content;
}

// `extend schema @link` names federation's own SDL, which means nothing to graphql-js
function withoutSchemaExtensions(document: DocumentNode): DocumentNode {
  return { ...document, definitions: document.definitions.filter(({ kind }) => kind !== Kind.SCHEMA_EXTENSION) };
}

// A library of the generator assigns `__proto__` while it loads. The process forbids that (--disable-proto), so it is allowed for that moment.
async function generator() {
  const forbidding = Object.getOwnPropertyDescriptor(Object.prototype, '__proto__');
  Object.defineProperty(Object.prototype, '__proto__', {
    configurable: true,
    get(this: object) {
      return Object.getPrototypeOf(this);
    },
    set(this: object, prototype: object) {
      Object.setPrototypeOf(this, prototype);
    },
  });
  try {
    const [{ codegen }, typescript, typescriptResolvers, typescriptOperations, typedDocumentNode] = await Promise.all([
      import('@graphql-codegen/core'),
      import('@graphql-codegen/typescript'),
      import('@graphql-codegen/typescript-resolvers'),
      import('@graphql-codegen/typescript-operations'),
      import('@graphql-codegen/typed-document-node'),
    ]);
    return { codegen, typescript, typescriptResolvers, typescriptOperations, typedDocumentNode };
  } finally {
    if (forbidding) Object.defineProperty(Object.prototype, '__proto__', forbidding);
  }
}
