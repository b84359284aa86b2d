import { Int32, Long } from 'bson';
import { type Summation, startSummation } from './arithmetic.ts';
import { type Doc, firstField, isDocument, setField, type Value } from './bson.ts';
import { type Collation, compare } from './compare.ts';
import { notImplemented, storeError } from './errors.ts';
import { compileExpression, type Scope } from './expressions.ts';
import { encodeKey } from './keystring.ts';
import { memoryMeter, sizeOf } from './memory.ts';
import { paced } from './paced.ts';
import { REFUSED_ACCUMULATORS } from './promise.ts';

/** Compiles `$group`: one document per distinct `_id`, in the order the groups were first met. */
export function compileGroup(spec: Value, scope: Scope): (input: AsyncIterable<Doc>) => AsyncIterable<Doc> {
  if (!isDocument(spec)) throw storeError(15947, "a group's fields must be specified in an object");
  if (!Object.hasOwn(spec, '_id')) throw storeError(15955, 'a group specification must include an _id');
  const idOf = compileExpression(spec._id, scope);
  const fields = Object.keys(spec).flatMap((name) => (name === '_id' ? [] : [compileField(name, spec[name], scope)]));
  return async function* group(input) {
    const groups = new Map<string, { id: Value; states: Accumulator[] }>();
    const meter = memoryMeter('$group');
    for await (const doc of input) {
      const id = idOf(doc) ?? null;
      const key = hashKey(id, scope.collation);
      let found = groups.get(key);
      if (!found) {
        meter.add(2 * key.length + 64 * (fields.length + 1));
        found = { id, states: fields.map((field) => field.start()) };
        groups.set(key, found);
      }
      for (let at = 0; at < fields.length; at++) meter.add(found.states[at]!.add(fields[at]!.evaluate(doc)));
    }
    for await (const { id, states } of paced(groups.values())) {
      const out: Doc = { _id: id };
      for (const [at, { name }] of fields.entries()) setField(out, name, states[at]!.result() ?? null);
      yield out;
    }
  };
}

/** A text that is the same for equal values only, also under a collation. */
export function hashKey(value: Value, collation?: Collation): string {
  return encodeKey([collation ? collated(value, collation) : value], [1]).toString('latin1');
}

function collated(value: Value, collation: Collation): Value {
  if (typeof value === 'string') return collation.representative(value);
  if (Array.isArray(value)) return value.map((item: Value) => collated(item, collation));
  return isDocument(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, collated(inner, collation)])) : value;
}

/** Takes the values of one group; `add` answers how many bytes more it now holds */
type Accumulator = { add(value: Value): number; result(): Value };

function compileField(name: string, spec: Value, scope: Scope) {
  if (name.includes('.')) throw storeError(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$')) throw storeError(40236, `The field name '${name}' cannot be an operator name`);
  if (!isDocument(spec)) throw storeError(40234, `The field '${name}' must be an accumulator object`);
  const operator = firstField(spec);
  if (operator === undefined || Object.keys(spec).length > 1) throw storeError(40238, `The field '${name}' must specify one accumulator`);
  const start = Object.hasOwn(ACCUMULATORS, operator) ? ACCUMULATORS[operator] : undefined;
  if (REFUSED_ACCUMULATORS.has(operator)) throw notImplemented(`the accumulator ${operator}`);
  if (!start) throw storeError(15952, `unknown group operator '${operator}'`);
  const argument = spec[operator];
  if (Array.isArray(argument) && argument.length !== 1) throw storeError(40237, `The ${operator} accumulator is a unary operator`);
  if (operator === '$count' && !(isDocument(argument) && Object.keys(argument).length === 0))
    throw storeError(9, '$count takes no arguments, i.e. $count:{}');
  return { name, start: () => start(scope), evaluate: compileExpression(Array.isArray(argument) ? argument[0] : argument, scope) };
}

const ACCUMULATORS: { [name: string]: (scope: Scope) => Accumulator } = {
  $sum: () => summed(({ total }) => total()),
  $avg: () => summed(({ average }) => average()),
  $min: (scope) => extreme(-1, scope),
  $max: (scope) => extreme(1, scope),
  $first: () => {
    let first: Value;
    let any = false;
    return {
      add: (value) => {
        if (any) return 0;
        any = true;
        first = value;
        return sizeOf(value);
      },
      result: () => first,
    };
  },
  $last: () => {
    let last: Value;
    return {
      add: (value) => {
        last = value;
        return 0;
      },
      result: () => last,
    };
  },
  $push: () => {
    const pushed: Value[] = [];
    return {
      add: (value) => {
        if (value === undefined) return 0;
        pushed.push(value);
        return sizeOf(value);
      },
      result: () => pushed,
    };
  },
  $addToSet: ({ collation }) => {
    const set = new Map<string, Value>();
    return {
      add: (value) => {
        if (value === undefined) return 0;
        const key = hashKey(value, collation);
        if (set.has(key)) return 0;
        set.set(key, value);
        return sizeOf(value) + 2 * key.length;
      },
      result: () => [...set.values()],
    };
  },
  $count: () => {
    let count = 0;
    return {
      add: () => {
        count++;
        return 0;
      },
      result: () => countValue(count),
    };
  },
};

/** A count: Int32 while it fits, else Long. */
export function countValue(count: number): Value {
  return count <= 0x7fffffff ? new Int32(count) : Long.fromNumber(count);
}

function summed(answer: (summation: Summation) => Value): Accumulator {
  const summation = startSummation();
  return {
    add: (value) => {
      summation.add(value);
      return 0;
    },
    result: () => answer(summation),
  };
}

function extreme(side: 1 | -1, { collation }: Scope): Accumulator {
  let best: Value;
  return {
    add: (value) => {
      if (value === undefined || value === null) return 0;
      if (best === undefined || compare(value, best, collation) * side > 0) best = value;
      return 0;
    },
    result: () => best,
  };
}
