// The update operators.

import { Double, Int32, Timestamp } from 'bson';
import { storeError } from '../protocol/errors.ts';
import { calculate, numberType } from '../values/arithmetic.ts';
import {
  asNumber,
  bsonTag,
  cloneValue,
  type Doc,
  getField,
  isDocument,
  isIndex,
  isNumber,
  splitPath,
  typeName,
  type Value,
} from '../values/bson.ts';
import { type Collation, compare, equal } from '../values/compare.ts';
import { formatValue } from '../values/format-value.ts';
import { ARRAY_UPDATES } from './update-array.ts';
import { type Change, changeAt, createChange } from './update-path.ts';

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
  $inc: (path, argument) => compileArithmetic('$inc', path, argument),
  $mul: (path, argument) => compileArithmetic('$mul', path, argument),
  $min: (path, argument, { collation }) =>
    compileReplaceIf(path, argument, (current) => compare(argument, current, collation) < 0),
  $max: (path, argument, { collation }) =>
    compileReplaceIf(path, argument, (current) => compare(argument, current, collation) > 0),
  $rename: compileRename,
  $currentDate: (path, argument, { now }) => {
    const value = currentDate(argument, now);
    return createChange(path, { parents: 'create', edit: () => value });
  },
  ...ARRAY_UPDATES,
};

function $set(path: readonly string[], argument: Value): Change {
  return createChange(path, {
    parents: 'create',
    edit: (current) => (identical(current, argument) ? current : cloneValue(argument)),
  });
}

function compileReplaceIf(path: readonly string[], argument: Value, isReplaced: (current: Value) => boolean): Change {
  return createChange(path, {
    parents: 'create',
    edit: (current) => (current === undefined || isReplaced(current) ? cloneValue(argument) : current),
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

function compileArithmetic(operator: '$inc' | '$mul', path: readonly string[], argument: Value): Change {
  if (!isNumber(argument))
    throw storeError(14, `Cannot ${operator} with non-numeric argument: {${path.join('.')}: ${formatValue(argument)}}`);
  const operation = operator === '$inc' ? 'add' : 'multiply';
  // A missing field counts as zero of the argument's type.
  const start =
    operator === '$inc'
      ? argument
      : calculate('multiply', numberType(argument) === 'double' ? new Double(0) : new Int32(0), argument);
  return createChange(path, {
    parents: 'create',
    edit: (current) => {
      if (current === undefined) return start;
      if (!isNumber(current))
        throw storeError(
          14,
          `Cannot apply ${operator} to the field '${path.at(-1)}' of non-numeric type ${typeName(current)}`,
        );
      const result = calculate(operation, current, argument);
      if (result === undefined)
        throw storeError(
          2,
          `Failed to apply ${operator} to the current value ${formatValue(current)}: the result does not fit into a long`,
        );
      return identical(current, result) ? current : result;
    },
  });
}

function compileRename(from: readonly string[], argument: Value): Change {
  const source = from.join('.');
  if (typeof argument !== 'string')
    throw storeError(2, `The 'to' field for $rename must be a string: ${source}: ${formatValue(argument)}`);
  if (argument === source)
    throw storeError(2, `The source and target field for $rename must differ: ${source}: "${argument}"`);
  const to = splitPath(argument);
  if (to.includes(''))
    throw storeError(56, `The update path '${argument}' contains an empty field name, which is not allowed.`);
  for (const segments of [from, to])
    if (segments.some((segment) => segment.startsWith('$')))
      throw storeError(2, `A field for $rename may not be dynamic: ${segments.join('.')}`);
  return {
    paths: [to, from],
    apply: (doc, run) => {
      const value = sourceOf(doc, from);
      if (value === undefined) return doc;
      assertNoArrayOnPath(doc, to, 'destination');
      const removed = changeAt(doc, from, { parents: 'any', edit: () => undefined }, run);
      return changeAt(removed, to, { parents: 'create', edit: () => value }, run);
    },
  };
}

// A missing source changes nothing, but its path must be possible and must not contain an array.
function sourceOf(doc: Doc, path: readonly string[]): Value {
  let value: Value = doc;
  for (const [at, segment] of path.entries()) {
    if (value === undefined) return undefined;
    if (Array.isArray(value) ? !isIndex(segment) : !isDocument(value)) {
      throw storeError(
        28,
        `cannot use the part (${segment} of ${path.join('.')}) to traverse the element ({${path[at - 1]}: ${formatValue(value)}})`,
      );
    }
    value = Array.isArray(value) ? value[Number(segment)] : getField(value as Doc, segment);
  }
  if (value !== undefined) assertNoArrayOnPath(doc, path, 'source');
  return value;
}

function assertNoArrayOnPath(doc: Doc, path: readonly string[], which: string): void {
  let value: Value = doc;
  for (const [at, segment] of path.entries()) {
    if (Array.isArray(value))
      throw storeError(
        2,
        `The ${which} field of $rename cannot be an array element: '${path[at - 1]}' in '${path.join('.')}' is an array`,
      );
    if (!isDocument(value)) return;
    value = getField(value, segment);
  }
}

function currentDate(argument: Value, now: Date): Value {
  if (typeof argument === 'boolean') return now;
  const { $type: type, ...others } = isDocument(argument) ? argument : {};
  if (type === 'date' && Object.keys(others).length === 0) return now;
  if (type === 'timestamp' && Object.keys(others).length === 0)
    return new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 });
  throw storeError(2, `$currentDate takes true, {$type: 'date'} or {$type: 'timestamp'}, not ${formatValue(argument)}`);
}
