// The types and helpers that all expression operators share.

import { notImplemented, storeError } from '../protocol/errors.ts';
import { asNumber, type Doc, getField, isDocument, splitPath, type Value } from '../values/bson.ts';
import type { Collation } from '../values/compare.ts';

/** A compiled expression. It returns the value for a document; `undefined` means missing. */
export type Evaluate = (doc: Doc) => Value;

/**
 * The variables, time and collation of an expression. A variable is a cell that is set before an expression
 * that uses it is evaluated.
 */
export type Scope = { variables: ReadonlyMap<string, Cell>; now: Date; collation?: Collation };
export type Cell = { value: Value };

/**
 * An operator that evaluates its arguments, between `min` and `max` of them. `fold` receives the values one by one and
 * may stop before the rest are evaluated.
 */
export type Operator =
  | { min: number; max: number; compute(values: Value[], scope: Scope): Value }
  | { fold(values: Iterable<Value>, scope: Scope): Value };
export type Operators = { [name: string]: Operator };

type Compute = (values: Value[], scope: Scope) => Value;

/** Defines an operator with `min` to `max` operands. */
export const defineOperator = (min: number, max: number, compute: Compute): Operator => ({ min, max, compute });

/** Defines an operator that returns null if any operand is null or missing. */
export const defineNullPropagating = (min: number, max: number, compute: Compute): Operator =>
  defineOperator(min, max, (values, scope) => (values.some(isNullish) ? null : compute(values, scope)));

/** Returns the scope with additional variables, and the cells that the caller must set. */
export function withVariables(scope: Scope, names: string[]): [Scope, Cell[]] {
  const variables = new Map(scope.variables);
  const cells = names.map((name) => {
    assertVariableName(name);
    const cell: Cell = { value: undefined };
    variables.set(name, cell);
    return cell;
  });
  return [{ ...scope, variables }, cells];
}

// A user's variable starts with a lowercase letter. CURRENT is also allowed by MongoDB, but not supported here.
function assertVariableName(name: string): void {
  if (name === 'CURRENT') throw notImplemented('rebinding $$CURRENT');
  if (!/^[a-z\u0080-\uffff]/.test(name))
    throw storeError(16867, `'${name}' does not start as a user variable name does`);
  if (/[^\w\u0080-\uffff]/.test(name))
    throw storeError(16868, `'${name}' contains an invalid character for a variable name`);
}

/**
 * Returns the value at a field path. For arrays, collects the values of the documents in them; array indexes have no
 * effect.
 */
export function valueAt(value: Value, path: readonly string[], from = 0): Value {
  if (from === path.length) return value;
  if (isDocument(value)) return valueAt(getField(value, path[from]!), path, from + 1);
  if (!Array.isArray(value)) return undefined;
  const collected: Value[] = [];
  for (const item of value) {
    const inner = isDocument(item) ? valueAt(item, path, from) : undefined;
    if (inner !== undefined) collected.push(inner);
  }
  return collected;
}

/** Validates a field path such as 'a.b' and returns its segments. */
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

/** The error for a field name that starts with a dollar sign. */
export const dollarName = () =>
  storeError(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);

/** Whether a value is null or missing; most operators then return null. */
export function isNullish(value: Value): value is null | undefined {
  return value === null || value === undefined;
}

/** Returns the value if it is an integer of 32 bits, of any number type. Otherwise throws an error with this code. */
export function requireInt32(value: Value, code: number, message: string): number {
  const number = asNumber(value);
  if (number === undefined || !Number.isInteger(number) || number < -0x80000000 || number > 0x7fffffff)
    throw storeError(code, message);
  return number;
}
