// The update operators on arrays.

import { notImplemented, storeError } from '../protocol/errors.ts';
import { compileFilter } from '../query/match.ts';
import { isValueCondition } from '../query/match-operators.ts';
import { asNumber, cloneValue, type Doc, isDocument, typeName, type Value } from '../values/bson.ts';
import { type Collation, equal, RANK, rankOf } from '../values/compare.ts';
import { formatValue } from '../values/format-value.ts';
import { createMembershipTest, distinctValuesNotIn } from '../values/hash-key.ts';
import { type Change, createChange } from './update-path.ts';

type Options = { collation?: Collation; let?: Doc };

/** Compiles each array operator for one path and argument. */
export const ARRAY_UPDATES: {
  [operator: string]: (path: readonly string[], argument: Value, options: Options) => Change;
} = {
  $push: (path, argument) => {
    const push = compilePush(argument);
    return createChange(path, { parents: 'create', edit: (current) => push(requireArray(path, current)) });
  },
  $addToSet: (path, argument, { collation }) => {
    const added =
      isDocument(argument) && Object.hasOwn(argument, '$each') ? eachOf(argument, '$addToSet', 14) : [argument];
    return createChange(path, {
      parents: 'create',
      edit: (current) => {
        const before = requireArray(path, current);
        const missing = distinctValuesNotIn(added, before, collation);
        return current !== undefined && missing.length === 0 ? current : before.concat(missing.map(cloneValue));
      },
    });
  },
  $pop: (path, argument) => {
    const end = asNumber(argument);
    if (end === undefined) throw storeError(9, `Expected a number in: ${path.join('.')}: ${formatValue(argument)}`);
    if (end !== 1 && end !== -1) throw storeError(9, `$pop expects 1 or -1, found: ${end}`);
    return createChange(path, {
      parents: 'require',
      edit: (current) => {
        if (current === undefined) return current;
        const items = requireArray(path, current, 14);
        return items.length === 0 ? items : end === 1 ? items.slice(0, -1) : items.slice(1);
      },
    });
  },
  $pull: (path, argument, options) => removeItems(path, compilePull(argument, options)),
  $pullAll: (path, argument, { collation }) => {
    if (!Array.isArray(argument))
      throw storeError(2, `$pullAll requires an array argument but was given a ${typeName(argument)}`);
    return removeItems(path, createMembershipTest(argument, collation));
  },
};

function requireArray(path: readonly string[], value: Value = [], code = 2): Value[] {
  if (!Array.isArray(value))
    throw storeError(code, `The field '${path.join('.')}' must be an array but is of type ${typeName(value)}`);
  return value;
}

function removeItems(path: readonly string[], isRemoved: (item: Value) => boolean): Change {
  return createChange(path, {
    parents: 'require',
    edit: (current) => {
      if (current === undefined) return current;
      const before = requireArray(path, current);
      const after = before.filter((item) => !isRemoved(item));
      return after.length === before.length ? current : after;
    },
  });
}

function compilePush(argument: Value): (items: Value[]) => Value[] {
  const added = isDocument(argument) && Object.hasOwn(argument, '$each') ? eachOf(argument, '$push', 2) : [argument];
  return (items) => [...items, ...added.map(cloneValue)];
}

function eachOf(argument: Doc, operator: string, code: number): Value[] {
  const other = Object.keys(argument).find((key) => key !== '$each');
  if (other && ['$position', '$slice', '$sort'].includes(other)) throw notImplemented(`${operator} with ${other}`);
  if (other !== undefined) throw storeError(2, `Unrecognized clause in ${operator}: ${other}`);
  if (Array.isArray(argument.$each)) return argument.$each;
  throw storeError(
    code,
    `The argument to $each in ${operator} must be an array but it was of type: ${typeName(argument.$each)}`,
  );
}

// Operators and regular expressions apply to each element; a document is a filter for elements that are documents; any
// other value must be equal.
function compilePull(argument: Value, options: Options): (item: Value) => boolean {
  if (isValueCondition(argument) || rankOf(argument) === RANK.regex) {
    const { test } = compileFilter({ element: argument }, options);
    return (item) => test({ element: item });
  }
  if (isDocument(argument)) {
    const { test } = compileFilter(argument, options);
    return (item) => isDocument(item) && test(item);
  }
  return (item) => equal(item, argument, options.collation);
}
