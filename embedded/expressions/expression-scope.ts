import { notImplemented, storeError } from '../protocol/errors.ts';
import { asNumber, type Doc, getField, isDocument, isNumber, splitPath, type Value } from '../values/bson.ts';
import type { Collation } from '../values/compare.ts';

/** A compiled expression: the value for a document; `undefined` stands for missing. */
export type Evaluate = (doc: Doc) => Value;

/** What an expression may use besides the document. A variable is a cell, set before the expression inside its `$let`, `$map` … is evaluated. */
export type Scope = { variables: ReadonlyMap<string, Cell>; now: Date; collation?: Collation };
export type Cell = { value: Value };

/**
 * An operator that evaluates its arguments: how many it takes in a list, or named fields in a document with the values of those left out, and what it makes of the values.
 * `fold` is given the values one by one and may stop before the rest is evaluated.
 */
export type Operator =
  | { least: number; most: number; compute(values: Value[], scope: Scope): Value }
  | { defaults: Doc; compute(values: Doc, scope: Scope): Value }
  | { fold(values: Iterable<Value>, scope: Scope): Value };
export type Operators = { [name: string]: Operator };

type Compute = (values: Value[], scope: Scope) => Value;

/** An operator with so many operands. */
export const takes = (least: number, most: number, compute: Compute): Operator => ({ least, most, compute });

/** The same, for one that answers null as soon as an operand is null or missing. */
export const takesNoNull = (least: number, most: number, compute: Compute): Operator =>
  takes(least, most, (values, scope) => (values.some(isNullish) ? null : compute(values, scope)));

/** An operator with named arguments, as `namedArguments` knows them. */
export const takesNamed = (defaults: Doc, compute: (values: Doc, scope: Scope) => Value): Operator => ({
  defaults,
  compute,
});

/** The same scope with more variables, whose cells the caller fills. */
export function withVariables(scope: Scope, names: string[]): [Scope, Cell[]] {
  const variables = new Map(scope.variables);
  const cells = names.map((name) => {
    checkVariableName(name);
    const cell: Cell = { value: undefined };
    variables.set(name, cell);
    return cell;
  });
  return [{ ...scope, variables }, cells];
}

// A user's variable begins with a lower-case letter (or is CURRENT, which this store does not rebind).
function checkVariableName(name: string): void {
  if (name === 'CURRENT') throw notImplemented('rebinding $$CURRENT');
  if (!/^[a-z\u0080-\uffff]/.test(name))
    throw storeError(16867, `'${name}' does not start as a user variable name does`);
  if (/[^\w\u0080-\uffff]/.test(name))
    throw storeError(16868, `'${name}' contains an invalid character for a variable name`);
}

/** Does a value count as true: everything except false, zero, null and missing? */
export function isTruthy(value: Value): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !isNumber(value) || asNumber(value) !== 0;
}

/** The value at a field path of an expression: through arrays it gathers the values of the documents in them; an index means nothing to it. */
export function valueAt(value: Value, path: readonly string[], from = 0): Value {
  if (from === path.length) return value;
  if (isDocument(value)) return valueAt(getField(value, path[from]!), path, from + 1);
  if (!Array.isArray(value)) return undefined;
  const gathered: Value[] = [];
  for (const item of value) {
    const inner = isDocument(item) ? valueAt(item, path, from) : undefined;
    if (inner !== undefined) gathered.push(inner);
  }
  return gathered;
}

/** The checked segments of a field path such as 'a.b'. */
export function fieldPath(path: string): readonly string[] {
  if (path === '') throw storeError(40352, 'FieldPath cannot be constructed with empty string');
  if (path.endsWith('.')) throw storeError(40353, "FieldPath must not end with a '.'.");
  const parts = splitPath(path);
  for (const part of parts) {
    if (part === '') throw storeError(15998, 'FieldPath field names may not be empty strings.');
    if (part.startsWith('$')) throw dollarName();
    if (part.includes('\0')) throw storeError(16411, 'FieldPath field names may not contain null characters.');
  }
  return parts;
}

/** The refusal of a field whose name begins with a dollar sign. */
export const dollarName = () =>
  storeError(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);

/** Null and missing, which most operators answer with null. */
export function isNullish(value: Value): value is null | undefined {
  return value === null || value === undefined;
}

/** A whole number that fits 32 bits, of any number type; otherwise the code is thrown. */
export function int32Of(value: Value, code: number, message: string): number {
  const number = asNumber(value);
  if (number === undefined || !Number.isInteger(number) || number < -0x80000000 || number > 0x7fffffff)
    throw storeError(code, message);
  return number;
}
