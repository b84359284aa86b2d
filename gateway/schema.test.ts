// What the API promises to those who write programs against it.
import {
  buildSchema,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  parse,
  validate,
} from 'graphql';
import { describe, expect, it, test } from 'vitest';
import { OF_THE_PROTOCOL } from './errors.ts';
import { exampleOperations } from './example-operations.ts';
import { textOf } from './generate.ts';
import { guard } from './guard.ts';
import { breakingChanges } from './schema-compatibility.ts';

const API = buildSchema(textOf('gateway/generated/api.graphql'));
const types = Object.values(API.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
);

describe('the schema of the API', () => {
  it('says of every type, field, argument, input and value what it is', () => {
    expect(types.length).toBeGreaterThan(100);
    expect(types.flatMap(partsOf).flatMap(([name, description]) => (description?.trim() ? [] : [name]))).toEqual([]);
  });

  it('says of every field that can be null when it is', () => {
    const silent = types.flatMap((type) =>
      isObjectType(type)
        ? Object.values(type.getFields())
            .filter((field) => !isNonNullType(field.type) && !/\b(null|if)\b/i.test(field.description ?? ''))
            .map(({ name }) => `${type.name}.${name}`)
        : [],
    );
    expect(silent).toEqual([]);
  });

  it('keeps what was promised with the last release: a program written for it goes on working', () => {
    const api = textOf('gateway/generated/api.graphql');
    expect(breakingChanges(api)).toEqual([]);
    const poorer = api
      .replace(/^ {2}whereUsed\(/m, '  formerlyWhereUsed(')
      .replace('status: JobStatus!', 'status: JobStatus');
    expect(breakingChanges(poorer)).toEqual([
      'Document.whereUsed was removed.',
      'Job.status changed type from JobStatus! to JobStatus.',
    ]);
  });
});

test('the codes of GraphQL itself are documented, each with its meaning and what to do', () => {
  const rows = [...textOf('docs/errors.md').matchAll(/^\| `([A-Z_]+)` +\| [^|]{10,} \| [^|]{10,} \|$/gm)].map(
    ([, code]) => code,
  );
  expect(rows.sort()).toEqual([...OF_THE_PROTOCOL].sort());
});

describe('the example operations', () => {
  it.each(exampleOperations().map((operation) => [operation.location, operation] as const))(
    '%s is valid, and let pass with some room',
    (_at, { text }) => {
      expect(validate(API, parse(text)).map(({ message }) => message)).toEqual([]);
      const { cost, exceeded } = guard(text, API);
      expect([exceeded, Number(cost) > 0]).toEqual([undefined, true]);
    },
  );
});

type Part = readonly [name: string, description: string | null | undefined];

function partsOf(type: GraphQLNamedType): Part[] {
  const own: Part[] = [[type.name, type.description]];
  if (isEnumType(type))
    return own.concat(type.getValues().map(({ name, description }) => [`${type.name}.${name}`, description]));
  if (isInputObjectType(type))
    return own.concat(
      Object.values(type.getFields()).map(({ name, description }) => [`${type.name}.${name}`, description]),
    );
  if (!isObjectType(type)) return own;
  return own.concat(
    Object.values(type.getFields()).flatMap(({ name, description, args }): Part[] => [
      [`${type.name}.${name}`, description],
      ...args.map((argument): Part => [`${type.name}.${name}(${argument.name})`, argument.description]),
    ]),
  );
}
