// The variables of an operation, checked as the language says. What fits as it stands, which is nearly all there is, is only looked at.
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

type Fits = (value: unknown) => boolean;

/** Makes the function that checks the variables of an operation and fills in defaults; it throws the first fault as validation_failed. */
export function compileCoercion(
  { variableDefinitions = [] }: OperationDefinitionNode,
  schema: GraphQLSchema,
): (variables: JsonObject) => JsonObject {
  const checks = variableDefinitions.map(({ variable, type, defaultValue }) => {
    const input = typeFromAST(schema, type);
    const fits = isInputType(input) ? fitting(input) : undefined;
    return { name: variable.name.value, fits, optional: !isNonNullType(input) && !defaultValue };
  });
  return (variables) => {
    for (const { name, fits, optional } of checks) {
      const value = variables[name];
      if (value === undefined ? !optional : !fits?.(value)) return coerced(variableDefinitions, variables, schema);
    }
    return variables;
  };
}

// undefined: only graphql-js can tell
function fitting(type: GraphQLInputType): Fits | undefined {
  if (!isNonNullType(type)) {
    const fits = fittingValue(type);
    return fits && ((value) => value === null || fits(value));
  }
  return fittingValue(type.ofType);
}

function fittingValue(type: GraphQLInputType): Fits | undefined {
  if (isListType(type)) {
    const fits = fitting(type.ofType);
    return fits && ((value) => Array.isArray(value) && value.every(fits));
  }
  if (isEnumType(type)) {
    const names = new Set<unknown>(type.getValues().map(({ name }) => name));
    return (value) => names.has(value);
  }
  return 'name' in type ? SCALARS[type.name] : undefined;
}

const SCALARS: Readonly<Record<string, Fits>> = {
  ID: (value) => typeof value === 'string',
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  Float: (value) => typeof value === 'number' && Number.isFinite(value),
  Int: (value) => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31,
};

function coerced(
  definitions: NonNullable<OperationDefinitionNode['variableDefinitions']>,
  variables: JsonObject,
  schema: GraphQLSchema,
): JsonObject {
  const checked = getVariableValues(schema, definitions, variables);
  if (!checked.errors) return checked.coerced;
  const errors = checked.errors.map(({ message }) => ({ message }));
  throw new GraphQLError(errors[0]?.message ?? 'A variable is not valid.', {
    nodes: checked.errors[0]?.nodes,
    extensions: { code: 'validation_failed', errors },
  });
}
