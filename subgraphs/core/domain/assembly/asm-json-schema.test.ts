import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import { validateAsmJson } from './asm-json.ts';
import { ASM_JSON_SCHEMA } from './asm-json-schema.ts';

const validator = new Validator(ASM_JSON_SCHEMA as never, '2020-12', false);
const bySchema = (file: unknown) => validator.validate(file).valid;
const byRules = (file: unknown) => 'asm' in validateAsmJson(file, 'stored');

const reference = (location: unknown = 'pdm://documents/PRT-000001') => ({ reference: { location } });
const part = { ident: 'P', ...reference() };
const placed = (instance: object) => ({ templates: [part], instances: [{ ident: 'a', template: 'P', ...instance }] });
const templates = (...some: unknown[]) => ({ templates: some });

const VALID: [string, unknown][] = [
  ['references only', templates(reference(), reference('pdm://documents/prt-2@A'))],
  ['an empty template list', templates()],
  ['a format version', { version: 1, nameIfRoot: 'Rack', userData: { a: 1 }, templates: [] }],
  ['instances', placed({ transform: '[0,0,10]', userData: null })],
  ['null lists', { templates: [reference()], instances: null, constraints: null }],
  ['a transform as an array of three', placed({ transform: [1, 2, 3] })],
  [
    'a transform as axes',
    placed({
      transform: [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
    }),
  ],
  [
    'a transform as a matrix',
    placed({
      transform: [
        [1, 0, 0, 5],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 0, 1],
      ],
    }),
  ],
  ['a transform as 16 numbers', placed({ transform: [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] })],
  ['a nested assembly', templates({ ident: 'A', type: 'assembly', assembly: { ...placed({}), constraints: [] } })],
  ['sources that only ClassCAD reads', templates({ ident: 'O', base64: 'AQI=' }, { ident: 'F', geometry: [] })],
  ['a constraint', { ...placed({}), constraints: [{ type: 'CC_FastenedOriginConstraint', name: 'F' }] }],
  [
    'all forms of addresses',
    templates(
      ...['doc_01h455vb4pex5vsknk084sn02q', 'A.1-b@v12', 'A@AA'].map((at) => reference(`pdm://documents/${at}`)),
    ),
  ],
  ['unknown fields', { ...placed({ colour: 'red' }), further: [1] }],
];

const INVALID: [string, unknown][] = [
  ['an array', []],
  ['a string', 'asm'],
  ['null', null],
  ['no templates', {}],
  ['templates that are not an array', { templates: {} }],
  ['instances that are not an array', { templates: [], instances: {} }],
  ['constraints that are not an array', { templates: [], constraints: 'none' }],
  ['an unknown format version', { version: 2, templates: [] }],
  ['a template that is a string', templates('PRT-000001')],
  ['a template without a source', templates({ ident: 'P' })],
  ['a template with two sources', templates({ ...part, base64: '' })],
  ['a template of an unknown type', templates({ ...part, type: 'sheet' })],
  ['an ident that is a number', templates({ ...part, ident: 1 })],
  ['an empty ident', templates({ ...part, ident: '' })],
  ['a template without an ident beside instances', { templates: [reference()], instances: [] }],
  ['a reference that is a string', templates({ reference: 'pdm://documents/PRT-000001' })],
  ['a reference without a location', templates({ reference: {} })],
  ['a web address', templates(reference('https://example.com/part.stp'))],
  ['an address with two @', templates(reference('pdm://documents/PRT-1@A@B'))],
  ['an instance that is a string', { templates: [part], instances: ['P'] }],
  ['an instance without an ident', { templates: [part], instances: [{ template: 'P' }] }],
  ['an instance without a template', { templates: [part], instances: [{ ident: 'a' }] }],
  ['a transform that is a number', placed({ transform: 5 })],
  ['a transform of two numbers', placed({ transform: [1, 2] })],
  ['a transform with strings', placed({ transform: ['a', 'b', 'c'] })],
  ['a constraint without a type', { ...placed({}), constraints: [{}] }],
  ['an unknown constraint', { ...placed({}), constraints: [{ type: 'GlueConstraint' }] }],
  [
    'an error in a nested assembly',
    templates({ ident: 'A', assembly: templates({ ident: 'B', assembly: templates({ ident: 'C' }) }) }),
  ],
];

const INVALID_BEYOND_SCHEMA: [string, unknown][] = [
  ['a duplicate ident', templates(part, part)],
  ['an instance of a missing template', { templates: [part], instances: [{ ident: 'a', template: 'Q' }] }],
  ['a transform that is not an expression', placed({ transform: 'sideways' })],
  ['a transform that mirrors', placed({ transform: '[[0,0,0],[1,0,0],[2,0,0]]' })],
];

describe('the published schema and the validation at upload', () => {
  test.each(VALID)('accept %s', (_, file) => expect([bySchema(file), byRules(file)]).toEqual([true, true]));
  test.each(INVALID)('reject %s', (_, file) => expect([bySchema(file), byRules(file)]).toEqual([false, false]));
  test.each(INVALID_BEYOND_SCHEMA)('differ on %s, which only the validation rejects', (_, file) =>
    expect([bySchema(file), byRules(file)]).toEqual([true, false]),
  );
});
