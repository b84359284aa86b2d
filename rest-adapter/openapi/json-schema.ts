// Converts GraphQL types to JSON Schema for the OpenAPI description.
import {
  type GraphQLInputType,
  type GraphQLNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { inputConstraints } from './constraints.ts';

export type Schema = { [keyword: string]: unknown };

const SCALARS: Record<string, Schema> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
};

/** Returns the JSON Schema of an input type. */
export function inputSchema(type: GraphQLInputType): Schema {
  const nonNull = nonNullInputSchema(getNullableType(type));
  return isNonNullType(type) ? nonNull : nullableSchema(nonNull);
}

function nonNullInputSchema(type: GraphQLInputType): Schema {
  if (isListType(type)) return { type: 'array', items: inputSchema(type.ofType) };
  if (!isInputObjectType(type)) return leafSchema(type);
  const fields = Object.values(type.getFields());
  const required = fields
    .filter((field) => isNonNullType(field.type) && field.defaultValue === undefined)
    .map(({ name }) => name);
  return closedObject(
    Object.fromEntries(
      fields.map(({ name, type, description }) => [
        name,
        withDescription(withConstraints(inputSchema(type), inputConstraints(name)), description),
      ]),
    ),
    required,
  );
}

/** Returns the JSON Schema of a scalar or enum; unknown scalars accept any value. */
export function leafSchema(type: GraphQLInputType | GraphQLNamedType): Schema {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  return { ...SCALARS[String(type)] };
}

/** Returns the schema of an object with exactly these properties. */
export function closedObject(properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema {
  return { type: 'object', properties, ...(required.length ? { required } : {}), additionalProperties: false };
}

export function withDescription(schema: Schema, description: string | null | undefined): Schema {
  return description ? { ...schema, description: description.replaceAll('\n', ' ') } : schema;
}

/** Adds constraints to the schema of a scalar or list; those of an enum or an object follow from its type. */
export function withConstraints(schema: Schema, constraints: Schema | undefined): Schema {
  if (!constraints || !schema.type || schema.enum || schema.properties) return schema;
  if (constraints.oneOf) return constraints;
  const constrained = { ...nonNullSchema(schema), ...constraints };
  return Array.isArray(schema.type) ? nullableSchema(constrained) : constrained;
}

export function nullableSchema(schema: Schema): Schema {
  if ('$ref' in schema) return { oneOf: [schema, { type: 'null' }] };
  if (typeof schema.type !== 'string') return schema;
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
  };
}

/** Removes null from a schema; the inverse of nullableSchema. */
export function nonNullSchema(schema: Schema): Schema {
  if (!Array.isArray(schema.type)) return schema;
  const { enum: choices, ...rest } = schema;
  return {
    ...rest,
    type: schema.type.find((type) => type !== 'null'),
    ...(Array.isArray(choices) ? { enum: choices.filter((choice) => choice !== null) } : {}),
  };
}
