import { asNumber, cloneValue, type Doc, isDocument, typeName, type Value } from './bson.ts';
import { type Collation, compare, compileSort, equal, RANK, rankOf } from './compare.ts';
import { storeError } from './errors.ts';
import { compileFilter } from './match.ts';
import { asksTheValue } from './match-operators.ts';
import { shown } from './shown.ts';
import { type Change, change } from './update-path.ts';

type Options = { collation?: Collation; let?: Doc };

/** The update operators on arrays. */
export const ARRAY_UPDATES: { [operator: string]: (path: readonly string[], argument: Value, options: Options) => Change } = {
  $push: (path, argument, options) => {
    const push = compilePush(argument, options);
    return change(path, {
      parents: 'make',
      edit: (current) => push(arrayOr(current, [], `The field '${path.join('.')}' must be an array but is of type ${typeName(current)}`)),
    });
  },
  $addToSet: (path, argument, { collation }) => {
    const added = isDocument(argument) && Object.hasOwn(argument, '$each') ? eachOf(argument, '$addToSet', ['$each'], 14) : [argument];
    return change(path, {
      parents: 'make',
      edit: (current) => {
        const before = arrayOr(
          current,
          [],
          `Cannot apply $addToSet to non-array field. Field named '${path.at(-1)}' has non-array type ${typeName(current)}`,
        );
        const after = [...before];
        for (const item of added) if (!after.some((known) => equal(known, item, collation))) after.push(cloneValue(item));
        return current !== undefined && after.length === before.length ? current : after;
      },
    });
  },
  $pop: (path, argument) => {
    const end = asNumber(argument);
    if (end === undefined) throw storeError(9, `Expected a number in: ${path.join('.')}: ${shown(argument)}`);
    if (end !== 1 && end !== -1) throw storeError(9, `$pop expects 1 or -1, found: ${end}`);
    return change(path, {
      parents: 'fit',
      edit: (current) => {
        if (current === undefined) return current;
        if (!Array.isArray(current)) throw storeError(14, `Path '${path.join('.')}' contains an element of non-array type '${typeName(current)}'`);
        return current.length === 0 ? current : end === 1 ? current.slice(0, -1) : current.slice(1);
      },
    });
  },
  $pull: (path, argument, options) => without(path, compilePull(argument, options)),
  $pullAll: (path, argument, { collation }) => {
    if (!Array.isArray(argument)) throw storeError(2, `$pullAll requires an array argument but was given a ${typeName(argument)}`);
    return without(path, (item) => argument.some((wanted: Value) => equal(item, wanted, collation)));
  },
};

function arrayOr(value: Value, missing: Value[], message: string): Value[] {
  if (value === undefined) return missing;
  if (!Array.isArray(value)) throw storeError(2, message);
  return value;
}

function without(path: readonly string[], drops: (item: Value) => boolean): Change {
  return change(path, {
    parents: 'fit',
    edit: (current) => {
      if (current === undefined) return current;
      const before = arrayOr(current, [], 'Cannot apply $pull to a non-array value');
      const after = before.filter((item) => !drops(item));
      return after.length === before.length ? current : after;
    },
  });
}

const CLAUSES = ['$each', '$position', '$slice', '$sort'];

function compilePush(argument: Value, { collation }: Options): (items: Value[]) => Value[] {
  if (!isDocument(argument) || !Object.hasOwn(argument, '$each')) return (items) => [...items, cloneValue(argument)];
  const added = eachOf(argument, '$push', CLAUSES, 2);
  const position = wholeClause(argument, '$position', 'The value for $position must be an integer value, not of type');
  const slice = wholeClause(argument, '$slice', 'The value for $slice must be an integer value but was given type');
  const sort = argument.$sort === undefined ? undefined : elementOrder(argument.$sort, collation);
  return (items) => {
    const pushed = [...items];
    const place = position === undefined ? pushed.length : position < 0 ? Math.max(0, pushed.length + position) : position;
    pushed.splice(place, 0, ...added.map((item) => cloneValue(item)));
    if (sort) pushed.sort(sort);
    return slice === undefined ? pushed : slice < 0 ? pushed.slice(slice) : pushed.slice(0, slice);
  };
}

function eachOf(argument: Doc, operator: string, clauses: string[], code: number): Value[] {
  const other = Object.keys(argument).find((key) => !clauses.includes(key));
  if (other !== undefined)
    throw storeError(
      2,
      operator === '$push' ? `Unrecognized clause in $push: ${other}` : `Found unexpected fields after $each in $addToSet: ${shown(argument)}`,
    );
  if (!Array.isArray(argument.$each))
    throw storeError(code, `The argument to $each in ${operator} must be an array but it was of type: ${typeName(argument.$each)}`);
  return argument.$each;
}

function wholeClause(argument: Doc, clause: string, message: string): number | undefined {
  if (!Object.hasOwn(argument, clause)) return undefined;
  const number = asNumber(argument[clause]);
  if (number === undefined || !Number.isInteger(number)) throw storeError(2, `${message}: ${typeName(argument[clause])}`);
  return number;
}

function elementOrder(spec: Value, collation?: Collation): (a: Value, b: Value) => number {
  if (isDocument(spec)) {
    if (Object.keys(spec).length === 0) throw storeError(2, 'The $sort pattern is empty when it should be a set of fields.');
    for (const key of Object.keys(spec)) {
      const direction = asNumber(spec[key]);
      if (direction !== 1 && direction !== -1) throw storeError(2, 'The $sort element value must be either 1 or -1');
    }
    const order = compileSort(spec, collation);
    return (a, b) => order(isDocument(a) ? a : {}, isDocument(b) ? b : {});
  }
  const direction = asNumber(spec);
  if (direction !== 1 && direction !== -1) throw storeError(2, 'The $sort element value must be either 1 or -1');
  return (a, b) => compare(a, b, collation) * direction;
}

// Operators and regular expressions are asked of each element, a document is a filter for the documents in the array, anything else must be equal.
function compilePull(argument: Value, options: Options): (item: Value) => boolean {
  if (asksTheValue(argument) || rankOf(argument) === RANK.regex) {
    const { test } = compileFilter({ element: argument }, options);
    return (item) => test({ element: item });
  }
  if (isDocument(argument)) {
    const { test } = compileFilter(argument, options);
    return (item) => isDocument(item) && test(item);
  }
  return (item) => equal(item, argument, options.collation);
}
