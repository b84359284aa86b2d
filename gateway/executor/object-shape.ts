// The inner loop of shaping, written out for one selection: the fields are named in the code, so that the engine gives every shaped
// object one layout and knows where each field of the answer lies. In a loop over the fields it knows neither, and writing what such a
// loop makes as JSON is slower as well.
import { isObject, type JsonObject } from './merge.ts';

/** Makes a value of an answer what the client is shown; null for what it is not. */
export type Complete = (value: unknown) => unknown;

/** A field of the shaped object: the key it is read by and shown under, how its value is shaped (`leaf`: as it is), and what to tell when it is null but must not be. */
export type Field = { key: string; complete: Complete; nonNull: boolean; coordinate: string };

/** Told of each object, and of each field (`Type.field`) where a null came for a value the schema promises. */
export type Spend = { object(): void; broken(coordinate: string): void };

/** A value that is shown as it is. */
export const leaf: Complete = (value) => (value === undefined ? null : value);

/** Makes the function that shapes an object by these fields, in their order; null for what is none, or lacks a field that must not be null. */
export function objectShape(fields: readonly Field[], spend: Spend): Complete {
  const values = fields.map((field, n) => `${shapedValue(field, n)}\n${refusedNull(field, n)}`);
  const shown = fields.map(({ key }, n) => `${JSON.stringify(key)}: v${n}`);
  // names of GraphQL are names of JavaScript, so nothing of a client's text is code here; `__proto__` is refused when an operation is compiled
  const make = new Function(
    ...['isObject', 'spend', 'fields'],
    `'use strict';
const [${fields.map((_field, n) => `{ complete: c${n}, coordinate: k${n} }`).join(', ')}] = fields;
return (value) => {
  if (!isObject(value)) return null;
  spend.object();
${values.join('\n')}
  return { ${shown.join(', ')} };
};`,
  ) as (
    isObjectHere: typeof isObject,
    spendHere: Spend,
    fieldsHere: readonly Field[],
  ) => (value: unknown) => JsonObject | null;
  return make(isObject, spend, fields);
}

function shapedValue({ key, complete }: Field, n: number): string {
  const name = JSON.stringify(key);
  // a key such as `constructor` stands on every object's prototype too
  const read =
    key in Object.prototype ? `(Object.hasOwn(value, ${name}) ? value[${name}] : undefined)` : `value[${name}]`;
  return complete === leaf
    ? `  const r${n} = ${read}, v${n} = r${n} === undefined ? null : r${n};`
    : `  const v${n} = c${n}(${read});`;
}

const refusedNull = ({ nonNull }: Field, n: number): string =>
  nonNull ? `  if (v${n} === null) { spend.broken(k${n}); return null; }` : '';
