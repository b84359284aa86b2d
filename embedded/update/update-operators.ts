// The update operators.

import { storeError } from '../protocol/errors.ts';
import { calculate } from '../values/arithmetic.ts';
import { asNumber, bsonTag, cloneValue, type Doc, isDocument, isNumber, typeName, type Value } from '../values/bson.ts';
import { type Collation, compare, equal } from '../values/compare.ts';
import { formatValue } from '../values/format-value.ts';
import { type Change, createChange } from './update-path.ts';

type Options = { collation?: Collation; let?: Doc; now: Date };
type CompileUpdate = (path: readonly string[], argument: Value, options: Options) => Change;

/** Compiles each update operator for one path and argument. */
export const UPDATE_OPERATORS: { [operator: string]: CompileUpdate } = {
  $set,
  $setOnInsert: (path, argument) => {
    const set = $set(path, argument);
    return { ...set, apply: (doc, run) => (run.inserting ? set.apply(doc, run) : doc) };
  },
  $unset: (path) => createChange(path, { parents: 'any', edit: () => undefined }),
  $inc,
  $max: (path, argument, { collation }) =>
    createChange(path, {
      parents: 'create',
      edit: (current) =>
        current === undefined || compare(argument, current, collation) > 0 ? cloneValue(argument) : current,
    }),
};

function $set(path: readonly string[], argument: Value): Change {
  return createChange(path, {
    parents: 'create',
    edit: (current) => (identical(current, argument) ? current : cloneValue(argument)),
  });
}

// Whether the values have the same type and encoding, so that writing would change nothing.
function identical(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeName(a) !== typeName(b)) return false;
  if (Array.isArray(a))
    return a.length === (b as Value[]).length && a.every((item, at) => identical(item, (b as Value[])[at]));
  if (bsonTag(a) === 'Decimal128') return String(a) === String(b);
  if (bsonTag(a) === 'Double') return Object.is(asNumber(a), asNumber(b));
  if (!isDocument(a)) return equal(a, b);
  const keys = Object.keys(a);
  const others = Object.keys(b as Doc);
  return (
    keys.length === others.length && keys.every((key, at) => key === others[at] && identical(a[key], (b as Doc)[key]))
  );
}

function $inc(path: readonly string[], argument: Value): Change {
  if (!isNumber(argument))
    throw storeError(14, `Cannot $inc with non-numeric argument: {${path.join('.')}: ${formatValue(argument)}}`);
  return createChange(path, {
    parents: 'create',
    edit: (current) => {
      if (current === undefined) return argument;
      if (!isNumber(current))
        throw storeError(
          14,
          `Cannot apply $inc to the field '${path.at(-1)}' of non-numeric type ${typeName(current)}`,
        );
      const result = calculate('add', current, argument);
      if (result === undefined)
        throw storeError(
          2,
          `Failed to apply $inc to the current value ${formatValue(current)}: the result does not fit into a long`,
        );
      return identical(current, result) ? current : result;
    },
  });
}
