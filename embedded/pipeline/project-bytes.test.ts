import { Int32 } from 'bson';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyDoc } from '../test/arbitrary-values.ts';
import { type Doc, decode } from '../values/bson.ts';
import { encodeBytes } from '../values/bytes.ts';
import { compileProjection } from './project.ts';
import { compileBytesProjection } from './project-bytes.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd');
const flag = fc.constantFrom<Doc[string]>(true, new Int32(1));
const spec: fc.Arbitrary<Doc> = fc
  .record({
    top: fc.dictionary(name, fc.oneof(flag, fc.dictionary(name, flag, { minKeys: 1 })), { minKeys: 1 }),
    id: fc.option(fc.boolean()),
  })
  .map(({ top, id }) => (id === null ? top : { ...top, _id: id }));

test('projects bytes like the decoded document', () => {
  let cuts = 0;
  fc.assert(
    fc.property(anyDoc, spec, (fields, projection) => {
      const doc = { _id: new Int32(7), ...fields };
      const cut = compileBytesProjection(projection)?.(encodeBytes(doc));
      if (!cut) return;
      cuts++;
      expect(decode(cut)).toEqual(decode(encodeBytes(compileProjection(projection)(doc))));
    }),
  );
  expect(cuts).toBeGreaterThan(20);
});

test('supports nested and dotted fields, but not arrays, exclusions or operators', () => {
  const doc = encodeBytes({ _id: 'x', a: { b: { c: 1, d: 2 }, e: 3 }, list: [{ b: 1 }], z: 4 });
  expect(decode(compileBytesProjection({ 'a.b.d': 1, z: true })!(doc)!)).toEqual({
    _id: 'x',
    a: { b: { d: new Int32(2) } },
    z: new Int32(4),
  });
  expect(decode(compileBytesProjection({ _id: 0, a: { e: 1 }, list: 1 })!(doc)!)).toEqual({
    a: { e: new Int32(3) },
    list: [{ b: new Int32(1) }],
  });
  expect(compileBytesProjection({ 'list.b': 1 })!(doc)).toBe(undefined);
  for (const projection of [{ a: 0 }, { _id: 1 }, { _id: 0 }, { a: '$z' }, { 'list.$': 1 }, { list: { $slice: 1 } }])
    expect(compileBytesProjection(projection)).toBe(undefined);
});
