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

test('variables are taken and refused as graphql-js does', () => {
  let quick = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...TYPES), value), { minLength: 1, maxLength: 4 }), (given) => {
      const definition = parse(`query (${given.map(([type], at) => `$v${at}: ${type}`).join(' ')}) { any }`)
        .definitions[0] as OperationDefinitionNode;
      const variables = Object.fromEntries(
        given.flatMap(([, value], at) => (value === undefined ? [] : [[`v${at}`, value]])),
      );
      const wanted = getVariableValues(SCHEMA, definition.variableDefinitions ?? [], variables);
      const coerce = compileCoercion(definition, SCHEMA);
      if (wanted.errors) expect(() => coerce(variables)).toThrow(wanted.errors[0]!.message);
      else {
        const found = coerce(variables);
        quick += Number(found === variables);
        expect(found).toEqual({ ...wanted.coerced });
      }
    }),
    { numRuns: 500 },
  );
  expect(quick).toBeGreaterThan(10);
});

test('a name of the prototype is no variable', () => {
  const definition = parse('query ($constructor: ID, $toString: String!) { any }')
    .definitions[0] as OperationDefinitionNode;
  expect(() => compileCoercion(definition, SCHEMA)({})).toThrow('$toString');
});
