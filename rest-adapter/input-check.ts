// What the inputs of an operation accept, told in the words of REST. The same types make the OpenAPI description.
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
import { isObject } from '../subgraphs/core/domain/text/is-object.ts';
import { parseInstant } from '../subgraphs/core/domain/text/parse-instant.ts';

/** What is wrong where: a JSON pointer into the body, or `/` and the name of a parameter. */
export type InputFault = { path: string; message: string };
/** Adds what is wrong with a value to the faults. */
export type Check = (value: unknown, path: string, faults: InputFault[]) => void;

/** The check of a GraphQL input type: no coercion, unknown fields are faults. */
export function checkOf(type: GraphQLInputType): Check {
  if (isNonNullType(type)) return required(checkOf(type.ofType));
  if (isListType(type)) return nullable(list(checkOf(type.ofType)));
  if (isInputObjectType(type)) return nullable(object(type));
  return nullable(isEnumType(type) ? choice(type) : scalar(type));
}

/** Names the fields that are not among the known ones. */
export function checkKnown(
  value: object,
  known: readonly string[],
  path: string,
  faults: InputFault[],
  what = 'field',
): void {
  for (const name of Object.keys(value).filter((given) => !known.includes(given)))
    faults.push({
      path: `${path}/${escaped(name)}`,
      message: `is not a ${what} here; there ${known.length > 1 ? 'are' : 'is'} ${known.join(', ') || 'none'}`,
    });
}

/**
 * The value of a query parameter or header, read as its type asks: `true` and `false`, whole numbers, otherwise the text itself.
 * What cannot be read stays text, for the check to refuse.
 */
export function readText(type: GraphQLInputType, text: string): unknown {
  const bare = isNonNullType(type) ? type.ofType : type;
  const name = 'name' in bare ? bare.name : '';
  if (name === 'Boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (name === 'Int' || name === 'Float') return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  return text;
}

const nullable =
  (check: Check): Check =>
  (value, path, faults) => {
    if (value !== null && value !== undefined) check(value, path, faults);
  };

const required =
  (check: Check): Check =>
  (value, path, faults) => {
    if (value === undefined) faults.push({ path, message: 'is required' });
    else if (value === null) faults.push({ path, message: 'must not be null' });
    else check(value, path, faults);
  };

const list =
  (check: Check): Check =>
  (value, path, faults) => {
    if (!Array.isArray(value)) faults.push({ path, message: 'must be a list' });
    else for (const [i, item] of value.entries()) check(item, `${path}/${i}`, faults);
  };

function object(type: GraphQLInputObjectType): Check {
  const fields = Object.values(type.getFields()).map(({ name, type }) => ({ name, check: checkOf(type) }));
  const known = fields.map(({ name }) => name);
  return (value, path, faults) => {
    if (!isObject(value)) return void faults.push({ path, message: 'must be an object' });
    checkKnown(value, known, path, faults);
    for (const { name, check } of fields) check(value[name], `${path}/${name}`, faults);
  };
}

function choice(type: GraphQLEnumType): Check {
  const names = type.getValues().map(({ name }) => name);
  return (value, path, faults) => {
    if (typeof value !== 'string' || !names.includes(value))
      faults.push({ path, message: `must be one of ${names.join(', ')}` });
  };
}

function scalar({ name }: GraphQLScalarType): Check {
  const { fits, wanted } = SCALARS[name] ?? { fits: () => true, wanted: 'anything' };
  return (value, path, faults) => {
    if (!fits(value)) faults.push({ path, message: `must be ${wanted}` });
  };
}

// half a surrogate pair is no character, and no store keeps it
const text = { fits: (value: unknown) => typeof value === 'string' && value.isWellFormed(), wanted: 'a text' };
const SCALARS: Record<string, { fits(value: unknown): boolean; wanted: string }> = {
  ID: text,
  String: text,
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
function escaped(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}
