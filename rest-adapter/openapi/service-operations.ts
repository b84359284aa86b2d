// The OpenAPI description of the routes about the service itself.
import { nullableSchema, type Schema } from './json-schema.ts';
import { serviceProblems } from './openapi-problems.ts';

const textSchema = { type: 'string' };

export const SERVICE_TAG = {
  name: 'Service',
  description: 'The service itself: health, descriptions and signed links.',
};

export const HEALTH_SCHEMA: Schema = {
  type: 'object',
  properties: {
    status: {
      type: 'string',
      enum: ['ok', 'degraded', 'unavailable'],
      description: 'The worst status of the parts; `degraded`: all respond, but one is late or full',
    },
    version: textSchema,
    parts: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { status: textSchema, detail: nullableSchema(textSchema) },
        required: ['status'],
      },
    },
    down: { type: 'array', items: textSchema, description: 'The components that do not respond' },
  },
  required: ['status', 'version', 'parts', 'down'],
};
const HEALTH_CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Health' } } };

export const HEALTH_OPERATION = {
  '/health': {
    get: {
      operationId: 'ReadHealth',
      tags: ['Service'],
      summary: 'Read the health of the API, its database and its file store',
      description:
        'Returns which parts of the service respond. The status is `degraded` while requests are served but jobs, audit checkpoints or the storage need an administrator. Needs no token and is not limited, for monitoring.',
      security: [],
      responses: {
        ...serviceProblems([], { isPublic: true }),
        200: { description: 'All components respond; `degraded` if one is late or full', content: HEALTH_CONTENT },
        503: { description: 'At least one component does not respond; `down` lists which', content: HEALTH_CONTENT },
      },
    },
  },
};

export const SERVICE_OPERATIONS = {
  '/openapi.json': {
    get: {
      operationId: 'ReadOpenApi',
      tags: ['Service'],
      summary: 'Read this OpenAPI description',
      description: 'Returns the OpenAPI 3.1 description of all routes, from which clients can be generated.',
      responses: {
        ...serviceProblems(['precondition_failed']),
        200: { description: 'OpenAPI 3.1', content: { 'application/json': { schema: { type: 'object' } } } },
      },
    },
  },
  '/docs': {
    get: {
      operationId: 'ReadDocs',
      tags: ['Service'],
      summary: 'The API reference as a web page, where every operation can be tried',
      description: 'Returns a page that shows this description and sends requests with a token.',
      security: [],
      responses: {
        ...serviceProblems([], { isPublic: true }),
        200: { description: 'The page', content: { 'text/html': { schema: textSchema } } },
      },
    },
  },
  '/schemas/asm.json': {
    get: {
      operationId: 'ReadAsmJsonSchema',
      tags: ['Service'],
      summary: 'Read the JSON Schema of asm.json',
      description: 'Returns the JSON Schema of the asm.json files that describe assemblies.',
      responses: {
        ...serviceProblems(['precondition_failed']),
        200: {
          description: 'JSON Schema 2020-12',
          content: { 'application/schema+json': { schema: { type: 'object' } } },
        },
      },
    },
  },
};
