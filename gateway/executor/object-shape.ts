// Shapes objects of responses with generated code for each selection. Code that names the fields gives all shaped
// objects one hidden class; a loop over the fields would not, and both shaping and JSON.stringify would be slower.
import { isObjectOrList, type JsonObject } from './merge.ts';

/** Converts a value of a subgraph's response into the client's; null if it is invalid. */
export type CompleteValue = (value: unknown) => unknown;

/** A field of the shaped object: its response key, how to shape its value, and its `Type.field`. */
export type Field = { key: string; complete: CompleteValue; nonNull: boolean; coordinate: string };

/** Counts objects, and receives the `Type.field` of each non-null field whose value is null. */
export type ShapeListener = { countObject(): void; reportNull(coordinate: string): void };

/** Shapes a scalar: passes it unchanged. */
export const completeLeaf: CompleteValue = (value) => (value === undefined ? null : value);

/** Creates the function that shapes an object, with its fields in this order; null if a non-null field is null. */
export function compileObjectShape(fields: readonly Field[], listener: ShapeListener): CompleteValue {
  const values = fields.map((field, n) => `${valueCode(field, n)}\n${nullCheckCode(field, n)}`);
  const properties = fields.map(({ key }, n) => `${JSON.stringify(key)}: v${n}`);
  // GraphQL names are valid identifiers, so no client text becomes code; `__proto__` is rejected at compilation.
  // Numbered by field: c completes its value, k is its coordinate, r its raw and v its completed value.
  const create = new Function(
    'isObject',
    'listener',
    'fields',
    `'use strict';
const [${fields.map((_field, n) => `{ complete: c${n}, coordinate: k${n} }`).join(', ')}] = fields;
return (value) => {
  if (!isObject(value)) return null;
  listener.countObject();
${values.join('\n')}
  return { ${properties.join(', ')} };
};`,
  ) as (
    ...parameters: [typeof isObjectOrList, ShapeListener, readonly Field[]]
  ) => (value: unknown) => JsonObject | null;
  return create(isObjectOrList, listener, fields);
}

function valueCode({ key, complete }: Field, n: number): string {
  const name = JSON.stringify(key);
  // Keys such as `constructor` exist on the prototype of every object.
  const read =
    key in Object.prototype ? `(Object.hasOwn(value, ${name}) ? value[${name}] : undefined)` : `value[${name}]`;
  return complete === completeLeaf
    ? `  const r${n} = ${read}, v${n} = r${n} === undefined ? null : r${n};`
    : `  const v${n} = c${n}(${read});`;
}

const nullCheckCode = ({ nonNull }: Field, n: number): string =>
  nonNull ? `  if (v${n} === null) { listener.reportNull(k${n}); return null; }` : '';
