import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeKey } from '../data/keystring.ts';
import type { Value } from '../values/bson.ts';
import { type Interval, intersect, intervalsOf } from './bounds.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u{10000}', '\uffff', '\ue000', '\0', '\x01', ''),
);

test('returns one point for each distinct string of a list, in key order', () => {
  fc.assert(
    fc.property(fc.array(text), (values) => {
      const points = intervalsOf({ path: 'a', operator: '$in', argument: values, siblings: {} }, false) ?? [];
      const keys = points.map(({ low }) => low.bytes.toString('hex'));
      expect(keys).toEqual([...new Set(values.map((value) => encodeKey([value], [1]).toString('hex')))].sort());
    }),
  );
});

test('intersects lists of intervals like each pair of intervals', () => {
  const number = fc.nat(20);
  const predicate = fc.oneof(
    fc.array(number, { maxLength: 12 }).map((argument) => ({ operator: '$in', argument })),
    fc.record({ operator: fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$eq'), argument: number }),
  );
  const intervals = ({ operator, argument }: { operator: string; argument: Value }) =>
    intervalsOf({ path: 'a', operator, argument, siblings: {} }, false) ?? [];
  const boundsOf = (list: Interval[]) =>
    list.map(({ low, high, point }) => [
      low.bytes.toString('hex'),
      low.after,
      high.bytes.toString('hex'),
      high.after,
      point,
    ]);
  fc.assert(
    fc.property(predicate, predicate, (left, right) => {
      const [some, others] = [intervals(left), intervals(right)];
      const each = some.flatMap((one) => others.flatMap((other) => intersect([one], [other])));
      expect(boundsOf(intersect(some, others))).toEqual(boundsOf(each));
    }),
  );
});
