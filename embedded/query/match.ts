// Compiles filters.
import { compileExpression, isTruthy, letScope } from '../expressions/expressions.ts';
import { notImplemented, storeError } from '../protocol/errors.ts';
import { UNSUPPORTED_QUERY_OPERATORS } from '../protocol/supported-features.ts';
import { type Doc, getField, isDocument, isIndex, splitPath, type Value } from '../values/bson.ts';
import {
  compileOperator,
  compileRegexValue,
  type DocTest,
  equalityTest,
  type FieldTest,
  type FilterOptions,
  hasOperators,
  type MatchPosition,
} from './match-operators.ts';

/**
 * A compiled filter. `position` returns the array index of the element that made the document match, which a positional
 * `$` refers to; undefined if no array was involved.
 */
export type Filter = { test(doc: Doc): boolean; position(doc: Doc): number | undefined };

/**
 * Compiles a filter; throws BadValue (2) for an unknown operator, NotImplemented (238) for an unsupported one, and
 * BadValue, FailedToParse (9) or TypeMismatch (14) for an invalid argument.
 */
export function compileFilter(filter: Doc, options: FilterOptions = {}): Filter {
  const matches = compileConditions(filter, options, true);
  return {
    test: (doc) => matches(doc),
    position: (doc) => {
      const found: MatchPosition = {};
      if (!matches(doc, found)) return undefined;
      if (found.ambiguous) throw notImplemented('a positional $ if several conditions match different elements');
      return found.index;
    },
  };
}

// Compiles `{$gt: 1, $lt: 5, …}` to tests that must all hold.
function compileOperators(operators: Doc, options: FilterOptions, path: string): FieldTest[] {
  if (Object.hasOwn(operators, '$options') && !Object.hasOwn(operators, '$regex'))
    throw storeError(2, '$options needs a $regex');
  const context = {
    ...options,
    path,
    regexOptions: operators.$options,
    conditions: (filter: Value) => compileConditions(filter, options, false),
    operators: (nested: Doc) => compileOperators(nested, options, path),
  };
  const tests: FieldTest[] = [];
  for (const [operator, argument] of Object.entries(operators)) {
    if (operator === '$options' || operator === '$comment') continue;
    tests.push(compileOperator(operator, argument, context));
  }
  return tests;
}

// Compiles a filter for a whole document, or for an element of `$elemMatch`.
function compileConditions(filter: Value, options: FilterOptions, isTopLevel: boolean): DocTest {
  if (!isDocument(filter)) throw storeError(14, "Expected field 'filter' to be of type object");
  const tests = Object.entries(filter).flatMap(([key, value]) => compileCondition(key, value, options, isTopLevel));
  if (tests.length === 1) return tests[0]!;
  return (doc, found) => {
    for (const test of tests) if (!testPart(test, doc, found)) return false;
    return true;
  };
}

// Tests one of several conditions that may each determine a position.
function testPart(test: DocTest, doc: Doc, found: MatchPosition | undefined): boolean {
  if (!found) return test(doc);
  const own: MatchPosition = {};
  if (!test(doc, own)) return false;
  if (own.ambiguous || (found.index !== undefined && own.index !== undefined && own.index !== found.index))
    found.ambiguous = true;
  if (own.index !== undefined) found.index = own.index;
  return true;
}

function compileCondition(key: string, value: Value, options: FilterOptions, isTopLevel: boolean): DocTest[] {
  if (key[0] === '$') return compileLogic(key, value, options, isTopLevel);
  const parts = splitPath(key);
  const onField = (test: FieldTest): DocTest => fieldTest(parts, test);
  if (hasOperators(value)) return compileOperators(value, options, key).map(onField);
  return [onField(compileRegexValue(value) ?? equalityTest(value, options.collation))];
}

function compileLogic(key: string, value: Value, options: FilterOptions, isTopLevel: boolean): DocTest[] {
  switch (key) {
    case '$and':
      return compileBranches(key, value, options, isTopLevel);
    case '$or': {
      const any = compileBranches(key, value, options, isTopLevel);
      return any.length === 1 ? any : [(doc) => any.some((test) => test(doc))];
    }
    case '$nor': {
      const none = compileBranches(key, value, options, isTopLevel);
      return [(doc) => !none.some((test) => test(doc))];
    }
    case '$comment':
      return [];
    case '$expr': {
      if (!isTopLevel) throw storeError(2, '$expr can only be applied to the isTopLevel-level document');
      const evaluate = compileExpression(
        value,
        options.scope ?? letScope(options.let, { collation: options.collation, now: options.now ?? new Date() }),
      );
      return [(doc) => isTruthy(evaluate(doc))];
    }
  }
  if (UNSUPPORTED_QUERY_OPERATORS.has(key)) throw notImplemented(key);
  throw storeError(
    2,
    `unknown top level operator: ${key}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
  );
}

function compileBranches(key: string, value: Value, options: FilterOptions, isTopLevel: boolean): DocTest[] {
  if (!Array.isArray(value)) throw storeError(2, `${key} must be an array`);
  if (value.length === 0) throw storeError(2, '$and/$or/$nor must be a nonempty array');
  return value.map((branch: Value) => {
    if (!isDocument(branch)) throw storeError(2, '$or/$and/$nor entries need to be full objects');
    return compileConditions(branch, options, isTopLevel);
  });
}

function fieldTest(parts: readonly string[], test: FieldTest): DocTest {
  if ('notAll' in test) {
    const inner = test.notAll.map((part) => fieldTest(parts, part));
    return (doc) => !inner.every((part) => part(doc));
  }
  if ('all' in test) {
    const inner = test.all.map((part) => fieldTest(parts, part));
    return (doc, found) => inner.every((part) => testPart(part, doc, found));
  }
  const { test: testValue, wholeArray } = test;
  const testPath = (
    value: Value,
    from: number,
    found: MatchPosition | undefined,
    index: number | undefined,
  ): boolean => {
    if (from === parts.length) return testLeaf(value, found, index);
    const part = parts[from]!;
    if (!Array.isArray(value))
      return testPath(
        isDocument(value) ? getField(value, part) : undefined,
        isDocument(value) ? from + 1 : parts.length,
        found,
        index,
      );
    // In an array, the segment is a field of the embedded documents or an index; other elements are ignored.
    for (let at = 0; at < value.length; at++)
      if (isDocument(value[at]) && testPath(value[at], from, found, index ?? at)) return true;
    if (!isIndex(part) || Number(part) >= value.length) return false;
    const item: Value = value[Number(part)];
    // An array selected by an index at the end of the path is not searched.
    if (from + 1 === parts.length) return testValue(item, found) && setPosition(found, index ?? Number(part));
    return (isDocument(item) || Array.isArray(item)) && testPath(item, from + 1, found, index ?? Number(part));
  };
  const testLeaf = (value: Value, found: MatchPosition | undefined, index: number | undefined): boolean => {
    if (Array.isArray(value) && !wholeArray)
      for (let at = 0; at < value.length; at++) if (testValue(value[at])) return setPosition(found, index ?? at);
    return testValue(value, found) && (index === undefined || setPosition(found, index));
  };
  if (parts.length > 1) return (doc, found) => testPath(doc, 0, found, undefined);
  const key = parts[0]!;
  return (doc, found) => testLeaf(getField(doc, key), found, undefined);
}

function setPosition(found: MatchPosition | undefined, index: number): true {
  if (found) found.index = index;
  return true;
}
