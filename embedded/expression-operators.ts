import { Int32 } from 'bson';
import type { Value } from './bson.ts';
import { compare } from './compare.ts';
import { ARRAY_OPERATORS } from './expression-arrays.ts';
import { CONVERSIONS } from './expression-conversions.ts';
import { NUMBER_OPERATORS } from './expression-numbers.ts';
import { isTruthy, type Operator } from './expression-scope.ts';
import { STRING_OPERATORS } from './expression-strings.ts';

/** The operators of expressions that evaluate all their arguments. */
export const OPERATORS: { [name: string]: Operator } = {
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $cmp: comparison((order) => new Int32(Math.sign(order))),
  $not: { least: 1, most: 1, compute: ([value]) => !isTruthy(value) },
  ...NUMBER_OPERATORS,
  ...STRING_OPERATORS,
  ...ARRAY_OPERATORS,
  ...CONVERSIONS,
};

function comparison(answer: (order: number) => Value): Operator {
  return { least: 2, most: 2, compute: ([a, b], { collation }) => answer(compare(a, b, collation)) };
}
