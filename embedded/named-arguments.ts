import { type Doc, isDocument, typeName, type Value } from './bson.ts';
import { storeError } from './errors.ts';

/** A server's codes for what is no document and for an argument it does not know, then the arguments; those with a code of their own must be there. */
type Signature = readonly [shape: number, unknown: number, ...names: (readonly [name: string, missing?: number])[]];

const SIGNATURES: { [taker: string]: Signature } = {
  $cond: [16020, 17083, ['if', 17080], ['then', 17081], ['else', 17082]],
  $let: [16874, 16875, ['vars', 16876], ['in', 16877]],
  $map: [16878, 16879, ['input', 16880], ['as'], ['in', 16882]],
  $filter: [28646, 28647, ['input', 28648], ['as'], ['cond', 28650], ['limit']],
  $reduce: [40075, 40076, ['input', 40077], ['initialValue', 40078], ['in', 40079]],
  $switch: [40060, 40067, ['branches'], ['default']],
  'a branch of $switch': [40060, 40067, ['case', 40064], ['then', 40065]],
  $getField: [3041702, 3041701, ['field', 3041702], ['input', 3041703]],
  $setField: [4161100, 4161101, ['field', 4161102], ['input', 4161109], ['value', 4161103]],
  $unsetField: [4161100, 4161101, ['field', 4161102], ['input', 4161109]],
  $sortArray: [2942500, 2942501, ['input', 2942502], ['sortBy', 2942503]],
  $dateToString: [18629, 18534, ['date', 18628], ['format'], ['timezone'], ['onNull']],
  $trim: [50696, 50694, ['input', 50695], ['chars']],
};

/** The named arguments of an operator or a stage; what is none of them, or misses, is refused with its own codes. */
export function namedArguments(taker: string, given: Value): Doc {
  const [shape, unknown, ...names] = SIGNATURES[taker] ?? [9, 9];
  if (!isDocument(given)) throw storeError(shape, `${taker} takes an object, not ${typeName(given)}`);
  for (const key of Object.keys(given)) if (!names.some(([name]) => name === key)) throw storeError(unknown, `${taker} has no argument '${key}'`);
  for (const [name, code] of names) if (code && !Object.hasOwn(given, name)) throw storeError(code, `${taker} misses its argument '${name}'`);
  return given;
}
