// Coerces the variables of operations. Values that need no conversion, nearly all of them, are only checked.
import {
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getVariableValues,
  isEnumType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import type { JsonObject } from './merge.ts';

type Check = (value: unknown) => boolean;

/**
 * Creates the function that checks the variables of an operation and fills in defaults. It throws the first error as
 * `validation_failed`.
 */
export function compileCoercion(
  { variableDefinitions = [] }: OperationDefinitionNode,
  schema: GraphQLSchema,
): (variables: JsonObject) => JsonObject {
  const checks = variableDefinitions.map(({ variable, type, defaultValue }) => {
    const input = typeFromAST(schema, type);
    const check = isInputType(input) ? createCheck(input) : undefined;
    return { name: variable.name.value, check, optional: !isNonNullType(input) && !defaultValue };
  });
  return (variables) => {
    for (const { name, check, optional } of checks) {
      const value = variables[name];
      const isValid = value === undefined ? optional : check?.(value);
      if (!isValid) return coerceVariables(variableDefinitions, variables, schema);
    }
    return variables;
  };
}

// Undefined for types that only graphql-js can coerce.
function createCheck(type: GraphQLInputType): Check | undefined {
  if (!isNonNullType(type)) {
    const check = createNonNullCheck(type);
    return check && ((value) => value === null || check(value));
  }
  return createNonNullCheck(type.ofType);
}

function createNonNullCheck(type: GraphQLInputType): Check | undefined {
  if (isListType(type)) {
    const check = createCheck(type.ofType);
    return check && ((value) => Array.isArray(value) && value.every(check));
  }
  if (isEnumType(type)) {
    const names = new Set<unknown>(type.getValues().map(({ name }) => name));
    return (value) => names.has(value);
  }
  return 'name' in type ? SCALARS[type.name] : undefined;
}

const SCALARS: Readonly<Record<string, Check>> = {
  ID: (value) => typeof value === 'string',
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  Float: (value) => typeof value === 'number' && Number.isFinite(value),
  Int: (value) => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31,
};

function coerceVariables(
  definitions: NonNullable<OperationDefinitionNode['variableDefinitions']>,
  variables: JsonObject,
  schema: GraphQLSchema,
): JsonObject {
  const result = getVariableValues(schema, definitions, variables);
  if (!result.errors) return result.coerced;
  const errors = result.errors.map(({ message }) => ({ message }));
  throw new GraphQLError(errors[0]?.message ?? 'A variable is not valid.', {
    nodes: result.errors[0]?.nodes,
    extensions: { code: 'validation_failed', errors },
  });
}
