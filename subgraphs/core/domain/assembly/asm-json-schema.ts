// The published JSON Schema of asm.json.

import { ADDRESS } from './address.ts';

const name = { type: 'string', minLength: 1 };
const list = (items: object) => ({ type: ['array', 'null'], items });
const SOURCES = ['reference', 'assembly', 'base64', 'geometry'];
const ANY = true;
const CONSTRAINTS = [
  'FastenedOrigin',
  'Fastened',
  'Cylindrical',
  'Revolute',
  'Planar',
  'Parallel',
  'Slider',
  'LinearPattern',
];

/**
 * The JSON Schema (2020-12) of uploaded asm.json files. `validateAsmJson` also checks what a schema cannot express:
 * idents are unique in their list, instances name templates of their own list or an outer one, transforms can be
 * computed and are rigid, and at most 50 levels.
 */
export const ASM_JSON_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: '/api/v1/schemas/asm.json',
  title: 'asm.json',
  description:
    'An assembly: its parts and sub-assemblies (templates), their placements (instances) and constraints, which are stored but not solved. Unknown fields are kept.',
  $ref: '#/$defs/assembly',
  $defs: {
    assembly: {
      type: 'object',
      required: ['templates'],
      properties: {
        version: { enum: [0, 1], description: '0 or absent: constraint types start with CC_' },
        nameIfRoot: { type: 'string' },
        userData: ANY,
        templates: { type: 'array', items: { $ref: '#/$defs/template' } },
        instances: {
          ...list({ $ref: '#/$defs/instance' }),
          description: 'If absent, each template is placed once at the origin',
        },
        constraints: list({ $ref: '#/$defs/constraint' }),
      },
      if: { properties: { instances: { type: 'array' } }, required: ['instances'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { templates: { items: { required: ['ident'] } } } },
    },
    template: {
      type: 'object',
      properties: {
        ident: { ...name, description: 'The name of the template; optional in a file without instances' },
        type: { enum: ['part', 'assembly'] },
        userData: ANY,
        reference: { $ref: '#/$defs/reference' },
        assembly: { $ref: '#/$defs/assembly' },
        base64: { description: 'An OFB file' },
        geometry: { description: 'Features of ClassCAD' },
      },
      oneOf: SOURCES.map((source) => ({ required: [source] })),
    },
    reference: {
      type: 'object',
      required: ['location'],
      properties: {
        location: {
          type: 'string',
          pattern: ADDRESS.source,
          description: 'pdm://documents/<number or id>, optionally with @<revision> or @v<n>',
          examples: ['pdm://documents/PRT-000001', 'pdm://documents/PRT-000001@B', 'pdm://documents/PRT-000001@v3'],
        },
        type: ANY,
      },
    },
    instance: {
      type: 'object',
      required: ['ident', 'template'],
      properties: {
        ident: name,
        template: { type: 'string' },
        transform: { $ref: '#/$defs/transform' },
        userData: ANY,
      },
    },
    transform: {
      description:
        'The placement in mm. Default: the origin. A row-major 4x4 matrix, its 16 numbers, [origin, xDir, yDir] or [x, y, z]; as an array or as an expression string.',
      oneOf: [
        {
          type: ['string', 'null'],
          examples: ['[[1,0,0,5],[0,1,0,25],[0,0,1,20],[0,0,0,1]]', '[0,0,cos(a_r(30))*10]'],
        },
        { type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 3 },
        { type: 'array', items: { type: 'number' }, minItems: 16, maxItems: 16 },
        {
          type: 'array',
          items: { type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 3 },
          minItems: 3,
          maxItems: 3,
        },
        {
          type: 'array',
          items: { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 4 },
          minItems: 4,
          maxItems: 4,
        },
      ],
    },
    constraint: {
      type: 'object',
      required: ['type'],
      properties: { type: { type: 'string', pattern: `^(CC_)?(${CONSTRAINTS.join('|')})Constraint$` } },
    },
  },
} as const;
