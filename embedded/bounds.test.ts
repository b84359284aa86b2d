import fc from 'fast-check';
import { expect, test } from 'vitest';
import { intervalsOf } from './bounds.ts';
import { encodeKey } from './keystring.ts';

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('\u{10000}', '\uffff', '\ue000', '\0', '\x01', ''));

test('a list of texts is a point for each, once and in the order of their keys', () => {
  fc.assert(
    fc.property(fc.array(text), (values) => {
      const points = intervalsOf({ path: 'a', operator: '$in', argument: values, siblings: {} }, false) ?? [];
      const keys = points.map(({ low }) => low.bytes.toString('hex'));
      expect(keys).toEqual([...new Set(values.map((value) => encodeKey([value], [1]).toString('hex')))].sort());
    }),
  );
});
