// Describes the successful responses of a route in OpenAPI.
import type { GraphQLSchema } from 'graphql';
import type { Route } from '../route.ts';
import { nonNullSchema, type Schema } from './json-schema.ts';
import { responseSchema } from './response-schema.ts';

/** The content of an uploaded or downloaded file. */
export const FILE_CONTENT = { type: 'string', format: 'binary', description: 'The content of the file' };

/** Returns the successful responses of a route by status. Adds the types that they use to `components`. */
export function responsesOf(row: Route, schema: GraphQLSchema, components: Map<string, Schema>): Schema {
  if (row.status === 204) return { 204: { description: 'Done' } };
  if (row.send === 'file') return FILE_RESPONSES;
  if (row.send === 'events') return EVENT_RESPONSES;
  const response = asPage(
    row.inline.reduce(
      (found, path) => inlineField(found, path.split('.'), components),
      responseSchema(row.operation, row.pick, schema, components),
    ),
  );
  const locationHeader = row.location ? { headers: { Location: { schema: { type: 'string' } } } } : {};
  const etagHeader = row.method === 'GET' ? { headers: { ETag: { schema: { type: 'string' } } } } : {};
  return {
    [row.status]: {
      description: STATUS_DESCRIPTIONS[row.status] ?? 'Success',
      ...locationHeader,
      ...etagHeader,
      content: { 'application/json': { schema: response }, ...(row.csv ? CSV : {}) },
    },
    ...(row.method === 'GET' ? { 304: { description: 'Not modified' } } : {}),
    ...(row.createdFlag
      ? { 200: { description: 'The run already existed', content: { 'application/json': { schema: response } } } }
      : {}),
    ...(row.whenNull === 204 ? { 204: { description: 'No matching job is available' } } : {}),
  };
}

// Unpaged lists are shown as a single page. `total` is present only if it was requested.
function asPage(response: Schema): Schema {
  if (response.type === 'array')
    return {
      type: 'object',
      properties: { items: response, nextCursor: { type: 'null' } },
      required: ['items', 'nextCursor'],
    };
  const { properties } = response as { properties?: Record<string, Schema> };
  if (!properties?.items) return response;
  if (!properties.nextCursor)
    return {
      ...response,
      properties: { ...properties, nextCursor: { type: 'null' } },
      required: [...(response.required as string[]), 'nextCursor'],
    };
  if (!properties.total) return response;
  return {
    ...response,
    properties: { ...properties, total: nonNullSchema(properties.total) },
    required: ['items', 'nextCursor'],
  };
}

function inlineField(
  schema: Schema,
  [field = '', ...deeper]: readonly string[],
  components: Map<string, Schema>,
): Schema {
  // Inlining a field of a component changes it, so the component is copied.
  const container = components.get(String(schema.$ref).split('/').at(-1) ?? '') ?? schema;
  if (container.type === 'array')
    return { ...container, items: inlineField(container.items as Schema, [field, ...deeper], components) };
  const { properties } = container as { properties?: Record<string, Schema> };
  const inner = properties?.[field];
  if (!inner) return schema;
  if (deeper.length)
    return { ...container, properties: { ...properties, [field]: inlineField(inner, deeper, components) } };
  const { [field]: _spread, ...others } = properties;
  return { allOf: [inner, { type: 'object', properties: others, required: Object.keys(others) }] };
}

const STATUS_DESCRIPTIONS: Partial<Record<Route['status'], string>> = { 201: 'Created', 202: 'Queued' };

const textSchema = { type: 'string' };
const CSV = { 'text/csv': { schema: { type: 'string', description: 'RFC 4180, UTF-8, with a header line' } } };
const BYTES = { '*/*': { schema: FILE_CONTENT } };
const FILE_RESPONSES = {
  200: {
    description: 'The file. Its ETag is the SHA-256 of the content.',
    headers: { ETag: { schema: textSchema } },
    content: BYTES,
  },
  206: { description: 'The requested range', headers: { 'Content-Range': { schema: textSchema } }, content: BYTES },
  304: { description: 'Not modified' },
};
const EVENT_RESPONSES = {
  200: {
    description:
      'Messages with the data `{"at", "line"}`, whose id is the line to resume from; comments while there are no new lines; finally the event `end` with `{"status"}`.',
    content: { 'text/event-stream': { schema: textSchema } },
  },
};
