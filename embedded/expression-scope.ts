import { asNumber, type Doc, getField, isDocument, isNumber, splitPath, type Value } from './bson.ts';
import type { Collation } from './compare.ts';
import { storeError } from './errors.ts';

/** A compiled expression: the value for a document; `undefined` stands for missing. */
export type Evaluate = (doc: Doc) => Value;

/** What an expression may use besides the document. A variable is a cell, set before the expression inside its `$let`, `$map` … is evaluated. */
export type Scope = { variables: ReadonlyMap<string, Cell>; now: Date; collation?: Collation };
export type Cell = { value: Value };

/** The compiler of expressions, handed to the forms that contain some. */
export type Compile = (expression: Value, scope: Scope) => Evaluate;

/** The compiler of an operator that does not simply evaluate all its arguments. */
export type Form = (argument: Value, scope: Scope, compile: Compile) => Evaluate;

export type Context = { now: Date; collation?: Collation; present: readonly boolean[] };

/**
 * An operator that evaluates its arguments: how many it takes in a list, or the named fields it takes in a document, and what it makes of the values.
 * `fold` is given the values one by one and may stop before the rest is evaluated.
 */
export type Operator =
  | { least: number; most: number; compute(values: Value[], context: Context): Value }
  | { fields: readonly string[]; required: readonly string[]; compute(values: Value[], context: Context): Value }
  | { fold(values: Iterable<Value>, context: Context): Value };

/** The same scope with one more variable, whose cell the caller fills. */
export function withVariable(scope: Scope, name: string): [Scope, Cell] {
  const cell: Cell = { value: undefined };
  return [{ ...scope, variables: new Map(scope.variables).set(name, cell) }, cell];
}

/** A name a user may give to a variable: it begins with a lower-case letter (or is CURRENT, which this store does not rebind). */
export function checkVariableName(name: string): void {
  if (name === 'CURRENT') throw storeError(238, 'embedded store: rebinding $$CURRENT is not implemented; set MONGODB_URL to use a MongoDB server');
  if (name === '') throw storeError(16867, 'empty variable names are not allowed');
  if (!/^[a-z\u0080-\uffff]/.test(name)) throw storeError(16867, `'${name}' starts with an invalid character for a user variable name`);
  if (/[^\w\u0080-\uffff]/.test(name)) throw storeError(16868, `'${name}' contains an invalid character for a variable name`);
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
    if (!isDocument(item)) continue;
    const inner = valueAt(item, path, from);
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
    if (part.startsWith('$')) throw storeError(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
    if (part.includes('\0')) throw storeError(16411, 'FieldPath field names may not contain null characters.');
  }
  return parts;
}

/** Null and missing, which most operators answer with null. */
export function isNullish(value: Value): value is null | undefined {
  return value === null || value === undefined;
}

/** A whole number that fits 32 bits, of any number type; otherwise the code is thrown. */
export function int32Of(value: Value, code: number, message: string): number {
  const number = asNumber(value);
  if (number === undefined || !Number.isInteger(number) || number < -0x80000000 || number > 0x7fffffff) throw storeError(code, message);
  return number;
}
