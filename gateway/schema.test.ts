// Requirements on the public GraphQL schema.
import {
  buildSchema,
  GraphQLID,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  parse,
  validate,
} from 'graphql';
import { describe, expect, it, test } from 'vitest';
import { PROTOCOL_CODES } from './errors.ts';
import { readExampleOperations } from './example-operations.ts';
import { readText } from './generate.ts';
import { guard } from './guard.ts';
import { breakingChanges } from './schema-compatibility.ts';

const API = buildSchema(readText('gateway/generated/api.graphql'));
const types = Object.values(API.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
);

/** The links of ids whose name does not end with `Id`. */
const LINKS: Record<string, string> = {
  'AuditActor.onBehalfOf': 'onBehalfOfUser',
  'Version.parents': 'parentVersions',
};
/** Ids without a link, with the reason. */
const UNLINKED = {
  'CloudEvent.subject': 'an attribute of CloudEvents; the audit record in `data` has the links',
};

describe('the schema of the API', () => {
  it('describes every type, field, argument, input and enum value', () => {
    expect(types.length).toBeGreaterThan(100);
    expect(types.flatMap(partsOf).flatMap(([name, description]) => (description?.trim() ? [] : [name]))).toEqual([]);
  });

  it('describes when a nullable field is null', () => {
    const undescribed = types.flatMap((type) =>
      isObjectType(type)
        ? Object.values(type.getFields())
            .filter((field) => !isNonNullType(field.type) && !/\b(null|if)\b/i.test(field.description ?? ''))
            .map(({ name }) => `${type.name}.${name}`)
        : [],
    );
    expect(undescribed).toEqual([]);
  });

  it('links every id to the object that it identifies', () => {
    const ids = types.flatMap((type) =>
      isObjectType(type)
        ? Object.values(type.getFields())
            .filter((field) => getNamedType(field.type) === GraphQLID && field.name !== 'id')
            .map(({ name }) => ({ type, name, at: `${type.name}.${name}` }))
        : [],
    );
    const unlinked = ids.filter(({ type, name, at }) => {
      const link = type.getFields()[LINKS[at] ?? name.replace(/Id$/, '')];
      return !link || !isObjectType(getNamedType(link.type));
    });
    expect(unlinked.map(({ at }) => at)).toEqual(Object.keys(UNLINKED));
  });

  it('has no breaking change since the last release of the API', () => {
    const api = readText('gateway/generated/api.graphql');
    expect(breakingChanges(api)).toEqual([]);
    const broken = api
      .replace(/^ {2}whereUsed\(/m, '  formerlyWhereUsed(')
      .replace('status: JobStatus!', 'status: JobStatus');
    expect(breakingChanges(broken)).toEqual([
      'Document.whereUsed was removed.',
      'Job.status changed type from JobStatus! to JobStatus.',
    ]);
  });
});

test('docs/errors.md explains every protocol error code', () => {
  const rows = [...readText('docs/errors.md').matchAll(/^\| `([A-Z_]+)` +\| [^|]{10,} \| [^|]{10,} \|$/gm)].map(
    ([, code]) => code,
  );
  expect(rows.sort()).toEqual([...PROTOCOL_CODES].sort());
});

describe('the example operations', () => {
  it.each(readExampleOperations().map((operation) => [operation.location, operation] as const))(
    '%s is valid and within the limits of the guard',
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
