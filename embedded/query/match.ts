// Compiles filters.
import { compileExpression, letScope } from '../expressions/expressions.ts';
import { notImplemented, storeError } from '../protocol/errors.ts';
import { type Doc, getField, isDocument, isIndex, isTruthy, splitPath, type Value } from '../values/bson.ts';
import {
  compileOperator,
  compileRegexValue,
  type DocTest,
  equalityTest,
  type FieldTest,
  type FilterOptions,
  hasOperators,
} from './match-operators.ts';

/** A compiled filter. */
export type Filter = { test(doc: Doc): boolean };

/**
 * Compiles a filter; throws NotImplemented (238) for an unsupported operator, and BadValue (2), FailedToParse (9) or
 * TypeMismatch (14) for an invalid argument.
 */
export function compileFilter(filter: Doc, options: FilterOptions = {}): Filter {
  return { test: compileConditions(filter, options, true) };
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
  return (doc) => {
    for (const test of tests) if (!test(doc)) return false;
    return true;
  };
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
      if (!isTopLevel) throw storeError(2, '$expr can only be applied to the top-level document');
      const evaluate = compileExpression(
        value,
        options.scope ?? letScope(options.let, { collation: options.collation, now: options.now ?? new Date() }),
      );
      return [(doc) => isTruthy(evaluate(doc))];
    }
  }
  throw notImplemented(`the query operator ${key}`);
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
  const { test: testValue, wholeArray } = test;
  const testLeaf = (value: Value): boolean => {
    if (Array.isArray(value) && !wholeArray) for (const item of value) if (testValue(item)) return true;
    return testValue(value);
  };
  const testPath = (value: Value, from: number): boolean => {
    if (from === parts.length) return testLeaf(value);
    const part = parts[from]!;
    if (!Array.isArray(value))
      return isDocument(value) ? testPath(getField(value, part), from + 1) : testLeaf(undefined);
    // In an array, the segment is a field of the embedded documents or an index; other elements are ignored.
    for (const item of value) if (isDocument(item) && testPath(item, from)) return true;
    if (!isIndex(part) || Number(part) >= value.length) return false;
    const item: Value = value[Number(part)];
    // An array selected by an index at the end of the path is not searched.
    if (from + 1 === parts.length) return testValue(item);
    return (isDocument(item) || Array.isArray(item)) && testPath(item, from + 1);
  };
  if (parts.length > 1) return (doc) => testPath(doc, 0);
  const key = parts[0]!;
  return (doc) => testLeaf(getField(doc, key));
}
