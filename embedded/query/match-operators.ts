// The query operators.
import type { Scope } from '../expressions/expression-scope.ts';
import { notImplemented, storeError } from '../protocol/errors.ts';
import { asNumber, type Doc, firstField, isDocument, isTruthy, typeName, type Value } from '../values/bson.ts';
import { type Collation, compare, equal, RANK, rankOf, regexParts } from '../values/compare.ts';
import { formatValue } from '../values/format-value.ts';
import { createMembershipTest } from '../values/hash-key.ts';
import { compileRegex } from './regex.ts';
import { createBoundedTest } from './regex-limit.ts';

/**
 * The test of an operator on a field: `test` tests one value (also each element of an array, unless `wholeArray`);
 * `notAll`: at least one of the tests fails for the field.
 */
export type FieldTest = { test(value: Value): boolean; wholeArray?: boolean } | { notAll: FieldTest[] };

/** `scope`, if a pipeline has one, replaces `let` and `now`. */
export type FilterOptions = { collation?: Collation; let?: Doc; now?: Date; scope?: Scope };

/** The test of a whole document. */
export type DocTest = (doc: Doc) => boolean;

/** The context of an operator: options, its path, and the compilers for nested filters and operators. */
export type Context = FilterOptions & {
  path: string;
  regexOptions: Value;
  conditions(filter: Value): DocTest;
  operators(operators: Doc): FieldTest[];
};

/** Compiles a query operator such as `$gt` with its argument. */
export function compileOperator(operator: string, argument: Value, context: Context): FieldTest {
  const compile = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (!compile) throw notImplemented(`the query operator ${operator}`);
  return compile(argument, context);
}

/** Tests for equality; null equals missing. */
export function equalityTest(expected: Value, collation?: Collation): FieldTest {
  if (expected === undefined) throw storeError(2, 'cannot compare to undefined');
  if (expected === null) return { test: (value) => value === null || value === undefined };
  if (typeof expected === 'string' && !collation)
    return { test: (value) => value === expected || (typeof value === 'object' && equal(value, expected)) };
  return { test: (value) => equal(value, expected, collation) };
}

/**
 * Returns the test of a regular expression: a matching string, or the same expression stored; undefined for other
 * values.
 */
export function compileRegexValue(value: Value): FieldTest | undefined {
  if (rankOf(value) !== RANK.regex) return undefined;
  const [pattern, options] = regexParts(value);
  return regexTest(pattern, options);
}

// Tests the value itself, without looking into an array.
function testElement(test: FieldTest, value: Value): boolean {
  if ('test' in test) return test.test(value);
  return !test.notAll.every((part) => testElement(part, value));
}

/** Whether the value is `{$operator: …}` and not a reference (`{$ref, $id}`). */
export function hasOperators(value: Value): value is Doc {
  if (!isDocument(value)) return false;
  const first = firstField(value);
  return first?.[0] === '$' && first !== '$ref' && first !== '$id' && first !== '$db';
}

/** Whether the condition applies to a value (`{$gt: …}`) and is not a filter for documents, which may begin with `$or`. */
function isValueCondition(condition: Value): condition is Doc {
  return hasOperators(condition) && !LOGIC.has(firstField(condition)!);
}

const LOGIC = new Set(['$and', '$or', '$nor', '$expr']);

type CompileOperator = (argument: Value, context: Context) => FieldTest;

const OPERATORS: { [operator: string]: CompileOperator } = {
  $eq: (argument, { collation }) => equalityTest(argument, collation),
  $ne: (argument, { collation }) => {
    if (rankOf(argument) === RANK.regex) throw storeError(2, "Can't have regex as arg to $ne.");
    return { notAll: [equalityTest(argument, collation)] };
  },
  $gt: compileComparison(false, (order) => order > 0),
  $gte: compileComparison(true, (order) => order >= 0),
  $lt: compileComparison(false, (order) => order < 0),
  $lte: compileComparison(true, (order) => order <= 0),
  $in: compileIn,
  $nin: (argument, context) => ({ notAll: [compileIn(argument, context)] }),
  $exists: (argument) => {
    const exists: FieldTest = { test: (value) => value !== undefined, wholeArray: true };
    return isTruthy(argument) ? exists : { notAll: [exists] };
  },
  $type: compileType,
  $size: compileSize,
  $regex: compileRegexOperator,
  $elemMatch: compileElemMatch,
  $not: (argument, context) => {
    const regex = compileRegexValue(argument);
    if (regex) return { notAll: [regex] };
    if (!isDocument(argument)) throw storeError(2, '$not needs a regex or a document');
    if (Object.keys(argument).length === 0) throw storeError(2, '$not cannot be empty');
    if (!hasOperators(argument)) throw storeError(2, `unknown operator: ${firstField(argument)}`);
    return { notAll: context.operators(argument) };
  },
};

// Only values of the same type compare. Null equals missing; MinKey and MaxKey compare with every type.
function compileComparison(inclusive: boolean, isMatch: (order: number) => boolean): CompileOperator {
  return (argument, { collation, path }) => {
    const rank = rankOf(argument);
    if (rank === RANK.regex) throw storeError(2, `Can't have RegEx as arg to predicate over field '${path}'.`);
    if (argument === undefined) throw storeError(2, 'cannot compare to undefined');
    if (rank === RANK.null) return { test: (value) => inclusive && (value === null || value === undefined) };
    if (rank === RANK.minKey || rank === RANK.maxKey) return { test: (value) => isMatch(compare(value, argument)) };
    if (Number.isNaN(asNumber(argument))) return { test: (value) => inclusive && Number.isNaN(asNumber(value)) };
    if (rank === RANK.number)
      return {
        test: (value) => rankOf(value) === rank && !Number.isNaN(asNumber(value)) && isMatch(compare(value, argument)),
      };
    return { test: (value) => rankOf(value) === rank && isMatch(compare(value, argument, collation)) };
  };
}

function compileIn(argument: Value, { collation }: Context): FieldTest {
  if (!Array.isArray(argument)) throw storeError(2, '$in and $nin need an array');
  const regexes: FieldTest[] = [];
  const values: Value[] = [];
  for (const item of argument) {
    const regex = typeof item === 'string' ? undefined : compileRegexValue(item);
    if (regex) regexes.push(regex);
    else values.push(item);
    if (item === undefined) throw storeError(2, 'cannot compare to undefined');
    if (hasOperators(item)) throw storeError(2, 'cannot nest $ under $in');
  }
  const matchesMissing = values.includes(null);
  const onlyStrings = !collation && values.every((item) => typeof item === 'string');
  // Built on first use, because an index alone may be sufficient for the query.
  let stringSet: Set<Value> | undefined;
  let isMember: ((value: Value) => boolean) | undefined;
  const isListed = (value: Value): boolean => {
    if (onlyStrings && typeof value === 'string') {
      stringSet ??= new Set(values);
      return stringSet.has(value);
    }
    isMember ??= createMembershipTest(values, collation);
    return isMember(value);
  };
  return {
    test: (value) =>
      value === undefined ? matchesMissing : isListed(value) || regexes.some((regex) => testElement(regex, value)),
  };
}

// The type names in the order of their numbers, which start at 1.
const TYPES = (
  'double string object array binData undefined objectId bool date null regex dbPointer javascript symbol ' +
  'javascriptWithScope int timestamp long decimal'
).split(' ');

function compileType(argument: Value): FieldTest {
  const types = new Set((Array.isArray(argument) ? argument : [argument]).flatMap(toTypeNames));
  if (types.size === 0) throw storeError(9, '$type must match at least one type');
  return { test: (value) => value !== undefined && types.has(typeName(value)) };
}

function toTypeNames(type: Value): string[] {
  if (type === 'number') return ['int', 'long', 'double', 'decimal'];
  const number = asNumber(type);
  if (typeof type !== 'string' && number === undefined)
    throw storeError(14, 'type must be represented as a number or a string');
  const name = number === undefined ? type : number === -1 ? 'minKey' : number === 127 ? 'maxKey' : TYPES[number - 1];
  if (typeof name !== 'string' || !(TYPES.includes(name) || name === 'minKey' || name === 'maxKey'))
    throw storeError(2, `Unknown type: ${type}`);
  return [name];
}

function compileSize(argument: Value): FieldTest {
  const size = asNumber(argument);
  if (size === undefined || !Number.isInteger(size) || size < 0)
    throw storeError(2, `$size needs a non-negative integer, not ${formatValue(argument)}`);
  return { test: (value) => Array.isArray(value) && value.length === size, wholeArray: true };
}

function compileRegexOperator(argument: Value, { regexOptions }: Context): FieldTest {
  if (regexOptions !== undefined && typeof regexOptions !== 'string')
    throw storeError(2, '$options has to be a string');
  if (typeof argument === 'string') return regexTest(argument, regexOptions ?? '');
  if (rankOf(argument) !== RANK.regex) throw storeError(2, '$regex has to be a string');
  const [pattern, options] = regexParts(argument);
  if (options && regexOptions !== undefined) throw storeError(51075, 'options set in both $regex and $options');
  return regexTest(pattern, regexOptions ?? options);
}

function regexTest(pattern: string, options: string): FieldTest {
  const { regex, unsupportedTexts } = compileRegex(pattern, options);
  const bounded = createBoundedTest(regex);
  const matches = (text: string): boolean => {
    if (unsupportedTexts?.test(text)) throw notImplemented('a class of word characters, without case, on ſ or \u212a');
    return bounded(text);
  };
  return {
    test: (value) => {
      if (typeof value === 'string') return matches(value);
      if (rankOf(value) === RANK.string) return matches(String((value as { value: string }).value));
      if (rankOf(value) !== RANK.regex) return false;
      const [storedPattern, storedOptions] = regexParts(value);
      return storedPattern === pattern && storedOptions === options;
    },
  };
}

function compileElemMatch(argument: Value, context: Context): FieldTest {
  if (!isDocument(argument)) throw storeError(2, '$elemMatch needs an object');
  const test = compileElementTest(argument, context);
  return {
    wholeArray: true,
    test: (value) => Array.isArray(value) && value.some(test),
  };
}

function compileElementTest(argument: Doc, context: Context): (element: Value) => boolean {
  if (isValueCondition(argument)) {
    const tests = context.operators(argument);
    return (element) => tests.every((test) => testElement(test, element));
  }
  const matches = context.conditions(argument);
  // An array in the array is tested as a document with its indexes as field names.
  return (element) => (isDocument(element) ? matches(element) : Array.isArray(element) && matches({ ...element }));
}
