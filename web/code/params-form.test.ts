import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Field, fieldsOf } from './params-form.ts';
import {
  errorsAt,
  type FieldError,
  inputFrom,
  otherErrors,
  paramsLine,
  parseFieldErrors,
  parseInput,
} from './params-input.ts';

const schemaOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../examples/generators/${name}/generator.json`, import.meta.url), 'utf8')).params;
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

test('derives input fields with defaults for every example generator', () => {
  for (const name of ['bracket', 'gear', 'rack']) {
    const schema = schemaOf(name);
    const fields = fieldsOf(schema);
    expect(fields.map((field) => field.name)).toEqual(Object.keys(schema.properties));
    expect(fields.filter(({ kind }) => kind === 'json')).toEqual([]);
    const defaults = Object.entries<{ default?: unknown }>(schema.properties).flatMap(([name, each]) =>
      each.default === undefined ? [] : [[name, each.default]],
    );
    expect(parseInput(fields, inputFrom(fields, {}))).toEqual({ params: Object.fromEntries(defaults), errors: [] });
  }
});

test.each<[object, Partial<Field>]>([
  [
    { title: 'Width', description: 'over all', type: 'number', unit: 'mm', minimum: 1, exclusiveMaximum: 9 },
    { kind: 'number', title: 'Width', unit: 'mm' },
  ],
  [
    { type: 'integer', multipleOf: 5 },
    { kind: 'number', step: 5 },
  ],
  [{ enum: ['M5', 6, null] }, { kind: 'choice', choices: [choice('M5'), choice(6, '6'), choice(null, 'null')] }],
  [
    { oneOf: [{ const: 1, title: 'one' }, { const: 2 }] },
    { kind: 'choice', choices: [choice(1, 'one'), choice(2, '2')] },
  ],
  [{ type: 'boolean' }, { kind: 'boolean' }],
  [
    { type: 'string', maxLength: 3 },
    { kind: 'text', maxLength: 3 },
  ],
  [object({ a: { type: 'number' } }), { kind: 'group' }],
  [
    { type: 'array', items: { type: 'number' }, minItems: 2 },
    { kind: 'list', minItems: 2 },
  ],
  [
    { $ref: '#/$defs/length', title: 'Mine' },
    { kind: 'number', title: 'Mine', unit: 'mm' },
  ],
  [{ $ref: '#/$defs/nothing' }, { kind: 'json' }],
  [{ type: ['number', 'null'] }, { kind: 'json' }],
  [{ anyOf: [{ type: 'number' }, { type: 'string' }] }, { kind: 'json' }],
  [{ type: 'array', prefixItems: [{}], items: {} }, { kind: 'json' }],
  [{}, { kind: 'json' }],
])('derives from %j the field %j', (property, expected) => {
  const [field] = fieldsOf(
    object({ x: property }, { $defs: { length: { type: 'number', unit: 'mm', title: 'Length' } } }),
  );
  expect(field).toMatchObject(expected);
});

function choice(value: unknown, label = String(value)) {
  return { value, label };
}

test('limits the depth of recursive schemas', () => {
  const [field] = fieldsOf(
    object({ tree: { $ref: '#/$defs/tree' } }, { $defs: { tree: object({ left: { $ref: '#/$defs/tree' } }) } }),
  );
  let depth = 0;
  for (let at = field; at?.kind === 'group'; at = at.fields[0]) depth++;
  expect(depth).toBeGreaterThan(1);
});

test.each([
  [{ type: 'number', minimum: 1 }, '0', 'must be at least 1'],
  [{ type: 'number', maximum: 9, unit: 'mm' }, '9.1', 'must be at most 9 mm'],
  [{ type: 'number', exclusiveMinimum: 0 }, '0', 'must be more than 0'],
  [{ type: 'number', exclusiveMaximum: 9 }, '9', 'must be less than 9'],
  [{ type: 'number', multipleOf: 0.1 }, '0.25', 'must be a multiple of 0.1'],
  [{ type: 'integer' }, '1.5', 'must be a whole number'],
  [{ type: 'number' }, 'wide', 'must be a number'],
  [{ type: 'number' }, 'Infinity', 'must be a number'],
  [{ type: 'string', maxLength: 2 }, 'abc', 'must have at most 2 characters'],
  [{ type: 'string', minLength: 2 }, 'a', 'must have at least 2 characters'],
])('rejects for %j the input %j: %s', (property, input, message) => {
  const fields = fieldsOf(object({ 'a/b': property }));
  expect(parseInput(fields, { included: true, values: { 'a/b': input } }).errors).toEqual([
    { pointer: '/a~1b', message },
  ]);
});

test('accepts multiples despite rounding errors', () => {
  const fields = fieldsOf(object({ x: { type: 'number', multipleOf: 0.1 } }));
  expect(parseInput(fields, { included: true, values: { x: '0.3' } })).toEqual({ params: { x: 0.3 }, errors: [] });
});

test('omits empty parameters and reports required ones', () => {
  const fields = fieldsOf(
    object(
      { a: { type: 'number' }, b: { type: 'number' }, c: { type: 'number', default: 3 } },
      { required: ['b', 'c'] },
    ),
  );
  expect(parseInput(fields, { included: true, values: { a: '', b: ' ', c: '' } })).toEqual({
    params: {},
    errors: [{ pointer: '/b', message: 'is required' }],
  });
});

// schemas with valid parameters
type Case = { schema: object; value: unknown };
const leaf: fc.Arbitrary<Case> = fc.oneof(
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => ({ schema: { type: 'number' }, value: value || 0 })),
  fc.integer().map((value) => ({ schema: { type: 'integer' }, value })),
  fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
  fc
    .string({ minLength: 1 })
    .filter((text) => text.trim() !== '')
    .map((value) => ({ schema: { type: 'string' }, value })),
  fc.constantFrom('M5', 6, null, true).map((value) => ({ schema: { enum: ['M5', 6, null, true, 'no'] }, value })),
  fc.jsonValue({ noUnicodeString: true }).map((value) => ({ schema: {}, value: JSON.parse(JSON.stringify(value)) })),
);
const { any } = fc.letrec<{ any: Case }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.tuple(leaf, fc.nat(3)).map(([{ schema, value }, length]) => ({
      schema: { type: 'array', items: schema },
      value: Array(length).fill(value),
    })),
    fc.dictionary(fc.string({ minLength: 1 }), tie('any'), { maxKeys: 4, noNullPrototype: true }).map((each) => ({
      schema: object(Object.fromEntries(Object.entries(each).map(([name, { schema }]) => [name, schema]))),
      value: Object.fromEntries(Object.entries(each).map(([name, { value }]) => [name, value])),
    })),
  ),
}));

test('converts parameters to form input and back without changes, for any schema', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), any, { maxKeys: 5, noNullPrototype: true }), (each) => {
      const names = Object.entries(each);
      const fields = fieldsOf(object(Object.fromEntries(names.map(([name, { schema }]) => [name, schema]))));
      const params = Object.fromEntries(names.map(([name, { value }]) => [name, value]));
      expect(parseInput(fields, inputFrom(fields, params))).toEqual({ params, errors: [] });
    }),
  );
});

test('assigns errors of the service to fields, or to the form', () => {
  const fields = fieldsOf(schemaOf('gear'));
  const errors = parseFieldErrors([
    { path: '/params/teeth', message: 'must be <= 150' },
    { path: '/params/keyway/width', message: 'must be number' },
    { path: '/params/keyway/colour', message: 'must NOT have additional properties' },
    { path: '/params/spin', message: 'must NOT have additional properties' },
  ]);
  const shown = (name: string): FieldError[] =>
    errorsAt(errors, fields.find((field) => field.name === name) ?? fields[0]!, `/${name}`);
  expect(shown('teeth').map(({ message }) => message)).toEqual(['must be <= 150']);
  expect(shown('keyway').map(({ pointer }) => pointer)).toEqual(['/keyway/colour']);
  expect(otherErrors(errors, fields).map(({ pointer }) => pointer)).toEqual(['/spin']);
});

test('formats parameters in one line', () => {
  expect(paramsLine({ width: 900, bolt: 'M6', keyway: { width: 4, at: [1, { x: 2 }] } })).toBe(
    'width 900 · bolt M6 · keyway (width 4, at [1, (x 2)])',
  );
});
