import { expect, test } from 'vitest';
import { breakingChanges } from './openapi-breaks.ts';

type Json = { [key: string]: unknown };
const text = { type: 'string' };
const former = () => ({
  paths: {
    '/parts/{id}': {
      get: {
        parameters: [
          { name: 'kind', in: 'query', required: false, schema: { type: 'string', enum: ['model', 'assembly'] } },
        ],
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Part' } } } } },
      },
      patch: {
        requestBody: {
          required: false,
          content: { 'application/json': { schema: closed({ name: text, note: nullable(text) }, []) } },
        },
        responses: { 204: { description: 'Done' } },
      },
    },
  },
  components: {
    schemas: {
      Part: {
        type: 'object',
        properties: { id: text, parent: { $ref: '#/components/schemas/Part' } },
        required: ['id'],
      },
    },
  },
});
const closed = (properties: Json, required: string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const nullable = (schema: Json) => ({ ...schema, type: [schema.type, 'null'] });

test('reports nothing for an equal or an extended description', () => {
  const grown = former();
  const { get, patch } = grown.paths['/parts/{id}'];
  get.parameters.push({ name: 'sort', in: 'query', required: false, schema: text as never });
  get.parameters[0]?.schema.enum.push('drawing');
  Object.assign(grown.components.schemas.Part.properties, { size: text });
  grown.components.schemas.Part.required.push('parent');
  Object.assign(patch.requestBody.content['application/json'].schema.properties, { colour: text });
  Object.assign(grown.paths, { '/more': { get: { responses: {} } } });
  expect([breakingChanges(former(), former()), breakingChanges(former(), grown)]).toEqual([[], []]);
});

const cases: [string, (present: ReturnType<typeof former>) => void, string][] = [
  ['an address', ({ paths }) => Reflect.deleteProperty(paths['/parts/{id}'], 'get'), 'GET /parts/{id}: was removed'],
  [
    'a parameter',
    ({ paths }) => paths['/parts/{id}'].get.parameters.pop(),
    'GET /parts/{id}: the parameter query kind was removed',
  ],
  [
    'a value',
    ({ paths }) => paths['/parts/{id}'].get.parameters[0]?.schema.enum.pop(),
    'GET /parts/{id} query kind: no longer accepts assembly',
  ],
  [
    'that it is optional',
    ({ paths }) => Object.assign(paths['/parts/{id}'].get.parameters[0]!, { required: true }),
    'GET /parts/{id}: the parameter query kind is now required',
  ],
  [
    'a field of an answer',
    ({ components }) => Reflect.deleteProperty(components.schemas.Part.properties, 'id'),
    'GET /parts/{id} 200.id: was removed',
  ],
  [
    'that a field is there',
    ({ components }) => components.schemas.Part.required.pop(),
    'GET /parts/{id} 200.id: may now be absent',
  ],
  [
    'that a field is a text',
    ({ components }) => Object.assign(components.schemas.Part.properties, { id: nullable(text) }),
    'GET /parts/{id} 200.id: may now be null',
  ],
  [
    'a field of a body',
    ({ paths }) => Reflect.deleteProperty(bodyOf(paths).properties, 'note'),
    'PATCH /parts/{id} body.note: was removed',
  ],
  [
    'that null clears',
    ({ paths }) => Object.assign(bodyOf(paths).properties, { note: text }),
    'PATCH /parts/{id} body.note: no longer accepts null',
  ],
  [
    'that a field can be left out',
    ({ paths }) => bodyOf(paths).required.push('name'),
    'PATCH /parts/{id} body.name: is now required',
  ],
  [
    'a status',
    ({ paths }) => Reflect.deleteProperty(paths['/parts/{id}'].patch.responses, '204'),
    'PATCH /parts/{id}: status 204 was removed',
  ],
];
const bodyOf = (paths: ReturnType<typeof former>['paths']) =>
  paths['/parts/{id}'].patch.requestBody.content['application/json'].schema as ReturnType<typeof closed>;

test.each(cases)('reports the removal of %s', (_what, change, message) => {
  const present = former();
  change(present);
  expect(breakingChanges(former(), present)).toEqual([message]);
});
