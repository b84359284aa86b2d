import { type Doc, isDocument, type Value } from './bson.ts';
import { storeError } from './errors.ts';

/** The operands of an operator that takes one without a list. */
export function list(argument: Value): Value[] {
  return Array.isArray(argument) ? argument : [argument];
}

/** The operands in the right number, else refused (16020, 28667). */
export function operandsOf(name: string, argument: Value, least: number, most: number): Value[] {
  const operands = list(argument);
  if (operands.length >= least && operands.length <= most) return operands;
  if (least === most) throw storeError(16020, `Expression ${name} takes exactly ${least} arguments. ${operands.length} were passed in.`);
  throw storeError(28667, `Expression ${name} takes at least ${least} arguments, and at most ${most}, but ${operands.length} were passed in.`);
}

// The codes of a server for an argument that is no document, for a field it does not know, and for fields that miss.
type Codes = { shape: number; unknown: number; missing: [field: string, code: number][] };

const SET_FIELD: Codes = {
  shape: 4161100,
  unknown: 4161101,
  missing: [
    ['field', 4161102],
    ['value', 4161103],
    ['input', 4161109],
  ],
};

const CODES: { [operator: string]: Codes } = {
  $cond: {
    shape: 16020,
    unknown: 17083,
    missing: [
      ['if', 17080],
      ['then', 17081],
      ['else', 17082],
    ],
  },
  $let: {
    shape: 16874,
    unknown: 16875,
    missing: [
      ['vars', 16876],
      ['in', 16877],
    ],
  },
  $map: {
    shape: 16878,
    unknown: 16879,
    missing: [
      ['input', 16880],
      ['in', 16882],
    ],
  },
  $filter: {
    shape: 28646,
    unknown: 28647,
    missing: [
      ['input', 28648],
      ['cond', 28650],
    ],
  },
  $reduce: {
    shape: 40075,
    unknown: 40076,
    missing: [
      ['input', 40077],
      ['initialValue', 40078],
      ['in', 40079],
    ],
  },
  $switch: {
    shape: 40060,
    unknown: 40067,
    missing: [
      ['case', 40064],
      ['then', 40065],
    ],
  },
  $getField: {
    shape: 3041702,
    unknown: 3041701,
    missing: [
      ['field', 3041702],
      ['input', 3041703],
    ],
  },
  $setField: SET_FIELD,
  $unsetField: SET_FIELD,
  $sortArray: {
    shape: 2942500,
    unknown: 2942501,
    missing: [
      ['input', 2942502],
      ['sortBy', 2942503],
    ],
  },
  $dateToString: { shape: 18629, unknown: 18534, missing: [['date', 18628]] },
  $trim: { shape: 50696, unknown: 50694, missing: [['input', 50695]] },
};

/** The named arguments of an operator; what it does not know, or misses, is refused with the operator's own codes. */
export function fieldsOf(operator: string, argument: Value, known: readonly string[], required: readonly string[]): Doc {
  const codes = CODES[operator] ?? { shape: 9, unknown: 9, missing: [] };
  if (!isDocument(argument)) throw storeError(codes.shape, `${operator} only supports an object as its argument`);
  for (const field of Object.keys(argument))
    if (!known.includes(field)) throw storeError(codes.unknown, `Unrecognized parameter to ${operator}: ${field}`);
  for (const field of required)
    if (!Object.hasOwn(argument, field))
      throw storeError(codes.missing.find(([name]) => name === field)?.[1] ?? 9, `Missing '${field}' parameter to ${operator}`);
  return argument;
}
