// Subgraphs without data: every value is derived from its path, so that equal paths have equal values. Some are null
// and some fail.
import { createHash } from 'node:crypto';
import {
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Subgraph } from '../../subgraphs/core/graphql.ts';
import { buildSchema } from '../sources/local-source.ts';

type Stub = Record<string, unknown> & { __typename: string; id?: string; $path?: string };

/** Returns the executable schema of a subgraph in which every field is invented. */
export function createInventedSchema({ typeDefs }: Pick<Subgraph, 'typeDefs'>): GraphQLSchema {
  const schema = buildSchema({ typeDefs, resolvers: {} });
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('_')) continue;
    for (const field of Object.values(type.getFields())) if (!field.name.startsWith('_')) field.resolve = invent;
  }
  return schema;
}

const invent: GraphQLFieldResolver<Stub | undefined, unknown> = (
  source,
  args,
  _context,
  { fieldName, parentType, returnType, schema },
) => {
  if (source && fieldName in source) return source[fieldName];
  const base = source?.$path ?? (source?.id ? `${source.__typename}:${source.id}` : parentType.name);
  return inventValue(
    returnType,
    `${base}.${fieldName}${Object.keys(args).length ? JSON.stringify(args) : ''}`,
    schema,
    true,
  );
};

function inventValue(type: GraphQLOutputType, path: string, schema: GraphQLSchema, nullable: boolean): unknown {
  if (isNonNullType(type)) return inventValue(type.ofType, path, schema, false);
  const chance = hashNumber(`${path}!chance`) / 2 ** 32;
  if (nullable && chance < 0.06) return null;
  if (chance > 0.98)
    throw new GraphQLError(`invented error at ${path}`, { extensions: chance > 0.99 ? { code: 'not_found' } : {} });
  if (isListType(type))
    return Array.from({ length: hashNumber(`${path}!length`) % 4 }, (_, index) =>
      inventItem(type.ofType, `${path}#${index}`, schema),
    );
  if (isEnumType(type)) return type.getValues()[hashNumber(path) % type.getValues().length]?.name;
  if (isLeafType(type)) return inventLeaf(type.name, path);
  const possible = isAbstractType(type)
    ? [...schema.getPossibleTypes(type)].sort((left, right) => left.name.localeCompare(right.name))
    : [type];
  const concrete = possible[hashNumber(path) % possible.length]!;
  if (concrete.getFields().id) return { __typename: concrete.name, id: `${concrete.name}${hashNumber(path) % 6}` };
  return { __typename: concrete.name, $path: path };
}

function inventItem(type: GraphQLOutputType, path: string, schema: GraphQLSchema): unknown {
  try {
    return inventValue(type, path, schema, true);
  } catch (error) {
    if (error instanceof GraphQLError) return null; // keeps the number of errors small
    throw error;
  }
}

function inventLeaf(scalar: string, path: string): unknown {
  if (scalar === 'Int' || scalar === 'Float') return hashNumber(path) % 1000;
  if (scalar === 'Boolean') return hashNumber(path) % 2 === 0;
  if (scalar === 'JSON') return { k: hashNumber(path) % 9 };
  return `${scalar}${hashNumber(path) % 7}`;
}

const hashNumber = (text: string): number => createHash('md5').update(text).digest().readUInt32LE(0);
