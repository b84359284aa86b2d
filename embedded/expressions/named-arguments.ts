// Validates the named arguments of operators and stages.

import { storeError } from '../protocol/errors.ts';
import { type Doc, isDocument, typeName, type Value } from '../values/bson.ts';

/**
 * MongoDB's error codes for a value that is not a document and for an unknown argument, then the argument names by the
 * code for a missing argument. Names with code 0 are optional.
 */
type Signature = readonly [shape: number, unknown: number, names: { readonly [code: number]: string }];

const SIGNATURES: { readonly [owner: string]: Signature } = {
  $cond: [16020, 17083, { 17080: 'if', 17081: 'then', 17082: 'else' }],
  $replaceRoot: [40229, 40230, { 40231: 'newRoot' }],
  $unwind: [15981, 28811, { 28812: 'path', 0: 'includeArrayIndex preserveNullAndEmptyArrays' }],
  $lookup: [9, 9, { 9: 'from as', 0: 'localField foreignField let pipeline' }],
};

/** Validates the named arguments of an operator or stage. Throws the codes of its signature. */
export function namedArguments(owner: string, value: Value): Doc {
  const [shape, unknown, namesByCode] = SIGNATURES[owner]!;
  if (!isDocument(value)) throw storeError(shape, `${owner} takes an object, not ${typeName(value)}`);
  const names = Object.entries(namesByCode).flatMap(([code, list]) =>
    list.split(' ').map((name) => ({ name, code: Number(code) })),
  );
  for (const key of Object.keys(value))
    if (!names.some(({ name }) => name === key)) throw storeError(unknown, `${owner} has no argument '${key}'`);
  for (const { name, code } of names)
    if (code && !Object.hasOwn(value, name)) throw storeError(code, `${owner} requires the argument '${name}'`);
  return value;
}
