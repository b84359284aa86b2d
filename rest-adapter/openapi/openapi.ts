// Builds the OpenAPI 3.1 description from the route rows and their operations.
import { type GraphQLInputType, type GraphQLSchema, isEnumType, isListType, isNonNullType } from 'graphql';
import { CATALOGUE } from '../../subgraphs/core/domain/errors.ts';
import { EVENT_STREAM_OPERATION } from '../event-stream.ts';
import { operationOf, type Variable, variablesOf } from '../operation.ts';
import { headerOf } from '../request-variables.ts';
import type { Route, VariableSource } from '../route.ts';
import type { ROUTES } from '../routes.ts';
import { FORMATS } from '../send-table.ts';
import { SIGNED_OPERATIONS } from '../signed-content.ts';
import { argumentsOf } from './arguments.ts';
import { inputConstraints } from './constraints.ts';
import {
  closedObject,
  inputSchema,
  nonNullSchema,
  type Schema,
  withConstraints,
  withDescription,
} from './json-schema.ts';
import { COMMON_PARAMETERS, commonParameters } from './openapi-parameters.ts';
import { problemResponses, problemResponsesOf } from './openapi-problems.ts';
import { operationDescription } from './operation-description.ts';
import { FILE_CONTENT, responsesOf } from './route-responses.ts';
import { HEALTH_OPERATION, HEALTH_SCHEMA, SERVICE_OPERATIONS, SERVICE_TAG } from './service-operations.ts';

type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  style?: 'form';
  explode?: false;
  schema: Schema;
};

/** Returns the OpenAPI description of all routes. */
export function openApi(groups: typeof ROUTES, schema: GraphQLSchema, version: string): Schema {
  const components = new Map<string, Schema>([
    ['Problem', PROBLEM],
    ['Health', HEALTH_SCHEMA],
  ]);
  const paths: Record<string, Schema> = { ...HEALTH_OPERATION };
  const all = groups.flatMap(({ routes }) => routes);
  for (const { tag, routes } of groups)
    for (const row of routes) {
      const path = row.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = {
        ...paths[path],
        [row.method.toLowerCase()]: describeRoute(row, { tag, all, schema, components }),
      };
    }
  Object.assign(paths, SERVICE_OPERATIONS, EVENT_STREAM_OPERATION, SIGNED_OPERATIONS);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Document and version management',
      version,
      description: API_DESCRIPTION,
      contact: { name: 'The administrators of this service' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    tags: [...groups.map(({ tag, description }) => ({ name: tag, description })), SERVICE_TAG],
    paths,
    components: {
      parameters: COMMON_PARAMETERS,
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token (`pdm_…`), sent as `Authorization: Bearer <token>`',
        },
      },
      responses: problemResponses(),
      schemas: Object.fromEntries(usedComponents(components, paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

type RouteContext = { tag: string; all: readonly Route[]; schema: GraphQLSchema; components: Map<string, Schema> };

function describeRoute(row: Route, { tag, all, schema, components }: RouteContext): Schema {
  const passedTo = argumentsOf(row.operation, schema);
  const variables = variablesOf(row.operation, schema).map(({ name, type }) => {
    const argument = passedTo.get(name);
    const constraints = argument && inputConstraints(argument.name, argument.coordinate);
    return {
      name,
      type,
      source: row.sources[name] as VariableSource,
      description: argument?.description?.replaceAll('\n', ' '),
      schema: withConstraints(inputSchema(type), constraints),
    };
  });
  const parameters = [...parametersOf(variables, row), ...commonParameters(row, all)];
  const operationId = operationOf(row.operation).name?.value ?? '';
  const body = withExample(bodyOf(variables, row), row.example);
  return {
    operationId,
    tags: [tag],
    summary: row.summary,
    description: operationDescription(row, schema),
    parameters,
    ...(body ? { requestBody: body } : {}),
    responses: { ...responsesOf(row, schema, components), ...problemResponsesOf(row, all) },
  };
}

type SourcedVariable = Variable & { source: VariableSource; description: string | undefined; schema: Schema };

function parametersOf(
  variables: readonly SourcedVariable[],
  { pageSizes, csv, defaultSort }: Route,
): (Parameter | Schema)[] {
  const parameters = variables.flatMap(({ name, type, source, description, schema }): Parameter[] => {
    const header = headerOf(source);
    const common = {
      required: isNonNullType(type),
      description,
      schema: name === 'limit' ? limitSchema(pageSizes) : nonNullSchema(schema),
    };
    if (source === 'path') return [{ name, in: 'path', ...common, required: true }];
    if (source === 'query' && isListType(type)) return [listParameter(common, name, type.ofType)];
    if (source === 'query') return [{ name, in: 'query', ...common }];
    if (source === 'sort' && isEnumType(type))
      return [
        sortParameter(
          type.getValues().map(({ name }) => name),
          defaultSort,
        ),
      ];
    if (source === 'file') return [FILE_NAME];
    return header
      ? [{ name: header, in: 'header', ...common, required: common.required && source.startsWith('header') }]
      : [];
  });
  return [...parameters, ...(csv ? [FORMAT] : [])];
}

function listParameter(
  { description }: Pick<Parameter, 'description'>,
  name: string,
  itemType: GraphQLInputType,
): Parameter {
  const item = nonNullSchema(inputSchema(itemType));
  return {
    name,
    in: 'query',
    required: false,
    description: [description, 'Separate several values by commas.'].filter(Boolean).join(' '),
    style: 'form',
    explode: false,
    schema: { anyOf: [item, { type: 'array', items: item }] },
  };
}

function sortParameter(names: readonly string[], defaultSort: string | undefined): Parameter {
  const choices = names.flatMap((name) => [name, `-${name}`]);
  return {
    name: 'sort',
    in: 'query',
    required: false,
    description: 'The sort key; prefix it with `-` for descending order.',
    schema: { type: 'string', enum: choices, ...(defaultSort ? { default: defaultSort } : {}) },
  };
}

function bodyOf(variables: readonly SourcedVariable[], row: Route): Schema | null {
  if (variables.some(({ source }) => source === 'file'))
    return { required: true, content: { 'application/octet-stream': { schema: FILE_CONTENT } } };
  const whole = variables.find(({ source }) => source === 'body');
  if (whole) return { required: true, content: { 'application/json': { schema: whole.schema } } };
  const fields = variables.filter(({ source }) => source.startsWith('body.*'));
  if (!fields.length) return null;
  const required = fields
    .filter(({ name, type }) => isNonNullType(type) || row.required.includes(name))
    .map(({ name }) => name);
  const properties = fields.map(({ name, schema, description }) => [
    name,
    withDescription(withText(row, name, row.notNull.includes(name) ? nonNullSchema(schema) : schema), description),
  ]);
  return {
    required: required.length > 0,
    content: { 'application/json': { schema: closedObject(Object.fromEntries(properties), required) } },
  };
}

// A field with an alternative form also takes a string.
function withText({ normalize }: Route, name: string, schema: Schema): Schema {
  return normalize[name] ? { anyOf: [schema, textSchema] } : schema;
}

function usedComponents(components: ReadonlyMap<string, Schema>, paths: object): [string, Schema][] {
  const named = (text: string) =>
    [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => String(name));
  const used = new Set(['Problem', ...named(JSON.stringify(paths))]);
  for (const name of used) for (const inner of named(JSON.stringify(components.get(name)))) used.add(inner);
  return [...components].filter(([name]) => used.has(name));
}

function withExample(body: Schema | null, example: object | undefined): Schema | null {
  const { content } = (body ?? {}) as { content?: Record<string, Schema> };
  const json = content?.['application/json'];
  return json && example ? { ...body, content: { ...content, 'application/json': { ...json, example } } } : body;
}

const API_DESCRIPTION =
  'Lists are paged: `limit` is 1–200 (default 50), `cursor` is the `nextCursor` of the previous page. In a PATCH, omitted fields keep their value and null clears it. ' +
  'A document is addressed by its id or its number. Errors are application/problem+json; the page at the `type` of an error explains its code.';

const textSchema = { type: 'string' };
const limitSchema = (
  { default: defaultSize, max }: NonNullable<Route['pageSizes']> = { default: 50, max: 200 },
): Schema => ({
  type: 'integer',
  minimum: 1,
  maximum: max,
  ...(defaultSize === null ? {} : { default: defaultSize }),
});
const FILE_NAME: Parameter = {
  name: 'X-File-Name',
  in: 'header',
  required: false,
  description:
    "The file name: UTF-8 bytes, or ASCII encoded as in RFC 8187 (UTF-8''%E5%9B%B3.pdf). If it contains a path, only the last segment is used.",
  schema: textSchema,
};
const FORMAT: Parameter = {
  name: 'format',
  in: 'query',
  required: false,
  description: '`json`, or `csv` for the items as a spreadsheet file. Default: the type that `Accept` prefers.',
  schema: { type: 'string', enum: FORMATS },
};
const PROBLEM: Schema = {
  type: 'object',
  description: 'A problem (RFC 9457) with an error code and, for some codes, further fields.',
  properties: {
    type: textSchema,
    title: textSchema,
    status: { type: 'integer' },
    detail: textSchema,
    instance: textSchema,
    code: { type: 'string', enum: Object.keys(CATALOGUE) },
    requestId: textSchema,
    errors: { type: 'array', items: closedObject({ path: textSchema, message: textSchema }, ['path', 'message']) },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
};
