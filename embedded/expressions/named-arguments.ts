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
  $let: [16874, 16875, { 16876: 'vars', 16877: 'in' }],
  $map: [16878, 16879, { 16880: 'input', 16882: 'in', 0: 'as' }],
  $filter: [28646, 28647, { 28648: 'input', 28650: 'cond', 0: 'as limit' }],
  $reduce: [40075, 40076, { 40077: 'input', 40078: 'initialValue', 40079: 'in' }],
  $switch: [40060, 40067, { 0: 'branches default' }],
  'a branch of $switch': [40060, 40067, { 40064: 'case', 40065: 'then' }],
  $getField: [3041702, 3041701, { 3041702: 'field', 3041703: 'input' }],
  $setField: [4161100, 4161101, { 4161102: 'field', 4161109: 'input', 4161103: 'value' }],
  $unsetField: [4161100, 4161101, { 4161102: 'field', 4161109: 'input' }],
  $sortArray: [2942500, 2942501, { 2942502: 'input', 2942503: 'sortBy' }],
  $dateToString: [18629, 18534, { 18628: 'date', 0: 'format timezone onNull' }],
  $trim: [50696, 50694, { 50695: 'input', 0: 'chars' }],
  $replaceRoot: [40229, 40230, { 40231: 'newRoot' }],
  $unwind: [15981, 28811, { 28812: 'path', 0: 'includeArrayIndex preserveNullAndEmptyArrays' }],
  $lookup: [9, 9, { 9: 'from as', 0: 'localField foreignField let pipeline' }],
  $graphLookup: [
    9,
    40104,
    { 40105: 'from startWith connectFromField connectToField as', 0: 'maxDepth depthField restrictSearchWithMatch' },
  ],
  $unionWith: [9, 9, { 9: 'coll', 0: 'pipeline' }],
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
