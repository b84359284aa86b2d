import { ADDRESS } from './address.ts';

const name = { type: 'string', minLength: 1 };
const list = (items: object) => ({ type: ['array', 'null'], items });
const SOURCES = ['reference', 'assembly', 'base64', 'geometry'];
const anything = true;
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
 * The JSON Schema (2020-12) of asm.json as it is uploaded: its shape. What a schema cannot say is checked besides
 * (`checkAsmJson`): idents are unique in their list, instances name templates of their own list or an outer one, transforms can be
 * computed and neither scale nor mirror, and no more than 50 levels.
 */
export const ASM_JSON_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: '/api/v1/schemas/asm.json',
  title: 'asm.json',
  description:
    'An assembly: what there is (templates), where it stands (instances), how it is bound (constraints: kept, not solved). Unknown fields are kept.',
  $ref: '#/$defs/assembly',
  $defs: {
    assembly: {
      type: 'object',
      required: ['templates'],
      properties: {
        version: { enum: [0, 1], description: '0 or absent: the types of constraints begin with CC_' },
        nameIfRoot: { type: 'string' },
        userData: anything,
        templates: { type: 'array', items: { $ref: '#/$defs/template' } },
        instances: {
          ...list({ $ref: '#/$defs/instance' }),
          description: 'Absent: each template is placed once, at the origin',
        },
        constraints: list({ $ref: '#/$defs/constraint' }),
      },
      if: { properties: { instances: { type: 'array' } }, required: ['instances'] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { properties: { templates: { items: { required: ['ident'] } } } },
    },
    template: {
      type: 'object',
      properties: {
        ident: { ...name, description: 'Its name; may be absent in a file without instances' },
        type: { enum: ['part', 'assembly'] },
        userData: anything,
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
          description: 'pdm://documents/<number or id>, with @<revision> or @v<n> if wanted',
          examples: ['pdm://documents/PRT-000001', 'pdm://documents/PRT-000001@B', 'pdm://documents/PRT-000001@v3'],
        },
        type: anything,
      },
    },
    instance: {
      type: 'object',
      required: ['ident', 'template'],
      properties: {
        ident: name,
        template: { type: 'string' },
        transform: { $ref: '#/$defs/transform' },
        userData: anything,
      },
    },
    transform: {
      description:
        'Where it stands, in mm; absent: at the origin. A 4x4 matrix row by row, its 16 numbers, [origin, xDir, yDir] or [x, y, z]; as a list or as a text.',
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
