import { Binary, deserialize, Int32, Long, ObjectId, serialize } from 'bson';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LIMITS } from '../protocol/limits.ts';
import { anyDoc, anyValue } from '../test/arbitrary-values.ts';
import { asNumber, type Doc, decode, Encoded, encode, getPath, idFirst } from './bson.ts';

test('decodes and encodes every type without change', () => {
  fc.assert(
    fc.property(anyDoc, (doc) => {
      const bytes = encode(doc);
      expect(Buffer.from(encode(decode(bytes)))).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 1000 },
  );
});

test('encodes like the bson package', () => {
  const names = fc.string({ unit: fc.constantFrom('a', 'é', '$', '.', '0', '😀', '\ud800'), maxLength: 3 });
  const values = fc.oneof(
    anyValue,
    fc.string({ unit: 'binary', minLength: 60, maxLength: 80 }),
    fc.double(),
    fc.bigInt({ min: -9n, max: 9n }),
    fc.date({ noInvalidDate: false }),
  );
  fc.assert(
    fc.property(fc.dictionary(names, values, { maxKeys: 6 }), (doc) => {
      expect(encode(doc).equals(serialize(doc, { ignoreUndefined: false }))).toBe(true);
    }),
    { numRuns: 500 },
  );
  expect(() => encode({ a: { 'b\0': 1 } })).toThrow(expect.objectContaining({ code: 22 }));
  expect(() => encode({ a: { _bsontype: 'Nothing' } })).toThrow();
  const large = { list: Array.from({ length: 2_000 }, (_, at) => ({ at, text: 'x'.repeat(1000) })) };
  expect(encode(large).equals(serialize(large))).toBe(true);
});

test('embeds an encoded document as a value', () => {
  fc.assert(
    fc.property(anyDoc, anyValue, (doc, other) => {
      const around = (value: unknown) => encode({ a: other, list: [value, other], value });
      expect(around(new Encoded(encode(doc))).equals(around(doc))).toBe(true);
    }),
  );
});

test('decodes like the bson package', () => {
  fc.assert(
    fc.property(anyDoc, (doc) => {
      const bytes = encode(doc);
      const reference = deserialize(bytes, { promoteValues: false, promoteLongs: false, bsonRegExp: true });
      expect(Buffer.from(serialize(reference, { ignoreUndefined: false }))).toEqual(Buffer.from(bytes));
      expect(Object.keys(decode(bytes))).toEqual(Object.keys(reference));
    }),
    { numRuns: 500 },
  );
});

test('decodes a large document the same way every time', () => {
  const names = ['__proto__', '7', 'é', 'constructor', ...'abcdefghijklmnop'];
  const large = fc
    .tuple(fc.shuffledSubarray(names, { minLength: 9 }), fc.array(anyValue, { minLength: 20, maxLength: 20 }))
    .map(([chosen, values]) =>
      Object.fromEntries(
        chosen.map((name, at): [string, unknown] => [name, at === 3 ? { [name]: values } : values[at]]),
      ),
    );
  fc.assert(
    fc.property(large, large, (one, other) => {
      for (const doc of [one, one, one, other, one, other]) {
        const decoded = decode(serialize(doc, { ignoreUndefined: false }));
        expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
        expect(Object.keys(decoded)).toEqual(Object.keys(doc));
        expect(encode(decoded).equals(serialize(doc, { ignoreUndefined: false }))).toBe(true);
      }
    }),
    { numRuns: 100 },
  );
});

test('rejects truncated and damaged documents', () => {
  const bytes = encode({
    a: 'text',
    b: { c: [new Int32(1), new Binary(new Uint8Array([1, 2, 3]))] },
    d: new ObjectId(),
  });
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 }), (at, byte) => {
      const damaged = Buffer.from(bytes);
      damaged[at] = byte;
      try {
        decode(damaged);
      } catch (error) {
        expect(error).toMatchObject({ code: 22 });
      }
    }),
  );
  expect(() => decode(bytes.subarray(0, bytes.length - 1))).toThrow(expect.objectContaining({ code: 22 }));
});

test('decodes a DBRef as a document and __proto__ as a plain field', () => {
  const doc = decode(serialize({ ref: { $ref: 'c', $id: new Int32(1) }, ['__proto__']: new Int32(2) }));
  expect(doc.ref).toEqual({ $ref: 'c', $id: new Int32(1) });
  expect(Object.keys(doc)).toContain('__proto__');
});

test('encodes and decodes up to the maximum nesting and rejects deeper documents', () => {
  const nested = (levels: number): Doc => (levels === 2 ? { a: {} } : { a: [nested(levels - 2)] });
  const maxDepth = nested(LIMITS.nestingLevels);
  expect(decode(encode(maxDepth))).toEqual(maxDepth);
  expect(() => encode({ a: maxDepth })).toThrow(expect.objectContaining({ code: 15 }));
  expect(decode(encode(maxDepth))).toEqual(maxDepth);
});

test('moves _id to the front and keeps the order of the other fields', () => {
  expect(Object.keys(idFirst({ b: 1, _id: 2, a: 3 }))).toEqual(['_id', 'b', 'a']);
  const ordered = { _id: 1, a: 2 };
  expect(idFirst(ordered)).toBe(ordered);
});

test('follows a path through documents in arrays and array indexes', () => {
  expect(getPath({ a: [{ b: 1 }, 5, { b: [2, 3] }] }, 'a.b')).toEqual([1, [2, 3]]);
  expect(getPath({ a: [{ b: 1 }, { b: 2 }] }, 'a.1.b')).toEqual([2]);
  expect(getPath({ a: 1 }, 'a.b')).toEqual([]);
});

test('converts numbers of every type and returns undefined for other values', () => {
  expect([new Int32(1), Long.fromNumber(2), '3', null].map(asNumber)).toEqual([1, 2, undefined, undefined]);
});
