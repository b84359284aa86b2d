import fc from 'fast-check';
import { buildSchema, getVariableValues, type OperationDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { compileCoercion } from './coerce.ts';

const SCHEMA = buildSchema(`
  enum Kind { MODEL ASSEMBLY }
  scalar DateTime
  input Filter { kind: Kind }
  type Query { any(id: ID, text: String, share: Float, yes: Boolean, kind: Kind, at: DateTime, filter: Filter): Int }
`);
const TYPES = [
  'ID!',
  'ID',
  'String',
  'Int!',
  'Int = 5',
  'Float',
  'Boolean!',
  'Boolean = true',
  'Kind',
  '[ID!]!',
  '[Int]',
  'DateTime',
  'Filter',
];
const value = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    'a',
    '',
    'MODEL',
    'OTHER',
    true,
    0,
    -1,
    2 ** 31,
    1.5,
    Number.NaN,
    [],
    ['a'],
    [1, null],
    ['a', null],
  ),
  fc.constantFrom<unknown>({}, { kind: 'MODEL' }, { kind: 'OTHER' }, '2026-01-01', [['a']]),
);

test('accepts and rejects variables like graphql-js', () => {
  let unchanged = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...TYPES), value), { minLength: 1, maxLength: 4 }), (parts) => {
      const definition = parse(`query (${parts.map(([type], at) => `$v${at}: ${type}`).join(' ')}) { any }`)
        .definitions[0] as OperationDefinitionNode;
      const variables = Object.fromEntries(
        parts.flatMap(([, value], at) => (value === undefined ? [] : [[`v${at}`, value]])),
      );
      const expected = getVariableValues(SCHEMA, definition.variableDefinitions ?? [], variables);
      const coerce = compileCoercion(definition, SCHEMA);
      if (expected.errors) expect(() => coerce(variables)).toThrow(expected.errors[0]!.message);
      else {
        const coerced = coerce(variables);
        unchanged += Number(coerced === variables);
        expect(coerced).toEqual({ ...expected.coerced });
      }
    }),
    { numRuns: 500 },
  );
  expect(unchanged).toBeGreaterThan(10);
});

test('does not read variables from Object.prototype', () => {
  const definition = parse('query ($constructor: ID, $toString: String!) { any }')
    .definitions[0] as OperationDefinitionNode;
  expect(() => compileCoercion(definition, SCHEMA)({})).toThrow('$toString');
});
