// Checks request values against the GraphQL input types of an operation. The OpenAPI description is built from the same
// types.
import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { FieldError } from '../subgraphs/core/domain/errors.ts';
import { isObject } from '../subgraphs/core/domain/text/is-object.ts';
import { parseInstant } from '../subgraphs/core/domain/text/parse-instant.ts';

/** Appends the errors of a value to `errors`; a path is a JSON pointer into the body, or `/` and a parameter. */
export type InputCheck = (value: unknown, path: string, errors: FieldError[]) => void;

/** Returns the check of a GraphQL input type: no coercion, unknown fields are errors. */
export function createInputCheck(type: GraphQLInputType): InputCheck {
  if (isNonNullType(type)) return requiredCheck(createInputCheck(type.ofType));
  if (isListType(type)) return nullableCheck(listCheck(createInputCheck(type.ofType)));
  if (isInputObjectType(type)) return nullableCheck(objectCheck(type));
  return nullableCheck(isEnumType(type) ? enumCheck(type) : scalarCheck(type));
}

/** Appends an error for each field that is not known. */
export function checkUnknownFields(
  value: object,
  known: readonly string[],
  path: string,
  errors: FieldError[],
  what = 'field',
): void {
  for (const name of Object.keys(value).filter((name) => !known.includes(name)))
    errors.push({
      path: `${path}/${escapePointer(name)}`,
      message: `is not a known ${what}; known: ${known.join(', ') || 'none'}`,
    });
}

/**
 * Parses a query parameter or header by its type: Boolean, Int, Float and comma-separated lists; anything else stays text. An invalid value
 * stays text too, so that the check rejects it.
 */
export function parseText(type: GraphQLInputType, text: string): unknown {
  const bare = isNonNullType(type) ? type.ofType : type;
  if (isListType(bare)) return text.split(',').map((item) => parseText(bare.ofType, item.trim()));
  const name = 'name' in bare ? bare.name : '';
  if (name === 'Boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (name === 'Int' || name === 'Float') return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  return text;
}

const nullableCheck =
  (check: InputCheck): InputCheck =>
  (value, path, errors) => {
    if (value !== null && value !== undefined) check(value, path, errors);
  };

const requiredCheck =
  (check: InputCheck): InputCheck =>
  (value, path, errors) => {
    if (value === undefined) errors.push({ path, message: 'is required' });
    else if (value === null) errors.push({ path, message: 'must not be null' });
    else check(value, path, errors);
  };

const listCheck =
  (check: InputCheck): InputCheck =>
  (value, path, errors) => {
    if (!Array.isArray(value)) errors.push({ path, message: 'must be a list' });
    else for (const [i, item] of value.entries()) check(item, `${path}/${i}`, errors);
  };

function objectCheck(type: GraphQLInputObjectType): InputCheck {
  const fields = Object.values(type.getFields()).map(({ name, type }) => ({ name, check: createInputCheck(type) }));
  const known = fields.map(({ name }) => name);
  return (value, path, errors) => {
    if (!isObject(value)) return void errors.push({ path, message: 'must be an object' });
    checkUnknownFields(value, known, path, errors);
    for (const { name, check } of fields) check(value[name], `${path}/${name}`, errors);
  };
}

function enumCheck(type: GraphQLEnumType): InputCheck {
  const names = type.getValues().map(({ name }) => name);
  return (value, path, errors) => {
    if (typeof value !== 'string' || !names.includes(value))
      errors.push({ path, message: `must be one of ${names.join(', ')}` });
  };
}

function scalarCheck({ name }: GraphQLScalarType): InputCheck {
  const { fits, wanted } = SCALARS[name] ?? { fits: () => true, wanted: 'any value' };
  return (value, path, errors) => {
    if (!fits(value)) errors.push({ path, message: `must be ${wanted}` });
  };
}

// Lone surrogates are not characters and cannot be stored.
const textScalar = { fits: (value: unknown) => typeof value === 'string' && value.isWellFormed(), wanted: 'a string' };
const SCALARS: Record<string, { fits(value: unknown): boolean; wanted: string }> = {
  ID: textScalar,
  String: textScalar,
  DateTime: {
    fits: (value) => typeof value === 'string' && parseInstant(value) !== null,
    wanted: 'an RFC 3339 time, such as 2026-03-02T09:14:07Z',
  },
  Boolean: { fits: (value) => typeof value === 'boolean', wanted: 'true or false' },
  Int: {
    fits: (value) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31,
    wanted: 'a whole number below 2147483648',
  },
  Float: { fits: (value) => Number.isFinite(value), wanted: 'a number' },
};

// RFC 6901
function escapePointer(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}
