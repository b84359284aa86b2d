// The `$group` stage and its accumulators.

import { Int32, Long } from 'bson';
import { isNullish } from '../expressions/expression-scope.ts';
import { compileExpression, type Scope } from '../expressions/expressions.ts';
import { notImplemented, storeError } from '../protocol/errors.ts';
import { startSummation } from '../values/arithmetic.ts';
import { type Doc, firstField, isDocument, setField, type Value } from '../values/bson.ts';
import { compare } from '../values/compare.ts';
import { hashKey } from '../values/hash-key.ts';
import { type Meter, memoryMeter, sizeOf, withPauses } from '../values/memory.ts';

/** Compiles `$group`: one document per distinct `_id`, in the order of their first occurrence. */
export function compileGroup(spec: Value, scope: Scope): (input: AsyncIterable<Doc>) => AsyncIterable<Doc> {
  if (!isDocument(spec)) throw storeError(15947, "a group's fields must be specified in an object");
  if (!Object.hasOwn(spec, '_id')) throw storeError(15955, 'a group specification must include an _id');
  const idOf = compileExpression(spec._id, scope);
  const fields = Object.keys(spec).flatMap((name) => (name === '_id' ? [] : [compileField(name, spec[name], scope)]));
  return async function* group(input) {
    const groups = new Map<string, { id: Value; accumulators: Accumulator[] }>();
    const meter = memoryMeter('$group');
    for await (const doc of input) {
      const id = idOf(doc) ?? null;
      const key = hashKey(id, scope.collation);
      let state = groups.get(key);
      if (!state) {
        meter.add(2 * key.length + 64 * (fields.length + 1));
        state = { id, accumulators: fields.map(({ start }) => start(scope, meter)) };
        groups.set(key, state);
      }
      for (let at = 0; at < fields.length; at++) state.accumulators[at]!.add(fields[at]!.evaluate(doc));
    }
    for await (const { id, accumulators } of withPauses(groups.values())) {
      const out: Doc = { _id: id };
      for (const [at, { name }] of fields.entries()) setField(out, name, accumulators[at]!.result() ?? null);
      yield out;
    }
  };
}

/** Combines the values of one group. It reports its memory use to the meter. */
type Accumulator = { add(value: Value): void; result(): Value };

function compileField(name: string, spec: Value, scope: Scope) {
  if (name.includes('.')) throw storeError(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$')) throw storeError(40236, `The field name '${name}' cannot be an operator name`);
  if (!isDocument(spec)) throw storeError(40234, `The field '${name}' must be an accumulator object`);
  const operator = firstField(spec);
  if (operator === undefined || Object.keys(spec).length > 1)
    throw storeError(40238, `The field '${name}' must specify one accumulator`);
  const start = Object.hasOwn(ACCUMULATORS, operator) ? ACCUMULATORS[operator] : undefined;
  if (!start) throw notImplemented(`the accumulator ${operator}`);
  const argument = spec[operator];
  if (Array.isArray(argument) && argument.length !== 1)
    throw storeError(40237, `The ${operator} accumulator is a unary operator`);
  if (operator === '$count' && !(isDocument(argument) && Object.keys(argument).length === 0))
    throw storeError(9, '$count takes no arguments, i.e. $count:{}');
  return { name, start, evaluate: compileExpression(Array.isArray(argument) ? argument[0] : argument, scope) };
}

const ACCUMULATORS: { [name: string]: (scope: Scope, meter: Meter) => Accumulator } = {
  $sum: () => {
    const { add, total } = startSummation();
    return { add, result: total };
  },
  $avg: () => {
    const { add, average } = startSummation();
    return { add, result: average };
  },
  $min: ({ collation }, meter) =>
    selectOne(meter, (value, best) => !isNullish(value) && (best === undefined || compare(value, best, collation) < 0)),
  $max: ({ collation }, meter) =>
    selectOne(meter, (value, best) => !isNullish(value) && (best === undefined || compare(value, best, collation) > 0)),
  $first: (_, meter) => selectOne(meter, (_value, _best, isFirst) => isFirst),
  $last: (_, meter) => selectOne(meter, () => true),
  $push: (_, meter) => {
    const pushed: Value[] = [];
    const add = (value: Value) => {
      if (value === undefined) return;
      meter.add(sizeOf(value));
      pushed.push(value);
    };
    return { add, result: () => pushed };
  },
  $addToSet: ({ collation }, meter) => {
    const set = new Map<string, Value>();
    const add = (value: Value) => {
      const key = hashKey(value, collation);
      if (value === undefined || set.has(key)) return;
      meter.add(sizeOf(value) + 2 * key.length);
      set.set(key, value);
    };
    return { add, result: () => [...set.values()] };
  },
  $count: () => {
    let count = 0;
    const add = () => {
      count++;
    };
    return { add, result: () => countValue(count) };
  },
};

/** Returns a count as an Int32 if it fits, otherwise as a Long. */
export function countValue(count: number): Value {
  return count <= 0x7fffffff ? new Int32(count) : Long.fromNumber(count);
}

// Keeps one value and replaces it if `isBetter` returns true.
function selectOne(meter: Meter, isBetter: (value: Value, best: Value, isFirst: boolean) => boolean): Accumulator {
  let best: Value;
  let size = 0;
  let isFirst = true;
  const add = (value: Value) => {
    const replaces = isBetter(value, best, isFirst);
    isFirst = false;
    if (!replaces) return;
    const before = size;
    size = sizeOf(value);
    meter.add(size - before);
    best = value;
  };
  return { add, result: () => best };
}
